"""Structured answers: the ladder, and what is believed of what a model writes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.llm.asking import ASK, asked, collect, provider_at
from tests.llm.fakes import fake_server as fake
from tests.llm.fakes.fake_openai import OPENAI
from tui.errors import ProviderError
from tui.llm.http.refusals import RefusalMemory
from tui.llm.http.structured_output import SchemaMismatch, conform, first_object


class Answer(Struct, frozen=True, kw_only=True):
    lemma: str | None = None
    meanings: list[str]


GOOD = {"lemma": "abfahren", "meanings": ["to leave"]}
FILLED_IN = Answer(lemma="abfahren", meanings=["to leave"])


STRICT, BY_SCHEMA, OBJECT, PROMPT = "strict schema", "object by schema", "json object", "prompt"


def rungs(server: fake.FakeModelServer) -> list[str]:
    """The modes that were asked for, without plain requests."""
    return [OPENAI.rung(chat) for chat in server.chats if not fake.is_stream(chat)]


def knowing(*understood: str, refusal: fake.Reply) -> fake.Answering:
    """Answers plain requests, and structured ones of these modes; refuses all others."""

    def answering(request: fake.Request) -> fake.Reply:
        if fake.is_stream(request):
            return fake.stream("Hallo")
        return fake.answer(GOOD) if OPENAI.rung(request) in understood else refusal

    return answering


async def test_any_status_that_a_server_may_answer_a_mode_with_steps_down_as_a_blank_or_invalid_answer_does() -> None:
    said = {"error": {"message": "unexpected value"}}
    bad = ("", "  ", None, "no idea", "[1, 2]", '{"lemma": 7, "meanings": []}', '{"meanings": "x"}')
    for reply in (*(fake.status(code, said) for code in (404, 405, 422, 500, 501, 502)), *map(fake.answer, bad)):
        async with asked() as (server, provider):
            server.enqueue(reply, fake.answer(GOOD), fake.answer(GOOD), fake.answer(GOOD))
            assert (await provider.structured(ASK, Answer)).value == FILLED_IN
            await provider.structured(ASK, Answer)
            await provider.structured(replace(ASK, model="other"), Answer)
            assert rungs(server) == [STRICT, BY_SCHEMA, BY_SCHEMA, STRICT], reply  # remembered per model


async def test_what_fails_with_every_request_is_no_refusal_of_the_mode() -> None:
    """A model that is still being loaded is asked in the strictest mode once it is there."""
    async with asked() as (server, provider):
        server.on_chat = lambda request: fake.status(500, {"error": "no model is loaded"})
        with pytest.raises(ProviderError):
            await provider.structured(ASK, Answer)
        await collect(provider)
        server.on_chat = knowing(STRICT, refusal=fake.status(500))
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert rungs(server) == [STRICT, BY_SCHEMA, STRICT]


async def test_a_mode_that_was_answered_is_asked_again_when_the_server_breaks_for_a_moment() -> None:
    async with asked() as (server, provider):
        server.enqueue(fake.answer(GOOD), fake.status(500, {"error": "oh"}), fake.answer(GOOD))
        for _ in range(2):
            assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert rungs(server) == [STRICT, STRICT, STRICT]


async def test_the_rung_is_remembered_by_the_next_process_for_a_day(tmp_path: Path) -> None:
    """Another process is another memory over the same file."""
    now = 1_800_000_000.0
    file = tmp_path / "refusals.json"
    async with fake.FakeModelServer() as server:
        server.on_chat = knowing(BY_SCHEMA, refusal=fake.status(500))
        for later, modes in ((0.0, [STRICT, BY_SCHEMA]), (86_000.0, [BY_SCHEMA]), (86_401.0, [STRICT, BY_SCHEMA])):
            before = len(rungs(server))
            memory = RefusalMemory(file, clock=lambda later=later: now + later)  # type: ignore[misc]  # a default
            async with provider_at(server.base_url, refusals=memory) as provider:
                assert (await provider.structured(ASK, Answer)).value == FILLED_IN
            assert rungs(server)[before:] == modes
    assert [path.name for path in tmp_path.iterdir()] == ["refusals.json"]


async def test_a_memory_that_cannot_be_read_is_begun_anew_and_one_that_cannot_be_written_holds(tmp_path: Path) -> None:
    file = tmp_path / "refusals.json"
    for content in ("", "{", "[[1, 2]]", '[["a", "b", "c", "d"]]', "[" * 100_000, "7"):
        file.write_text(content, "utf-8")
        await RefusalMemory(file).add("here", "m", {"a"})
        assert await RefusalMemory(file).of("here", "m") == {"a"}
        assert await RefusalMemory(file).of("there", "m") == frozenset()
    memory = RefusalMemory(tmp_path / "not here" / "refusals.json")
    await memory.add("here", "m", {"a"})
    assert await memory.of("here", "m") == {"a"}


IN_PROSE = (
    '```json\n{"lemma": "abfahren", "meanings": ["to leave"]}\n```',
    'Sure! {this} is it: {"lemma": "abfahren", "meanings": ["to leave"], "extra": {"a": "}"}} Anything else?',
    '<think>{"lemma": "x", "meanings": []}</think>{"lemma": "abfahren", "meanings": ["to leave"]}',
)


async def test_an_object_is_found_in_prose() -> None:
    async with asked() as (server, provider):
        for text in IN_PROSE:
            server.enqueue(fake.answer(text))
            assert (await provider.structured(ASK, Answer)).value == FILLED_IN


REFUSED = {"choices": [{"message": {"content": None, "refusal": "No."}, "finish_reason": "stop"}]}
OF_ANOTHER_CAUSE = {
    "key_refused": fake.status(401),
    "no_credit": fake.status(402),
    "request_too_large": fake.status(413),
    "rate_limited": fake.status(429),
    "provider_unavailable": fake.status(503, {}, {"retry-after": "60"}),
    "answer_cut": fake.answer(GOOD, finish="length"),
    "content_filtered": fake.answer(GOOD, finish="content_filter"),
    "refused": fake.json_reply(REFUSED),
}


@pytest.mark.parametrize("code", OF_ANOTHER_CAUSE)
async def test_what_has_nothing_to_do_with_the_format_is_not_asked_again(code: str) -> None:
    async with asked() as (server, provider):
        server.on_chat = lambda request: OF_ANOTHER_CAUSE[code]
        with pytest.raises(ProviderError) as error:
            await provider.structured(ASK, Answer)
        assert error.value.code == code
        assert len(server.chats) == 1


async def test_at_the_foot_of_the_ladder_there_is_an_error_and_one_request_a_question() -> None:
    async with asked() as (server, provider):
        server.on_chat = lambda request: fake.answer("I would rather not.")
        for modes in ([STRICT, BY_SCHEMA], [OBJECT, PROMPT], [PROMPT]):
            before = len(rungs(server))
            with pytest.raises(ProviderError) as error:
                await provider.structured(ASK, Answer)
            assert error.value.code == "invalid_structured"
            assert rungs(server)[before:] == modes
            await collect(provider)


async def test_a_passing_failure_is_tried_once_more_on_the_same_rung() -> None:
    soon = {"retry-after": "0.01"}
    for passing in (fake.status(503, {}, soon), fake.status(500, {}, soon), fake.status(429, {}, soon), fake.cut()):
        async with asked() as (server, provider):
            server.enqueue(passing, fake.answer(GOOD))
            assert (await provider.structured(ASK, Answer)).value == FILLED_IN
            assert rungs(server) == [STRICT, STRICT]


async def test_an_overload_that_only_structured_requests_meet_is_a_refusal() -> None:
    async with asked() as (server, provider):
        server.on_chat = knowing(BY_SCHEMA, refusal=fake.status(503))
        with pytest.raises(ProviderError):
            await provider.structured(ASK, Answer)
        await collect(provider)
        assert (await provider.structured(ASK, Answer)).value == FILLED_IN
        assert rungs(server) == [STRICT, STRICT, BY_SCHEMA]


async def test_the_effort_is_asked_for_where_it_is_known_and_left_out_where_it_is_refused() -> None:
    refusal = fake.status(400, {"error": {"message": "Unrecognized request argument supplied: reasoning_effort"}})
    async with asked(effort="low") as (server, provider):
        server.enqueue(refusal, fake.answer(GOOD), fake.answer(GOOD), fake.answer(GOOD))
        for model in ("gpt-4o", "gpt-4o", "gpt-5"):
            await provider.structured(replace(ASK, model=model), Answer)
        assert [chat.body.get("reasoning_effort") for chat in server.chats] == ["low", None, None, "low"]
        assert {*rungs(server)} == {STRICT}


def test_what_may_be_null_may_be_missing_and_what_does_not_conform_is_refused() -> None:
    assert conform({"meanings": [], "more": 1}, Answer) == Answer(meanings=[])
    values: tuple[Any, ...] = ({}, {"lemma": "a"}, {"lemma": True, "meanings": []}, {"meanings": [1]}, [], None, "x")
    for value in values:
        with pytest.raises(SchemaMismatch):
            conform(value, Answer)


def test_text_without_an_object_is_refused_quickly() -> None:
    for text in ("", "{", "}{", '{"a": "{', "{" * 50_000, '{"a":' * 9000 + "1" + "}" * 9000, '"x"'):
        with pytest.raises(SchemaMismatch):
            first_object(text)
