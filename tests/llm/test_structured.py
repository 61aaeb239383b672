"""Structured answers: the ladder, and what is believed of what a model writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.llm.asking import ASK, asked, collect, provider_at
from tests.llm.fakes.fake_openai import OPENAI
from tests.llm.fakes.fake_server import (
    Answering,
    FakeModelServer,
    Reply,
    Request,
    answer,
    cut,
    delta,
    event_stream,
    is_stream,
    json_reply,
    sse,
    status,
    stream,
)
from tui.errors import ProviderError
from tui.llm.http.refusals import RefusalMemory
from tui.llm.http.structured_output import SchemaMismatch, conform, first_object


class Answer(Struct, frozen=True, kw_only=True):
    lemma: str | None = None
    meanings: list[str]


GOOD = {"lemma": "abfahren", "meanings": ["to leave"]}
FILLED_IN = Answer(lemma="abfahren", meanings=["to leave"])


STRICT, BY_SCHEMA, OBJECT, PROMPT = "strict schema", "object by schema", "json object", "prompt"
MAY_BE_THE_MODE = [400, 404, 405, 422, 500, 501, 502]
"""Statuses that servers answer a mode with that they do not know."""


def rungs(server: FakeModelServer) -> list[str]:
    """The modes that were asked for, without plain requests."""
    return [OPENAI.rung(chat) for chat in server.chats if not is_stream(chat)]


def knowing(*understood: str, refusal: Reply) -> Answering:
    """Answers plain requests, and structured ones of these modes; refuses all others."""

    def answering(request: Request) -> Reply:
        if is_stream(request):
            return stream("Hallo")
        return answer(GOOD) if OPENAI.rung(request) in understood else refusal

    return answering


@pytest.mark.parametrize("code", MAY_BE_THE_MODE)
@pytest.mark.parametrize(
    ("understood", "asked_for"),
    [
        (STRICT, [[STRICT], [STRICT]]),
        (BY_SCHEMA, [[STRICT, BY_SCHEMA], [BY_SCHEMA]]),
        (OBJECT, [[STRICT, BY_SCHEMA], [OBJECT], [OBJECT]]),
        (PROMPT, [[STRICT, BY_SCHEMA], [OBJECT, PROMPT], [PROMPT]]),
    ],
)
async def test_the_ladder_is_stepped_down_in_two_requests_a_question_and_remembered(
    understood: str, asked_for: list[list[str]], code: int
) -> None:
    refusal = status(code, {"error": {"message": "response_format.type: unexpected value"}})
    async with asked() as (server, provider):
        server.on_chat = knowing(understood, refusal=refusal)
        for modes in asked_for:
            before = len(rungs(server))
            if understood in modes:
                given = await provider.structured(ASK, Answer)
                assert given.value == FILLED_IN
                assert (given.input_tokens, given.output_tokens) == (9, 3)
            else:
                with pytest.raises(ProviderError):
                    await provider.structured(ASK, Answer)
            await collect(provider)
            assert rungs(server)[before:] == modes
        structured = [chat for chat in server.chats if not is_stream(chat)]
        assert "stream" not in structured[0].body
        system = structured[-1].body["messages"][0]["content"]
        assert ('"meanings"' in system and "json" in system) == (understood != STRICT)


async def test_what_fails_with_every_request_is_no_refusal_of_the_mode() -> None:
    """A model that is still being loaded is asked in the strictest mode once it is there."""
    async with asked() as (server, provider):
        server.on_chat = lambda request: status(500, {"error": "no model is loaded"})
        with pytest.raises(ProviderError):
            await provider.structured(ASK, Answer)
        await collect(provider)
        server.on_chat = knowing(STRICT, refusal=status(500))
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert rungs(server) == [STRICT, BY_SCHEMA, STRICT]


async def test_a_mode_that_was_answered_is_asked_again_when_the_server_breaks_for_a_moment() -> None:
    async with asked() as (server, provider):
        server.enqueue(answer(GOOD), status(500, {"error": "oh"}), answer(GOOD))
        for _ in range(2):
            assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert rungs(server) == [STRICT, STRICT, STRICT]


@pytest.mark.parametrize(
    "bad", ["", "  ", None, "no idea", "[1, 2]", '{"lemma": 7, "meanings": []}', '{"meanings": "x"}']
)
async def test_a_blank_or_invalid_answer_steps_down_too(bad: str | None) -> None:
    async with asked() as (server, provider):
        server.enqueue(answer(bad), answer(GOOD))
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert rungs(server) == [STRICT, BY_SCHEMA]


async def test_the_rung_is_remembered_per_model() -> None:
    async with asked() as (server, provider):
        server.enqueue(answer("no idea"), answer(GOOD), answer(GOOD))
        await provider.structured(ASK, Answer)
        await provider.structured(type(ASK)("other", "", "x"), Answer)
        assert rungs(server) == [STRICT, BY_SCHEMA, STRICT]


async def test_the_rung_is_remembered_by_the_next_process_for_a_day(tmp_path: Path) -> None:
    """Another process is another memory over the same file."""
    now = 1_800_000_000.0
    file = tmp_path / "refusals.json"
    async with FakeModelServer() as server:
        server.on_chat = knowing(BY_SCHEMA, refusal=status(500))
        for later, modes in ((0.0, [STRICT, BY_SCHEMA]), (86_000.0, [BY_SCHEMA]), (86_401.0, [STRICT, BY_SCHEMA])):
            before = len(rungs(server))
            memory = RefusalMemory(file, clock=lambda later=later: now + later)  # type: ignore[misc]  # a default
            async with provider_at(server.base_url, refusals=memory) as provider:
                assert (await provider.structured(ASK, Answer)).value == FILLED_IN
            assert rungs(server)[before:] == modes
    assert [path.name for path in tmp_path.iterdir()] == ["refusals.json"]


@pytest.mark.parametrize("content", ["", "{", "[[1, 2]]", '[["a", "b", "c", "d"]]', "[" * 100_000, "7"])
async def test_a_memory_that_cannot_be_read_is_begun_anew(tmp_path: Path, content: str) -> None:
    file = tmp_path / "refusals.json"
    file.write_text(content, "utf-8")
    await RefusalMemory(file).add("here", "m", {"a"})
    assert await RefusalMemory(file).of("here", "m") == {"a"}
    assert await RefusalMemory(file).of("there", "m") == frozenset()


async def test_a_memory_that_cannot_be_written_holds_in_its_process(tmp_path: Path) -> None:
    memory = RefusalMemory(tmp_path / "not here" / "refusals.json")
    await memory.add("here", "m", {"a"})
    assert await memory.of("here", "m") == {"a"}


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"lemma": "abfahren", "meanings": ["to leave"]}\n```',
        'Sure! {this} is it: {"lemma": "abfahren", "meanings": ["to leave"], "extra": {"a": "}"}} Anything else?',
        '<think>{"lemma": "x", "meanings": []}</think>{"lemma": "abfahren", "meanings": ["to leave"]}',
    ],
)
async def test_an_object_is_found_in_prose(text: str) -> None:
    async with asked() as (server, provider):
        server.enqueue(answer(text))
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN


async def test_a_structured_answer_cut_by_its_length_is_an_error_even_if_it_parses() -> None:
    async with asked() as (server, provider):
        server.enqueue(answer(GOOD, finish="length"))
        with pytest.raises(ProviderError) as error:
            await provider.structured(ASK, Answer)
        assert error.value.code == "answer_cut"
        assert len(server.chats) == 1


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (status(401), "key_refused"),
        (status(402), "no_credit"),
        (status(403), "key_refused"),
        (status(413), "request_too_large"),
        (status(429), "rate_limited"),
        (status(503, {}, {"retry-after": "60"}), "provider_unavailable"),
        (answer(GOOD, finish="content_filter"), "content_filtered"),
        (
            json_reply({"choices": [{"message": {"content": None, "refusal": "No."}, "finish_reason": "stop"}]}),
            "refused",
        ),
    ],
)
async def test_what_has_nothing_to_do_with_the_format_is_not_asked_again(reply: Reply, code: str) -> None:
    async with asked() as (server, provider):
        server.on_chat = lambda request: reply
        with pytest.raises(ProviderError) as error:
            await provider.structured(ASK, Answer)
        assert error.value.code == code
        assert len(server.chats) == 1


async def test_at_the_foot_of_the_ladder_there_is_an_error_and_one_request_a_question() -> None:
    async with asked() as (server, provider):
        server.on_chat = lambda request: answer("I would rather not.")
        for modes in ([STRICT, BY_SCHEMA], [OBJECT, PROMPT], [PROMPT]):
            before = len(rungs(server))
            with pytest.raises(ProviderError) as error:
                await provider.structured(ASK, Answer)
            assert error.value.code == "invalid_structured"
            assert rungs(server)[before:] == modes
            await collect(provider)


@pytest.mark.parametrize(
    "passing",
    [
        status(503, {}, {"retry-after": "0.01"}),
        status(500, {}, {"retry-after": "0.01"}),
        status(429, {}, {"retry-after": "0.01"}),
        cut(),
    ],
)
async def test_a_passing_failure_is_tried_once_more_on_the_same_rung(passing: Reply) -> None:
    async with asked() as (server, provider):
        server.enqueue(passing, answer(GOOD))
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert rungs(server) == [STRICT, STRICT]


async def test_an_overload_that_only_structured_requests_meet_is_a_refusal() -> None:
    async with asked() as (server, provider):
        server.on_chat = knowing(BY_SCHEMA, refusal=status(503))
        with pytest.raises(ProviderError):
            await provider.structured(ASK, Answer)
        await collect(provider)
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert rungs(server) == [STRICT, STRICT, BY_SCHEMA]


async def test_a_stream_where_one_answer_was_asked_is_read_as_one() -> None:
    async with asked() as (server, provider):
        server.enqueue(event_stream(sse(delta('{"lemma": null,'), delta('"meanings": []}'), delta(finish="stop"))))
        assert (await provider.structured(ASK, Answer)).value == Answer(meanings=[])


async def test_the_effort_is_asked_for_where_it_is_known_and_left_out_where_it_is_refused() -> None:
    refusal = status(400, {"error": {"message": "Unrecognized request argument supplied: reasoning_effort"}})
    async with asked(effort="low") as (server, provider):
        server.enqueue(refusal, answer(GOOD), answer(GOOD), answer(GOOD))
        for model in ("gpt-4o", "gpt-4o", "gpt-5"):
            await provider.structured(type(ASK)(model, "", "x"), Answer)
        assert [chat.body.get("reasoning_effort") for chat in server.chats] == ["low", None, None, "low"]
        assert {*rungs(server)} == {STRICT}


def test_what_may_be_null_may_be_missing_and_what_is_not_named_is_dropped() -> None:
    assert conform({"meanings": [], "more": 1}, Answer) == Answer(meanings=[])


@pytest.mark.parametrize(
    "value", [{}, {"lemma": "a"}, {"lemma": True, "meanings": []}, {"lemma": "a", "meanings": [1]}, [], None, "x"]
)
def test_a_value_that_does_not_conform_is_refused(value: Any) -> None:
    with pytest.raises(SchemaMismatch):
        conform(value, Answer)


@pytest.mark.parametrize("text", ["", "{", "}{", '{"a": "{', "{" * 50_000, '{"a":' * 9000 + "1" + "}" * 9000, '"x"'])
def test_text_without_an_object_is_refused_quickly(text: str) -> None:
    with pytest.raises(SchemaMismatch):
        first_object(text)
