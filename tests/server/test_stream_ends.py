"""Streams that end early: by a reader that leaves or is slow, and by a server that stops."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator

import httpx
import pytest
from starlette.types import Message

from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, answer, delta, event_stream, slow, sse
from tests.server.conftest import ASK, FOCUS, enqueue_breakdown, parts
from tests.server.serving import Served, serving
from tests.server.test_streams import EXPLAIN
from tui.config import Settings
from tui.server.streams import EventStream, Streams, event

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize("path", ["/llm/breakdown", "/llm/explain_sentence"])
async def test_a_reader_that_leaves_closes_the_models_connection(
    client: httpx.AsyncClient, model: FakeModelServer, path: str
) -> None:
    gate = Gate()
    if path == "/llm/breakdown":
        model.enqueue(answer(FOCUS))
    model.enqueue(slow(["what ", "came"], gate))
    async with client.stream("POST", path, json=ASK) as response:
        text = ""
        async for chunk in response.aiter_text():
            text += chunk
            if '"came"' in text:
                break
    await model.chats[-1].disconnected.wait()
    assert await _kept(client, "what came") == "aborted"


async def test_a_reader_that_leaves_while_the_model_thinks_closes_its_connection_too(
    client: httpx.AsyncClient, model: FakeModelServer
) -> None:
    gate = Gate()
    model.enqueue(Reply((), before_head=gate))
    async with client.stream("POST", "/llm/explain_sentence", json=EXPLAIN):
        await gate.reached.wait()
    await model.chats[-1].disconnected.wait()
    assert await _kept(client, "") == "aborted"


async def _kept(client: httpx.AsyncClient, text: str) -> str:
    """The state of the only answer in the history once it has this text: it is written after the connection closed."""
    while True:
        answers = (await client.get("/profiles/history")).json()
        if [each["text"] for each in answers] == [text]:
            return str(answers[0]["state"])
        await asyncio.sleep(0.01)


async def test_a_slow_reader_holds_the_model_up_and_gets_everything_in_the_end(
    with_model: Settings, model: FakeModelServer
) -> None:
    async with serving(with_model, send_buffer=8192) as served:
        await _reads_slowly(served, model)


async def _reads_slowly(served: Served, model: FakeModelServer) -> None:
    text, pieces, ballast = "\N{GRINNING FACE}" * 200, 1900, b": " + b"x" * 20_000 + b"\n\n"
    gates = [Gate() for _ in range(pieces // 100)]
    body: list[bytes | Gate] = []
    for gate in gates:
        gate.opened.set()
        body += [gate, *([sse(delta(text), done=False) + ballast] * 100)]
    model.enqueue(event_stream(*body, sse(delta(finish="stop"))))
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    place.connect(("127.0.0.1", served.options.port))
    reader, writer = await asyncio.open_connection(sock=place, limit=1024)
    asked = json.dumps(EXPLAIN).encode()
    head = "POST /llm/explain_sentence HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(asked)}\r\nConnection: close\r\n\r\n".encode() + asked)
    await gates[0].reached.wait()
    passed = -1
    while (now := sum(gate.reached.is_set() for gate in gates)) != passed:  # until nothing moves any more
        passed = now
        await asyncio.sleep(0.5)
    assert passed < len(gates), "the model was never held up"
    async with httpx.AsyncClient(base_url=served.url, trust_env=False) as other:
        assert (await other.get("/profiles/clips")).json() == []
    received = bytearray()
    while data := await reader.read(1 << 20):
        received += data
    writer.close()
    assert received.count("\N{GRINNING FACE}".encode()) == len(text) * pieces
    assert gates[-1].reached.is_set()


async def test_a_server_that_stops_ends_its_streams_with_an_error_and_done(
    with_model: Settings, model: FakeModelServer
) -> None:
    gate = Gate()
    enqueue_breakdown(model, slow(["what came"], gate))
    text = ""
    async with (
        serving(with_model) as served,
        httpx.AsyncClient(base_url=served.url, timeout=10, trust_env=False) as client,
        client.stream("POST", "/llm/breakdown", json=ASK) as response,
    ):
        async for chunk in response.aiter_text():
            text += chunk
            if "what came" in text:
                served.server.stop()
    events = parts(text)
    assert [name for name, _ in events][-2:] == ["error", "done"]
    assert json.loads(events[-2][1])["code"] == "server_stopping"
    await model.chats[-1].disconnected.wait()
    async with serving(with_model) as served, httpx.AsyncClient(base_url=served.url, trust_env=False) as client:
        (kept,) = (await client.get("/profiles/history")).json()
        assert (kept["state"], kept["text"]) == ("aborted", "what came")


async def test_nothing_comes_behind_done_when_the_server_stops_right_then() -> None:
    finishing = asyncio.Event()

    async def pieces() -> AsyncGenerator[bytes, None]:
        yield event(b'{"state":"complete"}', "done")
        await finishing.wait()  # as while the history is written

    streams, sent = Streams(), bytearray()

    async def receive() -> Message:
        await asyncio.Event().wait()
        return {}

    async def send(message: Message) -> None:
        sent.extend(message.get("body", b""))
        if sent:
            streams.stop()

    stream = EventStream(pieces(), streams, heartbeat=14)
    await stream({"type": "http"}, receive, send)
    assert bytes(sent) == event(b'{"state":"complete"}', "done")
