"""The reader while mpv plays the film: led, held, paused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.playing.fake_mpv import FakeMpv
from tests.playing.programs import Programs, programs, short_socket
from tests.screens.driving import (
    assert_is_clean,
    lines,
    opened,
    shows,
    toasts,
    type_at_once,
    until,
    until_shown,
    until_told,
)
from tests.screens.stage import STATION, add_transcript, timed
from tui.playing.mpv import MpvSource
from tui.screens.messages import OpenTranscript
from tui.service.local import LocalService
from tui.widgets.transcript.cue_reader import CueReader

pytestmark = pytest.mark.exhaustive

__all__ = ["programs"]

FAKE = "from tests.playing.fake_mpv import main; import asyncio; asyncio.run(main())"
CUES = timed(STATION)


@pytest.fixture
async def mpv(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FakeMpv]:
    async with FakeMpv(short_socket(tmp_path_factory)) as mpv:
        yield mpv


@asynccontextmanager
async def reading(
    service: LocalService, transcript: str, follow: MpvSource | None, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Pilot[None]]:
    """The app in the reader; where an mpv is followed, that one plays."""
    async with opened(service, size) as pilot:
        pilot.app.post_message(OpenTranscript(transcript, follow=follow))
        await until(pilot, lambda: pilot.app.screen.query(CueReader) and reader(pilot).cue is not None)
        yield pilot


@asynccontextmanager
async def following(
    service: LocalService, transcript: str, mpv: FakeMpv, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Pilot[None]]:
    """The app in the reader, which follows an mpv that is at the first cue."""
    async with reading(service, transcript, MpvSource(socket=mpv.socket), size) as pilot:
        await until_shown(pilot, "following mpv" if size[0] >= 100 else "mpv ·")
        speak(mpv, 0)
        await until_shown(pilot, "1:48" if size[0] < 100 else "00:01:48")
        yield pilot


def reader(pilot: Pilot[None]) -> CueReader:
    return pilot.app.screen.query_one(CueReader)


def speak(mpv: FakeMpv, cue: int, later_ms: int = 1_000) -> None:
    """Let mpv be in the middle of a cue."""
    start = CUES[cue].start_ms
    assert start is not None
    mpv.play("time-pos", (start + later_ms) / 1000)


async def until_at(pilot: Pilot[None], cue: int) -> None:
    await until(pilot, lambda: reader(pilot).cue_index == cue)


def paused(mpv: FakeMpv) -> list[object]:
    """All that mpv was told about its pause."""
    return [command[-1] for command in mpv.commands if command[0] in ("set_property", "cycle")]


async def test_the_line_that_is_spoken_is_under_the_eye(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    async with following(service, transcript, mpv) as pilot:
        speak(mpv, 3)
        await until_at(pilot, 3)
        assert "following mpv · 00:02:01" in lines(pilot)[0]
        speak(mpv, 3, later_ms=4_300)  # between two lines
        await until_shown(pilot, "00:02:05")
        assert reader(pilot).cue_index == 3
        speak(mpv, 9)
        await until_at(pilot, 9)
        mpv.play("time-pos", 0.0)  # before the first
        await until_shown(pilot, "00:00:00")
        assert reader(pilot).cue_index == 9
        speak(mpv, 1)
        await until_at(pilot, 1)
        mpv.play("time-pos", None)
        await until_shown(pilot, "following mpv · –")
        assert not toasts(pilot)


@pytest.mark.parametrize("path", ['"/\\ud800.mkv"', '"/a\\u0000b\\u001b[2J.mkv"', '"%s"' % ("/films" * 150_000), "[7]"])
async def test_whatever_mpv_says_the_text_can_be_read_on(
    service: LocalService, transcript: str, mpv: FakeMpv, path: str
) -> None:
    event = '{"event":"property-change","id":1,"name":"%s","data":%s}\n'
    mpv.properties |= {"path": None, "time-pos": 1.0}
    async with following(service, transcript, mpv) as pilot:
        mpv.send((event % ("path", path)).encode())
        for time in ("1e308", "9" * 400, "9" * 5_000, "-1e308", "NaN", "[" * 100_000):
            mpv.send((event % ("time-pos", time)).encode())
        await until_shown(pilot, "following mpv · –")
        speak(mpv, 3)
        await until_at(pilot, 3)
        await pilot.press("o")
        await until(pilot, lambda: mpv.clients == 0)
        assert_is_clean(pilot)
        mpv.end()
        await pilot.press("o")  # an mpv that is gone, or one of its own with what was named as the film
        await until(pilot, lambda: toasts(pilot))
        await pilot.press("p")
        await until(pilot, lambda: len(toasts(pilot)) > 1)
        assert not [toast for toast in toasts(pilot) if "unexpected" in toast]
        assert_is_clean(pilot)


async def test_who_moves_by_hand_stays_there_until_the_key_leads_on(
    service: LocalService, transcript: str, mpv: FakeMpv
) -> None:
    async with following(service, transcript, mpv) as pilot:
        speak(mpv, 3)
        await until_at(pilot, 3)
        await pilot.press("l")
        speak(mpv, 5)
        await until_shown(pilot, "00:02:10 · o follows it")
        assert (reader(pilot).cue_index, reader(pilot).focus_text) == (3, "fährt")
        speak(mpv, 6)
        await until_shown(pilot, "00:02:15")
        await pilot.press("o")
        await until_at(pilot, 6)
        await until_shown(pilot, "following mpv · 00:02:15")
        speak(mpv, 8)
        await until_at(pilot, 8)
        await pilot.press("o")
        await until(pilot, lambda: mpv.clients == 0)
        assert not shows(pilot, "mpv ·")
        assert not mpv.ended.is_set()  # it was there before Lode
        assert toasts(pilot) == ["the text stays where you are; o follows mpv again"]
        await pilot.press("o")
        await until_shown(pilot, "following mpv")


async def test_a_breakdown_pauses_mpv_and_leaving_it_plays_on(
    service: LocalService, transcript: str, mpv: FakeMpv
) -> None:
    async with following(service, transcript, mpv) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.current_mode == "breakdown" and mpv.is_paused)
        await until_shown(pilot, "done")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.current_mode == "transcripts" and not mpv.is_paused)
        speak(mpv, 2)
        await until_at(pilot, 2)
        assert paused(mpv) == [True, False]


async def test_what_was_paused_by_hand_stays_paused(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    async with following(service, transcript, mpv) as pilot:
        await pilot.press("space")
        await until_shown(pilot, "mpv paused")
        await pilot.press("x")
        await until(pilot, lambda: pilot.app.current_mode == "breakdown")
        await until_shown(pilot, "done")
        await pilot.press("escape")
        await until_shown(pilot, "mpv paused")
        await pilot.press("space")
        await until_shown(pilot, "following mpv")
        assert paused(mpv) == ["pause", "pause"]
        assert not reader(pilot).cue_focus.marked


@pytest.mark.parametrize(
    "keys", ["\r2\r2", *(pytest.param(keys, marks=pytest.mark.exhaustive) for keys in ("\r2", "3232x2"))]
)
async def test_keys_pressed_at_once_leave_it_playing(
    service: LocalService, transcript: str, mpv: FakeMpv, keys: str
) -> None:
    async with following(service, transcript, mpv) as pilot:
        type_at_once(pilot, f"{keys}j")
        await until_shown(pilot, "o follows it")  # the last key has been taken
        await until(pilot, lambda: not any(worker.group == "mpv" for worker in pilot.app.workers))
        assert len(paused(mpv)) % 2 == 0
        assert not mpv.is_paused


async def test_the_key_twice_at_once_begins_and_ends(
    service: LocalService, transcript: str, programs: Programs, tmp_path: Path
) -> None:
    programs.add("mpv", FAKE)
    (tmp_path / "film.mkv").touch()
    async with reading(service, transcript, MpvSource(tmp_path / "film.mkv")) as pilot:
        await until_shown(pilot, "following mpv")
        type_at_once(pilot, "oo")
        await until(pilot, lambda: len(programs.told("mpv")) == 2)
        await until_shown(pilot, "following mpv")
        type_at_once(pilot, "ooo")
        await until(pilot, lambda: not shows(pilot, "mpv ·") and not shows(pilot, "waiting"))
        assert not toasts(pilot)


async def test_an_mpv_that_is_killed_ends_it_and_that_is_said_once(
    service: LocalService, transcript: str, mpv: FakeMpv
) -> None:
    async with following(service, transcript, mpv) as pilot:
        mpv.end()
        await until_told(pilot, "mpv has ended: it is not followed any more")
        await until(pilot, lambda: not shows(pilot, "mpv ·"))
        await pilot.press("space")
        assert reader(pilot).cue_focus.marked  # the key has its own meaning again
        assert len(toasts(pilot)) == 1
        await pilot.press("o")
        await until_told(pilot, "no mpv listens at")
        assert len(toasts(pilot)) == 2


async def test_another_film_in_mpv_is_not_followed(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    async with following(service, transcript, mpv) as pilot:
        mpv.play("path", "/films/Next\x1b[2J [b]one.mkv")
        await until_told(pilot, "mpv plays Next [b]one.mkv now: it is not followed any more")
        assert_is_clean(pilot)
        await until(pilot, lambda: mpv.clients == 0)


async def test_another_text_in_the_reader_is_not_led(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    other = await add_transcript(service, timed(("Er fährt.", "Sie fährt.")), title="Noch einer")
    async with following(service, transcript, mpv) as pilot:
        from tui.screens.reader.places import Place
        from tui.screens.reader.reader import ReaderScreen

        screen = pilot.app.screen
        assert isinstance(screen, ReaderScreen)
        screen.go_to_place(Place(other, 1, 0))
        await until_told(pilot, "another text is read now")
        speak(mpv, 5)
        await until(pilot, lambda: mpv.clients == 0)
        assert shows(pilot, "Noch einer")
        assert reader(pilot).cue_index == 1


async def test_a_clip_of_the_line_that_is_spoken_has_no_word_that_nobody_chose(
    service: LocalService, transcript: str, mpv: FakeMpv
) -> None:
    async with following(service, transcript, mpv) as pilot:
        speak(mpv, 3)
        await until_at(pilot, 3)
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        speak(mpv, 5)
        await until_at(pilot, 5)
        await pilot.press("l", "l", "c")
        await until(pilot, lambda: len(reader(pilot)._lines.cues_with_clips) == 2)
        clips = sorted((await service.clips.page()).items, key=lambda clip: clip.cue_index or 0)
    assert [(clip.cue_index, clip.focus.surface if clip.focus else None) for clip in clips] == [
        (3, None),
        (5, "fahren"),
    ]
    assert clips[0].sentence == STATION[3]


async def test_in_a_narrow_terminal_the_time_is_not_cut_off(
    service: LocalService, transcript: str, mpv: FakeMpv
) -> None:
    async with following(service, transcript, mpv, (80, 24)) as pilot:
        assert lines(pilot)[0].endswith("mpv · 1:48")
        mpv.play("time-pos", 7_505.0)
        await pilot.press("space")
        await until(pilot, lambda: lines(pilot)[0].endswith("paused · 2:05:05"))
        await pilot.press("k")
        await until(pilot, lambda: lines(pilot)[0].endswith("held · 2:05:05"))
        assert_is_clean(pilot)


async def test_mpv_is_started_where_the_eye_is_and_ends_with_the_reader(
    service: LocalService, transcript: str, programs: Programs, tmp_path: Path
) -> None:
    programs.add("mpv", FAKE)
    film = tmp_path / "film.mkv"
    film.touch()
    async with reading(service, transcript, MpvSource(film)) as pilot:
        await until_shown(pilot, "following mpv · 00:00:00")
        await pilot.press("o", "j", "j", "o")
        await until_shown(pilot, "following mpv · 00:01:56")
        assert "--start=116.250" in programs.told("mpv")[1]
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.screen.query(CueReader))
    socket = next(each for each in programs.told("mpv")[1] if "ipc-server" in each).partition("=")[2]
    assert not Path(socket).parent.exists()
