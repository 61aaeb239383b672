"""``t`` in Files: what a transcription will be is shown, all of it can be changed, and its text is read as it grows."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.screens.driving import lines, opened, press_until, until
from tests.service.jobs.hearing_server import Answer, Asked, HearingServer, hear
from tui.config import ProviderSettings, Settings
from tui.service.jobs import transcription
from tui.service.local import LocalService
from tui.widgets.transcript.cue_reader import CueReader

pytest.importorskip("av", reason="PyAV is not installed: pip install 'lode[media]'")

from tests.media.films import make_film


@pytest.fixture
def hearing(monkeypatch: pytest.MonkeyPatch) -> Iterator[HearingServer]:
    monkeypatch.setattr(transcription, "find_model", lambda: None)
    monkeypatch.setattr(transcription, "LONGEST_QUIET_MS", 10_000)
    with HearingServer() as server:
        yield server


@pytest.fixture
async def service(settings: Settings, hearing: HearingServer) -> AsyncIterator[LocalService]:
    own = ProviderSettings("near", "openai", hearing.url)
    service = LocalService(replace(settings, providers=(own,)), environ={})
    yield service
    await service.close()


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return make_film(tmp_path / "podcast.mka", 40, video=False)


async def test_a_recording_that_is_added_is_heard_and_read_while_it_grows(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    let_go = threading.Event()

    def answer(asked: Asked) -> Answer:
        assert asked.number < 2 or let_go.wait(30)
        return hear(asked)

    hearing.answer = answer
    await service.settings.save(replace((await service.settings.get()).contents(), transcribe_with="near:hearer"))
    async with opened(service, (120, 40), section="1") as pilot:
        await press_until(pilot, "a", shown="Add subtitles or texts")
        await pilot.press(*str(recording))
        await press_until(pilot, "enter", shown="Transcribe podcast.mka")
        await until(pilot, lambda: "0:40 of sound" in " ".join(lines(pilot)))
        await press_until(pilot, "enter", told="it can be read while it grows")
        await press_until(pilot, "2", shown="podcast")
        await press_until(pilot, "enter", shown="Word0 word1 word2 word3.")
        before = (await service.transcripts.page()).items[0].cue_count
        assert 0 < before < 20
        await until(pilot, lambda: isinstance(pilot.app.focused, CueReader))
        await press_until(pilot, "G", "c", told="saved")
        let_go.set()
        await until(pilot, lambda: any("· 0:39" in line for line in lines(pilot)))
        await press_until(pilot, "G", shown="0:38")
        (clip,) = (await service.clips.page()).items
        assert clip.cue_index == before - 1


async def test_what_a_model_may_have_made_up_has_a_sign_in_the_reader(
    service: LocalService, hearing: HearingServer, recording: Path
) -> None:
    hearing.answer = lambda asked: Answer({"text": "Thank you. " * 40, "language": "en"})
    job = await service.transcription.start_file(recording, model="near:hearer")
    async for _ in service.jobs.follow([job.id]):
        pass
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await press_until(pilot, "enter", shown="? Thank you.")


async def test_t_asks_for_a_recording_or_takes_that_of_the_file_and_says_what_is_missing(
    service: LocalService, hearing: HearingServer, recording: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no-models"))
    async with opened(service, (120, 40), section="1") as pilot:
        await press_until(pilot, "t", shown="a film or a recording")
        await pilot.press(*str(tmp_path / "gone.mp3"))
        await press_until(pilot, "enter", shown="cannot be read")
        await pilot.press("ctrl+u", *str(recording))
        await press_until(pilot, "enter", shown="nothing here can transcribe yet")
        await pilot.press(*"near:hearer", "tab", *"Klingonisch")
        await press_until(pilot, "enter", shown="is no language")
        await pilot.press("ctrl+u", *"German")
        await press_until(pilot, "enter", told="it can be read while it grows")
        await until(pilot, lambda: "podcast.mka" in " ".join(lines(pilot)))
        await service.settings.save(replace((await service.settings.get()).contents(), transcribe_with="near:hearer"))
        await press_until(pilot, "t", shown="Transcribe podcast.mka")
        assert any("German" in line for line in lines(pilot))
    assert hearing.asked[0].fields["language"] == ["de"]
