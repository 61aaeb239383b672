"""Sentences that the reader plays out of their film."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.playing.fake_mpv import FakeMpv
from tests.playing.programs import BLOCKS, Programs, programs
from tests.screens.driving import shows, until, until_told
from tests.screens.reader.test_following import CUES, following, mpv, reader, reading
from tests.screens.stage import add_transcript
from tui.playing.mpv import MpvSource
from tui.screens.messages import OpenTranscript
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

__all__ = ["mpv", "programs"]


async def test_without_a_film_or_mpv_it_is_said_what_to_do(
    service: LocalService, transcript: str, programs: Programs, tmp_path: Path
) -> None:
    async with reading(service, transcript, None) as pilot:
        await pilot.press("o")
        await until_told(pilot, "Der letzte Zug has no film or recording: name it: lode files link TRANSCRIPT FILM")
        assert not shows(pilot, "waiting for mpv")
        pilot.app.clear_notifications()
        await pilot.press("p")
        await until_told(pilot, "Der letzte Zug has no film")
        assert not programs.told("mpv")
        pilot.app.post_message(OpenTranscript(transcript, follow=MpvSource(tmp_path / "film.mkv")))
        await until_told(pilot, "film.mkv is not on this machine")
        (tmp_path / "film.mkv").touch()
        for key in ("o", "p"):
            await pilot.press(key)
        await until_told(pilot, "mpv was not found here: install mpv")
        await until_told(pilot, "no player of sound was found here: install mpv")


async def test_p_plays_the_sentence_with_the_sound_around_it_and_a_second_stops_the_first(
    service: LocalService, transcript: str, programs: Programs, tmp_path: Path
) -> None:
    pipe, film = tmp_path / "pipe", tmp_path / "film.mkv"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    film.touch()
    async with reading(service, transcript, MpvSource(film)) as pilot:
        await until_told(pilot, "mpv was not found here")
        programs.add("mpv", f"os.open({str(pipe)!r}, os.O_WRONLY)\n{BLOCKS}")
        await pilot.press("j", "p")
        await until(pilot, lambda: len(programs.told("mpv")) == 1)
        assert programs.told("mpv")[0][-4:] == ["--start=111.500", "--end=116.150", "--", str(film)]
        programs.add("mpv")
        await pilot.press("z", "j", "p")
        await until(pilot, lambda: len(programs.told("mpv")) == 2)
        await until(pilot, lambda: _all_gone(held))
        programs.add("mpv", f"os.open({str(pipe)!r}, os.O_WRONLY)\n{BLOCKS}")
        await pilot.press("p")
        await until(pilot, lambda: len(programs.told("mpv")) == 3)
    os.set_blocking(held, True)
    assert os.read(held, 1) == b""  # the app's end is theirs
    os.close(held)


def _all_gone(held: int) -> bool:
    """Whether nobody has the pipe open any more."""
    try:
        return os.read(held, 1) == b""
    except BlockingIOError:
        return False


async def test_p_sends_an_mpv_that_is_followed_to_the_sentence(
    service: LocalService, transcript: str, mpv: FakeMpv
) -> None:
    async with following(service, transcript, mpv) as pilot:
        await pilot.press("j", "j", "space")
        await until(pilot, lambda: mpv.is_paused)
        await pilot.press("p")
        await until(pilot, lambda: mpv.properties["time-pos"] == 116.25 and not mpv.is_paused)
        assert reader(pilot).cue_index == 2


async def test_a_text_without_times_cannot_be_played_or_followed(
    service: LocalService, mpv: FakeMpv, tmp_path: Path
) -> None:
    cues = [replace(cue, start_ms=None, end_ms=None) for cue in CUES]
    text = await add_transcript(service, cues, title="Text")
    (tmp_path / "film.mkv").touch()
    async with reading(service, text, MpvSource(tmp_path / "film.mkv", mpv.socket)) as pilot:
        await until_told(pilot, "Text has no times")
        await pilot.press("p")
        await until_told(pilot, "this sentence has no time")
    assert mpv.clients == 0
