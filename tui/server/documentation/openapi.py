"""OpenAPI description at ``/openapi.json``: what the routes declare, what is true of all of them, and examples.

Examples are of each record by the names of its fields, of bodies, answers and streams; what they say stands in
``examples.toml``. The lexicon needs no network: each body there can be sent as it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse, Response

from tui import __version__
from tui.dictionaries.dictionary_file import MAX_SENT_SIZE
from tui.importing.parse import MAX_BYTES
from tui.prompts.evaluation import MAX_OUTPUT
from tui.records.pages import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tui.server.documentation.page import POLICY, page
from tui.server.errors import ErrorBody
from tui.server.http_protocol import MAX_HEAD
from tui.server.middleware import OPEN
from tui.server.options import ServerOptions
from tui.server.schemas import MAX_TEXT
from tui.service.llm.local_llm import MAX_SENTENCE
from tui.wire import codec

_TAGS = {
    "files": "What was imported, and what is sent to be.",
    "transcripts": "The texts, and their cues.",
    "clips": "Kept sentences with their focus word and explanation.",
    "deck": "All clips as an Anki package.",
    "template": "What the models are asked, at most one per profile.",
    "settings": "The language that explanations are given in, and the languages that are learned.",
    "llm": "Providers, models, prompts, and the two streams.",
    "words": "What the library knows of words.",
    "media": "Films and recordings, and what is cut out of them.",
    "dictionaries": "What words mean, by dictionaries that all profiles share.",
    "views": "Searches with a name, each of a list.",
    "history": "Every answer that a model gave, and what they took.",
    "jobs": "Long work that the server does.",
    "library": "Profiles, undo, a copy of everything, and whether all is well.",
    "server": "Whether the server is there.",
}
_REFUSALS = {
    400: ("invalid_profile", "What was sent cannot be read, or the profile or the cursor is none."),
    401: ("unauthorized", "The server has a token, and the request has not."),
    403: ("forbidden_origin", "A page of another origin, or a name that the server does not go by."),
    404: ("clip_not_found", "There is no such thing in this profile."),
    409: (
        "already_done",
        "A write with this key was done, but how it was answered is lost: look before you repeat it.",
    ),
    413: ("too_large", "The body is larger than allowed."),
    422: ("invalid_input", "What was asked for cannot be."),
    431: ("bad_request", "The address and the headers are longer than allowed."),
    500: ("server_error", "A fault of the server; its log says more."),
    502: ("provider_unavailable", "The provider cannot be used, or failed."),
    503: ("store_error", "The library cannot be read or written."),
    504: ("timeout", "The provider did not answer in time."),
}
_DONE = {"200": "Done.", "201": "Made.", "202": "Queued.", "204": "Done; there is nothing to say."}
_ALWAYS = (400, 401, 403, 413, 422, 431, 500, 503)
_OF_PROVIDER = (
    "save_template",
    "list_models",
    "breakdown",
    "explain_sentence",
    "follow_up",
    "plan_correction",
    "correct",
    "plan_mining",
    "mine",
    "plan_translation",
    "translate",
    "ask_anew",
)
_NAMING = (*_OF_PROVIDER, "start_job", "merge_deck", "merge_report", "get_template", "rename_view")
"""They name what may not be there, as do all that have an id in their path, their parameters or their body."""
_ASKING = (*_OF_PROVIDER, "list_providers")
"""They need a provider, or look whether it can be used."""
_IDS = re.compile(r"(.*_)?id|ids|of")
_EVENT = {
    "description": "One event. Its data is JSON: a text where it has no name, an object where it has.",
    "type": "object",
    "required": ["data"],
    "properties": {
        "event": {"type": "string", "enum": ["focus", "state", "error", "done", "message"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
}
_KEY = {
    "name": codec.IDEMPOTENCY_HEADER,
    "in": "header",
    "required": False,
    "description": "A random text, new for every new request. A write that is sent again with its key is done once, "
    "and answered as it was the first time; a key is remembered for a day.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
}


_OF_ERRORS = frozenset({"ErrorBody", "ErrorFields"})
"""Schemas whose examples are those of the refusals."""


class Api(FastAPI):
    """A FastAPI application that describes itself in full."""

    def __init__(self, options: ServerOptions, **rest: Any) -> None:
        super().__init__(**rest)
        self._options = options
        self.add_api_route("/docs", self._show, include_in_schema=False)

    async def _show(self) -> Response:
        return HTMLResponse(page(self.openapi()), headers={"Content-Security-Policy": POLICY})

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            for route in self.routes:
                if isinstance(route, APIRoute):
                    route.operation_id = route.name
            schema = get_openapi(
                title=self.title,
                version=self.version,
                summary="A library of texts, clips and answers for language learners",
                description=_description(self._options),
                routes=self.routes,
                tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
                license_info={"name": "MIT", "identifier": "MIT"},
            )
            schemas = schema.setdefault("components", {}).setdefault("schemas", {})
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            error = ErrorBody.model_json_schema(ref_template="#/components/schemas/{model}")
            schemas |= error.pop("$defs") | {"ErrorBody": error}
            _plain(schema)
            for name, described in schemas.items():
                if name not in _OF_ERRORS:
                    described["example"] = _make_example(name, schemas)
            schema["components"]["responses"] = refusals()
            schema["components"]["securitySchemes"] = {
                "token": {"type": "http", "scheme": "bearer", "description": "Needed where the server has a token."}
            }
            schema["security"] = [{"token": []}] if self._options.token else [{}, {"token": []}]
            for path, methods in schema["paths"].items():
                for method, operation in methods.items():
                    _complete(path, operation, schemas, is_write=method != "get" and not path.startswith("/llm"))
            self.openapi_schema = schema
        return self.openapi_schema


def _complete(path: str, operation: dict[str, Any], schemas: dict[str, Any], *, is_write: bool) -> None:
    name = operation["operationId"]
    statuses = set(_ALWAYS)
    names = _names_in([operation.get("parameters"), operation.get("requestBody")], schemas)
    if "{" in path or name in _NAMING or any(map(_IDS.fullmatch, names)):
        statuses.add(404)
    if is_write:
        statuses.add(409)
        operation.setdefault("parameters", []).append(_KEY)
    if name in _ASKING:
        statuses |= {502, 504}
    if path in OPEN:
        operation["security"] = []
        statuses -= {401}
    answers = operation["responses"]
    answers.pop("422", None)  # FastAPI's own, which is never sent
    for status, answer in answers.items():
        for kind, content in answer.get("content", {}).items():
            if kind == "text/event-stream":
                answer["description"] = "Events, as https://html.spec.whatwg.org/multipage/server-sent-events.html"
                content |= {"schema": _EVENT, "example": _STREAMS[name]}
            elif kind == "application/json" and "example" not in content:
                content["example"] = _ANSWERS.get(name, _make_value(content["schema"], schemas))
        if answer["description"] == "Successful Response":
            answer["description"] = _DONE[status]
    if any(parameter["name"] == "after" for parameter in operation.get("parameters", ())):  # it answers page by page
        answers["200"]["headers"] = {
            codec.TOTAL_HEADER: {"description": "How many match in all.", "schema": {"type": "integer"}},
            "Link": {
                "description": 'With `limit`: the address of the next page, `rel="next"`, where there is one.',
                "schema": {"type": "string"},
            },
        }
    for status in sorted(statuses):
        answers[str(status)] = {"$ref": f"#/components/responses/{status}"}


def _names_in(node: Any, schemas: dict[str, Any]) -> Iterator[str]:
    """Names of the parameters in a part of a request, and of the fields of a body and of what is within it."""
    match node:
        case {"$ref": ref}:
            yield from _names_in(schemas[ref.rsplit("/", 1)[-1]], schemas)
        case dict():
            yield from node.get("properties", ())
            yield str(node.get("name"))
            for each in node.values():
                yield from _names_in(each, schemas)
        case list():
            for each in node:
                yield from _names_in(each, schemas)


def refusals() -> dict[str, Any]:
    """The answers that are refusals, as components."""
    return {
        str(status): {
            "description": text,
            "content": {
                "application/json": {
                    "schema": {"$ref": "#/components/schemas/ErrorBody"},
                    "example": {"error": {"code": code, "message": text, "hint": "what to do next", "kind": "error"}},
                }
            },
        }
        for status, (code, text) in _REFUSALS.items()
    }


def _plain(node: Any) -> None:
    """Docstrings mark code as in reStructuredText, descriptions as in Markdown; and Pydantic's titles say nothing."""
    if isinstance(node, dict):
        text = node.get("description")
        if isinstance(text, str):
            node["description"] = text.replace("``", "`")
        if isinstance(node.get("title"), str) and ("type" in node or "anyOf" in node or "$ref" in node):
            del node["title"]
        for each in node.values():
            _plain(each)
    elif isinstance(node, list):
        for each in node:
            _plain(each)


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _description(options: ServerOptions) -> str:
    return f"""Everything that Lode does, for the profile that the header `{codec.PROFILE_HEADER}` names.

**Conventions.** Timestamps are RFC 3339 in UTC, times in media whole milliseconds, ids opaque; wherever an id is asked
for, any unambiguous beginning of one will do. A list without `limit` comes whole; with it in pages, each with a `Link`
to the next, which is right whatever is added and deleted meanwhile. Fields that are not known are passed over, on
both sides.

**Errors.** Every refusal has the body `{{"error": {{"code", "message", "hint", "kind"}}}}`.

**Streams.** They stay open until the answer ends; closing the connection aborts it, and what had come stays in the
history. A failure after the beginning is an `error` event; `done` is always the last. A comment comes at least every
{options.heartbeat_seconds:g} seconds.

**Limits.** A file has at most {MAX_BYTES / 1e6:g} MB, a dictionary {MAX_SENT_SIZE / 1e6:g} MB, a film
{options.max_film / 1e6:g} MB, any other body {options.max_body / 1e6:g} MB, the headers {MAX_HEAD // 1024} kB (else
413, or 431 for the headers). A page has 1 to 1000 items, a text {_grouped(MAX_TEXT)} characters, a sentence or a
context that a model is asked about {_grouped(MAX_SENTENCE)}, a rendered prompt {_grouped(MAX_OUTPUT)}, a search
{MAX_SEARCH_WORDS} different words in {_grouped(MAX_SEARCH_LENGTH)} characters (else 422).
"""


