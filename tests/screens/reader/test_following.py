"""The reader with the film of its text: sentences are played, and the eye is led by mpv, held, paused."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.playing.fake_mpv import FakeMpv
from tests.playing.programs import BLOCKS, Programs
from tests.screens.driving import (
    assert_is_clean,
    lines,
    opened,
    press_until,
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

FAKE = "from tests.playing.fake_mpv import main; import asyncio; asyncio.run(main())"
CUES = timed(STATION)


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


@pytest.mark.parametrize(
    "path", ['"/\\ud800.mkv"', '"/a\\u0000b\\u001b[2J.mkv"', '"%s"' % ("/films" * 150_000)], ids=range(3)
)
async def test_whatever_mpv_says_one_reads_on(service: LocalService, transcript: str, mpv: FakeMpv, path: str) -> None:
    event = '{"event":"property-change","id":1,"name":"%s","data":%s}\n'
    mpv.properties |= {"path": None, "time-pos": 1.0}
    async with following(service, transcript, mpv) as pilot:
        mpv.send((event % ("path", path)).encode())
        for time in ("1e308", "9" * 400, "9" * 5_000, "-1e308", "NaN", "[" * 100_000):
            mpv.send((event % ("time-pos", time)).encode())
        await until_shown(pilot, "following mpv · –")
        speak(mpv, 3)
        await until_at(pilot, 3)
        await press_until(pilot, "o", holds=lambda: mpv.clients == 0)
        assert_is_clean(pilot)
        mpv.end()
        await pilot.press("o")  # an mpv that is gone, or one of its own with what was named as the film
        await until(pilot, lambda: toasts(pilot))
        await press_until(pilot, "p", holds=lambda: len(toasts(pilot)) > 1)
        assert not [toast for toast in toasts(pilot) if "unexpected" in toast]
        assert_is_clean(pilot)


async def test_a_breakdown_pauses_what_is_not_paused(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    async with following(service, transcript, mpv) as pilot:
        await press_until(pilot, "enter", holds=lambda: pilot.app.current_mode == "breakdown" and mpv.is_paused)
        await until_shown(pilot, "done")
        await press_until(pilot, "escape", holds=lambda: pilot.app.current_mode == "transcripts" and not mpv.is_paused)
        speak(mpv, 2)
        await until_at(pilot, 2)
        await press_until(pilot, "space", shown="mpv paused")
        await press_until(pilot, "x", holds=lambda: pilot.app.current_mode == "breakdown")
        await until_shown(pilot, "done")
        await press_until(pilot, "escape", shown="mpv paused")
        await press_until(pilot, "space", shown="following mpv")
        assert paused(mpv) == [True, False, "pause", "pause"]
        assert not reader(pilot).cue_focus.marked


@pytest.mark.parametrize("keys", ["\r2\r2", "3232x2"], ids=ascii)
async def test_keys_at_once_leave_it_playing(service: LocalService, transcript: str, mpv: FakeMpv, keys: str) -> None:
    async with following(service, transcript, mpv) as pilot:
        type_at_once(pilot, f"{keys}j")
        await until_shown(pilot, "o follows it")  # the last key has been taken
        await until(pilot, lambda: not any(worker.group == "mpv" for worker in pilot.app.workers))
        assert len(paused(mpv)) % 2 == 0
        assert not mpv.is_paused


async def test_the_key_twice_ends_it(
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


async def test_an_mpv_that_is_killed_ends_it_and_is_told(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    async with following(service, transcript, mpv) as pilot:
        mpv.end()
        await until_told(pilot, "mpv has ended: it is not followed any more")
        await until(pilot, lambda: not shows(pilot, "mpv ·"))
        await pilot.press("space")
        assert reader(pilot).cue_focus.marked  # the key has its own meaning again
        assert len(toasts(pilot)) == 1
        await press_until(pilot, "o", told="no mpv listens at")
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
        from tui.screens.places import Place
        from tui.screens.reader.reader import ReaderScreen

        screen = pilot.app.screen
        assert isinstance(screen, ReaderScreen)
        screen.go_to_place(Place(other, 1, 0))
        await until_told(pilot, "another text is read now")
        speak(mpv, 5)
        await until(pilot, lambda: mpv.clients == 0)
        assert shows(pilot, "Noch einer")
        assert reader(pilot).cue_index == 1


async def test_a_clip_of_a_led_line_has_no_word(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    async with following(service, transcript, mpv) as pilot:
        speak(mpv, 3)
        await until_at(pilot, 3)
        await press_until(pilot, "c", told="clip saved")
        speak(mpv, 5)
        await until_at(pilot, 5)
        await press_until(pilot, "l", "l", "c", holds=lambda: len(reader(pilot)._lines.signs.clips) == 2)
        clips = sorted((await service.clips.page()).items, key=lambda clip: clip.cue_index or 0)
    assert [(clip.cue_index, clip.focus.surface if clip.focus else None) for clip in clips] == [
        (3, None),
        (5, "fahren"),
    ]
    assert clips[0].sentence == STATION[3]


async def test_a_narrow_terminal_has_the_time(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    async with following(service, transcript, mpv, (80, 24)) as pilot:
        assert lines(pilot)[0].endswith("mpv · 1:48")
        mpv.play("time-pos", 7_505.0)
        await press_until(pilot, "space", holds=lambda: lines(pilot)[0].endswith("paused · 2:05:05"))
        await press_until(pilot, "k", holds=lambda: lines(pilot)[0].endswith("held · 2:05:05"))
        assert_is_clean(pilot)
        await press_until(pilot, "p", holds=lambda: mpv.properties["time-pos"] == 143.25 and not mpv.is_paused)
        assert reader(pilot).cue_index == 8


async def test_mpv_is_started_where_the_eye_is_and_ends_with_the_reader(
    service: LocalService, transcript: str, programs: Programs, tmp_path: Path
) -> None:
    programs.add("mpv", FAKE)
    film = tmp_path / "film.mkv"
    film.touch()
    async with reading(service, transcript, MpvSource(film)) as pilot:
        await until_shown(pilot, "following mpv · 00:00:00")
        await press_until(pilot, "o", "j", "j", "o", shown="following mpv · 00:01:56")
        assert "--start=116.250" in programs.told("mpv")[1]
        await press_until(pilot, "escape", holds=lambda: not pilot.app.screen.query(CueReader))
    socket = next(each for each in programs.told("mpv")[1] if "ipc-server" in each).partition("=")[2]
    assert not Path(socket).parent.exists()


# Played by itself.


async def test_what_lacks_is_told(service: LocalService, transcript: str, programs: Programs, tmp_path: Path) -> None:
    async with reading(service, transcript, None) as pilot:
        await pilot.press("o")
        await until_told(pilot, "Der letzte Zug has no film or recording: name it: lode files link TRANSCRIPT FILM")
        assert not shows(pilot, "waiting for mpv")
        pilot.app.clear_notifications()
        await press_until(pilot, "p", told="Der letzte Zug has no film")
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
        await press_until(pilot, "j", "p", holds=lambda: len(programs.told("mpv")) == 1)
        assert programs.told("mpv")[0][-4:] == ["--start=111.500", "--end=116.150", "--", str(film)]
        programs.add("mpv")
        await press_until(pilot, "z", "j", "p", holds=lambda: len(programs.told("mpv")) == 2)
        await until(pilot, lambda: _all_gone(held))
        programs.add("mpv", f"os.open({str(pipe)!r}, os.O_WRONLY)\n{BLOCKS}")
        await press_until(pilot, "p", holds=lambda: len(programs.told("mpv")) == 3)
    os.set_blocking(held, True)
    assert os.read(held, 1) == b""  # the app's end is theirs
    os.close(held)


def _all_gone(held: int) -> bool:
    """Whether nobody has the pipe open any more."""
    try:
        return os.read(held, 1) == b""
    except BlockingIOError:
        return False


async def test_a_text_without_times_is_not_followed(service: LocalService, mpv: FakeMpv, tmp_path: Path) -> None:
    cues = [replace(cue, start_ms=None, end_ms=None) for cue in CUES]
    text = await add_transcript(service, cues, title="Text")
    (tmp_path / "film.mkv").touch()
    async with reading(service, text, MpvSource(tmp_path / "film.mkv", mpv.socket)) as pilot:
        await until_told(pilot, "Text has no times")
        await press_until(pilot, "p", told="this sentence has no time")
    assert mpv.clients == 0
