"""Behaviour that all wire formats share, over real HTTP against a server that misbehaves."""

from __future__ import annotations

import json
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
from tui.llm.protocol import ChatRequest, StreamEnd, TextDelta, Thinking, Turn
from tui.llm.wires.wire_format import error_text

DIALECTS: tuple[Dialect, ...] = (OPENAI, ANTHROPIC, GEMINI, OLLAMA)
GOOD = {"lemma": "abfahren"}


class Nothing(Struct):
    """A form that every object fills in."""


each_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=[dialect.name for dialect in DIALECTS])

ASKED = {"role": "user", "content": "Explain."}
TOLD = {"role": "system", "content": "Be kind."}
NAMED = {"model": "fake-large", "stream": True}
BODIES: dict[str, dict[str, Any]] = {
    "openai": {**NAMED, "messages": [TOLD, ASKED], "stream_options": {"include_usage": True}},
    "anthropic": {**NAMED, "max_tokens": 16384, "system": "Be kind.", "messages": [ASKED]},
    "gemini": {
        "systemInstruction": {"parts": [{"text": "Be kind."}]},
        "contents": [{"role": "user", "parts": [{"text": "Explain."}]}],
    },
    "ollama": {**NAMED, "messages": [TOLD, ASKED], "options": {"num_ctx": 8192}},
}


