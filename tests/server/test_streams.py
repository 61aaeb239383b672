"""The streams, byte for byte; what happens when their reader leaves or is slow, and when the server stops."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.types import Message

from tests.llm.fakes.fake_server import (
    FakeModelServer,
    Gate,
    Reply,
    Request,
    cut,
    delta,
    event_stream,
    slow,
    sse,
    stream,
)
from tests.server.conftest import ASK, FOCUS, SENTENCE, assert_refused, enqueue_breakdown, of, parts
from tests.server.serving import Served, serving
from tui.config import Settings
from tui.server.options import ServerOptions
from tui.server.streams import EventStream, Streams, event

pytestmark = pytest.mark.exhaustive

ALL = "/llm/breakdown?events=all"
EXPLAIN = {"sentence": SENTENCE, "model": "work:m"}


async def test_a_breakdown_is_focus_then_tokens_then_done(client: httpx.AsyncClient, model: FakeModelServer) -> None:
    enqueue_breakdown(model, stream('**fährt**\n"', "ab"))
    response = await client.post("/llm/breakdown", json=ASK)
    assert response.status_code == 200
    assert response.headers["content-type"].partition(";")[0] == "text/event-stream"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-accel-buffering"] == "no"
    assert "content-length" not in response.headers
    events = parts(response.content.decode())
    assert [name for name, _ in events] == ["focus", *[""] * (len(events) - 2), "done"]
    focus = json.loads(events[0][1])
    of_sentence = {"translation": "", "sentence_reading": ""}
    assert focus == focus | FOCUS | {"language": None, "frequency": None, "origin": "llm"} | of_sentence
    tokens = [json.loads(data) for name, data in events if not name]
    assert all(isinstance(token, str) for token in tokens)
    assert "".join(tokens) == '**fährt**\n"ab'
    done = json.loads(events[-1][1])
    assert (done["state"], done["kept"], done["output_tokens"]) == ("complete", False, 8)


async def test_an_answer_that_is_kept_is_the_same_stream_and_all_events_have_the_state_and_the_counts(
    client: httpx.AsyncClient, model: FakeModelServer
) -> None:
    enqueue_breakdown(model, stream("ab"))
    first, again, everything = [
        parts((await client.post(path, json=ASK)).text) for path in ("/llm/breakdown",) * 2 + (ALL,)
    ]
    assert len(model.chats) == 2
    assert again[:-1] == first[:-1]
    assert json.loads(again[-1][1])["kept"] is True
    enqueue_breakdown(model, stream("ab"))
    anew = parts((await client.post(ALL, json=ASK | {"fresh": True})).text)
    for events, kept in ((everything, True), (anew, False)):
        (focus,) = (json.loads(data) for name, data in events if name == "focus")
        assert set(focus) == {"focus", "input_tokens", "output_tokens", "translation", "sentence_reading", "other"}
        assert focus["focus"]["lemma"] == "abfahren"
        assert any(name == "state" for name, _ in events) is not kept


async def test_a_later_failure_is_an_error_event_then_done(client: httpx.AsyncClient, model: FakeModelServer) -> None:
    enqueue_breakdown(model, cut("what ", "came"))
    response = await client.post("/llm/breakdown", json=ASK)
    assert response.status_code == 200
    events = parts(response.text)
    assert [name for name, _ in events][-2:] == ["error", "done"]
    error, done = (json.loads(data) for _, data in events[-2:])
    assert error["code"] == "connection_lost"
    assert error["message"]
    assert done["state"] == "failed"
    assert "".join(json.loads(data) for name, data in events if not name) == "what came"
    (kept,) = (await client.get("/profiles/history")).json()
    assert (kept["text"], kept["state"]) == ("what came", "failed")


async def test_what_is_refused_before_asking_has_a_status(client: httpx.AsyncClient, model: FakeModelServer) -> None:
    changes: tuple[tuple[Any, int, str], ...] = (
        *(({"sentence": text}, 422, "invalid_input") for text in ("  ", "x" * 10_001, None)),
        *(({"focus": ""}, 422, "invalid_input"), ({"model": 7}, 422, "invalid_input")),
        *(({"prompt": "{% for %}"}, 422, "template_error"), ({"model": "work:"}, 422, "invalid_selector")),
        ({"model": "qwen3:8b"}, 404, "unknown_provider"),
    )
    for change, status, code in changes:
        assert_refused(await client.post("/llm/breakdown", json=ASK | change), status, code)
    for missing in ASK:
        body = {name: text for name, text in ASK.items() if name != missing}
        error = assert_refused(await client.post("/llm/breakdown", json=body), 422, "invalid_input")
        assert missing in error["message"]
    assert model.chats == []
    assert (await client.get("/profiles/history")).json() == []


async def test_a_comment_comes_while_nothing_else_does(with_model: Settings, model: FakeModelServer) -> None:
    gate = Gate()
    enqueue_breakdown(model, slow(["a"], gate, ["b"]))
    async with (
        serving(with_model, ServerOptions(port=0, heartbeat_seconds=0.05)) as served,
        httpx.AsyncClient(base_url=served.url, timeout=10, trust_env=False) as client,
        client.stream("POST", "/llm/breakdown", json=ASK) as response,
    ):
        text = ""
        async for chunk in response.aiter_text():
            text += chunk
            if text.count(": still here\n\n") == 3:
                gate.opened.set()
    before, _, _ = text.partition('data: "b"')
    assert before.count("\n\n: still here\n\n") >= 1
    assert before.endswith(": still here\n\n")
    assert parts(text.replace(": still here\n\n", ""))[-1][0] == "done"


async def test_a_fault_of_ours_in_a_stream_is_an_error_event_and_done(
    served: Served, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from tui.service.llm.local_llm import LocalLlm

    secret = "".join(("my", "own", "words"))

    async def broken(*_: object) -> AsyncIterator[object]:
        from tui.events import Token

        yield Token("a")
        raise RuntimeError(secret)

    monkeypatch.setattr(LocalLlm, "explain", broken)
    events = parts((await client.post("/llm/explain_sentence", json=EXPLAIN)).text)
    assert [name for name, _ in events] == ["", "error", "done"]
    assert json.loads(events[1][1])["code"] == "server_error"
    assert "RuntimeError" in caplog.text
    assert secret not in caplog.text


async def test_streams_of_many_readers_do_not_mix(with_model: Settings, model: FakeModelServer) -> None:
    def own(request: Request) -> Reply:
        return stream(*request.body["messages"][-1]["content"].split())

    model.on_chat = own
    async with (
        serving(replace(with_model)) as served,
        httpx.AsyncClient(base_url=served.url, trust_env=False) as client,
    ):
        asked = [
            client.post(
                "/llm/explain_sentence",
                json=EXPLAIN | {"sentence": f"s{n}", "prompt": f"a{n} b{n} c{n}"},
                headers=of(f"p{n % 3}"),
            )
            for n in range(20)
        ]
        for n, response in enumerate(await asyncio.gather(*asked)):
            tokens = [json.loads(data) for name, data in parts(response.text) if not name]
            assert "".join(tokens) == f"a{n}b{n}c{n}"


async def test_no_text_of_an_event_looks_like_the_end_of_a_line() -> None:
    text = "eins\u2028zwei\u2029drei\x85vier 漢字 \x0b"
    lines = event(json.dumps(text, ensure_ascii=False).encode()).decode().splitlines()
    assert len(lines) == 2
    assert json.loads(lines[0].removeprefix("data: ")) == text


async def test_a_reader_that_leaves_ends_the_models_answer(client: httpx.AsyncClient, model: FakeModelServer) -> None:
    enqueue_breakdown(model, slow(["what ", "came"], Gate()))
    async with client.stream("POST", "/llm/breakdown", json=ASK) as response:
        text = ""
        async for chunk in response.aiter_text():
            text += chunk
            if '"came"' in text:
                break
    await model.chats[-1].disconnected.wait()
    assert await _kept(client, "what came") == "aborted"


async def test_leaving_while_the_model_thinks_ends_it_too(client: httpx.AsyncClient, model: FakeModelServer) -> None:
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


async def test_a_slow_reader_holds_the_model_up_and_gets_all(with_model: Settings, model: FakeModelServer) -> None:
    async with serving(with_model, send_buffer=8192) as served:
        await _read_slowly(served, model)


async def _read_slowly(served: Served, model: FakeModelServer) -> None:
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
        await asyncio.sleep(0.3)
    assert passed < len(gates), "the model was never held up"
    async with httpx.AsyncClient(base_url=served.url, trust_env=False) as other:
        assert (await other.get("/profiles/clips")).json() == []
    received = bytearray()
    while data := await reader.read(1 << 20):
        received += data
    writer.close()
    assert received.count("\N{GRINNING FACE}".encode()) == len(text) * pieces
    assert gates[-1].reached.is_set()


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
