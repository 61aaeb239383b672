"""The two streams, byte for byte; what happens when their reader leaves or is slow, and when the server stops."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest

from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, Request, cut, slow, stream
from tests.server.conftest import ASK, FOCUS, SENTENCE, assert_refused, enqueue_breakdown, of, parts
from tests.server.serving import Served, serving
from tui.config import Settings
from tui.server.options import ServerOptions
from tui.server.streams import event

pytestmark = pytest.mark.exhaustive

EXPLAIN = {"sentence": SENTENCE, "model": "work:m"}


async def test_a_breakdown_is_the_focus_word_once_and_first_then_tokens_then_done(
    client: httpx.AsyncClient, model: FakeModelServer
) -> None:
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


async def test_an_explanation_is_the_same_without_a_focus_word(
    client: httpx.AsyncClient, model: FakeModelServer
) -> None:
    model.enqueue(stream("It ", "leaves."))
    events = parts((await client.post("/llm/explain_sentence", json=EXPLAIN)).text)
    assert {name for name, _ in events} == {"", "done"}
    assert "".join(json.loads(data) for name, data in events if not name) == "It leaves."


async def test_an_answer_that_is_kept_is_the_same_stream(client: httpx.AsyncClient, model: FakeModelServer) -> None:
    enqueue_breakdown(model, stream("ab"))
    first = parts((await client.post("/llm/breakdown", json=ASK)).text)
    again = parts((await client.post("/llm/breakdown", json=ASK)).text)
    assert len(model.chats) == 2
    assert again[:-1] == first[:-1]
    assert json.loads(again[-1][1])["kept"] is True


@pytest.mark.parametrize("kept", [False, True])
async def test_all_events_have_the_state_and_the_counts_of_the_focus_word(
    client: httpx.AsyncClient, model: FakeModelServer, kept: bool
) -> None:
    enqueue_breakdown(model, stream("ab"))
    if kept:
        await client.post("/llm/breakdown", json=ASK)
    events = parts((await client.post("/llm/breakdown?events=all", json=ASK)).text)
    (focus,) = (json.loads(data) for name, data in events if name == "focus")
    assert set(focus) == {"focus", "input_tokens", "output_tokens", "translation", "sentence_reading", "other"}
    assert focus["focus"]["lemma"] == "abfahren"
    assert any(name == "state" for name, _ in events) is not kept


async def test_a_failure_after_the_beginning_is_an_error_event_and_then_done(
    client: httpx.AsyncClient, model: FakeModelServer
) -> None:
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


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"sentence": "  "}, 422, "invalid_input"),
        ({"focus": ""}, 422, "invalid_input"),
        ({"sentence": "x" * 10_001}, 422, "invalid_input"),
        ({"prompt": "{% for %}"}, 422, "template_error"),
        ({"model": "qwen3:8b"}, 404, "unknown_provider"),
        ({"model": "work:"}, 422, "invalid_selector"),
        ({"sentence": None}, 422, "invalid_input"),
        ({"model": 7}, 422, "invalid_input"),
    ],
)
async def test_what_is_refused_before_a_model_is_asked_has_a_status(
    client: httpx.AsyncClient, model: FakeModelServer, change: dict[str, object], status: int, code: str
) -> None:
    assert_refused(await client.post("/llm/breakdown", json=ASK | change), status, code)
    assert model.chats == []
    assert (await client.get("/profiles/history")).json() == []


@pytest.mark.parametrize("missing", ["sentence", "model", "focus"])
async def test_sentence_model_and_focus_are_needed(client: httpx.AsyncClient, missing: str) -> None:
    body = {name: text for name, text in ASK.items() if name != missing}
    error = assert_refused(await client.post("/llm/breakdown", json=body), 422, "invalid_input")
    assert missing in error["message"]


async def test_prompt_and_system_message_are_the_templates_unless_they_are_given(
    client: httpx.AsyncClient, model: FakeModelServer
) -> None:
    template = {"model": "work:m", "prompt": "T {{ focus }}", "sys_msg": "S"}
    await client.post("/profiles/template", json=template)
    for given in ({}, {"prompt": "P {{ focus }}", "sys_msg": "Y"}):
        enqueue_breakdown(model, stream("x"))
        await client.post("/llm/breakdown", json=ASK | given)
    newest, first = (await client.get("/profiles/history")).json()
    assert (first["prompt"], first["sys_msg"]) == ("T fährt", "S")
    assert (newest["prompt"], newest["sys_msg"]) == ("P fährt", "Y")


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


# A reader that leaves


# A reader that is slow


# A server that stops


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


# Jobs


async def test_jobs_are_followed_until_they_are_over(client: httpx.AsyncClient) -> None:
    jobs = [job["id"] for job in (await client.post("/profiles/files/samples")).json()]
    followed = await client.get("/profiles/job_events", params={"id": jobs})
    assert followed.headers["content-type"].startswith("text/event-stream")
    *changes, end = parts(followed.text)
    assert end == ("done", "{}")
    last = {job["id"]: job["state"] for job in (json.loads(data) for _, data in changes)}
    assert last == dict.fromkeys(jobs, "succeeded")
    assert_refused(await client.get("/profiles/job_events"), 422, "invalid_input")
    assert_refused(
        await client.get("/profiles/job_events", params={"id": jobs[0]}, headers=of("other")), 404, "job_not_found"
    )


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
