"""An mpv of Lode's own: its private socket, its end with Lode, and what is said where it does not play."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

from tests.playing.programs import BLOCKS, Programs
from tests.waiting import HANGS
from tui.errors import MediaError
from tui.playing.mpv import start_mpv
from tui.playing.players import Film

FAKE = "from tests.playing.fake_mpv import main; import asyncio; asyncio.run(main())"


def private_places() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob(".lode-tmp-*"))


@pytest.fixture(autouse=True)
def own_temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that of all: other tests have places there too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("t")))


async def test_it_plays_from_where_it_is_asked_to_at_a_socket_of_this_user_alone(
    programs: Programs, tmp_path: Path
) -> None:
    programs.add("mpv", FAKE)
    async with asyncio.timeout(HANGS), start_mpv(Film(tmp_path / "-film.mkv", 2), start_ms=83_250) as mpv:
        async for playback in mpv.states():
            if playback.path and playback.time_ms is not None:
                break
        assert (playback.path, playback.time_ms) == (str(tmp_path / "-film.mkv"), 83_250)
        (told,) = programs.told("mpv")
        socket = Path(next(each for each in told if each.startswith("--input-ipc-server=")).partition("=")[2])
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert told[-2:] == ["--", str(tmp_path / "-film.mkv")]
        assert "--aid=2" in told
    assert not private_places()


async def test_it_ends_with_the_block_even_where_it_does_not_want_to(programs: Programs, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    stubborn = FAKE.replace("asyncio.run", "os.open({!r}, os.O_WRONLY); asyncio.run").format(str(pipe))
    programs.add("mpv", f"{stubborn}\n{BLOCKS}")
    held = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(held, True)
    async with asyncio.timeout(HANGS), start_mpv(Film(tmp_path / "film.mkv")):
        pass
    assert os.read(held, 1) == b""  # nobody has it open any more
    os.close(held)
    assert not private_places()


async def test_why_it_did_not_play_is_said(programs: Programs, tmp_path: Path) -> None:
    with pytest.raises(MediaError) as refused:
        async with start_mpv(Film(tmp_path / "film.mkv")):
            pass
    assert refused.value.code == "no_player"
    programs.add("mpv", "print('Failed to recognize file format.'); sys.exit(2)")
    with pytest.raises(MediaError) as refused:
        async with start_mpv(Film(tmp_path / "film.mkv")):
            pass
    assert refused.value.message == "mpv could not play film.mkv: Failed to recognize file format."
    programs.add("mpv")
    with pytest.raises(MediaError, match="ended as soon as"):
        async with start_mpv(Film(tmp_path / "film.mkv")):
            pass
    assert not private_places()


async def test_a_long_temporary_directory_does_not_make_the_socket_too_long(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 25)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    programs.add("mpv", FAKE)
    async with asyncio.timeout(HANGS), start_mpv(Film(tmp_path / "film.mkv")) as mpv:
        await mpv.set_pause(True)


@pytest.mark.exhaustive
async def test_the_real_mpv_is_followed_paused_and_led(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.media.films import make_film

    if shutil.which("mpv") is None:
        pytest.skip("mpv is not installed")
    (tmp_path / "mpv.conf").write_text("ao=null\nvo=null\n")
    monkeypatch.setenv("MPV_HOME", str(tmp_path))
    film = make_film(tmp_path / "film.mkv", 30)
    async with asyncio.timeout(HANGS), start_mpv(Film(film), start_ms=2_000) as mpv:
        async for playback in mpv.states():
            if playback.time_ms is not None and playback.time_ms > 2_500:
                break
        assert playback.path == str(film)
        await mpv.set_pause(True)
        await mpv.seek(20_000)
        async for playback in mpv.states():
            if playback.is_paused and playback.time_ms is not None and playback.time_ms >= 19_900:
                break
        assert await mpv.is_paused()
        assert playback.time_ms == pytest.approx(20_000, abs=110)  # a frame
    (tmp_path / "bad.mkv").write_text("no film")
    with pytest.raises(MediaError, match="mpv could not play"):
        async with start_mpv(Film(tmp_path / "bad.mkv")) as mpv:
            _ = [state async for state in mpv.states()]
    assert not private_places()
