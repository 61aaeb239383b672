"""The OpenAI chat protocol against a server that misbehaves."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from tests.llm.asking import ASK, KEY, QUICK, QUICK_LATER, asked, collect, provider_at, text_of
from tests.llm.fakes.fake_server import (
    Cut,
    Gate,
    Reply,
    cut,
    delta,
    error_mid_stream,
    event_stream,
    html,
    json_reply,
    slow,
    split,
    sse,
    status,
    stream,
)
from tui.errors import ProviderError
from tui.llm.http.client import Timeouts
from tui.llm.protocol import ChatRequest, StreamEnd, TextDelta

pytestmark = pytest.mark.usefixtures("transport")


async def test_an_answer_over_http_is_the_same_however_it_is_cut() -> None:
    reply = stream("Häl", "食べ", "👍🏽")
    async with asked() as (server, provider):
        for at in range(1, len(reply.body), 7):
            server.enqueue(split(reply, [at]))
            events, error = await collect(provider)
            assert (text_of(events), error) == ("Häl食べ👍🏽", None), at
        server.enqueue(split(reply, range(len(reply.body))))
        events, error = await collect(provider)
        assert (text_of(events), events[-1], error) == ("Häl食べ👍🏽", StreamEnd("stop", 7, 5), None)


async def test_cancelling_a_waiting_reader_closes_the_connection() -> None:
    gate = Gate()
    async with asked() as (server, provider):
        server.enqueue(slow([], gate))
        reader = asyncio.create_task(collect(provider))
        await gate.reached.wait()
        reader.cancel()
        await server.chats[0].disconnected.wait()
        with pytest.raises(asyncio.CancelledError):
            await reader


async def test_cancelling_before_the_answer_begins_closes_the_connection() -> None:
    async with asked() as (server, provider):
        gate = Gate()
        server.enqueue(Reply((gate,)))
        reader = asyncio.create_task(collect(provider))
        await gate.reached.wait()
        reader.cancel()
        await server.chats[0].disconnected.wait()


async def test_a_provider_can_be_asked_again_after_an_abort() -> None:
    async with asked() as (server, provider):
        server.enqueue(slow(["Hal"], Gate()), stream("Gut"))
        async with aclosing(provider.stream(ASK)) as events:
            await anext(events)
        events_, error = await collect(provider)
        assert (text_of(events_), error) == ("Gut", None)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (cut("Hal"), "connection_lost"),
        (error_mid_stream("Hal"), "provider_failed"),
        (error_mid_stream("Hal", error={"message": "x"}), "provider_failed"),
        (event_stream(sse(delta("Hal"), done=False)), "stream_cut"),
        (event_stream(sse(delta("Hal"), "{nonsense", done=False)), "provider_protocol"),
    ],
)
async def test_what_came_before_a_failure_stays_and_is_not_asked_again(reply: Reply, code: str) -> None:
    async with asked() as (server, provider):
        server.enqueue(reply)
        events, error = await collect(provider)
        assert text_of(events) == "Hal"
        assert error is not None and error.code == code
        assert error.hint
        assert len(server.chats) == 1


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "first",
    [
        status(500),
        status(503, {}, {"retry-after": "0.01"}),
        status(529),
        status(429, {"error": "slow down"}, {"retry-after": "0.01"}),
        status(429, {"error": "slow down"}, {"retry-after-ms": "10"}),
        Reply((Cut(),)),
        cut(),
        event_stream(),
    ],
)
async def test_a_passing_failure_before_the_first_text_is_tried_once_more(first: Reply) -> None:
    async with asked() as (server, provider):
        server.enqueue(first, stream("Gut"))
        events, error = await collect(provider)
        assert (text_of(events), error) == ("Gut", None)
        server.enqueue(first, first, stream("too late"))
        events, error = await collect(provider)
        assert events == [] and error is not None
        assert len(server.chats) == 4


@pytest.mark.parametrize(
    ("reply", "code", "said"),
    [
        (
            status(400, {"error": {"message": "context too long", "param": "messages"}}),
            "request_refused",
            "context too long",
        ),
        (status(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}), "key_refused", "FAKE_API_KEY"),
        (status(403, {"error": "no"}), "key_refused", "FAKE_API_KEY"),
        (status(402, {"error": "pay"}), "no_credit", "pay"),
        (status(404, {"error": "nope"}), "model_not_found", "fake-large"),
        (status(413, "big"), "request_too_large", "big"),
        (
            status(422, {"detail": [{"loc": ["body", "messages"], "msg": "bad"}]}),
            "request_refused",
            "body.messages: bad",
        ),
        (status(429, {"error": "quota"}), "rate_limited", "quota"),
        (status(429, {"error": "quota"}, {"retry-after": "60"}), "rate_limited", "quota"),
        (status(429, {"error": "quota"}, {"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}), "rate_limited", "quota"),
        (status(503, {"error": "down"}, {"retry-after": "600"}), "provider_unavailable", "down"),
        (html("Sign in", 403), "key_refused", "Sign in"),
        (html("Sign in", 418), "provider_refused", "Sign in"),
        (status(302, {}, {"location": "https://elsewhere.example/v1"}), "provider_redirects", "302"),
        (html("It works!"), "provider_protocol", "It works!"),
        (json_reply({"error": {"message": "bad thing"}}), "provider_failed", "bad thing"),
        (json_reply(["what"]), "provider_failed", "what"),
        (status(400, "x" * 100_000), "request_refused", "xxx"),
    ],
)
async def test_an_answer_that_is_no_answer_says_what_and_what_next(reply: Reply, code: str, said: str) -> None:
    async with asked() as (server, provider):
        server.on_chat = lambda request: reply
        events, error = await collect(provider)
        assert events == [] and error is not None
        assert error.code == code
        assert said in error.message
        assert error.hint
        assert len(error.message) < 500
        assert len(server.chats) == 1
        for shown in (error.message, error.hint, repr(error), repr(provider), str(vars(error))):
            assert KEY not in shown and KEY[:12] not in shown


async def test_a_name_with_a_colon_that_is_not_found_is_taken_for_an_ollama_model() -> None:
    async with asked() as (server, provider):
        server.enqueue(status(404))
        _, error = await collect(provider, ChatRequest("qwen3:8b", "", "x"))
        assert error is not None and "ollama:qwen3:8b" in error.hint


async def test_a_server_that_refuses_stream_options_is_asked_without_them_from_then_on() -> None:
    refusal = status(400, {"error": {"message": "Unrecognized request argument supplied: stream_options"}})
    async with asked() as (server, provider):
        server.enqueue(refusal, stream("Gut", tokens=None), stream("Gut", tokens=None))
        for _ in range(2):
            events, error = await collect(provider)
            assert (text_of(events), error) == ("Gut", None)
        assert ["stream_options" in chat.body for chat in server.chats] == [True, False, False]


async def test_a_stream_with_a_wrong_content_type_is_a_stream() -> None:
    async with asked() as (server, provider):
        server.enqueue(Reply(stream("Hallo").pieces, headers={"content-type": "application/json"}))
        events, error = await collect(provider)
        assert (text_of(events), error) == ("Hallo", None)


async def test_keep_alives_do_not_put_off_the_deadline_of_the_first_text() -> None:
    stopped = asyncio.Event()
    async with asked(timeouts=QUICK) as (server, provider):
        reply = event_stream(*[b": ping\n\n"] * 50, Gate(stopped))
        server.enqueue(reply)
        events, error = await collect(provider)
        assert events == [] and error is not None and error.code == "timeout"


async def test_a_stream_that_stops_between_texts_ends_with_what_came() -> None:
    async with asked(timeouts=QUICK_LATER) as (server, provider):
        server.enqueue(slow(["Hal"], Gate()))
        events, error = await collect(provider)
        assert text_of(events) == "Hal"
        assert error is not None and error.code == "timeout"
        await server.chats[0].disconnected.wait()


async def test_a_server_that_never_sends_headers_is_given_up() -> None:
    async with asked(timeouts=QUICK) as (server, provider):
        server.enqueue(Reply(before_head=Gate()))
        _, error = await collect(provider)
        assert error is not None and error.code == "timeout"
        (request,) = server.chats
        await request.disconnected.wait()


async def test_a_connection_left_open_after_the_finish_reason_does_not_hold_the_end_back() -> None:
    async with asked(timeouts=QUICK_LATER) as (server, provider):
        server.enqueue(event_stream(sse(delta("Hallo", "stop"), done=False), Gate()))
        events, error = await collect(provider)
        assert (text_of(events), events[-1], error) == ("Hallo", StreamEnd("stop"), None)


async def test_a_slow_reader_is_no_silent_server() -> None:
    async with asked(timeouts=QUICK_LATER) as (server, provider):
        server.enqueue(stream("a", "b"))
        async with aclosing(provider.stream(ASK)) as events:
            await anext(events)
            await asyncio.sleep(QUICK.between_texts * 1.5)  # longer than any deadline: the reader's own time
            assert await anext(events) == TextDelta("b")


async def test_nobody_at_the_address_says_where_and_shows_no_password() -> None:
    async with provider_at("http://me:hunter2@127.0.0.1:1/v1?token=abc", local=True, key="") as provider:
        _, error = await collect(provider)
        assert error is not None and error.code == "unreachable"
        assert error.message == "Fake does not answer at http://127.0.0.1:1/v1"
        assert "start the server" in error.hint


@pytest.mark.parametrize(
    "address",
    ["http://[::1/v1", "http://a b/v1", "http://127.0.0.1:99999/v1", "http://", "http://\x1b[31m/", "http://.."],
)
async def test_an_address_that_is_none_is_an_error(address: str) -> None:
    async with provider_at(address, local=True) as provider:
        _, error = await collect(provider)
        assert error is not None and error.hint
        assert "\x1b" not in error.message
        assert not (await provider.status()).available


async def test_a_query_in_the_address_is_kept_and_the_password_is_sent_but_not_beside_a_key() -> None:
    async with asked() as (server, _):
        address = server.base_url.replace("http://", "http://me:hunter2@") + "?api-version=7"
        for key in ("", KEY):
            async with provider_at(address, key=key) as provider:
                await collect(provider)
        assert [chat.path for chat in server.chats] == ["/v1/chat/completions?api-version=7"] * 2
        assert server.chats[0].headers["authorization"].startswith("Basic ")
        assert server.chats[1].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", ["sk-abc\ndef0123456789", "sk-ключ0123456789", "sk abc0123456789"])
async def test_a_key_that_no_header_can_carry_is_named_by_its_variable_only(key: str) -> None:
    async with provider_at("http://127.0.0.1:1/v1", key=key) as provider:
        _, error = await collect(provider)
        assert error is not None and error.code == "key_refused"
        assert "FAKE_API_KEY" in error.message and key not in error.message + error.hint


async def test_redirects_are_not_followed_so_that_no_key_travels() -> None:
    async with asked() as (server, provider), asked() as (elsewhere, _):
        server.enqueue(status(307, {}, {"location": f"{elsewhere.base_url}/chat/completions"}))
        _, error = await collect(provider)
        assert error is not None and error.code == "provider_redirects"
        assert elsewhere.requests == []


async def test_proxies_are_bypassed_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    async with asked() as (server, provider):
        server.enqueue(stream("Gut"))
        events, _ = await collect(provider)
        assert text_of(events) == "Gut"


async def test_models_that_do_not_chat_are_left_out() -> None:
    rows = [
        {"id": "gpt-5-mini"},
        {"id": "text-embedding-3-small"},
        {"id": "whisper-1"},
        {"id": "mistral-ocr", "capabilities": {"completion_chat": False}},
        {"id": "m2-bert", "type": "embedding"},
        {"id": "open-mistral", "capabilities": {"completion_chat": True}},
        {"id": "bad\x1b[31m"},
        {"id": 7},
        "nothing",
        {"id": "gpt-5-mini"},
    ]
    async with asked() as (server, provider):
        server.models = json_reply({"data": rows})
        assert await provider.models() == ("gpt-5-mini", "nothing", "open-mistral")
        server.models = json_reply([{"id": "a", "type": "chat"}, {"id": "b", "type": "image"}])
        assert await provider.models(refresh=True) == ("a",)


async def test_a_list_of_models_that_never_comes_is_given_up() -> None:
    async with asked(timeouts=Timeouts(read=0.3)) as (server, provider):
        server.models = Reply(before_head=Gate())
        with pytest.raises(ProviderError) as caught:
            await provider.models()
        assert (caught.value.code, caught.value.message) == ("timeout", "Fake has sent nothing for 0.3 s")


@pytest.mark.parametrize("reply", [json_reply({"data": 7}), html(), json_reply("x"), Reply((b"",))])
async def test_a_list_of_models_that_is_none_is_an_error(reply: Reply) -> None:
    async with asked() as (server, provider):
        server.models = reply
        with pytest.raises(ProviderError) as error:
            await provider.models()
        assert error.value.code == "provider_protocol"


async def test_a_closed_provider_says_so() -> None:
    async with asked() as (_, provider):
        await provider.close()
        _, error = await collect(provider)
        assert error is not None and error.code == "provider_closed"
