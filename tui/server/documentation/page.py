"""Documentation page: ``/openapi.json`` for people, in plain HTML (``page.html``).

No script and nothing from elsewhere, so that it works without a network, in a text browser, and under a policy that
forbids everything but its own style.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

Schema = Mapping[str, Any]

_HERE = Path(__file__).parent
_STYLE = (_HERE / "page.css").read_text("utf-8")
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_TO_TRY = """The lines below can be tried in a shell after `LODE=http://127.0.0.1:8765` (or wherever this is). A server
with a token wants `-H "Authorization: Bearer $LODE_TOKEN"` besides."""


def page(schema: Schema) -> str:
    """The whole page, as HTML."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"inline": _inline, "type": _type, "json": _json}
    environment.globals |= {"found": lambda node: _found(schema, node), "curl": lambda *what: _curl(schema, *what)}
    template = environment.from_string((_HERE / "page.html").read_text("utf-8"))
    operations = [
        {**operation, "path": path, "method": method}
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    return template.render(schema=schema, operations=operations, style=Markup(_STYLE), to_try=_TO_TRY)


def _curl(schema: Schema, operation: Schema) -> str:
    """A line that can be copied into a terminal, once an id is put in."""
    method, path = operation["method"], operation["path"]
    needed = [
        f"{each['name']}=…" for each in operation.get("parameters", []) if each["in"] == "query" and each["required"]
    ]
    address = "$LODE" + re.sub(r"{(\w+)}", "ID", path) + ("?" + "&".join(needed) if needed else "")
    is_stream = "text/event-stream" in operation["responses"].get("200", {}).get("content", {})
    line = f'curl {"-N " if is_stream else ""}{"" if method == "get" else f"-X {method.upper()} "}"{address}"'
    body = operation.get("requestBody", {}).get("content", {})
    if "application/json" in body:
        example = _found(schema, body["application/json"]["schema"]).get("example", {})
        text = shlex.quote(json.dumps(example, ensure_ascii=False))
        line += f" -H 'Content-Type: application/json' \\\n  -d {text}"
    elif body:
        line += " --data-binary @story.srt"
    return line


def _type(schema: Schema) -> Markup:
    match schema:
        case {"$ref": ref}:
            name = str(ref).rsplit("/", 1)[-1]
            return Markup('<a href="#record-{0}">{0}</a>').format(name)
        case {"anyOf": kinds}:
            return Markup(" or ").join(map(_type, kinds))
        case {"type": "array", "items": items}:
            return Markup("list of {}").format(_type(items))
        case {"enum": values}:
            return Markup(" or ").join(Markup("<code>{}</code>").format(json.dumps(value)) for value in values)
        case {"const": value}:
            return Markup("<code>{}</code>").format(json.dumps(value))
        case {"type": "string", "format": "binary"}:
            return Markup("bytes")
    return Markup("{}").format(schema.get("type", "anything"))


def _json(example: object) -> str:
    is_text = isinstance(example, str) and "\n" in example
    return str(example).rstrip() if is_text else json.dumps(example, ensure_ascii=False, indent=2)


def _found(schema: Schema, node: Schema) -> Schema:
    """The node itself, or what it refers to."""
    found: Schema = node
    for part in str(node.get("$ref", "")).removeprefix("#/").split("/"):
        found = (schema if found is node else found)[part] if part else found
    return found


def _inline(text: str) -> Markup:
    """The little Markdown that descriptions have: code, and words in bold."""
    shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return Markup(re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", shown))
