"""Translation tracks, and files in two languages, which are split into two transcripts that translate each other."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.importing.test_bilingual import ENGLISH as STACKED_ENGLISH
from tests.importing.test_bilingual import GERMAN as STACKED_GERMAN
from tests.importing.test_bilingual import STACKED
from tests.service.steps import ended, refusal, story
from tui.errors import NotFound
from tui.records.clips import NewClip
from tui.records.jobs import Job
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


async def film(service: Service, directory: Path, *, late_ms: int = 0) -> tuple[Transcript, Transcript]:
    """A film in German and in English, whose cues are cut otherwise and come ``late_ms`` later."""
    german = [(1000, 3000), (4000, 5500), (5600, 8000), (10_000, 12_000), (20_000, 21_000)]
    english = [(1000, 3000), (4000, 8000), (10_000, 12_000), (20_000, 21_000)]
    moved = [(start + late_ms, end + late_ms) for start, end in english]
    return (
        await story(service, directory, srt(GERMAN, german), "film.de.srt"),
        await story(service, directory, srt(ENGLISH, moved), "film.en.srt"),
    )


async def test_a_cue_has_what_its_track_says_meanwhile(service: Service, tmp_path: Path) -> None:
    ours, theirs = await film(service, tmp_path)
    assert await service.transcripts.translations(ours.id) == ("",) * 5
    paired = await service.transcripts.pair(ours.id, theirs.id, offset_ms=0)
    assert (paired.transcript.translation_id, paired.transcript.translation_offset_ms) == (theirs.id, 0)
    assert paired.translated_cues == 5
    assert paired.transcript == await service.transcripts.get(ours.id)
    first, both_lines, third, last = ENGLISH
    assert await service.transcripts.translations(ours.id) == (first, both_lines, both_lines, third, last)
    assert await service.transcripts.translations(ours.id, offset=3, limit=1) == (third,)
    assert await service.transcripts.translations(ours.id, offset=50, limit=1) == ()
    assert await service.transcripts.translations(theirs.id) == ("",) * 4
    for name in ("film.de.srt", "film.en.srt"):
        job = await ended(service, *await service.files.add([tmp_path / name], language="fr"))
        assert job.outcome == "reread"
        assert (await service.transcripts.get(ours.id)).translation_id == theirs.id, "which outlives another reading"
        assert (await service.transcripts.translations(ours.id))[0] == first
    assert (await service.transcripts.unpair(ours.id)).translation_id is None
    assert await service.transcripts.translations(ours.id) == ("",) * 5


async def test_a_track_is_moved_by_the_offset_that_is_given(service: Service, tmp_path: Path) -> None:
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
    ours = await story(service, tmp_path, srt((f"Satz {n}" for n in range(60)), times), "long.de.srt")
    moved = [(start + 42_000, end + 42_000) for start, end in times]
    theirs = await story(service, tmp_path, srt((f"Line {n}" for n in range(60)), moved), "long.en.srt")
    paired = await service.transcripts.pair(ours.id, theirs.id)
    assert paired.transcript.translation_offset_ms == -42_000
    assert paired.translated_cues == 60
    other = await story(service, tmp_path, srt(("a", "b"), [(1000, 1100), (9000, 9100)]), "other.en.srt")
    text = await story(service, tmp_path, "It was a dark night.", "book.en.txt")
    for track, code in ((other, "no_offset"), (ours, "same_transcript"), (text, "no_times")):
        assert (await refusal(service.transcripts.pair(ours.id, track.id))).code == code
    for unknown in (
        service.transcripts.pair(ours.id, "nothere"),
        service.transcripts.unpair("nothere"),
        service.transcripts.translations("nothere"),
    ):
        assert isinstance(await refusal(unknown), NotFound)
    assert (await service.transcripts.get(ours.id)).translation_id == theirs.id


async def test_a_track_that_is_deleted_leaves_no_pair_and_undo_brings_it_back(service: Service, tmp_path: Path) -> None:
    ours, theirs = await film(service, tmp_path)
    await service.transcripts.pair(ours.id, theirs.id, offset_ms=250)
    await service.transcripts.pair(theirs.id, ours.id, offset_ms=0)
    await service.transcripts.delete(theirs.id)
    assert (await service.transcripts.get(ours.id)).translation_id is None
    assert await service.transcripts.translations(ours.id) == ("",) * 5
    await service.undo()
    assert (await service.transcripts.get(ours.id)).translation_id == theirs.id
    assert (await service.transcripts.translations(ours.id))[0] == ENGLISH[0]
    await service.transcripts.delete(ours.id, theirs.id)
    await service.undo()
    assert (await service.transcripts.get(ours.id)).translation_id == theirs.id
    assert (await service.transcripts.get(theirs.id)).translation_id == ours.id


# Files in two languages


@pytest.fixture
def stacked(tmp_path: Path) -> Path:
    path = tmp_path / "film.srt"
    path.write_bytes(STACKED)
    return path


async def reread(service: Service, job: Job, language: str) -> None:
    done = await ended(service, *await service.files.reread(job.file_id or "", language=language))
    assert done.outcome == "reread", done


async def assert_is_split(service: Service) -> None:
    german, english = (await service.transcripts.page()).items
    assert (german.language, english.language) == ("de", "en")
    assert (german.translation_id, english.translation_id) == (english.id, german.id)
    for each, other, lines in ((german, english, STACKED_GERMAN), (english, german, STACKED_ENGLISH)):
        assert tuple(cue.text for cue in (await service.transcripts.cues(each.id)).items) == lines
        assert await service.transcripts.translations(other.id) == lines


async def test_a_name_that_says_both_makes_two_that_translate_each_other(service: Service, stacked: Path) -> None:
    job = await ended(service, *await service.files.add([stacked.rename(stacked.with_name("film.de-en.srt"))]))
    assert "split into de and en" in job.message
    await assert_is_split(service)


async def test_another_one_is_whole_until_it_is_split_and_may_be_whole_again(service: Service, stacked: Path) -> None:
    job = await ended(service, *await service.files.add([stacked]))
    assert f"two languages: de and en; to split them: lode files reread {job.file_id} --language de+en" in job.message
    (whole,) = (await service.transcripts.page()).items
    clip = await service.clips.add(NewClip("Warten Sie?", transcript_id=whole.id, cue_index=0, start_ms=0))
    await reread(service, job, "de+en")
    await assert_is_split(service)
    assert (await service.transcripts.page()).items[0].id == whole.id
    assert await service.clips.get(clip.id) == clip
    await service.undo()
    (restored,) = (await service.transcripts.page()).items
    assert (restored.id, restored.translation_id) == (whole.id, None)
    cues = (await service.transcripts.cues(whole.id)).items
    assert cues[0].text == f"{STACKED_GERMAN[0]}\n{STACKED_ENGLISH[0]}"

    await reread(service, job, "de+en")
    for again in (
        await service.files.reread(job.file_id or "", as_is=True),
        await service.files.add([stacked], language="de+en"),
    ):
        assert (await ended(service, *again)).outcome == "same", "it stays split when it is read for another reason"
        await assert_is_split(service)
    await reread(service, job, "de")
    (whole,) = (await service.transcripts.page()).items
    assert whole.translation_id is None
    await service.undo()
    await assert_is_split(service)
