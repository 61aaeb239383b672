"""Translation tracks, of a library here and over HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.service.files.test_files import finished
from tui.errors import InvalidInput, NotFound
from tui.records.transcripts import Transcript
from tui.service.protocol import Service

GERMAN = ("Warten Sie schon lange?", "Seit einer Stunde.", "Der Zug hat Verspätung.", "Das ist der letzte.", "Und?")
ENGLISH = ("Have you been waiting long?", "For an hour. The train is late.", "This is the last one.", "So?")


def srt(lines: Iterable[str], times: Iterable[tuple[int, int]]) -> str:
    def clock(ms: int) -> str:
        return f"00:{ms // 60_000:02}:{ms // 1000 % 60:02},{ms % 1000:03}"

    return "".join(
        f"{number}\n{clock(start)} --> {clock(end)}\n{line}\n\n"
        for number, (line, (start, end)) in enumerate(zip(lines, times, strict=True), 1)
    )


async def add(service: Service, directory: Path, name: str, text: str) -> Transcript:
    (directory / name).write_text(text, "utf-8")
    (job,) = (await finished(service, await service.files.add([directory / name]))).values()
    file = await service.files.get(job.file_id or "")
    return await service.transcripts.get(file.transcript_id or "")


async def film(service: Service, directory: Path, *, late_ms: int = 0) -> tuple[Transcript, Transcript]:
    """A film in German and in English, whose cues are cut otherwise and come ``late_ms`` later."""
    german = [(1000, 3000), (4000, 5500), (5600, 8000), (10_000, 12_000), (20_000, 21_000)]
    english = [(1000, 3000), (4000, 8000), (10_000, 12_000), (20_000, 21_000)]
    moved = [(start + late_ms, end + late_ms) for start, end in english]
    return (
        await add(service, directory, "film.de.srt", srt(GERMAN, german)),
        await add(service, directory, "film.en.srt", srt(ENGLISH, moved)),
    )


async def test_a_cue_has_what_its_track_says_meanwhile(service: Service, tmp_path: Path) -> None:
    ours, theirs = await film(service, tmp_path)
    assert await service.transcripts.translations(ours.id) == ("",) * 5
    paired = await service.transcripts.pair(ours.id, theirs.id, offset_ms=0)
    assert (paired.transcript.translation_id, paired.transcript.translation_offset_ms) == (theirs.id, 0)
    assert paired.translated_cues == 5
    assert paired.transcript == await service.transcripts.get(ours.id)
    both_lines = ENGLISH[1]
    assert await service.transcripts.translations(ours.id) == (
        ENGLISH[0],
        *(both_lines, both_lines),
        ENGLISH[2],
        ENGLISH[3],
    )
    assert await service.transcripts.translations(ours.id, offset=3, limit=1) == (ENGLISH[2],)
    assert await service.transcripts.translations(ours.id, offset=50, limit=1) == ()
    assert await service.transcripts.translations(theirs.id) == ("",) * 4
    assert (await service.transcripts.unpair(ours.id)).translation_id is None
    assert await service.transcripts.translations(ours.id) == ("",) * 5


async def test_a_track_is_moved_by_the_offset_that_is_given_or_found(service: Service, tmp_path: Path) -> None:
    ours, theirs = await film(service, tmp_path, late_ms=90_000)
    paired = await service.transcripts.pair(ours.id, theirs.id, offset_ms=-90_000)
    assert paired.translated_cues == 5
    assert (await service.transcripts.translations(ours.id))[0] == ENGLISH[0]
    back = await service.transcripts.pair(theirs.id, ours.id, offset_ms=90_000)
    assert (await service.transcripts.translations(theirs.id))[1] == "\n".join(GERMAN[1:3])
    assert back.transcript.translation_id == ours.id


async def test_the_offset_is_found_by_the_times_of_a_whole_film(service: Service, tmp_path: Path) -> None:
    times, now = [], 3000
    for number in range(60):
        times.append((now, now + 1500 + number * 37 % 900))
        now = times[-1][1] + (number * 7919) % 6000 + 90
    lines = [f"Satz {number}" for number in range(60)]
    ours = await add(service, tmp_path, "long.de.srt", srt(lines, times))
    moved = [(start + 42_000, end + 42_000) for start, end in times]
    theirs = await add(service, tmp_path, "long.en.srt", srt((f"Line {n}" for n in range(60)), moved))
    paired = await service.transcripts.pair(ours.id, theirs.id)
    assert paired.transcript.translation_offset_ms == -42_000
    assert paired.translated_cues == 60
    other = await add(service, tmp_path, "other.en.srt", srt(("a", "b"), [(1000, 1100), (9000, 9100)]))
    with pytest.raises(InvalidInput) as caught:
        await service.transcripts.pair(ours.id, other.id)
    assert caught.value.code == "no_offset"
    assert (await service.transcripts.get(ours.id)).translation_id == theirs.id


async def test_what_cannot_be_a_track_is_refused(service: Service, tmp_path: Path) -> None:
    ours, _ = await film(service, tmp_path)
    text = await add(service, tmp_path, "book.en.txt", "It was a dark night.")
    for track, code in ((ours.id, "same_transcript"), (text.id, "no_times")):
        with pytest.raises(InvalidInput) as caught:
            await service.transcripts.pair(ours.id, track)
        assert caught.value.code == code
    with pytest.raises(NotFound):
        await service.transcripts.pair(ours.id, "nothere")
    with pytest.raises(NotFound):
        await service.transcripts.unpair("nothere")
    with pytest.raises(NotFound):
        await service.transcripts.translations("nothere")


async def test_a_track_that_is_deleted_leaves_no_pair_and_undo_brings_it_back(service: Service, tmp_path: Path) -> None:
    ours, theirs = await film(service, tmp_path)
    await service.transcripts.pair(ours.id, theirs.id, offset_ms=250)
    await service.transcripts.delete(theirs.id)
    assert (await service.transcripts.get(ours.id)).translation_id is None
    assert await service.transcripts.translations(ours.id) == ("",) * 5
    await service.undo()
    assert (await service.transcripts.get(ours.id)).translation_id == theirs.id
    assert (await service.transcripts.translations(ours.id))[0] == ENGLISH[0]


async def test_both_of_a_pair_are_deleted_and_come_back_as_a_pair(service: Service, tmp_path: Path) -> None:
    ours, theirs = await film(service, tmp_path)
    await service.transcripts.pair(ours.id, theirs.id, offset_ms=0)
    await service.transcripts.pair(theirs.id, ours.id, offset_ms=0)
    await service.transcripts.delete(ours.id, theirs.id)
    await service.undo()
    assert (await service.transcripts.get(ours.id)).translation_id == theirs.id
    assert (await service.transcripts.get(theirs.id)).translation_id == ours.id


async def test_a_file_that_is_read_anew_keeps_its_track_and_stays_one(service: Service, tmp_path: Path) -> None:
    ours, theirs = await film(service, tmp_path)
    await service.transcripts.pair(ours.id, theirs.id, offset_ms=0)
    for name in ("film.de.srt", "film.en.srt"):
        jobs = await service.files.add([tmp_path / name], language="fr")
        (job,) = (await finished(service, jobs)).values()
        assert job.outcome == "reread"
        assert (await service.transcripts.get(ours.id)).translation_id == theirs.id
        assert (await service.transcripts.translations(ours.id))[0] == ENGLISH[0]
