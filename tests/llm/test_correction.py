"""Forms of corrected and translated lines: as providers want them, and what of them is believed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Struct

from tests.llm.asking import ASK, asked
from tests.llm.fakes import fake_server as fake
from tui.correcting.answers import AnsweredLine
from tui.errors import ProviderError
from tui.llm.correction import CorrectionForm, TranslationForm, read_lines
from tui.llm.http.structured_output import SchemaMismatch, conform, strict_schema

CORRECTED = {"number": 2, "original": "Ja", "corrected": "Ja."}
LINE = AnsweredLine(2, "Ja", "Ja.")


class Word(Struct, frozen=True):
    """A form within others."""

    lemma: str
    level: str | None = None


class Sentence(Struct, frozen=True):
    """A form that holds another one by itself, in a list, and in a form of a list."""

    main: Word
    words: list[Word]
    parts: list[list[Word]] = []


WORD = {
    "type": "object",
    "properties": {"lemma": {"type": "string"}, "level": {"type": ["string", "null"]}},
    "required": ["lemma", "level"],
    "additionalProperties": False,
}


def test_forms_within_a_form_stand_where_they_are_and_are_as_strict() -> None:
    many = {"type": "array", "items": WORD}
    assert strict_schema(Sentence) == {
        "type": "object",
        "properties": {"main": WORD, "words": many, "parts": {"type": "array", "items": many}},
        "required": ["main", "words", "parts"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(("form", "name"), [(CorrectionForm, "corrected"), (TranslationForm, "translation")])
def test_a_form_has_a_list_of_lines_with_number_quotation_and_new_text(form: type[Any], name: str) -> None:
    schema = strict_schema(form)  # type: ignore[arg-type]  # mypy does not know that classes can be hashed
    assert schema["required"] == ["lines"]
    line = schema["properties"]["lines"]["items"]
    assert line["required"] == ["number", "original", name]
    assert line["properties"]["number"]["type"] == ["integer", "string"]
    assert line["additionalProperties"] is False
    assert not {"$ref", "$defs", "default", "title"} & set(json.dumps(schema).split('"'))


async def test_a_provider_is_asked_for_the_form_and_its_answer_read() -> None:
    async with asked() as (server, provider):
        server.enqueue(fake.answer({"lines": [CORRECTED]}))
        answer = await provider.structured(ASK, CorrectionForm)
        assert read_lines(answer.value) == (LINE,)
        sent = server.chats[0].body["response_format"]["json_schema"]
        assert (sent["strict"], sent["schema"]) == (True, strict_schema(CorrectionForm))


async def test_a_cut_answer_is_no_answer_that_says_that_all_is_right() -> None:
    """The object of its first line is whole in it."""
    cut = json.dumps({"lines": [CORRECTED, CORRECTED]})[:-20]
    async with asked() as (server, provider):
        server.on_chat = lambda request: fake.answer(cut)
        with pytest.raises(ProviderError) as error:
            await provider.structured(ASK, CorrectionForm)
        assert error.value.code == "invalid_structured"
    for value in ({}, CORRECTED, {"lines": [{"number": 1, "original": "Ja"}]}, {"lines": None}):
        with pytest.raises(SchemaMismatch):
            conform(value, CorrectionForm)


NUMBERS = {2: 2, "2": 2, " 2. ": 2, "#2": 0, "two": 0, "": 0, -1: 0, "9" * 5000: 0, "²": 0, 10**30: 0}


def test_a_number_may_be_a_text_and_what_is_none_is_that_of_no_line() -> None:
    for given, number in NUMBERS.items():
        [line] = read_lines(conform({"lines": [{**CORRECTED, "number": given}]}, CorrectionForm))
        assert line.number == number, given
    form = conform({"lines": [{"number": 2, "original": "Ja", "translation": "Ja."}]}, TranslationForm)
    assert read_lines(form) == (LINE,)
