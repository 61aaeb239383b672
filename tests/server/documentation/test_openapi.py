"""What the service says about itself, as JSON and as a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import httpx
import jsonschema_rs
import pytest

from tests.server.serving import serving
from tui import __version__
from tui.config import Settings
from tui.server.options import ServerOptions
from tui.server.running import application
from tui.service.engine import Engine
from tui.service.protocol import operation as contract

pytestmark = pytest.mark.exhaustive

PUBLISHED = {
    ("get", "/profiles/files"), ("delete", "/profiles/files/{file_id}"), ("get", "/profiles/transcripts"),
    ("delete", "/profiles/transcripts/{transcript_id}"), ("get", "/profiles/clips"),
    ("delete", "/profiles/clips/{clip_id}"), ("get", "/profiles/deck_export"), ("get", "/profiles/template"),
    ("post", "/profiles/template"), ("delete", "/profiles/template"), ("get", "/llm/providers"), ("get", "/llm/models"),
    ("post", "/llm/breakdown/preview"), ("post", "/llm/breakdown"), ("post", "/llm/explain_sentence"),
}  # fmt: skip
STREAMS = {"breakdown", "explain_sentence", "follow_up", "follow_jobs"}


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    home = tmp_path_factory.mktemp("described")
    engine = Engine(Settings(home=home, config_path=home / "config.toml"), environ={})
    described: dict[str, Any] = application(engine, ServerOptions()).openapi()
    return described


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def found(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        parts = node["$ref"].removeprefix("#/").split("/")
        node = schema
        for part in parts:
            node = node[part]
    return node


def test_all_fifteen_operations_are_described(schema: dict[str, Any]) -> None:
    assert {(method, path) for method, path, _ in operations(schema)} >= PUBLISHED
    told = re.findall(r"([A-Z]+) +(/\S+)", contract.__doc__ or "")
    assert {(method.lower(), path) for method, path in told} == PUBLISHED
    assert schema["info"]["version"] == __version__


def test_every_operation_has_a_readable_name_of_its_own_a_text_and_a_tag(schema: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(schema)]
    assert len(names) == len(set(names))
    tags = {tag["name"] for tag in schema["tags"]}
    assert all(tag["description"] for tag in schema["tags"])
    for _, path, operation in operations(schema):
        assert re.fullmatch("[a-z]+(_[a-z]+)*", operation["operationId"])
        assert operation["description"], path
        assert set(operation["tags"]) < tags
        kinds = set(operation["responses"].get("200", {}).get("content", {}))
        assert (kinds == {"text/event-stream"}) is (operation["operationId"] in STREAMS)
    example = schema["paths"]["/llm/breakdown"]["post"]["responses"]["200"]["content"]["text/event-stream"]["example"]
    assert example.startswith("event: focus\ndata: {")
    written = json.dumps(schema)
    assert "``" not in written, "Markdown, and no reStructuredText"
    assert "InvalidInput" not in written


def test_every_refusal_is_described_with_its_body(schema: dict[str, Any]) -> None:
    for method, path, operation in operations(schema):
        answers = operation["responses"]
        assert {"400", "403", "413", "422", "500"} <= set(answers), path
        assert ("401" in answers) is (path != "/health")
        assert "{" not in path or "404" in answers
        assert ("409" in answers) is (method != "get" and path.startswith(("/profiles", "/dictionaries")))
        for status, answer in answers.items():
            if status >= "3":
                content = found(schema, answer)["content"]["application/json"]
                assert content["schema"] == {"$ref": "#/components/schemas/ErrorBody"}
                assert content["example"]["error"].keys() >= {"code", "message", "hint"}
    assert not {"HTTPValidationError", "ValidationError"} & set(schema["components"]["schemas"])
    assert {"502", "504"} <= set(schema["paths"]["/llm/models"]["get"]["responses"])


def test_every_answer_and_every_body_has_an_example_that_fits_its_schema(schema: dict[str, Any]) -> None:
    examples: list[Any] = []
    schemas: list[dict[str, Any]] = []
    for method, path, operation in operations(schema):
        contents = [answer.get("content", {}) for answer in (found(schema, a) for a in operation["responses"].values())]
        contents.append(operation.get("requestBody", {}).get("content", {}))
        for kind, content in ((kind, each) for group in contents for kind, each in group.items()):
            if kind == "application/json":
                example = content.get("example", found(schema, content["schema"]).get("example"))
                assert example is not None or path in ("/profiles/undo", "/profiles/redo"), (method, path)
                examples.append(example)
                schemas.append(content["schema"])
    # All of them at once: what the schemas refer to is read anew for each validation.
    jsonschema_rs.validate({"prefixItems": schemas, "components": schema["components"]}, examples)
    assert len(examples) > 100


def test_limits_and_headers_are_described(schema: dict[str, Any]) -> None:
    described = schema["info"]["description"]
    for limit in ("MB", "64 kB", "1 to 1000", "200 000", "10 000", "65 536", "413", "422"):
        assert limit in described
    clips = schema["paths"]["/profiles/clips"]
    names = {each["name"]: each for each in clips["get"]["parameters"]}
    assert {"limit", "after", "offset", "q", "sort", "X-Profile-ID"} == set(names)
    assert names["X-Profile-ID"]["schema"]["pattern"] == "^[A-Za-z0-9_-]{1,64}$"
    of_transcript = [f"/profiles/transcripts/{{transcript_id}}/{part}" for part in ("cues", "sentences", "changes")]
    for path in ("/profiles/clips", *of_transcript):
        assert set(schema["paths"][path]["get"]["responses"]["200"]["headers"]) == {"Link", "X-Total-Count"}, path
    assert "Idempotency-Key" in {each["name"] for each in clips["post"]["parameters"]}


async def test_the_token_is_described_as_it_is_needed(with_model: Settings, schema: dict[str, Any]) -> None:
    async with (
        serving(with_model, ServerOptions(port=0, token="hush-hush")) as served,
        httpx.AsyncClient(base_url=served.url, trust_env=False) as client,
    ):
        response = await client.get("/openapi.json")
    for described, needed in ((schema, [{}, {"token": []}]), (response.json(), [{"token": []}])):
        assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
        assert described["security"] == needed
        assert described["paths"]["/health"]["get"]["security"] == []
    assert "hush-hush" not in response.text


class Links(HTMLParser):
    """Everything that a browser would fetch or follow, and every place that can be gone to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("href", "src", "action", "srcset", "data"):
                self.links.append(value or "")
            elif name == "id":
                self.places.add(value or "")
            assert not name.startswith("on")
            assert name != "style"


async def test_the_page_needs_no_network_and_no_script_and_shows_every_operation_with_a_line_to_try(
    client: httpx.AsyncClient, schema: dict[str, Any]
) -> None:
    response = await client.get("/docs")
    assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    read = Links()
    read.feed(response.text)
    assert not read.tags & {"script", "link", "img", "iframe", "object", "form"}
    for link in read.links:
        if link.startswith("#"):
            assert link[1:] in read.places, link
        else:
            assert (await client.get(f"/{link}")).status_code == 200, link
    assert "url(" not in response.text
    assert "@import" not in response.text

    for method, path, operation in operations(schema):
        assert f'id="{operation["operationId"]}"' in response.text
        assert f"<code>{path}</code>" in response.text
        assert method.upper() in response.text
    assert response.text.count("curl ") >= len(list(operations(schema)))
    assert "&#34;" in response.text
    assert schema["info"]["version"] in response.text
