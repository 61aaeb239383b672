"""Transcripts: title and language are edited and undone, sentences read page by page, files written and read back."""

import json
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.service.libraries import near_and_far
from tests.service.steps import STORY, ended, imported, refusal, story, undone
from tui.errors import NotFound
from tui.records.clips import NewClip
from tui.records.pages import to_json
from tui.records.transcripts import Sentence, Transcript
from tui.service.protocol import Service

CUT = """1
00:00:01,000 --> 00:00:02,000
Ja. Wir haben den

2
00:00:02,500 --> 00:00:04,000
letzten Zug verpasst.

3
00:00:05,000 --> 00:00:06,000
ANNA: Und jetzt?
"""


async def counted(service: Service, word: str = "Zug") -> tuple[int, int]:
    """Occurrences in German and in Dutch."""
    german, dutch = [await service.words.summary(word, language=language) for language in ("de", "nl")]
    return german.occurrences, dutch.occurrences


async def test_a_title_is_edited_found_and_undone(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    for changes in ({"title": " \u200b\n"}, {"title": "x" * 1001}, {"language": "no tag"}):
        refused = await refusal(service.transcripts.edit(before.id, **changes))
        assert (refused.field, bool(refused.hint)) == (*changes, True)
    assert isinstance(await refusal(service.transcripts.edit("nothere", title="x")), NotFound)
    edited = await service.transcripts.edit(before.id[:6], title="  Die\n\x1b[31mFahrt ")
    assert edited == replace(before, title="Die Fahrt")
    assert await service.transcripts.get(before.id) == edited
    assert [each.id for each in (await service.transcripts.page(q="fahrt")).items] == [before.id]
    assert all(each.hit for each in (await service.transcripts.page(q="zug")).items), "by a cue, no longer by its title"
    restored = await undone(service)
    assert (restored.kind, restored.count) == ("edit", 1)
    assert await service.transcripts.get(before.id) == before
    assert (await service.transcripts.page(q="zug")).total == 1
    assert await service.transcripts.edit(before.id, title=before.title, language="de") == before
    assert await service.undo() is None, "nothing changed is nothing to undo"


async def test_words_and_searches_go_by_the_language_that_is_edited(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    edited = await service.transcripts.edit(before.id, language="nld")
    assert (edited.language, await counted(service)) == ("nl", (0, 1))
    assert [each.transcript_id for each in await service.words.concordance("Zug", language="nl")] == [before.id]
    assert await service.words.concordance("Zug", language="de") == ()
    await undone(service)
    assert await service.transcripts.get(before.id) == before
    assert (await service.transcripts.edit(before.id, language=" ")).language is None
    assert await counted(service) == (1, 1), "an unknown language counts for every one"


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


async def test_an_edited_language_and_title_outlive_another_reading(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    await service.transcripts.edit(before.id, title="Die Fahrt", language="nl")
    file = await service.files.get(before.file_id or "")
    assert file.language == "nl"
    job = await ended(service, *await service.files.reread(file.id, encoding="utf-8"))
    assert job.outcome == "same"
    job = await ended(service, *await service.files.reread(file.id, encoding="cp1252", force=True))
    assert job.outcome == "reread"
    again = await service.transcripts.get(before.id)
    assert (again.title, again.language) == ("Die Fahrt", "nl")
    await undone(service)
    await undone(service)
    assert await service.transcripts.get(before.id) == before
    assert (await service.files.get(file.id)).language == "de"


async def test_edits_come_back_without_the_file_and_after_a_deletion(service: Service, tmp_path: Path) -> None:
    before = await story(service, tmp_path)
    await service.transcripts.edit(before.id, title="Die Fahrt", language="nl")
    await service.transcripts.delete(before.id)
    for title in ("Die Fahrt", "Der Zug"):
        await undone(service)
        assert (await service.transcripts.get(before.id)).title == title
    await service.files.delete(before.file_id or "")
    assert (await service.transcripts.edit(before.id, language="nl")).language == "nl"
    await undone(service)
    assert (await service.transcripts.get(before.id)).language == "de"


async def test_a_sentence_in_two_cues_is_one_with_the_time_of_both(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path, CUT)
    page = await service.transcripts.sentences(transcript.id[:6])
    assert page.items == (
        Sentence(0, 1000, 2000, "Ja.", None, 0, 0),
        Sentence(1, 1000, 4000, "Wir haben den letzten Zug verpasst.", None, 0, 1),
        Sentence(2, 5000, 6000, "Und jetzt?", "Anna", 2, 2),
    )
    assert (page.total, page.offset, page.next) == (3, 0, None)
    assert (await service.transcripts.sentences(transcript.id, offset=1, limit=1)).items == page.items[1:2]
    beyond = await service.transcripts.sentences(transcript.id, offset=10)
    assert (beyond.items, beyond.total, beyond.offset) == ((), 3, 3)


async def test_pages_by_cursor_have_each_sentence_of_their_list_once(service: Service, tmp_path: Path) -> None:
    cut = await story(service, tmp_path, CUT)
    times = [f"00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900" for n in range(70)]
    # Cues that each end one sentence and begin another, and one sentence of too many cues.
    texts = ["und so ging es" if 20 <= n < 60 else f"war es {n}. Dann" for n in range(70)]
    blocks = [f"{n + 1}\n{times[n]}\n{texts[n]}\n" for n in range(70)]
    transcript = await story(service, tmp_path, "\n".join(blocks), "long.de.srt")
    whole = (await service.transcripts.sentences(transcript.id, limit=1000)).items
    assert [each.index for each in whole] == list(range(len(whole)))
    assert [each.text for each in whole if each.first_cue == each.last_cue == 40] == ["und so ging es"]
    for limit in (1, 7):
        page = await service.transcripts.sentences(transcript.id, limit=limit)
        found = [*page.items]
        while page.next is not None:
            page = await service.transcripts.sentences(transcript.id, limit=limit, after=page.next)
            found += page.items
            assert page.total == len(whole)
        assert found == list(whole)
    page = await service.transcripts.sentences(transcript.id, limit=1)
    cues = await service.transcripts.cues(transcript.id, limit=1)
    for transcript_id, cursor in ((cut.id, page.next), (transcript.id, cues.next), (transcript.id, "s1")):
        assert (await refusal(service.transcripts.sentences(transcript_id, after=cursor))).code == "invalid_cursor"
    assert isinstance(await refusal(service.transcripts.sentences("nowhere")), NotFound)


async def exported(service: Service, transcript: Transcript, name: str) -> list[bytes]:
    async with aclosing(service.transcripts.stream_export(transcript.id, name)) as pieces:
        return [piece async for piece in pieces]


@near_and_far
async def test_a_transcript_is_written_by_the_ending_and_read_again(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path)
    cues = (await service.transcripts.cues(transcript.id)).items
    target = tmp_path / "out.srt"
    written = await service.transcripts.export(transcript.id[:6], target)
    assert written == type(written)(transcript.id, str(target), "srt", target.stat().st_size)
    assert target.read_text("utf-8").rstrip() == STORY.rstrip()
    await service.transcripts.export(transcript.id, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == to_json(transcript) | {"cues": to_json(cues)}
    await service.transcripts.export(transcript.id, tmp_path / "named", format="vtt")
    text = (tmp_path / "named").read_text("utf-8")
    assert text.startswith("WEBVTT\n")
    again = await story(service, tmp_path, text, "back.de.vtt")
    assert again.id != transcript.id
    assert (await service.transcripts.cues(again.id)).items == cues
    assert again.language == "de"


async def test_a_text_has_the_whole_sentences_of_a_subtitle(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path, CUT)
    await service.transcripts.export(transcript.id, tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text("utf-8") == "Ja.\nWir haben den letzten Zug verpasst.\nAnna: Und jetzt?\n"


async def test_what_cannot_be_exported_is_refused_and_nothing_is_written(service: Service, tmp_path: Path) -> None:
    text = await story(service, tmp_path, "Ein Satz. Noch einer.", "Text.de.txt")
    out = tmp_path / "out"
    out.mkdir()
    (out / "there.txt").write_text("mine")
    for path, code in (
        *(("a.srt", "no_times"), ("a.mp4", "unknown_format"), ("a", "unknown_format")),
        *(("there.txt", "target_exists"), ("none/a.txt", "invalid_input")),
    ):
        refused = await refusal(service.transcripts.export(text.id, out / path))
        assert (refused.code, bool(refused.hint)) == (code, True)
    assert isinstance(await refusal(service.transcripts.export("nothere", out / "a.txt")), NotFound)
    assert (await refusal(exported(service, text, "pdf"))).code == "unknown_format"
    assert [(path.name, path.read_text()) for path in out.iterdir()] == [("there.txt", "mine")]
    await service.transcripts.export(text.id, out / "there.txt", overwrite=True)
    assert (out / "there.txt").read_text() == "Ein Satz.\nNoch einer.\n"


@pytest.mark.exhaustive
async def test_a_long_transcript_comes_piece_by_piece(service: Service, tmp_path: Path) -> None:
    clock = [f"{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}" for n in range(2500)]
    blocks = (f"{n + 1}\n{at},000 --> {at},900\nSatz {n}.\n" for n, at in enumerate(clock))
    transcript = await story(service, tmp_path, "\n".join(blocks), "lang.de.srt")
    pieces = await exported(service, transcript, "srt")
    assert len(pieces) >= 3
    assert b"".join(pieces).count(b"-->") == transcript.cue_count == 2500
    assert max(piece.count(b"-->") for piece in pieces) <= 1000
    assert b"".join(await exported(service, transcript, "txt")).count(b"\n") == 2500


async def test_a_note_is_kept_near_and_far_goes_into_the_json_and_is_refused_where_it_is_too_long(
    service: Service, tmp_path: Path
) -> None:
    transcript = await story(service, tmp_path)
    for text, field in (("x" * 2_001, "text"), ("x", "index")):
        cue = 0 if field == "text" else transcript.cue_count
        refused = await refusal(service.transcripts.note(transcript.id, cue, text))
        assert (refused.field, bool(refused.hint)) == (field, True)
    note = await service.transcripts.note(transcript.id[:6], 0, " prefix\nat its\x1b[31m end \n")
    assert (note.cue_index, note.text) == (0, "prefix\nat its end")
    assert await service.transcripts.notes(transcript.id) == (note,)
    assert await service.transcripts.find(transcript.id, "prefix") == (0,)
    out = tmp_path / "out.json"
    await service.transcripts.export(transcript.id, out)
    assert json.loads(out.read_text("utf-8"))["notes"] == to_json((note,))
    cues = (await service.transcripts.cues(transcript.id)).items
    again = await story(service, tmp_path, out.read_text("utf-8"), "again.json")
    assert (await service.transcripts.cues(again.id)).items == cues
    assert (await service.transcripts.note(transcript.id, 0, "")).text == ""
    await undone(service)
    assert [each.text for each in await service.transcripts.notes(transcript.id)] == [note.text]
