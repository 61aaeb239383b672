"""mpv's JSON IPC: answers, events in the middle of them, broken and endless lines, an mpv that goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.playing.fake_mpv import FakeMpv
from tests.playing.programs import short_socket
from tests.waiting import HANGS
from tui.errors import MediaError
from tui.playing import mpv as mpv_module
from tui.playing.mpv import MpvConnection, Playback


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
            b'{"event":"property-change","id":1,"name":"time-pos","data":"x"}\n',
            b'{"event":"property-change","id":1,"name":["time-pos"],"data":{}}\n',
            b'{"event":"property-change","id":1,"name":"time-pos","data":1e999}\n',
            b'{"event":"property-change","id":1,"name":"time-pos","data":NaN}\n',
            b'{"event":"property-change","id":1,"name":"time-pos","data":true}\n',
            b'{"event":"property-change","id":1,"name":"time-pos","data":-5}\n',
            b'{"event":"property-change","id":3,"name":"path","data":7}\n',
            b'{"request_id":"1","error":"success"}\n{"request_id":999,"error":"success"}\n{"error":null,"request_id":[]}\n',
            b'{"event":"end-fi',
            b'le"}\n{"event":"x","data":' + b"9" * 10_000 + b"}\n",
        ):
            fake.send(line)

    noise()
    asking = asyncio.create_task(mpv.set_pause(True))
    noise()
    await asking
    fake.send(b'{"event":"property-change","id":3,"name":"path","data":"/films/\xff.mkv"}\n')
    assert (await state(mpv, lambda now: "\ufffd" in now.path)).time_ms == 0


@pytest.mark.parametrize(
    "time",
    [
        *("1e308", "-1e308", "1e300", "1e999", "NaN", "Infinity", "-Infinity", "1000000001"),
        *("9" * 400, "-" + "9" * 400, "9" * 4_300),
        *('"12"', "null", "true", "[]", "{}"),
    ],
    ids=lambda time: time[:11],
)
async def test_what_is_no_time_in_a_film_is_none(mpv: MpvConnection, fake: FakeMpv, time: str) -> None:
    event = '{"event":"property-change","id":1,"name":"time-pos","data":%s}\n'
    fake.send((event % "1.25" + event % time).encode())
    assert (await state(mpv, lambda now: now.time_ms != 1_500)).time_ms in (None, 1_250)
    if mpv.playback.time_ms is not None:
        await state(mpv, lambda now: now.time_ms is None)
    fake.send((event % "2.5").encode())
    await state(mpv, lambda now: now.time_ms == 2_500)


async def test_what_cannot_be_read_leaves_the_time_as_it_was(mpv: MpvConnection, fake: FakeMpv) -> None:
    event = '{"event":"property-change","id":1,"name":"time-pos","data":%s}\n'
    fake.send((event % "1.25").encode())
    for unreadable in ("9" * 5_000, "[" * 100_000, "[" * 100_000 + "]" * 100_000, "1" * 1_100_000, "1e", "'1'"):
        fake.send((event % unreadable).encode())
    await mpv.set_pause(True)
    assert (await state(mpv, lambda now: now.is_paused)).time_ms == 1_250
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
    fake.send(b'{"event":"property-change","id":1,"name":"time-pos","data":3}\n')  # the end of that line
    fake.send(b'{"event":"property-change","id":1,"name":"time-pos","data":4}\n')
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


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b'{"request_id":1,"error":"success"}\n'])
async def test_another_program_that_listens_there_is_no_mpv(
    socket: Path, monkeypatch: pytest.MonkeyPatch, says: bytes
) -> None:
    monkeypatch.setattr(mpv_module, "_ANSWER_SECONDS", 0.2)
    over = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(says)
        await over.wait()
        writer.close()

    server = await asyncio.start_unix_server(serve, socket)
    with pytest.raises(MediaError) as refused:
        await MpvConnection.open(socket)
    assert refused.value.code == "mpv_silent"
    over.set()
    server.close()
