"""Cues as they are edited by hand: what is typed is cleaned, and a file that is read anew is as it was until undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.libraries import near_and_far
from tests.service.steps import ended, imported, refusal, undone
from tui.records.clips import NewClip
from tui.records.transcripts import MAX_CUE_TEXT, Cue
from tui.service.protocol import Service

FIRST, SECOND = "Der Zug fährt ab.", "Wir fahren mit."


async def film(service: Service, tmp_path: Path) -> str:
    """A transcript of two cues."""
    await imported(service, tmp_path / "zug.de.srt")
    (transcript,) = (await service.transcripts.page()).items
    return transcript.id


async def texts(service: Service, transcript: str) -> list[str]:
    return [cue.text for cue in (await service.transcripts.cues(transcript)).items]


@near_and_far
async def test_what_is_typed_is_cleaned_as_an_import_cleans_it(service: Service, tmp_path: Path) -> None:
    transcript = await film(service, tmp_path)
    edited = await service.cues.edit(transcript[:6], 0, seen=FIRST, text=" \x1b[31mDer\0 Bus\r\n \n fährt\u202e. ")
    assert [cue.text for cue in edited.cues] == ["Der Bus\nfährt."]
    assert (edited.cue_count, edited.duration_ms) == (2, 5000)
    inserted = await service.cues.insert(transcript, 1, "\tNeu.\n", start_ms=2600, end_ms=2900)
    assert inserted.cues == (Cue(1, 2600, 2900, "Neu."),)
    assert await texts(service, transcript) == ["Der Bus\nfährt.", "Neu.", SECOND]
    await undone(service)
    await undone(service)
    assert await texts(service, transcript) == [FIRST, SECOND]


@pytest.mark.parametrize("text", [" \u200b\n", "\x1b[0m", "x" * (MAX_CUE_TEXT + 1)])
async def test_a_text_that_nobody_could_read_is_refused(service: Service, tmp_path: Path, text: str) -> None:
    transcript = await film(service, tmp_path)
    for refused in (
        await refusal(service.cues.edit(transcript, 0, seen=FIRST, text=text)),
        await refusal(service.cues.insert(transcript, 0, text, start_ms=0, end_ms=5)),
    ):
        assert (refused.field, bool(refused.hint)) == ("text", True)
    assert await texts(service, transcript) == [FIRST, SECOND]


@near_and_far
async def test_a_cue_that_another_process_has_changed_is_not_overwritten(service: Service, tmp_path: Path) -> None:
    transcript = await film(service, tmp_path)
    await service.cues.edit(transcript, 0, seen=FIRST, text="Anders.")
    for edit in (
        service.cues.edit(transcript, 0, seen=FIRST, text="Von mir."),
        service.cues.split(transcript, 0, seen=FIRST, at=4),
        service.cues.merge(transcript, 0, seen=FIRST),
        service.cues.delete(transcript, 0, seen=FIRST),
    ):
        assert (await refusal(edit)).code == "cue_changed"
    assert await texts(service, transcript) == ["Anders.", SECOND]


async def test_a_file_that_is_read_anew_takes_the_place_of_edits_until_undo(service: Service, tmp_path: Path) -> None:
    transcript = await film(service, tmp_path)
    clip = await service.clips.add(NewClip(SECOND, transcript_id=transcript, cue_index=1, start_ms=3000))
    await service.cues.split(transcript, 0, seen=FIRST, at=8)
    file = (await service.transcripts.get(transcript)).file_id or ""
    job = await ended(service, *await service.files.reread(file))
    assert job.outcome == "reread"
    assert await texts(service, transcript) == [FIRST, SECOND]
    assert await service.clips.get(clip.id) == clip
    assert (await ended(service, *await service.files.reread(file))).outcome == "same"
    await undone(service)
    assert await texts(service, transcript) == ["Der Zug", "fährt ab.", SECOND]
    assert (await service.clips.get(clip.id)).cue_index == 2
    await undone(service)
    assert await service.clips.get(clip.id) == clip


async def test_a_file_that_is_added_again_leaves_edits_alone(service: Service, tmp_path: Path) -> None:
    transcript = await film(service, tmp_path)
    await service.cues.edit(transcript, 0, seen=FIRST, text="Anders.")
    job = await ended(service, *await service.files.add([tmp_path / "zug.de.srt"]))
    assert await texts(service, transcript) == ["Anders.", SECOND], job.outcome


async def test_the_words_are_those_of_the_new_text(service: Service, tmp_path: Path) -> None:
    transcript = await film(service, tmp_path)
    assert (await service.known_words.counts(transcript))[transcript].words == 7
    await service.cues.edit(transcript, 1, seen=SECOND, text="Mit.")
    assert (await service.known_words.counts(transcript))[transcript].words == 5
    await service.cues.delete(transcript, 1, seen="Mit.")
    assert (await service.known_words.counts(transcript))[transcript].words == 4
