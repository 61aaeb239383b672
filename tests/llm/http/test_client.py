"""The connections to one provider: as many at once as it may have, and a plain word where they do not suffice."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.llm.asking import QUICK, collect, peer, text_of
from tests.llm.fakes.fake_server import FakeModelServer, Gate, slow
from tui.llm.http.client import Timeouts
from tui.llm.http.provider import HttpProvider
from tui.llm.wires.openai_chat import OpenAiChat

pytestmark = pytest.mark.usefixtures("transport")

PATIENT = Timeouts(connect=10, read=10, first_text=10, between_texts=10)


def chat(server: FakeModelServer, connections: int, timeouts: Timeouts) -> HttpProvider:
    asked = peer(server.base_url)
    return HttpProvider(OpenAiChat(), asked, server.base_url, parallel=True, timeouts=timeouts, connections=connections)


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


async def test_when_all_connections_are_in_use_that_is_said() -> None:
    async with FakeModelServer() as server:
        provider = chat(server, 1, replace(QUICK, connect=0.05, first_text=10, between_texts=10))
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
