"""The OpenAI chat protocol against a server that misbehaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

import pytest

from tests.llm.asking import ASK, KEY, QUICK, QUICK_LATER, asked, collect, provider_at, text_of
from tests.llm.fakes import fake_server as fake
from tui.errors import ProviderError
from tui.llm.http.client import Timeouts
from tui.llm.protocol import ChatRequest, StreamEnd, TextDelta

pytestmark = pytest.mark.usefixtures("transport")


async def test_an_answer_over_http_is_the_same_byte_by_byte() -> None:
    reply = fake.stream("Häl", "食べ", "👍🏽")
    async with asked() as (server, provider):
        server.enqueue(fake.split(reply, range(len(reply.body))))
        events, error = await collect(provider)
        assert (text_of(events), events[-1], error) == ("Häl食べ👍🏽", StreamEnd("stop", 7, 5), None)


@pytest.mark.parametrize("pieces", [(), (fake.sse(fake.delta("Hal"), done=False),)], ids=["before it begins", "then"])
async def test_cancelling_a_reader_closes_the_connection(pieces: tuple[bytes, ...]) -> None:
    gate = fake.Gate()
    async with asked() as (server, provider):
        server.enqueue(fake.Reply((*pieces, gate)))
        reader = asyncio.create_task(collect(provider))
        await gate.reached.wait()
        reader.cancel()
        await server.chats[0].disconnected.wait()
        with pytest.raises(asyncio.CancelledError):
            await reader


SLOW_DOWN = {"error": "slow down"}
PASSING = (
    fake.status(503, {}, {"retry-after": "0.01"}),
    fake.status(429, SLOW_DOWN, {"retry-after": "0.01"}),
    fake.status(429, SLOW_DOWN, {"retry-after-ms": "10"}),
    fake.Reply((fake.Cut(),)),
    fake.cut(),
    fake.event_stream(),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", PASSING)
async def test_a_passing_failure_before_the_first_text_is_tried_once_more(first: fake.Reply) -> None:
    async with asked() as (server, provider):
        server.enqueue(first, fake.stream("Gut"))
        events, error = await collect(provider)
        assert (text_of(events), error) == ("Gut", None)
        server.enqueue(first, first, fake.stream("too late"))
        events, error = await collect(provider)
        assert events == [] and error is not None
        assert len(server.chats) == 4


INVALID = {"detail": [{"loc": ["body", "messages"], "msg": "bad"}]}
REFUSALS = (
    (fake.status(400, {"error": {"message": "too long", "param": "messages"}}), "request_refused", "too long"),
    (fake.status(400, "x" * 100_000), "request_refused", "xxx"),
    (fake.status(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}), "key_refused", "FAKE_API_KEY"),
    (fake.status(403, {"error": "no"}), "key_refused", "FAKE_API_KEY"),
    (fake.status(402, {"error": "pay"}), "no_credit", "pay"),
    (fake.status(404, {"error": "nope"}), "model_not_found", "fake-large"),
    (fake.status(413, "big"), "request_too_large", "big"),
    (fake.status(422, INVALID), "request_refused", "body.messages: bad"),
    (fake.status(429, {"error": "quota"}), "rate_limited", "quota"),
    (fake.status(429, {"error": "quota"}, {"retry-after": "60"}), "rate_limited", "quota"),
    (fake.status(429, {"error": "quota"}, {"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}), "rate_limited", "quota"),
    (fake.status(503, {"error": "down"}, {"retry-after": "600"}), "provider_unavailable", "down"),
    (fake.html("Sign in", 403), "key_refused", "Sign in"),
    (fake.html("Sign in", 418), "provider_refused", "Sign in"),
    (fake.status(302, {}, {"location": "https://elsewhere.example/v1"}), "provider_redirects", "302"),
    (fake.json_reply({"error": {"message": "bad thing"}}), "provider_failed", "bad thing"),
    (fake.json_reply(["what"]), "provider_failed", "what"),
)


async def test_an_answer_that_is_no_answer_says_what_and_what_next() -> None:
    async with asked() as (server, provider):
        for number, (reply, code, said) in enumerate(REFUSALS):
            server.enqueue(reply)
            events, error = await collect(provider)
            assert events == [] and error is not None, reply
            assert (error.code, said in error.message) == (code, True), error
            assert error.hint
            assert len(error.message) < 500
            assert len(server.chats) == number + 1
            for shown in (error.message, error.hint, repr(error), repr(provider), str(vars(error))):
                assert KEY not in shown and KEY[:12] not in shown


async def test_a_name_with_a_colon_that_is_not_found_is_taken_for_an_ollama_model() -> None:
    async with asked() as (server, provider):
        server.enqueue(fake.status(404))
        _, error = await collect(provider, ChatRequest("qwen3:8b", "", "x"))
        assert error is not None and "ollama:qwen3:8b" in error.hint


async def test_a_server_that_refuses_stream_options_is_asked_without_them_from_then_on() -> None:
    refusal = fake.status(400, {"error": {"message": "Unrecognized request argument supplied: stream_options"}})
    of_a_wrong_type = fake.Reply(fake.stream("Gut").pieces, headers={"content-type": "application/json"})
    async with asked() as (server, provider):
        server.enqueue(refusal, fake.stream("Gut", tokens=None), of_a_wrong_type)
        for _ in range(2):
            events, error = await collect(provider)
            assert (text_of(events), error) == ("Gut", None)
        assert ["stream_options" in chat.body for chat in server.chats] == [True, False, False]


SILENT: dict[str, tuple[Timeouts, str, Callable[[], fake.Reply]]] = {
    "before its head": (QUICK, "", lambda: fake.Reply(before_head=fake.Gate())),
    "but for keep-alives": (QUICK, "", lambda: fake.event_stream(*[b": ping\n\n"] * 50, fake.Gate())),
    "between texts": (QUICK_LATER, "Hal", lambda: fake.slow(["Hal"], fake.Gate())),
}


@pytest.mark.parametrize("when", SILENT)
async def test_a_server_that_is_silent_is_left_with_what_came(when: str) -> None:
    timeouts, came, reply = SILENT[when]
    timeouts = replace(timeouts, first_text=max(timeouts.first_text, 2.0))  # a busy machine may take a while to ask
    async with asked(timeouts=timeouts) as (server, provider):
        server.enqueue(reply())
        events, error = await collect(provider)
        assert text_of(events) == came
        assert error is not None and error.code == "timeout"
        await server.chats[0].disconnected.wait()


async def test_a_connection_left_open_after_the_finish_reason_does_not_hold_the_end_back() -> None:
    async with asked(timeouts=QUICK_LATER) as (server, provider):
        server.enqueue(fake.event_stream(fake.sse(fake.delta("Hallo", "stop"), done=False), fake.Gate()))
        assert await collect(provider) == ([TextDelta("Hallo"), StreamEnd("stop")], None)


async def test_a_slow_reader_is_no_silent_server() -> None:
    async with asked(timeouts=QUICK_LATER) as (server, provider):
        server.enqueue(fake.stream("a", "b"))
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


async def test_an_address_that_is_none_is_an_error() -> None:
    for address in ("http://[::1/v1", "http://a b/v1", "http://127.0.0.1:99999/v1", "http://", "http://\x1b[31m/"):
        async with provider_at(address, local=True) as provider:
            _, error = await collect(provider)
            assert error is not None and error.hint, address
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


async def test_a_key_that_no_header_can_carry_is_named_by_its_variable_only() -> None:
    for key in ("sk-abc\ndef0123456789", "sk-ключ0123456789", "sk abc0123456789"):
        async with provider_at("http://127.0.0.1:1/v1", key=key) as provider:
            _, error = await collect(provider)
            assert error is not None and error.code == "key_refused"
            assert "FAKE_API_KEY" in error.message and key not in error.message + error.hint


async def test_redirects_are_not_followed_so_that_no_key_travels() -> None:
    async with asked() as (server, provider), asked() as (elsewhere, _):
        server.enqueue(fake.status(307, {}, {"location": f"{elsewhere.base_url}/chat/completions"}))
        _, error = await collect(provider)
        assert error is not None and error.code == "provider_redirects"
        assert elsewhere.requests == []


async def test_proxies_are_bypassed_for_this_machine_and_a_closed_provider_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    async with asked() as (_, provider):
        assert text_of((await collect(provider))[0]) == "Hello world"
        await provider.close()
        _, error = await collect(provider)
        assert error is not None and error.code == "provider_closed"


async def test_models_that_do_not_chat_are_left_out_and_a_list_that_is_none_is_an_error() -> None:
    ids = ("gpt-5-mini", "text-embedding-3-small", "whisper-1", "bad\x1b[31m", 7, "gpt-5-mini")
    rows = [
        *({"id": each} for each in ids),
        {"id": "mistral-ocr", "capabilities": {"completion_chat": False}},
        {"id": "open-mistral", "capabilities": {"completion_chat": True}},
        {"id": "m2-bert", "type": "embedding"},
        "nothing",
    ]
    async with asked() as (server, provider):
        server.models = fake.json_reply({"data": rows})
        assert await provider.models() == ("gpt-5-mini", "nothing", "open-mistral")
        server.models = fake.json_reply([{"id": "a", "type": "chat"}, {"id": "b", "type": "image"}])
        assert await provider.models(refresh=True) == ("a",)
        for reply in (fake.json_reply({"data": 7}), fake.html(), fake.json_reply("x"), fake.Reply((b"",))):
            server.models = reply
            with pytest.raises(ProviderError) as error:
                await provider.models(refresh=True)
            assert error.value.code == "provider_protocol"


async def test_a_list_of_models_that_never_comes_is_given_up() -> None:
    async with asked(timeouts=Timeouts(read=0.3)) as (server, provider):
        server.models = fake.Reply(before_head=fake.Gate())
        with pytest.raises(ProviderError) as caught:
            await provider.models()
        assert (caught.value.code, caught.value.message) == ("timeout", "Fake has sent nothing for 0.3 s")
