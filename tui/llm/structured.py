"""Structured answers: finding the object in what a model wrote, and holding it to its schema.

The schemas are the strict form of structured output: objects with every property required and no others, arrays,
strings, integers, numbers, booleans, ``enum``, and lists of types with "null". Nothing else of JSON Schema is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.llm.http.errors import loads
from tui.llm.http.thinking import ThinkFilter
from tui.text.surrogates import whole_characters

_MAX_TEXT = 50_000
_MAX_STARTS = 20
"""How many opening braces are tried; a text with more is no answer."""


class SchemaMismatch(ValueError):
    """The value does not conform; the message says where."""


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


def conform(value: Any, schema: Mapping[str, Any], where: str = "the answer") -> Any:
    """The value with nothing in it that the schema does not name; what may be null and is missing becomes null.

    Raises ``SchemaMismatch`` for a wrong type or a missing property.
    """
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    kind = next((each for each in kinds if _is_a(value, each)), None)
    if kinds and kind is None:
        raise SchemaMismatch(f"{where} is no {' or '.join(kinds)}")
    if "enum" in schema and value not in schema["enum"]:
        raise SchemaMismatch(f"{where} is none of {schema['enum']}")
    if kind == "object":
        return {name: _property(value, name, part) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [conform(each, schema.get("items", {}), f"an item of {where}") for each in value]
    if kind == "string":
        return whole_characters(value)
    return value


def _property(value: Mapping[str, Any], name: str, schema: Mapping[str, Any]) -> Any:
    if name in value:
        return conform(value[name], schema, name)
    if "null" in schema.get("type", []):
        return None
    raise SchemaMismatch(f"{name} is missing")


def _is_a(value: Any, kind: str) -> bool:
    match kind:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
    return False