_TABLES = tomllib.loads(Path(__file__).with_name("examples.toml").read_text("utf-8"))
_ANSWERS: Mapping[str, Any] = _TABLES["answers"]
"""Answers that are no records, by the operation."""
_STREAMS: Mapping[str, str] = _TABLES["streams"]
"""Event streams, by the operation."""
_FIELDS = {**_TABLES["fields"], "version": __version__}
_OF_KIND: Mapping[str, Any] = {"boolean": False, "integer": 2, "number": 1.0, "string": "", "object": {}, "null": None}


def _make_example(name: str, schemas: Mapping[str, Any]) -> Any:
    """Make an example of the schema with this name: a body's own, or field by field."""
    if name in _TABLES["bodies"]:
        return _TABLES["bodies"][name]
    schema, own = schemas[name], _TABLES["records"].get(name, {})
    if "properties" not in schema:
        return _make_value(schema, schemas)
    return {
        field: own[field] if field in own else _make_value(described, schemas, field)
        for field, described in schema["properties"].items()
    }


def _make_value(schema: Mapping[str, Any], schemas: Mapping[str, Any], field: str = "") -> Any:
    """Make a value that fits a schema: what fields of this name have, else its default, else one of its kind."""
    said = _FIELDS.get(field)
    match schema:
        case {"$ref": ref}:
            return _make_example(ref.rsplit("/", 1)[-1], schemas)
        case {"default": None} if said is None:
            return None
        case {"anyOf": [one, *_]}:
            return _make_value(one, schemas, field) if said is not None or "type" not in one else None
        case {"const": only}:
            return only
        case {"enum": names}:
            return said if said in names else schema.get("default", names[0])
        case {"type": "array", "prefixItems": items}:
            return [_make_value(each, schemas, "dictionary") for each in items]
        case {"type": "array", "items": {"type": _} as item} if "prefixItems" not in item:
            return said if isinstance(said, list) else schema.get("default", [_make_value(item, schemas)])
        case {"type": "array", "items": item}:
            return [_make_value(item, schemas)]
    plain = _OF_KIND[schema.get("type", "null")]
    return said if said is not None and type(said) is type(plain) else schema.get("default", plain)
