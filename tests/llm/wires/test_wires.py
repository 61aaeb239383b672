"""Behaviour that all wire formats share, over real HTTP against a server that misbehaves."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

import pytest
from msgspec import Struct

from tests.llm.asking import ASK, KEY, SCHEMA, Form, asked, collect, text_of
from tests.llm.fakes import dialects
from tests.llm.fakes.dialects import MODELS, Dialect, answer, fault, stream
from tests.llm.fakes.fake_anthropic import ANTHROPIC
from tests.llm.fakes.fake_gemini import GEMINI
from tests.llm.fakes.fake_ollama import OLLAMA
from tests.llm.fakes.fake_openai import OPENAI
from tests.llm.fakes.fake_server import Gate, Reply, Request, html
from tui.errors import ProviderError
from tui.llm.protocol import ChatRequest, StreamEnd, TextDelta, Thinking

DIALECTS: tuple[Dialect, ...] = (OPENAI, ANTHROPIC, GEMINI, OLLAMA)
GOOD = {"lemma": "abfahren"}


class Nothing(Struct):
    """A form that every object fills in."""


each_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=[dialect.name for dialect in DIALECTS])

BODIES: dict[str, dict[str, Any]] = {
    "openai": {
        "model": "fake-large",
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Explain."}],
        "stream": True,
        "stream_options": {"include_usage": True},
    },
    "anthropic": {
        "model": "fake-large",
        "max_tokens": 16384,
        "system": "Be kind.",
        "messages": [{"role": "user", "content": "Explain."}],
        "stream": True,
    },
    "gemini": {
        "systemInstruction": {"parts": [{"text": "Be kind."}]},
        "contents": [{"role": "user", "parts": [{"text": "Explain."}]}],
    },
    "ollama": {
        "model": "fake-large",
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Explain."}],
        "stream": True,
        "options": {"num_ctx": 8192},
    },
}


@each_dialect
async def test_an_answer_streams_and_thinking_is_a_state(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(stream(dialect, "Häl", "食べ", thoughts=("hm, ", "well"), tokens=(11, 4)))
        events, error = await collect(provider)
        assert error is None
        assert events == [Thinking(), TextDelta("Häl"), TextDelta("食べ"), StreamEnd("stop", 11, 4)]
        (request,) = server.chats
        assert request.body == BODIES[dialect.name]
        assert request.headers["accept-encoding"] == "identity"


@each_dialect
async def test_the_key_is_in_its_header_and_nowhere_else(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        await collect(provider)
        await provider.structured(ASK, Nothing)
        await provider.models()
        assert len(server.requests) >= 3
        for request in server.requests:
            assert dialect.key(request) == KEY
            assert sum(KEY in value for value in request.headers.values()) == 1
            assert KEY not in request.path and KEY not in str(request.body)


@each_dialect
async def test_an_answer_that_ran_into_its_limit_says_so(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(stream(dialect, "Hal", why="length"))
        events, error = await collect(provider)
        assert (text_of(events), events[-1], error) == ("Hal", StreamEnd("length", 7, 5), None)


@pytest.mark.parametrize("dialect", [each for each in DIALECTS if each.denial], ids=lambda dialect: dialect.name)
async def test_a_refusal_is_an_error_with_the_servers_reason(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(dialects.denial(dialect, "I would rather not."))
        events, error = await collect(provider)
        assert events == [] and error is not None
        assert error.code == dialect.denial and error.hint
        assert "I would rather not." in error.message
        assert len(server.chats) == 1


@each_dialect
@pytest.mark.parametrize("way", ["error", "cut", "unfinished"])
async def test_what_came_before_a_failure_stays_and_is_not_asked_again(dialect: Dialect, way: str) -> None:
    replies = {
        "error": (dialects.error_mid_stream(dialect, "Hal", "lo"), "provider_failed", "the engine fell over"),
        "cut": (dialects.cut(dialect, "Hal", "lo"), "connection_lost", ""),
        "unfinished": (dialects.unfinished(dialect, "Hal", "lo"), "stream_cut", ""),
    }
    reply, code, said = replies[way]
    async with asked(dialect) as (server, provider):
        server.enqueue(reply)
        events, error = await collect(provider)
        assert text_of(events) == "Hallo"
        assert error is not None and error.code == code and error.hint
        assert said in error.message
        assert len(server.chats) == 1


@each_dialect
async def test_a_whole_answer_where_a_stream_was_asked_is_an_answer(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(answer(dialect, "Hallo", thoughts=("hm",), tokens=(9, 3)))
        assert await collect(provider) == ([Thinking(), TextDelta("Hallo"), StreamEnd("stop", 9, 3)], None)


@each_dialect
async def test_a_stream_where_one_answer_was_asked_is_read_as_one(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(stream(dialect, '{"lemma": ', '"abfahren"}', thoughts=("hm",)))
        given = await provider.structured(ASK, Form)
        assert (given.value, given.input_tokens, given.output_tokens) == (Form("abfahren"), 7, 5)


@each_dialect
async def test_a_web_page_is_no_answer(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(html("Sign in"))
        events, error = await collect(provider)
        assert events == [] and error is not None and error.code == "provider_protocol"
        assert "Sign in" in error.message and dialect.wire().address_hint in error.hint


@each_dialect
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "request_refused"),
        (401, "key_refused"),
        (402, "no_credit"),
        (403, "key_refused"),
        (404, "model_not_found"),
        (413, "request_too_large"),
        (429, "rate_limited"),
        (529, "provider_unavailable"),
    ],
)
async def test_an_error_says_what_the_server_says(dialect: Dialect, status: int, code: str) -> None:
    reply = fault(dialect, status, f"no, {KEY}", {"retry-after": "60"})
    async with asked(dialect) as (server, provider):
        server.enqueue(reply)
        events, error = await collect(provider)
        assert events == [] and error is not None
        assert error.code == code and error.hint
        assert "no, …" in error.message and KEY[:12] not in error.message + error.hint
        assert len(server.chats) == 1


@each_dialect
async def test_a_passing_failure_before_the_first_text_is_tried_once_more(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        soon = {"retry-after": "0.01"}
        server.enqueue(fault(dialect, 500, "oh", soon), stream(dialect, "Gut"))
        events, error = await collect(provider)
        assert (text_of(events), error) == ("Gut", None)
        server.enqueue(dialects.cut(dialect), fault(dialect, 503, "oh", soon), stream(dialect, "too late"))
        events, error = await collect(provider)
        assert events == [] and error is not None and error.code == "provider_unavailable"
        assert len(server.chats) == 4


FORMAT_REFUSALS = {
    "openai": "Invalid parameter: 'response_format' of this type is not supported with this model.",
    "anthropic": "output_config: Extra inputs are not permitted",
    "gemini": "JSON mode is not enabled for models/fake-large",
    "ollama": 'invalid format: expected "json" or a JSON schema',
}


@each_dialect
async def test_the_ladder_is_stepped_down_to_what_the_server_knows_and_remembered(dialect: Dialect) -> None:
    rungs = [rung.name for rung in dialect.wire().json_modes(SCHEMA)]
    for number, understood in enumerate(rungs):

        def on_chat(request: Request, understood: str = understood) -> Reply:
            if dialect.wants_stream(request):
                return stream(dialect, "Hallo")
            if dialect.rung(request) == understood:
                return answer(dialect, GOOD)
            return fault(dialect, 400, FORMAT_REFUSALS[dialect.name])

        async with asked(dialect) as (server, provider):
            server.on_chat = on_chat
            for _ in range(number // 2):  # two requests a question
                with pytest.raises(ProviderError):
                    await provider.structured(ASK, Form)
                await collect(provider)
            for _ in range(2):
                given = await provider.structured(ASK, Form)
                assert (given.value, given.input_tokens, given.output_tokens) == (Form("abfahren"), 9, 3)
            structured = [chat for chat in server.chats if not dialect.wants_stream(chat)]
            assert [dialect.rung(chat) for chat in structured] == [*rungs[: number + 1], understood]
            told = '\\"lemma\\"' in str(structured[-1].body) or '"lemma"' in str(structured[-1].body)
            assert told == dialect.wire().json_modes(SCHEMA)[number].in_words


@each_dialect
async def test_a_structured_answer_cut_by_its_length_is_an_error_even_if_it_parses(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(answer(dialect, GOOD, why="length"))
        with pytest.raises(ProviderError) as error:
            await provider.structured(ASK, Form)
        assert error.value.code == "answer_cut"
        assert len(server.chats) == 1


@each_dialect
async def test_an_abort_closes_the_socket(dialect: Dialect) -> None:
    gate = Gate()
    async with asked(dialect) as (server, provider):
        server.enqueue(dialects.slow(dialect, ["Hal"], gate))
        async with aclosing(provider.stream(ASK)) as events:
            assert await anext(events) == TextDelta("Hal")
            await gate.reached.wait()
        await server.chats[0].disconnected.wait()
        assert not server.chats[0].answered


@each_dialect
async def test_the_models_of_all_pages_are_listed(dialect: Dialect) -> None:
    async with asked(dialect) as (_, provider):
        assert await provider.models() == MODELS


@each_dialect
async def test_half_characters_in_a_question_are_sent_as_replacements(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        events, error = await collect(provider, ChatRequest("m\ud83d", "y\ud83d", "x\ud83d"))
        assert (text_of(events), error) == ("Hello world", None)
        assert "x\ufffd" in str(server.chats[0].body) and "y\ufffd" in str(server.chats[0].body)
