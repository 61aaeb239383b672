"""Structured answers: the ladder, and what is believed of what a model writes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from tests.llm.asking import ASK, asked
from tests.llm.fakes.fake_server import Reply, Request, answer, delta, event_stream, json_reply, sse, status
from tui.errors import ProviderError
from tui.llm.structured import SchemaMismatch, conform, first_object


class Answer(Struct, frozen=True, kw_only=True):
    lemma: str | None = None
    meanings: list[str]


GOOD = {"lemma": "abfahren", "meanings": ["to leave"]}
FILLED_IN = Answer(lemma="abfahren", meanings=["to leave"])


def rung_of(request: Request) -> str:
    form = request.body.get("response_format")
    if form is None:
        return "prompt"
    if form["type"] == "json_object":
        return "object"
    return "strict" if form["json_schema"].get("strict") else "schema"


@pytest.mark.parametrize(
    ("understood", "rungs"),
    [
        ("strict", ["strict"]),
        ("schema", ["strict", "schema"]),
        ("object", ["strict", "schema", "object"]),
        ("prompt", ["strict", "schema", "object", "prompt"]),
    ],
)
async def test_the_ladder_is_stepped_down_to_what_the_server_knows_and_remembered(
    understood: str, rungs: list[str]
) -> None:
    def on_chat(request: Request) -> Reply:
        if rung_of(request) == understood:
            return answer(GOOD)
        return status(400, {"error": {"message": "response_format is not supported by this model"}})

    async with asked() as (server, provider):
        server.on_chat = on_chat
        for _ in range(2):
            given = await provider.structured(ASK, Answer)
            assert given.value == FILLED_IN
            assert (given.input_tokens, given.output_tokens) == (9, 3)
        assert [rung_of(chat) for chat in server.chats] == [*rungs, understood]
        assert "stream" not in server.chats[0].body
        system = server.chats[-1].body["messages"][0]["content"]
        assert ('"meanings"' in system and "json" in system) == (understood in ("object", "prompt"))


@pytest.mark.parametrize(
    "bad", ["", "  ", None, "no idea", "[1, 2]", '{"lemma": 7, "meanings": []}', '{"meanings": "x"}']
)
async def test_a_blank_or_invalid_answer_steps_down_too(bad: str | None) -> None:
    async with asked() as (server, provider):
        server.enqueue(answer(bad), answer(GOOD))
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert [rung_of(chat) for chat in server.chats] == ["strict", "schema"]


async def test_the_rung_is_remembered_per_model() -> None:
    async with asked() as (server, provider):
        server.enqueue(answer("no idea"), answer(GOOD), answer(GOOD))
        await provider.structured(ASK, Answer)
        await provider.structured(type(ASK)("other", "", "x"), Answer)
        assert [rung_of(chat) for chat in server.chats] == ["strict", "schema", "strict"]


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
        (status(400, {"error": {"message": "maximum context length is 4096 tokens"}}), "request_refused"),
        (status(401), "key_refused"),
        (status(404), "model_not_found"),
        (status(429), "rate_limited"),
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


async def test_at_the_foot_of_the_ladder_there_is_an_error() -> None:
    async with asked() as (server, provider):
        server.on_chat = lambda request: answer("I would rather not.")
        with pytest.raises(ProviderError) as error:
            await provider.structured(ASK, Answer)
        assert error.value.code == "invalid_structured"
        assert len(server.chats) == 4


async def test_a_passing_failure_is_tried_once_more_on_the_same_rung() -> None:
    async with asked() as (server, provider):
        server.enqueue(status(503, {}, {"retry-after": "0.01"}), answer(GOOD))
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert [rung_of(chat) for chat in server.chats] == ["strict", "strict"]


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
        assert {rung_of(chat) for chat in server.chats} == {"strict"}


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