@each_dialect
async def test_an_answer_streams_and_thinking_is_a_state(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(stream(dialect, "Häl", "食べ", thoughts=("hm, ", "well"), tokens=(11, 4)))
        said = [Thinking(), TextDelta("Häl"), TextDelta("食べ"), StreamEnd("stop", 11, 4)]
        assert await collect(provider) == (said, None)
        assert server.chats[0].body == BODIES[dialect.name]
        assert server.chats[0].headers["accept-encoding"] == "identity"
        server.enqueue(stream(dialect, "Hal", why="length"))
        assert await collect(provider) == ([TextDelta("Hal"), StreamEnd("length", 7, 5)], None)


@each_dialect
async def test_the_key_is_in_its_header_and_nowhere_else(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        await collect(provider)
        await provider.structured(ASK, Nothing)
        assert await provider.models() == MODELS, "of all pages"
        assert len(server.requests) >= 3
        for request in server.requests:
            assert dialect.key(request) == KEY
            assert sum(KEY in value for value in request.headers.values()) == 1
            assert KEY not in request.path and KEY not in str(request.body)


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
async def test_what_came_before_a_failure_stays_and_is_not_asked_again(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        for number, (reply, code, said) in enumerate(
            (
                (dialects.error_mid_stream(dialect, "Hal", "lo"), "provider_failed", "the engine fell over"),
                (dialects.cut(dialect, "Hal", "lo"), "connection_lost", ""),
                (dialects.unfinished(dialect, "Hal", "lo"), "stream_cut", ""),
            )
        ):
            server.enqueue(reply)
            events, error = await collect(provider)
            assert text_of(events) == "Hallo"
            assert error is not None and error.code == code and error.hint
            assert said in error.message
            assert len(server.chats) == number + 1


@each_dialect
async def test_an_answer_is_read_however_it_comes_but_a_web_page_is_none(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        server.enqueue(answer(dialect, "Hallo", thoughts=("hm",), tokens=(9, 3)))
        assert await collect(provider) == ([Thinking(), TextDelta("Hallo"), StreamEnd("stop", 9, 3)], None)
        server.enqueue(stream(dialect, '{"lemma": ', '"abfahren"}', thoughts=("hm",)))
        given = await provider.structured(ASK, Form)
        assert (given.value, given.input_tokens, given.output_tokens) == (Form("abfahren"), 7, 5)
        server.enqueue(html("Sign in"))
        events, error = await collect(provider)
        assert events == [] and error is not None and error.code == "provider_protocol"
        assert "Sign in" in error.message and dialect.wire().address_hint in error.hint


@each_dialect
async def test_an_error_says_what_the_server_says(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        for status, code in ((401, "key_refused"), (404, "model_not_found"), (429, "rate_limited")):
            server.enqueue(fault(dialect, status, f"no, {KEY}", {"retry-after": "60"}))
            events, error = await collect(provider)
            assert events == [] and error is not None
            assert error.code == code and error.hint
            assert "no, …" in error.message and KEY[:12] not in error.message + error.hint


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
    modes = dialect.wire().json_modes(SCHEMA)
    rungs = [mode.name for mode in modes]
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
            assert told == ("in json" in str(structured[-1].body)) == modes[number].in_words
            server.enqueue(answer(dialect, GOOD, why="length"))
            with pytest.raises(ProviderError) as error:
                await provider.structured(ASK, Form)
            assert error.value.code == "answer_cut", "even if it parses"


@each_dialect
async def test_an_abort_closes_the_socket_and_the_next_question_is_answered(dialect: Dialect) -> None:
    gate = Gate()
    async with asked(dialect) as (server, provider):
        server.enqueue(dialects.slow(dialect, ["Hal"], gate))
        async with aclosing(provider.stream(ASK)) as events:
            assert await anext(events) == TextDelta("Hal")
            await gate.reached.wait()
        await server.chats[0].disconnected.wait()
        assert not server.chats[0].answered
        assert text_of((await collect(provider))[0]) == "Hello world"


@each_dialect
async def test_half_characters_in_a_question_are_sent_as_replacements(dialect: Dialect) -> None:
    async with asked(dialect) as (server, provider):
        events, error = await collect(provider, ChatRequest("m\ud83d", "y\ud83d", "x\ud83d"))
        assert (text_of(events), error) == ("Hello world", None)
        assert "x\ufffd" in str(server.chats[0].body) and "y\ufffd" in str(server.chats[0].body)


@each_dialect
def test_a_conversation_is_messages_of_both_sides(dialect: Dialect) -> None:
    talk = ChatRequest("m", "Be kind.", "And now?", turns=(Turn("What?", "This.\ud83d"), Turn("Why?", "So.")))
    body = dialect.wire().chat(talk, streamed=True).body or {}
    messages = [each for each in body.get("messages") or body["contents"] if each["role"] != "system"]
    other = "model" if dialect is GEMINI else "assistant"
    assert [each["role"] for each in messages] == ["user", other] * 2 + ["user"]
    texts = [each["content"] if "content" in each else each["parts"][0]["text"] for each in messages]
    assert texts == ["What?", "This.\ufffd", "Why?", "So.", "And now?"]


@each_dialect
def test_a_list_of_models_that_is_none_is_refused(dialect: Dialect) -> None:
    for page in (7, {"data": 7, "models": 7}, {"data": None, "models": None}):
        with pytest.raises(ValueError, match="no list"):
            dialect.wire().models(page)


# What is read out of an error's body, without what only tells of the server's innards.

DUMP = """1 validation error:
  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': "Input should be 'text' or 'x'", \
'input': 'json_schema', 'ctx': {'expected': "'text' or 'x'"}, 'url': 'https://errors.pydantic.dev/2/v/literal_error'}

  File "/opt/my llama/site-packages/llama_cpp/server/app.py", line 472, in create_chat_completion
    POST /v1/chat/completions"""
VALIDATION = """1 validation error for Request
response_format.type
  Input should be 'text' [type=literal_error, input_value='json_schema', input_type=str]
    For further information visit https://errors.pydantic.dev/2.12/v/literal_error"""
TRACEBACK = """Traceback (most recent call last):
  File "/srv/a b/app.py", line 3, in f
KeyError: 'schema'"""


SHOWN = {
    DUMP: "response_format.type: Input should be 'text' or 'x'",
    "[{'loc': ['a'], 'msg': 'no'}, {'loc': ['a'], 'msg': 'no'}]": "a: no",
    VALIDATION: "1 validation error for Request response_format.type Input should be 'text'",
    TRACEBACK: "KeyError: 'schema'",
    "The model `/srv/models/SmolLM2.Q4.gguf` does not exist": "The model `SmolLM2.Q4.gguf` does not exist",
    r"C:\Users\me\x.gguf is gone": "x.gguf is gone",
}
UNCHANGED = (
    "see https://a.example/b/c.html",
    "there is no POST /v1/chat/completions",
    "models/gemini-2.5-pro is not found for /v1beta",
)


def test_a_message_tells_what_is_wrong_and_nothing_of_where_the_server_lies() -> None:
    for said, shown in (*SHOWN.items(), *zip(UNCHANGED, UNCHANGED, strict=True)):
        for body in (said, json.dumps({"error": {"message": said}})):
            assert " ".join(error_text(body).split()) == shown


def test_a_message_without_end_is_read_quickly() -> None:
    for piece in ("/a", "'loc': (", 'File "', "[type=a, input", "'loc': (), 'msg': '"):
        assert len(error_text(piece * 20_000)) <= 16_000
