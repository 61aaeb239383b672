"""Examples that the documentation shows: of each record by the names of its fields, of bodies, answers and streams.

What they say stands in ``examples.toml``. The lexicon needs no network: each body there can be sent as it is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tui import __version__

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
ANSWERS: Mapping[str, Any] = _TABLES["answers"]
"""Answers that are no records, by the operation."""
STREAMS: Mapping[str, str] = _TABLES["streams"]
"""Event streams, by the operation."""
_FIELDS = {**_TABLES["fields"], "version": __version__}
_PLAIN: Mapping[str, Any] = {"boolean": False, "integer": 2, "number": 1.0, "string": "", "object": {}, "null": None}


def make_example(name: str, schemas: Mapping[str, Any]) -> Any:
    """Make an example of the schema with this name: a body's own, or field by field."""
    if name in _TABLES["bodies"]:
        return _TABLES["bodies"][name]
    schema, own = schemas[name], _TABLES["records"].get(name, {})
    if "properties" not in schema:
        return make_value(schema, schemas)
    return {
        field: own[field] if field in own else make_value(described, schemas, field)
        for field, described in schema["properties"].items()
    }


def make_value(schema: Mapping[str, Any], schemas: Mapping[str, Any], field: str = "") -> Any:
    """Make a value that fits a schema: what fields of this name have, else its default, else one of its kind."""
    said = _FIELDS.get(field)
    match schema:
        case {"$ref": ref}:
            return make_example(ref.rsplit("/", 1)[-1], schemas)
        case {"default": None} if said is None:
            return None
        case {"anyOf": [one, *_]}:
            return make_value(one, schemas, field) if said is not None or "type" not in one else None
        case {"const": only}:
            return only
        case {"enum": names}:
            return said if said in names else schema.get("default", names[0])
        case {"type": "array", "prefixItems": items}:
            return [make_value(each, schemas, "dictionary") for each in items]
        case {"type": "array", "items": {"type": _} as item} if "prefixItems" not in item:
            return said if isinstance(said, list) else schema.get("default", [make_value(item, schemas)])
        case {"type": "array", "items": item}:
            return [make_value(item, schemas)]
    plain = _PLAIN[schema.get("type", "null")]
    return said if said is not None and type(said) is type(plain) else schema.get("default", plain)
