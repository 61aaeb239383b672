"""The connections to one provider, and bodies read from the transport of a server with many streams: at a pace, and
without loss.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.llm.asking import ASK, QUICK, collect, peer, text_of
from tests.llm.fakes.fake_server import Cut, FakeModelServer, Gate, Reply, slow
from tui.errors import ProviderError
from tui.llm.http.answer_stream import PacedReader
from tui.llm.http.client import _MAX_OVER_HTTPX, ProviderClient, Timeouts, chunks_of
from tui.llm.http.provider import HttpProvider
from tui.llm.wires.openai_chat import OpenAiChat

PATIENT = Timeouts(connect=10, read=10, first_text=10, between_texts=10)


@asynccontextmanager
async def connected(*replies: Reply) -> AsyncIterator[tuple[FakeModelServer, ProviderClient]]:
    """A model server that replies so, and the connections to it."""
    async with FakeModelServer() as server:
        server.enqueue(*replies)
        http = ProviderClient(
            server.base_url, peer(server.base_url), PATIENT, OpenAiChat(), connections=_MAX_OVER_HTTPX + 1
        )
        try:
            yield server, http
        finally:
            await http.close()


@asynccontextmanager
async def body_of(http: ProviderClient, pause: float) -> AsyncIterator[PacedReader]:
    """The body of the next reply, with a pause of so many seconds after each reading."""
    call = OpenAiChat().chat(ASK, streamed=True)
    async with http.request(call, is_timed=True) as response, PacedReader(chunks_of(response), lambda: pause) as body:
        yield body


async def rest_of(body: PacedReader) -> bytes:
    came = b""
    while (piece := await body.next(10)) is not None:
        came += piece
    return came


async def test_what_comes_during_a_pause_is_read_when_it_is_over_and_all_together() -> None:
    gate = Gate()
    now = asyncio.get_running_loop().time
    async with connected(Reply((b"a", gate, *[b"b"] * 100))) as (_, http), body_of(http, 0.2) as body:
        assert await body.next(10) == b"a"
        begun = now()
        gate.opened.set()
        came = await body.next(10)
        assert now() - begun >= 0.15
        assert came is not None and len(came) > 50  # as much as the other side had written by then
        assert came + await rest_of(body) == b"b" * 100


async def test_a_long_body_comes_whole_and_waits_in_the_network_for_a_slow_reader() -> None:
    pieces = [bytes((number % 251,)) * 65536 for number in range(200)]
    reply = Reply((*pieces, Gate()))
    async with connected(reply) as (server, http), body_of(http, 0.0) as body:
        came = await body.next(10) or b""
        for _ in range(200):
            await asyncio.sleep(0)
        assert not server.gates  # the server is held back
        while len(came) < sum(map(len, pieces)):
            came += await body.next(10) or b""
        assert came == b"".join(pieces)


async def test_what_came_before_the_connection_broke_comes_before_the_error() -> None:
    gate = Gate()
    came = b""
    with pytest.raises(ProviderError) as raised:
        async with connected(Reply((b"a", gate, b"b", Cut()))) as (_, http), body_of(http, 0.05) as body:
            came += await body.next(10) or b""
            gate.opened.set()
            while piece := await body.next(10):
                came += piece
    assert (came, raised.value.code) == (b"ab", "connection_lost")


async def test_a_body_that_is_read_to_its_end_leaves_its_connection_to_the_next_one() -> None:
    gates = [Gate() for _ in range(3)]
    async with connected(*(slow(["Hal"], gate, ["lo"]) for gate in gates)) as (server, http):
        for gate in gates:
            async with body_of(http, 0.0) as body:
                await body.next(10)
                gate.opened.set()
                await body.drain(10)
        assert server.connections == 1


async def test_a_connection_that_the_server_has_closed_meanwhile_is_not_used_again() -> None:
    closing = Reply((b"a",), headers={"connection": "close"})
    async with connected(closing, closing) as (server, http):
        for _ in range(2):
            async with body_of(http, 0.0) as body:
                assert await rest_of(body) == b"a"
        assert server.connections == 2


# How many there may be at once, over either transport.


def chat(server: FakeModelServer, connections: int, timeouts: Timeouts) -> HttpProvider:
    asked = peer(server.base_url)
    return HttpProvider(OpenAiChat(), asked, server.base_url, parallel=True, timeouts=timeouts, connections=connections)


@pytest.mark.usefixtures("transport")
async def test_as_many_answers_stream_at_once_as_there_may_be_connections() -> None:
    async with FakeModelServer() as server:
        provider = chat(server, 20, PATIENT)
        gates = [Gate() for _ in range(20)]
        server.enqueue(*(slow(["Hal"], gate, ["lo"]) for gate in gates))
        asking = [asyncio.create_task(collect(provider)) for _ in gates]
        await asyncio.gather(*(gate.reached.wait() for gate in gates))
        for gate in gates:
            gate.opened.set()
        for events, error in await asyncio.gather(*asking):
            assert (text_of(events), error) == ("Hallo", None)
        await provider.close()


@pytest.mark.usefixtures("transport")
async def test_when_all_connections_are_in_use_that_is_said() -> None:
    async with FakeModelServer() as server:
        provider = chat(server, 1, replace(QUICK, connect=2.0, first_text=60, between_texts=60))
        gate = Gate()
        server.enqueue(slow(["Hal"], gate, ["lo"]))
        asking = asyncio.create_task(collect(provider))
        await gate.reached.wait()
        _, error = await collect(provider)
        assert error is not None
        assert (error.code, error.message) == ("busy", "all connections to Fake are in use (1)")
        gate.opened.set()
        events, error = await asking
        assert (text_of(events), error) == ("Hallo", None)
        await provider.close()
