"""Retimings: by the sound of a film, by another track, by hand; each is one step of undo."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from tests.retiming.made_cues import make_spans, write_cues
from tests.service.steps import ended, refusal
from tests.transcribing.speeches import DETECTS, SPEAKS
from tui.config import Settings
from tui.records.retiming import FRAME_RATE_FACTORS
from tui.records.transcripts import Transcript
from tui.retiming.alignment import Span
from tui.service import retiming
from tui.service.jobs import retiming as retiming_job
from tui.service.jobs.running_job import RunningJob
from tui.service.local import LocalService

MINUTES = 10
SPOKEN, OTHER = make_spans(3, MINUTES), make_spans(99, MINUTES)
FACTOR = FRAME_RATE_FACTORS["25 for 24"]


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Span]]:
    """A film with music under all that is said, and the spans in which that is."""
    from tests.retiming.made_films import plan_film, write_film

    plan = plan_film(3, MINUTES, "under")
    return write_film(plan, tmp_path_factory.mktemp("heard") / "film.wav"), plan.spans


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[LocalService]:
    service = LocalService(settings, environ={})
    yield service
    await service.close()


async def add(service: LocalService, path: Path, cues: Sequence[Span]) -> Transcript:
    blocks = (f"{at + 1}\n{_time(begin)} --> {_time(end)}\nZeile {at}.\n" for at, (begin, end) in enumerate(cues))
    path.write_text("\n".join(blocks), "utf-8")
    (job,) = await service.files.add([path], language="de")
    assert (await ended(service, job)).state == "succeeded"
    return next(each for each in (await service.transcripts.page()).items if each.title == path.stem)


def _time(ms: int) -> str:
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"


async def spans(service: LocalService, transcript: Transcript) -> list[tuple[int | None, int | None]]:
    cues = (await service.transcripts.cues(transcript.id, limit=1000)).items
    return [(cue.start_ms, cue.end_ms) for cue in cues]


# By the sound.


@SPEAKS
@DETECTS
async def test_a_transcript_is_retimed_by_the_sound_of_its_film_in_one_step(
    service: LocalService, tmp_path: Path, film: tuple[Path, list[Span]]
) -> None:
    right, wrong = write_cues(film[1], 5), write_cues(film[1], 5, FACTOR, 2350)
    transcript = await add(service, tmp_path / "wrong.srt", wrong)
    before = await spans(service, transcript)
    await service.media.link(transcript.id, film[0])
    planned = await ended(service, await service.retiming.by_sound(transcript.id, dry_run=True))
    assert planned.state == "succeeded", planned.error
    assert planned.message.endswith("nothing was changed")
    assert await spans(service, transcript) == before
    done = await ended(service, await service.retiming.by_sound(transcript.id))
    assert "25 for 24" in done.message, done.error or done.message
    off = [
        abs((begin or 0) - there)
        for (begin, _), (there, _) in zip(await spans(service, transcript), right, strict=True)
    ]
    assert max(off) <= 150
    assert (await service.undo_steps())[0].kind == "retimed_transcript"
    await service.undo()
    assert await spans(service, transcript) == before


@SPEAKS
@DETECTS
async def test_another_film_is_refused_and_nothing_changes(
    service: LocalService, tmp_path: Path, film: tuple[Path, list[Span]]
) -> None:
    transcript = await add(service, tmp_path / "other.srt", write_cues(OTHER, 1))
    before = await spans(service, transcript)
    await service.media.link(transcript.id, film[0])
    done = await ended(service, await service.retiming.by_sound(transcript.id))
    assert done.state == "failed"
    assert "it is not clear how 'other' goes with what is said in its film" in (done.error or "")
    assert await spans(service, transcript) == before


@SPEAKS
@DETECTS
async def test_a_job_that_was_killed_after_it_wrote_does_not_write_twice(
    service: LocalService, tmp_path: Path, film: tuple[Path, list[Span]], monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = await add(service, tmp_path / "wrong.srt", write_cues(film[1], 5, 1.0, 4000))
    await service.media.link(transcript.id, film[0])

    async def fail(self: RunningJob, message: str, **_: object) -> None:
        raise RuntimeError(message)

    with monkeypatch.context() as killed:
        killed.setattr(RunningJob, "succeed", fail)
        job = await ended(service, await service.retiming.by_sound(transcript.id))
        assert job.state == "failed"
    moved = await spans(service, transcript)
    assert moved[0] != write_cues(film[1], 5, 1.0, 4000)[0]
    again = await ended(service, await service.jobs.retry(job.id))
    assert again.state == "succeeded"
    assert again.message.startswith("+4.0")
    assert await spans(service, transcript) == moved


@SPEAKS
@DETECTS
async def test_a_job_that_is_cancelled_changes_nothing(
    service: LocalService, tmp_path: Path, film: tuple[Path, list[Span]]
) -> None:
    transcript = await add(service, tmp_path / "wrong.srt", write_cues(film[1], 5, 1.0, 4000))
    before = await spans(service, transcript)
    await service.media.link(transcript.id, film[0])
    job = await service.retiming.by_sound(transcript.id)
    async for each in service.jobs.follow([job.id]):
        if "1 of 6" in each.message:
            break
    (stopped,) = await service.jobs.cancel(job.id)
    assert stopped.state == "cancelled"
    assert await spans(service, transcript) == before


@SPEAKS
@DETECTS
async def test_times_that_were_changed_meanwhile_are_left_as_they_are(
    service: LocalService, tmp_path: Path, film: tuple[Path, list[Span]], monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = await add(service, tmp_path / "wrong.srt", write_cues(film[1], 5, 1.0, 4000))
    await service.media.link(transcript.id, film[0])
    find_pairs = retiming_job.find_pairs

    async def shift_first(*args: object) -> object:
        await service.cues.shift(transcript.id, 100)
        return await find_pairs(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(retiming_job, "find_pairs", shift_first)
    done = await ended(service, await service.retiming.by_sound(transcript.id))
    assert "other times by now" in (done.error or "")
    assert (await service.undo_steps())[0].kind == "shifted_transcript"


async def test_without_the_extra_or_a_film_it_says_what_is_missing(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.media.films import make_film

    transcript = await add(service, tmp_path / "a.srt", [(1000, 2000)])
    assert (await refusal(service.retiming.by_sound(transcript.id))).code == "no_media"
    await service.media.link(transcript.id, make_film(tmp_path / "a.mkv", 3))
    monkeypatch.setattr(retiming, "find_model", lambda: None)
    refused = await refusal(service.retiming.by_sound(transcript.id))
    assert (refused.code, "lode[whisper]" in refused.hint) == ("whisper_extra_missing", True)


# By another track.


async def test_a_transcript_is_retimed_by_another_track_and_pairs_get_their_offset_anew(
    service: LocalService, tmp_path: Path
) -> None:
    wrong = await add(service, tmp_path / "wrong.srt", write_cues(SPOKEN, 5, FACTOR, 2350))
    right = await add(service, tmp_path / "right.srt", write_cues(SPOKEN, 6))
    other = await add(service, tmp_path / "other.srt", write_cues(OTHER, 1))
    await service.transcripts.pair(wrong.id, right.id, offset_ms=-2000)
    await service.transcripts.pair(other.id, wrong.id, offset_ms=70)
    before = await spans(service, wrong)
    planned = await service.retiming.against(wrong.id, right.id, dry_run=True)
    assert (planned.factor, planned.is_done, planned.tracks_lost) == (FACTOR, False, 1)
    assert await spans(service, wrong) == before
    done = await service.retiming.against(wrong.id, right.id)
    assert (done.basis, done.is_done, done.confidence > 0.6) == ("track", True, True)
    assert abs(done.offset_ms - 2350) <= 150
    paired = [(await service.transcripts.get(each.id)).translation_offset_ms for each in (wrong, other)]
    assert paired == [0, None]
    await service.undo()
    assert await spans(service, wrong) == before
    paired = [(await service.transcripts.get(each.id)).translation_offset_ms for each in (wrong, other)]
    assert paired == [-2000, 70]


async def test_a_track_of_another_film_and_of_no_other_are_refused(service: LocalService, tmp_path: Path) -> None:
    ours = await add(service, tmp_path / "ours.srt", write_cues(SPOKEN, 5))
    other = await add(service, tmp_path / "other.srt", write_cues(OTHER, 1))
    assert (await refusal(service.retiming.against(ours.id, other.id))).code == "unsure"
    assert (await refusal(service.retiming.against(ours.id, ours.id))).code == "same_transcript"
    assert "retimed_transcript" not in [step.kind for step in await service.undo_steps()]


# By hand.


async def test_one_line_moves_all_and_two_give_the_factor(service: LocalService, tmp_path: Path) -> None:
    film = await add(service, tmp_path / "a.srt", [(at * 10_000 + 1000, at * 10_000 + 3000) for at in range(100)])
    done = await service.retiming.by_hand(film.id, 2, 25_000)
    assert (done.factor, done.offset_ms, done.first_after_ms) == (1.0, 4000, 5000)
    # 25 for 24 with a key that is late by a fifth of a second
    done = await service.retiming.by_hand(film.id, 2, 25_000, other_index=92, other_at_ms=25_000 + 937_700)
    assert (done.factor, done.basis) == (FACTOR, "by hand")
    assert abs((await spans(service, film))[92][0] - 962_500) <= 200  # type: ignore[operator]


async def test_what_is_given_is_done_or_refused(service: LocalService, tmp_path: Path) -> None:
    film = await add(service, tmp_path / "a.srt", [(1000, 3000), (4000, 5000)])
    assert (await service.retiming.apply(film.id, factor=0.96, offset_ms=40)).is_done
    assert await spans(service, film) == [(1000, 2920), (3880, 4840)]
    for factor in (0.0, 1.2, float("nan")):
        assert (await refusal(service.retiming.apply(film.id, factor=factor))).code == "wrong_factor"
    assert (await refusal(service.retiming.apply(film.id, offset_ms=-1001))).code == "before_beginning"
    assert (await refusal(service.retiming.apply(film.id, offset_ms=-1001, dry_run=True))).code == "before_beginning"
    assert (await refusal(service.retiming.by_hand(film.id, 2, 0))).code == "no_such_cue"
