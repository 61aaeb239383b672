"""Recordings become transcripts: piece by piece, in their order, and nothing that was paid for is asked for twice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import threading
import time
import wave
from array import array
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from math import sin
from pathlib import Path

import pytest

from tests.media.films import make_film
from tests.server_process import LODE
from tests.service.jobs.hearing_server import Answer, Asked, HearingServer, hear, hear_text
from tests.service.libraries import opened
from tests.service.steps import ended, refusal
from tui.config import ProviderSettings, Settings
from tui.errors import ImportRefused, InvalidInput, LodeError, MediaError, ProviderError
from tui.llm.http import errors
from tui.records.jobs import Job
from tui.records.own_words import OwnWord
from tui.records.transcripts import Cue
from tui.service.jobs import patience, transcription
from tui.service.local import LocalService
from tui.service.transcription import LocalTranscription

MODEL = "near:hearer"
SECONDS = 60


@pytest.fixture
def hearing(monkeypatch: pytest.MonkeyPatch) -> Iterator[HearingServer]:
    """A server that hears; a recording is cut each ten seconds or so, and nobody waits before asking again."""
    monkeypatch.setattr(transcription, "find_model", lambda: None)
    monkeypatch.setattr(transcription, "LONGEST_QUIET_MS", 10_000)
    monkeypatch.setattr(transcription, "LONGEST_TEXT_MS", 5_000)
    monkeypatch.setattr(patience, "WAITS", (0.0, 0.0))
    with HearingServer() as server:
        yield server


@pytest.fixture
def with_server(settings: Settings, hearing: HearingServer) -> Settings:
    own = ProviderSettings("near", "openai", hearing.url)
    return replace(settings, providers=(own,), prices={"far:hearer": 0.006})


@pytest.fixture
async def service(with_server: Settings) -> AsyncIterator[LocalService]:
    service = LocalService(with_server, environ={})
    yield service
    await service.close()


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return make_recording(tmp_path / "Der Leuchtturm.wav", SECONDS)


def make_recording(path: Path, seconds: int) -> Path:
    """Write a recording of a tone, with half a second of silence in every seven: it is cut there."""
    rate = 16_000
    loud = array("h", (round(9000 * sin(at * 0.17)) for at in range(rate)))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        for second in range(seconds):
            half = len(loud) // 2
            file.writeframes((array("h", bytes(2 * half)) + loud[half:] if second % 7 == 6 else loud).tobytes())
    return path


async def cues_of(service: LocalService, job: Job) -> tuple[Cue, ...]:
    return (await service.transcripts.cues(job.transcript_id or "", limit=1000)).items


async def transcribed(service: LocalService, recording: Path) -> Job:
    return await ended(service, await service.transcription.start_file(recording, model=MODEL))


def said_at(cues: tuple[Cue, ...]) -> list[tuple[int | None, str]]:
    return [(cue.start_ms, cue.text) for cue in cues]


async def test_a_recording_becomes_a_file_a_transcript_and_cues_with_the_times_of_their_words(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    job = await transcribed(service, recording)
    assert (job.kind, job.state, job.error) == ("transcribe", "succeeded", None)
    file = await service.files.get(job.file_id or "")
    assert (file.name, file.kind, file.sha256, file.path) == (recording.name, "audio", None, str(recording))
    transcript = await service.transcripts.get(job.transcript_id or "")
    assert (transcript.title, transcript.origin, transcript.language) == ("Der Leuchtturm", "transcription", "en")
    assert (file.transcript_id, file.cue_count, file.language) == (transcript.id, transcript.cue_count, "en")
    cues = await cues_of(service, job)
    assert [cue.index for cue in cues] == list(range(transcript.cue_count))
    starts = [cue.start_ms or 0 for cue in cues]
    assert starts == sorted(starts) and (cues[-1].end_ms or 0) > (SECONDS - 3) * 1000
    for cue in cues:
        assert [cue.text[word.start : word.end] for word in cue.words] == cue.text.split()
    assert sum(asked.seconds for asked in hearing.asked) == pytest.approx(SECONDS, abs=0.3)
    assert all(4 < asked.seconds <= 10.2 for asked in hearing.asked[:-1])
    found = await service.transcripts.page(q="word3")
    assert [each.id for each in found.items] == [transcript.id]
    film = await service.media.of(transcript.id)
    assert film is not None and film.path == str(recording)
    with pytest.raises(ImportRefused, match="is a recording"):
        await service.files.readings(file.id)


async def test_the_same_recording_again_is_another_transcript_of_the_same_file(
    service: LocalService, recording: Path
) -> None:
    first, second = await transcribed(service, recording), await transcribed(service, recording)
    assert (first.file_id, first.transcript_id != second.transcript_id) == (second.file_id, True)
    by_id = await ended(service, await service.transcription.start(first.file_id or "", model=MODEL))
    assert by_id.file_id == first.file_id
    assert (await service.files.page()).total == 1


async def test_what_is_asked_says_the_language_from_the_second_piece_on_and_the_title(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    await transcribed(service, recording)
    assert hearing.asked[0].fields["prompt"] == ["Der Leuchtturm"]
    assert "language" not in hearing.asked[0].fields
    assert hearing.asked[-1].fields["language"] == ["en"]
    assert hearing.asked[0].fields["timestamp_granularities[]"] == ["word", "segment"]


async def test_pieces_that_are_answered_out_of_order_come_in_the_order_of_the_recording(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    undisturbed = await cues_of(service, await transcribed(service, recording))
    hearing.asked.clear()
    service._engine.over_http.get("near").parallel = True  # as those are that are not on this machine
    others = threading.Event()

    def answer(asked: Asked) -> Answer:
        if asked.number == 0:
            assert others.wait(20)
        elif asked.number == 2:
            others.set()
        return hear(asked)

    hearing.answer = answer
    job = await transcribed(service, recording)
    assert said_at(await cues_of(service, job)) == said_at(undisturbed)
    assert 1 < hearing.most_at_once <= 3


async def test_a_model_that_gives_no_times_gets_shorter_pieces_and_the_sound_is_shared_out(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    hearing.answer = hear_text
    job = await transcribed(service, recording)
    assert job.state == "succeeded"
    asked = [each for each in hearing.asked if not each.wants_times]
    assert all(each.seconds <= 5.2 for each in asked[3:])
    cues = await cues_of(service, job)
    assert not any(cue.words for cue in cues)
    assert (cues[-1].end_ms or 0) > (SECONDS - 3) * 1000
    starts = [cue.start_ms or 0 for cue in cues]
    assert starts == sorted(starts)


@pytest.mark.parametrize("status", [429, 503])
async def test_a_server_that_is_busy_is_asked_again(
    service: LocalService, hearing: HearingServer, recording: Path, status: int
) -> None:
    pieces = len(await undisturbed_requests(service, hearing, recording))

    def answer(asked: Asked) -> Answer:
        if asked.number in (0, 2):
            return Answer({"error": {"message": "slow down"}}, status, {"retry-after": "0"})
        return hear(asked)

    hearing.answer = answer
    job = await transcribed(service, recording)
    assert (job.state, len(hearing.asked)) == ("succeeded", pieces + 2)


async def test_a_server_is_left_alone_as_long_as_it_asks(
    service: LocalService, hearing: HearingServer, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "_MAX_PAUSE", 0.05)  # what is longer is left to the job
    monkeypatch.setattr(patience, "_LONG", 0.2)
    at: list[float] = []

    def answer(asked: Asked) -> Answer:
        at.append(time.monotonic())
        return Answer({}, 429, {"retry-after-ms": "300"}) if len(at) == 1 else hear(asked)

    hearing.answer = answer
    job = await service.transcription.start_file(recording, model=MODEL)
    watched = [each.message async for each in service.jobs.follow([job.id])]
    assert (await service.jobs.get(job.id)).state == "succeeded"
    assert at[1] - at[0] >= 0.3
    assert any("near asks for a pause of 0:00" in message for message in watched)


async def test_a_server_that_asks_for_hours_ends_the_job_with_the_time_it_said(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    hearing.answer = lambda asked: Answer({}, 429, {"retry-after": "10800"})
    job = await transcribed(service, recording)
    assert job.state == "failed" and "ask again in 3 hours" in (job.error or "")
    assert len(hearing.asked) == 1
    hearing.answer = hear
    assert (await ended(service, await service.jobs.retry(job.id))).state == "succeeded"


async def undisturbed_requests(service: LocalService, hearing: HearingServer, recording: Path) -> list[Asked]:
    await transcribed(service, recording)
    asked, hearing.asked = hearing.asked, []
    return asked


async def test_a_piece_that_fails_keeps_what_the_others_said_and_a_retry_asks_only_for_what_is_missing(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    undisturbed = await cues_of(service, await transcribed(service, recording))
    pieces = len(hearing.asked)
    hearing.asked.clear()
    hearing.answer = lambda asked: Answer({"error": {"message": "no"}}, 403) if asked.number == 3 else hear(asked)
    failed = await transcribed(service, recording)
    assert failed.state == "failed" and "403" in (failed.error or "")
    asked_before = len(hearing.asked)
    heard = await cues_of(service, failed)
    assert 0 < len(heard) < len(undisturbed)
    done = await ended(service, await service.jobs.retry(failed.id))
    assert (done.state, done.transcript_id) == ("succeeded", failed.transcript_id)
    assert said_at(await cues_of(service, done)) == said_at(undisturbed)
    assert len(hearing.asked) == pieces + 1, "only the piece that failed is asked for twice"
    assert asked_before < len(hearing.asked)
    assert "1 piece asked for again" in done.message
    assert done.message.startswith(f"{len(undisturbed)} cues · "), "those that were heard before it failed count too"


async def test_a_cancelled_transcription_keeps_what_it_has_and_goes_on_there(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    undisturbed = await cues_of(service, await transcribed(service, recording))
    hearing.asked.clear()
    let_go = threading.Event()

    def answer(asked: Asked) -> Answer:
        if asked.number > 1:
            assert let_go.wait(20)
        return hear(asked)

    hearing.answer = answer
    job = await service.transcription.start_file(recording, model=MODEL)
    while len(hearing.asked) < 3 or not (await service.transcripts.get(job.transcript_id or "")).cue_count:
        await asyncio.sleep(0)
    (cancelled,) = await service.jobs.cancel(job.id)
    let_go.set()
    assert cancelled.state == "cancelled"
    assert 0 < len(await cues_of(service, job)) < len(undisturbed)
    done = await ended(service, await service.jobs.retry(job.id))
    assert said_at(await cues_of(service, done)) == said_at(undisturbed)


async def test_deleting_the_transcript_cancels_its_job_and_undo_brings_both_back(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    let_go = threading.Event()

    def answer(asked: Asked) -> Answer:
        assert asked.number == 0 or let_go.wait(20)
        return hear(asked)

    hearing.answer = answer
    job = await service.transcription.start_file(recording, model=MODEL)
    while not (await service.transcripts.get(job.transcript_id or "")).cue_count:
        await asyncio.sleep(0)
    deletion = await service.transcripts.delete(job.transcript_id or "")
    let_go.set()
    assert deletion.job_ids == (job.id,)
    assert (await service.jobs.page()).total == 0
    await service.undo()
    back = await service.jobs.get(job.id)
    assert (back.state, back.transcript_id) == ("cancelled", job.transcript_id)
    assert (await ended(service, await service.jobs.retry(job.id))).state == "succeeded"


async def test_an_import_does_not_wait_for_a_transcription(
    service: LocalService, hearing: HearingServer, recording: Path, tmp_path: Path
) -> None:
    let_go = threading.Event()

    def answer(asked: Asked) -> Answer:
        assert let_go.wait(20)
        return hear(asked)

    hearing.answer = answer
    job = await service.transcription.start_file(recording, model=MODEL)
    subtitle = tmp_path / "other.srt"
    subtitle.write_text("1\n00:00:01,000 --> 00:00:02,000\nHallo, wie geht es dir?\n", "utf-8")
    (adding,) = await service.files.add([subtitle])
    assert (await ended(service, adding)).state == "succeeded"
    assert not (await service.jobs.get(job.id)).is_over
    let_go.set()
    assert (await ended(service, job)).state == "succeeded"
    assert hearing.most_at_once == 1, "a server of one's own is asked one by one"


async def test_what_was_heard_as_a_loop_is_asked_once_more_without_the_prompt_and_then_marked(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    def answer(asked: Asked) -> Answer:
        if asked.number == 0:
            return Answer({"text": "Thank you. " * 40, "language": "en", "segments": [], "words": None})
        return hear(asked)

    hearing.answer = answer
    job = await transcribed(service, recording)
    assert [each.fields.get("prompt") for each in hearing.asked[:2]] == [["Der Leuchtturm"], None]
    assert not any(cue.doubt for cue in await cues_of(service, job))

    hearing.answer = lambda asked: Answer({"text": "Thank you. " * 40, "language": "en"})
    cues = await cues_of(service, await transcribed(service, recording))
    assert [cue.doubt for cue in cues].count("loop") > len(cues) * 0.9


async def test_a_recording_that_changes_or_vanishes_before_it_is_heard_is_told(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    hearing.answer = lambda asked: Answer({"error": {"message": "no"}}, 403)
    job = await transcribed(service, recording)
    recording.write_bytes(recording.read_bytes() + b"more")
    changed = await ended(service, await service.jobs.retry(job.id))
    assert changed.state == "failed" and "another file" in (changed.error or "")
    recording.unlink()
    gone = await ended(service, await service.jobs.retry(job.id))
    assert gone.state == "failed" and "not where it was" in (gone.error or "")


async def test_a_recording_that_is_written_over_while_it_is_heard_is_told(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    def answer(asked: Asked) -> Answer:
        if asked.number == 2:
            with recording.open("ab") as file:
                file.write(b"more")
        return hear(asked)

    hearing.answer = answer
    job = await transcribed(service, recording)
    assert job.state == "failed" and "another file" in (job.error or "")


async def test_over_http_the_recording_is_sent_and_the_library_keeps_it(
    with_server: Settings, hearing: HearingServer, recording: Path
) -> None:
    async with opened(with_server, "remote") as library:
        service = library.service
        assert await service.transcription.plan_file(recording, model=MODEL) is None
        job = await ended(service, await service.transcription.start_file(recording, model=MODEL, language="de"))
        assert (job.state, job.error) == ("succeeded", None)
        assert hearing.asked[0].fields["language"] == ["de"]
        file = await service.files.get(job.file_id or "")
        assert file.path is not None and Path(file.path).read_bytes() == recording.read_bytes()
        recording.unlink()
        again = await ended(service, await service.transcription.start(file.id, model=MODEL, end_ms=15_000))
        transcript = await service.transcripts.get(again.transcript_id or "")
        assert (again.state, transcript.duration_ms is not None and transcript.duration_ms <= 15_000) == (
            "succeeded",
            True,
        )
        error = await refusal(service.transcription.fetch_model("small"))
        assert "where the library is" in error.message


async def test_a_plan_says_what_it_will_be_and_what_is_paid(
    with_server: Settings, hearing: HearingServer, tmp_path: Path
) -> None:
    film = make_film(tmp_path / "film.mkv", 30, languages=("eng", "deu"))
    far = ProviderSettings("far", "openai", "https://far.invalid/v1")
    settings = replace(with_server, providers=(*with_server.providers, far))
    service = LocalService(settings, environ={})
    try:
        plan = await service.transcription.plan_file(film, model="far:hearer", language="de")
        assert (plan.name, plan.model, plan.language, plan.track.number) == ("film.mkv", "far:hearer", "de", 2)
        assert plan.duration_ms == pytest.approx(30_000, abs=200)
        assert (plan.is_local, plan.currency) == (False, "$")
        assert plan.cost == pytest.approx(0.003, rel=0.02)
        near = await service.transcription.plan_file(film, model=MODEL, start_ms=10_000, end_ms=15_000)
        assert (near.is_local, near.cost, near.duration_ms) == (True, None, 5_000)
        assert hearing.asked == []
    finally:
        await service.close()


async def test_what_was_paid_is_said_and_own_words_are_names_that_may_occur(
    service: LocalService, hearing: HearingServer, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalTranscription, "_is_local", lambda self, model: False)
    monkeypatch.setattr(service.transcription, "_settings", replace(service._settings, prices={MODEL: 0.6}))
    await service.own_words.save(OwnWord("en", "Flannan", "an island"))
    await service.own_words.save(OwnWord("de", "Leuchtfeuer", "beacon"))
    job = await ended(service, await service.transcription.start_file(recording, model=MODEL, language="en-GB"))
    assert f"about {0.6 * SECONDS / 60:.2f} $" in job.message
    assert hearing.asked[0].fields["prompt"] == ["Der Leuchtturm, Flannan"]
    assert hearing.asked[0].fields["language"] == ["en"]


@pytest.mark.parametrize(
    ("choice", "kind", "code"),
    [
        ({"model": "nobody:m"}, ProviderError, "unknown_provider"),
        ({"model": "m"}, InvalidInput, "invalid_selector"),
        ({"model": "whisper:gigantic"}, LodeError, "whisper_model_unknown"),
        ({"model": MODEL, "track": 7}, MediaError, "no_such_track"),
        ({"model": MODEL, "start_ms": 90_000}, InvalidInput, None),
        ({"model": MODEL, "language": "no language"}, InvalidInput, None),
        ({}, MediaError, "no_transcriber"),
    ],
)
async def test_what_cannot_be_is_refused_before_anything_is_kept(
    service: LocalService,
    recording: Path,
    choice: dict[str, object],
    kind: type[LodeError],
    code: str | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no-models"))
    error = await refusal(service.transcription.start_file(recording, **choice))  # type: ignore[arg-type]
    assert isinstance(error, kind)
    assert code is None or error.code == code
    assert (await service.jobs.page()).total == (await service.transcripts.page()).total == 0


async def test_a_recording_without_sound_and_what_is_none_are_refused(service: LocalService, tmp_path: Path) -> None:
    silent = make_film(tmp_path / "silent.mkv", 2, languages=())
    text = tmp_path / "text.mp3"
    text.write_text("no sound")
    for path, code in ((silent, "no_audio"), (text, "not_media"), (tmp_path / "gone.mp3", "media_unreadable")):
        error = await refusal(service.transcription.start_file(path, model=MODEL))
        assert error.code == code, path


@pytest.mark.exhaustive
@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_process_that_is_killed_loses_what_was_in_flight_and_nothing_else(
    home: Path, tmp_path: Path, at: int
) -> None:
    """The real command, killed while a piece is heard, and tried again; compared with one that nobody disturbed."""
    recording = make_recording(tmp_path / "long.wav", 200)
    with HearingServer() as server:
        (home / "config.toml").write_text(f'[providers.near]\nbase_url = "{server.url}"\n', "utf-8")
        code = (
            "from tui.service.jobs import transcription as t; t.LONGEST_MS = t.LONGEST_QUIET_MS = 20_000;"
            "t.find_model = lambda: None; import sys; from tui.cli import main; sys.exit(main())"
        )
        lode = [str(Path(LODE).with_name("python")), "-c", code]
        transcribe = [*lode, "transcribe", str(recording), "--model", MODEL, "--json"]
        subprocess.run(transcribe, check=True, capture_output=True, timeout=120)
        pieces = len(server.asked)
        undisturbed = read_cues(newest_transcript(), tmp_path)
        server.asked.clear()

        stuck, killed = threading.Event(), threading.Event()

        def answer(asked: Asked) -> Answer:
            if asked.number == at:
                stuck.set()
                killed.wait(60)
            return hear(asked)

        server.answer = answer
        process = subprocess.Popen(transcribe, start_new_session=True, stdout=subprocess.DEVNULL)
        assert stuck.wait(60)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        killed.set()
        job = newest_job()
        assert job["state"] == "interrupted"
        subprocess.run([*lode, "jobs", "retry", job["id"]], check=True, capture_output=True, timeout=120)
        assert read_cues(newest_transcript(), tmp_path) == undisturbed
        assert len(server.asked) <= pieces + 1


def run_lode(*arguments: str) -> str:
    return subprocess.run([LODE, *arguments], check=True, capture_output=True, text=True, timeout=60).stdout


def newest_transcript() -> str:
    return str(json.loads(run_lode("transcripts", "list", "--json"))[0]["id"])


def read_cues(transcript: str, directory: Path) -> object:
    target = directory / f"{transcript}.json"
    run_lode("transcripts", "export", transcript, str(target))
    return json.loads(target.read_text("utf-8"))["cues"]


def newest_job() -> dict[str, str]:
    found: dict[str, str] = json.loads(run_lode("jobs", "list", "--json"))[0]
    return found
