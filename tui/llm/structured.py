"""Structured answers: the schema of a form, finding the object in what a model wrote, and reading it as the form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from tui.llm.wires.error_body import loads
from tui.llm.wires.thinking import ThinkFilter

T = TypeVar("T")
_MAX_TEXT = 50_000
_MAX_STARTS = 20
"""How many opening braces are tried; a text with more is no answer."""


class SchemaMismatch(ValueError):
    """The answer is not the form that was asked for; the message says where."""


def first_object(text: str) -> Mapping[str, Any]:
    """The text as a JSON object, or the first balanced ``{…}`` in it that is one. Raises ``SchemaMismatch``."""
    thinking = ThinkFilter()
    text = (thinking.feed(text[:_MAX_TEXT]) + thinking.finish()).strip()
    for candidate in _candidates(text):
        try:
            value = loads(candidate)
        except ValueError:
            continue
        if isinstance(value, dict):
            return value
    raise SchemaMismatch("there is no JSON object in it")


def _candidates(text: str) -> list[str]:
    """The whole text, then every balanced ``{…}`` from an opening brace on; braces in strings do not count."""
    found = [text] if text.startswith("{") else []
    start = text.find("{")
    for _ in range(_MAX_STARTS):
        if start < 0:
            break
        if (end := _balanced(text, start)) > 0:
            found.append(text[start:end])
            start = text.find("{", end)
        else:
            start = text.find("{", start + 1)
    return found


def _balanced(text: str, start: int) -> int:
    depth, in_string, escaped = 0, False, False
    for index in range(start, len(text)):
        character = text[index]
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if not depth:
                return index + 1
    return -1


def conform(value: Any, form: type[T]) -> T:
    """The answer as the form: what it does not name is dropped, and what has a default may be missing.

    Raises ``SchemaMismatch`` for a wrong type or a missing property.
    """
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise SchemaMismatch(str(error)) from None


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
