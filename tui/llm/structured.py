"""Structured answers: the schema of a form, finding the object in what a model wrote, and reading it as the form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

import msgspec

from tui.llm.wires.thinking import ThinkFilter

T = TypeVar("T")
_decode = json.JSONDecoder().raw_decode
_MAX_TEXT = 50_000
_MAX_STARTS = 20
"""Number of opening braces that are tried; a text with more is no answer."""


class SchemaMismatch(ValueError):
    """The answer is not the form that was asked for; the message says where."""


def first_object(text: str) -> Mapping[str, Any]:
    """The first JSON object in the text, whatever stands around it. Raises ``SchemaMismatch`` where there is none."""
    thinking = ThinkFilter()
    text = thinking.feed(text[:_MAX_TEXT]) + thinking.finish()
    start = -1
    for _ in range(_MAX_STARTS):
        if (start := text.find("{", start + 1)) < 0:
            break
        with suppress(ValueError, RecursionError):
            found: dict[str, Any] = _decode(text, start)[0]
            return found
    raise SchemaMismatch("there is no JSON object in it")


def conform(value: Any, form: type[T]) -> T:
    """Convert an answer to the form: what it does not name is dropped, and what has a default may be missing.

    Raises ``SchemaMismatch`` for a wrong type or a missing property.
    """
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise SchemaMismatch(str(error)) from None


@cache
def strict_schema(form: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a form of texts and lists, as providers want it in their strict mode.

    Every property is required and no other allowed; of two types, one of them null, there is a list.
    """
    schema: dict[str, Any] = msgspec.json.schema_components([form])[1][form.__name__]
    properties = schema["properties"]
    for each in properties.values():
        each.pop("default", None)
        if "anyOf" in each:
            each["type"] = [kind["type"] for kind in each.pop("anyOf")]
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
