"""mpv's JSON IPC: answers, events in the middle of them, broken and endless lines, an mpv that goes."""

import asyncio
import os
import shutil
import stat
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.playing.fake_mpv import FakeMpv
from tests.playing.programs import BLOCKS, Programs, short_socket
from tests.waiting import HANGS
from tui.errors import MediaError
from tui.playing import mpv as mpv_module
from tui.playing.mpv import CueTimes, MpvConnection, Playback, start_mpv
from tui.playing.players import Film

TIME = b'{"event":"property-change","id":1,"name":"time-pos","data":%s}\n'


@pytest.fixture
def socket(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return short_socket(tmp_path_factory)


@pytest.fixture
async def fake(socket: Path) -> AsyncIterator[FakeMpv]:
    async with FakeMpv(socket, time=1.5) as fake:
        yield fake


@pytest.fixture
async def mpv(fake: FakeMpv) -> AsyncIterator[MpvConnection]:
    connection = await MpvConnection.open(fake.socket)
    yield connection
    await connection.close()


async def state(mpv: MpvConnection, holds: Callable[[Playback], bool]) -> Playback:
    """The first state that ``holds``."""
    async with asyncio.timeout(HANGS):
        async for playback in mpv.states():
            if holds(playback):
                return playback
    raise AssertionError(mpv.playback)


async def test_what_it_plays_is_heard_as_it_changes(mpv: MpvConnection, fake: FakeMpv) -> None:
    begun = await state(mpv, lambda now: now.time_ms is not None and bool(now.path))
    assert begun == Playback(1_500, False, "/films/film.mkv")
    await mpv.set_pause(True)
    assert (await state(mpv, lambda now: now.is_paused)).time_ms == 1_500
    await mpv.toggle_pause()
    await state(mpv, lambda now: not now.is_paused)
    await mpv.seek(83_250)
    assert (await state(mpv, lambda now: now.time_ms != 1_500)).time_ms == 83_250
    assert fake.commands[3:] == [["set_property", "pause", True], ["cycle", "pause"], ["seek", 83.25, "absolute+exact"]]
    fake.play("time-pos", None)
    await state(mpv, lambda now: now.time_ms is None)
    with pytest.raises(MediaError, match="error running command") as refused:
        await mpv.seek(1)
    assert refused.value.code == "mpv_refused"


async def test_of_many_changes_the_last_is_told(mpv: MpvConnection, fake: FakeMpv) -> None:
    for frame in range(5_000):
        fake.play("time-pos", frame / 25)
    told = 0
    async with asyncio.timeout(HANGS):
        async for playback in mpv.states():
            told += 1
            if playback.time_ms == 199_960:
                break
    assert told < 1_000


async def test_broken_lines_and_events_between_are_passed_over(mpv: MpvConnection, fake: FakeMpv) -> None:
    def noise() -> None:
        for line in (
            b"\n\xff\xfe\x00{\n[]\nnull\n12\n{}\n" + b"[" * 100_000 + b"\n",
            TIME % b'"x"' + TIME.replace(b'"time-pos"', b'["time-pos"]') % b"{}" + TIME % b"true" + TIME % b"-5",
            b'{"event":"property-change","id":3,"name":"path","data":7}\n',
            b'{"request_id":"1","error":"success"}\n{"request_id":999,"error":"success"}\n{"error":null,"request_id":[]}\n',
            *(b'{"event":"end-fi', b'le"}\n{"event":"x","data":' + b"9" * 10_000 + b"}\n"),
        ):
            fake.send(line)

    noise()
    asking = asyncio.create_task(mpv.set_pause(True))
    noise()
    await asking
    fake.send(b'{"event":"property-change","id":3,"name":"path","data":"/films/\xff.mkv"}\n')
    assert (await state(mpv, lambda now: "\ufffd" in now.path)).time_ms == 0


async def test_what_is_no_time_in_a_film_is_none_and_what_cannot_be_read_leaves_it_as_it_was(
    mpv: MpvConnection, fake: FakeMpv
) -> None:
    for time in (
        *(b"1e308", b"-1e308", b"1e999", b"NaN", b"Infinity", b"-Infinity", b"1000000001"),
        *(b"9" * 400, b"-" + b"9" * 400, b"9" * 4_300, b'"12"', b"null", b"true", b"[]", b"{}"),
    ):
        fake.send(TIME % b"1.25" + TIME % time)
        await state(mpv, lambda now: now.time_ms is None)
        fake.send(TIME % b"2.5")
        await state(mpv, lambda now: now.time_ms == 2_500)
    for unreadable in (b"9" * 5_000, b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b"1" * 1_100_000, b"1e", b"'1'"):
        fake.send(TIME % unreadable)
    await mpv.set_pause(True)
    assert (await state(mpv, lambda now: now.is_paused)).time_ms == 2_500
    assert not mpv.has_ended


async def test_a_refusal_that_is_no_text_is_one_all_the_same(mpv: MpvConnection, fake: FakeMpv) -> None:
    for error in (b"7", b"null", b"[" * 300 + b"]" * 300, b'"' + b"\xff\\u001b[2J" * 9_000 + b'"'):
        asking = asyncio.create_task(mpv.command("get_property", "pause"))
        fake._answer = lambda client, said, error=error: client.write(  # type: ignore[method-assign, misc]
            b'{"error":"success","request_id":true}\n{"error":%s,"request_id":%d}\n' % (error, said["request_id"])
        )
        with pytest.raises(MediaError) as refused:
            await asking
        assert refused.value.code == "mpv_refused"
        assert len(refused.value.message) < 120 and "\x1b" not in refused.value.message


async def test_an_endless_line_takes_no_memory_and_what_follows_is_heard(mpv: MpvConnection, fake: FakeMpv) -> None:
    for _ in range(80):
        fake.send(b"x" * 65_536)
        await asyncio.sleep(0)
    fake.send(TIME % b"3")  # the end of that line
    fake.send(TIME % b"4")
    assert (await state(mpv, lambda now: now.time_ms in (3_000, 4_000))).time_ms == 4_000


async def test_an_mpv_that_goes_ends_the_states_and_fails_what_was_asked(mpv: MpvConnection, fake: FakeMpv) -> None:
    fake._answer = lambda client, said: None  # type: ignore[method-assign]  # it is told, and never answers
    asking = asyncio.create_task(mpv.toggle_pause())
    await asyncio.sleep(0)
    fake.end()
    async with asyncio.timeout(HANGS):
        _ = [playback async for playback in mpv.states()]
    for late in (asking, mpv.seek(1)):
        with pytest.raises(MediaError) as failed:
            await late
        assert failed.value.code == "mpv_gone"
    assert mpv.has_ended
    await mpv.close()
    await mpv.close()


async def test_where_nobody_listens_it_is_said_how_one_would(socket: Path, tmp_path: Path) -> None:
    (tmp_path / "film.srt").write_text("no socket")
    for path in (socket, tmp_path / "film.srt", tmp_path / ("long" * 40), tmp_path / "a\x1b[2Jb"):
        with pytest.raises(MediaError) as refused:
            await MpvConnection.open(path)
        assert refused.value.code == "no_mpv"
        assert "--input-ipc-server=" in refused.value.hint
        assert "\x1b" not in refused.value.message + refused.value.hint


async def test_another_program_that_listens_there_is_no_mpv(socket: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpv_module, "_ANSWER_SECONDS", 0.05)
    over = asyncio.Event()
    sayings = [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b'{"request_id":1,"error":"success"}\n']

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(sayings.pop())
        await over.wait()
        writer.close()

    server = await asyncio.start_unix_server(serve, socket)
    while sayings:
        with pytest.raises(MediaError) as refused:
            await MpvConnection.open(socket)
        assert refused.value.code == "mpv_silent"
    over.set()
    server.close()


# Which cue is spoken at a moment.


def test_the_last_that_began_is_spoken_also_between_two() -> None:
    times = CueTimes([(3, 5_000), (0, 1_000), (1, 3_000), (2, 3_000)])
    for time_ms, cue in (
        (0, None),
        (900, None),
        (1_000, 0),
        (2_900, 0),
        (3_000, 2),
        (3_500, 2),
        (5_000, 3),
        (10**9, 3),
    ):
        assert times.at(time_ms) == cue
    assert times.at(4_960) == 3, "a player stops a frame before a cue"
    assert not CueTimes([])
    assert CueTimes([]).at(0) is None


# An mpv of Lode's own: its private socket, its end with Lode, and what is said where it does not play.


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
