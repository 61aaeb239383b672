"""The documentation page: ``/openapi.json`` for people, in plain HTML. No script, nothing from elsewhere, so it works
without a network, in a text browser, and under a policy that forbids everything but its own style.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from itertools import groupby
from typing import Any

Schema = Mapping[str, Any]

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: #2563a8 }
@media (prefers-color-scheme: dark) { :root { --link: #7db4ee } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
a { color: var(--link) }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2rem 0 .25rem; font-size: 1rem }
code, pre { font: .875rem/1.45 ui-monospace, monospace }
pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: .25rem; white-space: pre-wrap }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600 }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700 }
nav ul { columns: 2 20rem; padding: 0; list-style: none }
nav li { overflow-wrap: anywhere; break-inside: avoid }
"""
_TO_TRY = """The lines below can be tried in a shell after `LODE=http://127.0.0.1:8765` (or wherever this is). A server
with a token wants `-H "Authorization: Bearer $LODE_TOKEN"` besides."""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def page(schema: Schema) -> str:
    """The whole page, as HTML."""
    operations = [
        (path, method, operation) for path, methods in schema["paths"].items() for method, operation in methods.items()
    ]
    order = [tag["name"] for tag in schema["tags"]]
    operations.sort(key=lambda each: order.index(each[2]["tags"][0]))
    info = schema["info"]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>{escape(info['title'])}: HTTP</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(info['title'])} {escape(info['version'])}: HTTP</h1>",
        f'<p>{escape(info["summary"])}. For programs: <a href="openapi.json">openapi.json</a>.</p>',
        *_paragraphs(info["description"]),
        f"<p>{_inline(_TO_TRY)}</p>",
        "<nav><ul>",
        *(
            f'<li><a href="#{operation["operationId"]}">{_line(path, method)}</a></li>'
            for path, method, operation in operations
        ),
        "</ul></nav>",
    ]
    about = {tag["name"]: tag["description"] for tag in schema["tags"]}
    for tag, group in groupby(operations, key=lambda each: each[2]["tags"][0]):
        parts += [f"<section><h2>{escape(tag.capitalize())}</h2><p>{escape(about[tag])}</p>"]
        for path, method, operation in group:
            parts += _operation(schema, path, method, operation)
        parts.append("</section>")
    parts += ["<section><h2>Records</h2>", *_records(schema), "</section></body></html>"]
    return "\n".join(parts)


def _operation(schema: Schema, path: str, method: str, operation: Schema) -> Iterator[str]:
    yield f'<article><h3 id="{operation["operationId"]}">{_line(path, method)}</h3>'
    yield from _paragraphs(operation.get("description", ""))
    given = operation.get("parameters", [])
    if given:
        yield "<table><tr><th>Parameter</th><th>In</th><th>Type</th><th>Meaning</th></tr>"
        for each in given:
            must = " (needed)" if each["required"] and each["in"] != "path" else ""
            yield (
                f"<tr><td><code>{escape(each['name'])}</code>{must}</td><td>{escape(each['in'])}</td>"
                f"<td>{_type(each['schema'])}</td><td>{_inline(each.get('description', ''))}</td></tr>"
            )
        yield "</table>"
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<p>Body: <code>{escape(kind)}</code>, {_type(content['schema'])}</p>"
    yield f"<pre>{escape(_curl(schema, path, method, operation))}</pre>"
    yield "<table><tr><th>Status</th><th>Answer</th></tr>"
    for status, answer in operation["responses"].items():
        known = _found(schema, answer)
        yield f"<tr><td>{status}</td><td>{_inline(known['description'])} {_content(known)}</td></tr>"
    yield "</table>"
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            for content in answer.get("content", {}).values():
                yield from _example(content)
    yield "</article>"


def _curl(schema: Schema, path: str, method: str, operation: Schema) -> str:
    """A line that can be copied into a terminal, once an id is put in."""
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


def _records(schema: Schema) -> Iterator[str]:
    for name, record in sorted(schema["components"]["schemas"].items()):
        yield f'<article><h3 id="record-{escape(name)}">{escape(name)}</h3>'
        yield from _paragraphs(record.get("description", ""))
        yield "<table><tr><th>Field</th><th>Type</th></tr>"
        needed = record.get("required", ())
        for field, kind in record.get("properties", {}).items():
            must = "" if field in needed else " (may be missing)"
            yield f"<tr><td><code>{escape(field)}</code>{must}</td><td>{_type(kind)}</td></tr>"
        yield "</table>"
        yield from _example(record)
        yield "</article>"


def _example(holder: Schema) -> Iterator[str]:
    if "example" in holder:
        example = holder["example"]
        text = (
            example
            if isinstance(example, str) and "\n" in example
            else json.dumps(example, ensure_ascii=False, indent=2)
        )
        yield f"<pre>{escape(text.rstrip())}</pre>"


def _content(answer: Schema) -> str:
    return ", ".join(
        f"<code>{escape(kind)}</code>: {_type(content['schema'])}"
        for kind, content in answer.get("content", {}).items()
    )


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": ref}:
            name = str(ref).rsplit("/", 1)[-1]
            return f'<a href="#record-{escape(name)}">{escape(name)}</a>'
        case {"anyOf": kinds}:
            return " or ".join(_type(kind) for kind in kinds)
        case {"type": "array", "items": items}:
            return f"list of {_type(items)}"
        case {"enum": values}:
            return " or ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values)
        case {"const": value}:
            return f"<code>{escape(json.dumps(value))}</code>"
        case {"type": "string", "format": "binary"}:
            return "bytes"
        case {"type": kind}:
            return escape(str(kind))
    return "anything"


def _found(schema: Schema, node: Schema) -> Schema:
    """The node itself, or what it refers to."""
    if "$ref" not in node:
        return node
    found: Schema = schema
    for part in str(node["$ref"]).removeprefix("#/").split("/"):
        found = found[part]
    return found


def _line(path: str, method: str) -> str:
    return f'<span class="method">{method.upper()}</span> <code>{escape(path)}</code>'


def _paragraphs(text: str) -> Iterator[str]:
    return (f"<p>{_inline(part)}</p>" for part in text.strip().split("\n\n") if part.strip())


@cache
def _inline(text: str) -> str:
    """The little Markdown that descriptions have: code, and words in bold."""
    shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", shown)
