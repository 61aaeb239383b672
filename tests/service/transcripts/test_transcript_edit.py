"""A transcript's title and language can be edited, and undone, wherever the library is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.service.files.test_files import STORY, finished, imported
from tui.errors import InvalidInput, NotFound
from tui.records.clips import NewClip
from tui.records.transcripts import Transcript
from tui.service.protocol import Service


async def story(service: Service, tmp_path: Path) -> Transcript:
    await imported(service, tmp_path / "Der Zug.de.srt")
    (transcript,) = (await service.transcripts.page()).items
    return transcript


async def counted(service: Service, word: str, language: str) -> int:
    return (await service.words.summary(word, language=language)).occurrences


async def test_a_title_is_edited_found_and_undone(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    edited = await service.transcripts.edit(before.id[:6], title="  Die\n\x1b[31mFahrt ")
    assert edited == replace(before, title="Die Fahrt")
    assert await service.transcripts.get(before.id) == edited
    assert [each.id for each in (await service.transcripts.page(q="fahrt")).items] == [before.id]
    assert all(each.hit for each in (await service.transcripts.page(q="zug")).items), "by a cue, no longer by its title"
    restored = await service.undo()
    assert restored is not None
    assert (restored.kind, restored.count) == ("edit", 1)
    assert await service.transcripts.get(before.id) == before
    assert (await service.transcripts.page(q="zug")).total == 1
    assert await service.undo() is None


async def test_words_and_searches_go_by_the_language_that_is_edited(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    cues = (await service.transcripts.cues(before.id)).items
    assert (await counted(service, "Zug", "de"), await counted(service, "Zug", "nl")) == (1, 0)
    edited = await service.transcripts.edit(before.id, language="nld")
    assert edited.language == "nl"
    assert (await counted(service, "Zug", "de"), await counted(service, "Zug", "nl")) == (0, 1)
    (line,) = await service.words.concordance("Zug", language="nl")
    assert line.transcript_id == before.id
    assert await service.words.concordance("Zug", language="de") == ()
    assert (await service.transcripts.cues(before.id)).items == cues
    assert (await service.transcripts.find(before.id, "fährt")) == (0,)
    assert await service.undo() is not None
    assert (await counted(service, "Zug", "de"), await counted(service, "Zug", "nl")) == (1, 0)
    assert [each.transcript_id for each in await service.words.concordance("Zug", language="de")] == [before.id]
    assert await service.transcripts.get(before.id) == before


async def test_an_unknown_language_counts_for_every_one(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    assert (await service.transcripts.edit(before.id, language=" ")).language is None
    assert (await counted(service, "Zug", "de"), await counted(service, "Zug", "nl")) == (1, 1)


async def test_clips_and_the_place_in_the_list_stay(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    await imported(service, tmp_path / "newer.de.srt", STORY.replace("Wir", "Sie"))
    clip = await service.clips.add(NewClip("Der Zug fährt ab.", transcript_id=before.id, cue_index=0, source="Der Zug"))
    await service.transcripts.edit(before.id, title="Die Fahrt", language="nl")
    assert [each.title for each in (await service.transcripts.page()).items] == ["newer", "Die Fahrt"]
    assert await service.clips.get(clip.id) == replace(clip, language="nl")
    await service.undo()
    assert [each.title for each in (await service.transcripts.page()).items] == ["newer", "Der Zug"]
    assert await service.clips.get(clip.id) == clip


async def test_what_is_no_title_and_no_language_is_refused(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    for changes, field in (
        ({"title": " \u200b\n"}, "title"),
        ({"title": "x" * 1001}, "title"),
        ({"language": "no tag"}, "language"),
    ):
        with pytest.raises(InvalidInput) as caught:
            await service.transcripts.edit(before.id, **changes)
        assert caught.value.hint
        assert caught.value.field in (field, "")
    with pytest.raises(NotFound):
        await service.transcripts.edit("nothere", title="x")
    assert await service.transcripts.get(before.id) == before
    assert await service.undo() is None


async def test_nothing_changed_is_nothing_to_undo(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    assert await service.transcripts.edit(before.id) == before
    assert await service.transcripts.edit(before.id, title=before.title, language="de") == before
    assert await service.undo() is None


async def test_an_edited_language_and_title_outlive_another_reading(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    await service.transcripts.edit(before.id, title="Die Fahrt", language="nl")
    file = await service.files.get(before.file_id or "")
    assert file.language == "nl"
    (job,) = (await finished(service, await service.files.reread(file.id, encoding="utf-8"))).values()
    assert job.outcome == "same"
    (job,) = (await finished(service, await service.files.reread(file.id, encoding="cp1252", force=True))).values()
    assert job.outcome == "reread"
    again = await service.transcripts.get(before.id)
    assert (again.title, again.language) == ("Die Fahrt", "nl")
    assert await service.undo() is not None
    assert await service.undo() is not None
    assert await service.transcripts.get(before.id) == before
    assert (await service.files.get(file.id)).language == "de"


async def test_a_transcript_without_its_file_can_be_edited(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    await service.files.delete(before.file_id or "")
    assert (await service.transcripts.edit(before.id, language="nl")).language == "nl"
    assert await service.undo() is not None
    assert (await service.transcripts.get(before.id)).language == "de"


async def test_an_edit_of_what_was_deleted_since_comes_back_after_it(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    await service.transcripts.edit(before.id, title="Die Fahrt", language="nl")
    await service.transcripts.delete(before.id)
    for title in ("Die Fahrt", "Der Zug"):
        assert await service.undo() is not None
        assert (await service.transcripts.get(before.id)).title == title
