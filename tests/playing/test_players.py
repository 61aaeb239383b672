"""Players of sound: which one is taken, what it is told, how it is stopped, and what is said where it fails."""

import asyncio
import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

from tests.playing.programs import BLOCKS, Programs
from tests.waiting import HANGS, wait_until
from tui.errors import MediaError
from tui.playing.players import Film, play_bytes, play_span


async def test_the_best_player_there_is_plays_just_that_span(programs: Programs, tmp_path: Path) -> None:
    film = tmp_path / "film.mkv"
    programs.add("play")
    await play_span(Film(film), 83_250, 85_000)
    assert programs.told("play") == [["-q", str(film), "trim", "83.250", "1.750"]]
    programs.add("ffplay")
    await play_span(Film(film, 2), 0, 1_005)
    (told,) = programs.told("ffplay")
    assert told[-8:] == ["-ast", "a:1", "-ss", "0.000", "-t", "1.005", "-i", str(film)]
    assert {"-nodisp", "-vn", "-autoexit"} <= set(told)
    programs.add("mpv")
    await play_span(Film(film, 2), 83_250, 3_600_000)
    (told,) = programs.told("mpv")
    assert told[-5:] == ["--aid=2", "--start=83.250", "--end=3600.000", "--", str(film)]
    assert "--no-video" in told
    await play_span(Film(film, language="de"), 0, 1_000)
    assert "--alang=de" in programs.told("mpv")[1]
    assert len(programs.told("ffplay")) == len(programs.told("play")) == 1


async def test_a_name_like_an_option_or_a_pattern_is_the_name_of_a_file(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    programs.add("play")
    await play_span(Film(Path("-[x]{a,b}*.wav")), 0, 1_000)
    assert programs.told("play")[0][1] == rf"{tmp_path}/-\[x\]\{{a,b\}}\*.wav"
    programs.add("mpv")
    await play_span(Film(Path("--script=evil.lua")), 0, 1_000)
    assert programs.told("mpv")[0][-2:] == ["--", f"{tmp_path}/--script=evil.lua"]


async def test_without_a_player_it_is_said_what_to_get_and_why_one_failed_is_its_last_line(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = Film(tmp_path / "Fi\x1b[2Jlm.mkv")
    with pytest.raises(MediaError) as refused:
        await play_span(film, 0, 1_000)
    assert refused.value.code == "no_player"
    assert "mpv" in refused.value.hint
    programs.add(
        "mpv", r"sys.stdout.buffer.write(b'x' * 300_000 + b'\n\x1b[31mno \xff\x07sound\x1b]0;t\x07\n\n'); sys.exit(2)"
    )
    with pytest.raises(MediaError) as failed:
        await play_span(film, 0, 1_000)
    assert failed.value.code == "player_failed"
    assert failed.value.message == "mpv could not play Film.mkv: no \ufffdsound"
    programs.add("mpv", "sys.exit(3)")
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 5 10.0.0.2 22")
    with pytest.raises(MediaError, match="exit status 3") as failed:
        await play_span(film, 0, 1_000)
    assert "SSH" in failed.value.hint  # there may be no loudspeaker
    programs.add("mpv")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(MediaError) as refused:
        await play_bytes(b"ID3 sound")
    assert refused.value.code == "no_temporary_directory"
    assert not programs.told("mpv")[2:]


def is_closed(pipe: int) -> bool:
    """Whether nobody has the other end of a pipe open any more."""
    try:
        return os.read(pipe, 1) == b""
    except BlockingIOError:
        return False


async def test_stopping_ends_the_player_and_all_that_it_started_and_its_private_file_goes(
    programs: Programs, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    programs.add("mpv", f"os.open({str(pipe)!r}, os.O_WRONLY)\nos.fork()\n{BLOCKS}")
    playing = asyncio.create_task(play_bytes(b"ID3 sound"))
    held = await asyncio.wait_for(asyncio.to_thread(os.open, pipe, os.O_RDONLY), HANGS)
    file = Path(programs.told("mpv")[0][-1])
    assert (file.read_bytes(), file.suffix) == (b"ID3 sound", ".mp3")
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    os.set_blocking(held, False)
    await asyncio.to_thread(wait_until, lambda: is_closed(held), lambda: "somebody still has the pipe open")
    os.close(held)
    assert not file.parent.exists()
    programs.add("mpv")
    await play_bytes(b"ID3 sound")
    assert not Path(programs.told("mpv")[-1][-1]).parent.exists()


@pytest.mark.exhaustive
@pytest.mark.parametrize("program", ["mpv", "ffplay"])
async def test_the_real_players_play_to_the_end_of_the_span(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.media.films import make_film

    if (found := shutil.which(program)) is None:
        pytest.skip(f"{program} is not installed")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / program).symlink_to(found)
    (tmp_path / "mpv.conf").write_text("ao=null\nloop-file=inf\nkeep-open=yes\npause=yes\n")
    for name, value in {"PATH": tmp_path / "bin", "MPV_HOME": tmp_path, "SDL_AUDIODRIVER": "dummy"}.items():
        monkeypatch.setenv(name, str(value))
    film = make_film(tmp_path / "-film [1].mkv", 4)
    await play_span(Film(film), 1_000, 1_500)
    await play_span(Film(film, 1), 1_000, 1_500)
    await play_span(Film(film, language="de"), 1_000, 1_500)
    if program == "mpv":  # the other says 0 whatever happens
        film.write_text("no film")
        with pytest.raises(MediaError, match="Failed to recognize file format"):
            await play_span(Film(film), 1_000, 1_500)
