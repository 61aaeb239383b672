"""Bodies read from the transport of a server with many streams: at a pace, within deadlines, and without loss."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.llm.asking import ASK, peer
from tests.llm.fake_server import Cut, FakeModelServer, Gate, Piece, Reply, slow
from tui.errors import ProviderError
from tui.llm.http.client import _FEW, HttpPeer, Timeouts, reader_of
from tui.llm.http.many_streams import _Handler, _Reader
from tui.llm.http.read_ahead import BodyReader
from tui.llm.wires.openai_chat import OpenAiChat

PATIENT = Timeouts(connect=10, read=10, first_text=10, between_texts=10)


@asynccontextmanager
async def connected(*replies: Reply) -> AsyncIterator[tuple[FakeModelServer, HttpPeer]]:
    """A model server that replies so, and the connections to it."""
    async with FakeModelServer() as server:
        server.enqueue(*replies)
        http = HttpPeer(server.base_url, peer(server.base_url), PATIENT, _no_key, connections=_FEW + 1)
        try:
            yield server, http
        finally:
            await http.close()


@asynccontextmanager
async def body_of(http: HttpPeer, pause: float) -> AsyncIterator[BodyReader]:
    """The body of the next reply, with a pause of so many seconds after each reading."""
    call = OpenAiChat().chat(ASK, streamed=True)
    async with http.request(call, is_timed=True) as response, reader_of(response, lambda: pause) as reader:
        yield reader


@asynccontextmanager
async def reading(*pieces: Piece, pause: float = 0.0) -> AsyncIterator[_Reader]:
    """A body in these pieces."""
    async with connected(Reply(pieces)) as (_, http), body_of(http, pause) as reader:
        assert isinstance(reader, _Reader)
        yield reader


async def rest_of(reader: BodyReader) -> bytes:
    came = b""
    while (piece := await reader.next(10)) is not None:
        came += piece
    return came


async def test_what_comes_during_a_pause_is_read_when_it_is_over_and_all_together() -> None:
    gate = Gate()
    now = asyncio.get_running_loop().time
    async with reading(b"a", gate, *(b"b" for _ in range(100)), pause=0.2) as reader:
        assert await reader.next(10) == b"a"
        begun = now()
        gate.opened.set()
        came = await reader.next(10)
        assert now() - begun >= 0.15
        assert came is not None and len(came) > 50  # as much as the other side had written by then
        assert came + await rest_of(reader) == b"b" * 100


async def test_during_a_pause_the_network_holds_the_server_back() -> None:
    async with reading(*(b"x" * 65536 for _ in range(1000)), pause=3600) as reader:
        came = await reader.next(10)
        size = reader._content.total_bytes
        await asyncio.sleep(0.3)  # that nothing comes can only be seen by waiting
        assert came and reader._content.total_bytes == size


async def test_a_long_body_that_is_read_slowly_comes_whole_and_is_not_gathered_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    received = 0

    class Counting(_Handler):
        def data_received(self, data: bytes) -> None:
            nonlocal received
            received += len(data)
            super().data_received(data)

    monkeypatch.setattr("tui.llm.http.many_streams._Handler", Counting)
    pieces = [bytes((number % 251,)) * 65536 for number in range(200)]
    async with reading(*pieces, pause=0.002) as reader:
        came = b""
        for _ in range(50):
            came += await reader.next(10) or b""
            await asyncio.sleep(0.004)  # a reader that takes its time
        assert received - len(came) < 2_000_000
        came += await rest_of(reader)
    assert came == b"".join(pieces)


async def test_a_body_that_says_nothing_for_too_long_is_given_up_and_stays_so() -> None:
    now = asyncio.get_running_loop().time
    async with reading(b"a", Gate()) as reader:
        assert await reader.next(3600) == b"a"
        begun = now()
        for _ in range(2):
            waiting = asyncio.ensure_future(reader.next(0.05))
            await asyncio.wait((waiting,), timeout=10)
            with pytest.raises(TimeoutError):
                waiting.result()
        assert now() - begun >= 0.04


async def test_a_deadline_runs_only_while_somebody_waits() -> None:
    gate = Gate()
    async with reading(b"a", gate, b"b") as reader:
        assert await reader.next(0.5) == b"a"
        await asyncio.sleep(0.8)  # the deadline passes while nobody waits
        gate.opened.set()
        assert await reader.next(10) == b"b"
        assert await reader.next(10) is None


async def test_a_later_deadline_takes_the_place_of_a_sooner_one() -> None:
    now = asyncio.get_running_loop().time
    async with reading(b"a", Gate()) as reader:
        assert await reader.next(0.5) == b"a"
        begun = now()
        waiting = asyncio.ensure_future(reader.next(0.8))
        await asyncio.wait((waiting,), timeout=10)
        assert now() - begun >= 0.75
        with pytest.raises(TimeoutError):
            waiting.result()


async def test_the_end_of_a_chunk_that_brings_nothing_does_not_lose_the_deadline() -> None:
    async with reading(b"a", Gate()) as reader:
        assert await reader.next(10) == b"a"
        waiting = asyncio.ensure_future(reader.next(3600))
        await asyncio.sleep(0)
        content = reader._content
        assert content._http_chunk_splits is not None
        content._http_chunk_splits.append(-1)  # so that it takes the end for one of a chunk that has just come
        content.end_http_chunk_receiving()
        reader._deadline = 0.0
        reader._look_at_deadline()
        done, _ = await asyncio.wait((waiting,), timeout=10)
        assert done and isinstance(waiting.exception(), TimeoutError)


async def test_what_came_when_the_deadline_passed_is_given_and_the_rest_too() -> None:
    gates = [Gate(), Gate()]
    async with reading(b"a", gates[0], b"b", gates[1], b"c") as reader:
        assert await reader.next(10) == b"a"
        waiting = asyncio.ensure_future(reader.next(10))
        await asyncio.sleep(0)
        reader._deadline = 0.0
        gates[0].opened.set()
        while not reader._content._buffer:
            await asyncio.sleep(0)
        reader._look_at_deadline()
        assert await waiting == b"b"
        gates[1].opened.set()
        assert await reader.next(10) == b"c"


async def test_what_came_before_the_connection_broke_comes_before_the_error() -> None:
    gate = Gate()
    came = b""
    with pytest.raises(ProviderError) as raised:
        async with reading(b"a", gate, b"b", Cut()) as reader:
            came += await reader.next(10) or b""
            gate.opened.set()
            while reader._content.exception() is None:
                await asyncio.sleep(0)
            while piece := await reader.next(10):
                came += piece
    assert came == b"ab"
    assert raised.value.code == "connection_lost"


async def test_who_reads_on_when_the_provider_was_closed_is_told_so_as_of_any_lost_connection() -> None:
    async with connected(Reply((b"a", Gate()))) as (_, http):
        with pytest.raises(ProviderError) as raised:
            async with body_of(http, 0.0) as reader:
                assert isinstance(reader, _Reader)
                await reader.next(10)
                await http.close()
                while reader._content._protocol.connected:
                    await asyncio.sleep(0)
                await reader.next(10)
    assert raised.value.code == "connection_lost"


class ClosedTls:
    """What asyncio's TLS transport does once it has been closed twice."""

    def pause_reading(self) -> None:
        raise AttributeError("'NoneType' object has no attribute '_pause_reading'")

    def resume_reading(self) -> None:
        raise AttributeError("'NoneType' object has no attribute '_resume_reading'")


async def test_a_transport_that_is_being_closed_loses_nothing_of_what_was_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = Gate()
    async with reading(b"a", gate, b"b", pause=0.01) as reader:
        monkeypatch.setattr(reader, "_transport", ClosedTls())
        assert await reader.next(10) == b"a"
        gate.opened.set()
        assert await rest_of(reader) == b"b"


async def test_a_body_that_is_read_to_its_end_leaves_its_connection_to_the_next_one_pause_or_not() -> None:
    gates = [Gate() for _ in range(3)]
    async with connected(*(slow(["Hal"], gate, ["lo"]) for gate in gates)) as (server, http):
        for gate in gates:
            async with body_of(http, 3600.0) as reader:
                await reader.next(10)
                gate.opened.set()
                await reader.drain(10)
        assert server.connections == 1


async def test_cookies_of_a_model_server_go_nowhere() -> None:
    reply = Reply((b"a",), headers={"set-cookie": "a=b"})
    async with connected(reply, reply) as (server, http):
        for _ in range(2):
            async with body_of(http, 0.0):
                pass
        assert len(server.requests) == 2
        assert all("cookie" not in request.headers for request in server.requests)


async def _no_key() -> dict[str, str]:
    return {}
