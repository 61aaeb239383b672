"""What no client of good will sends: it is refused, or kept as it came, and never a fault of the server."""

from __future__ import annotations

import json

import httpx
import pytest

from tests.hostile import HOSTILE
from tests.server.conftest import SENTENCE, clip
from tests.server.raw import exchange, read, request
from tests.server.serving import Served

pytestmark = pytest.mark.exhaustive

BODIES = {
    "not JSON": b"{",
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "nested without end": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "invalid UTF-8": b'{"sentence": "\xff\xfe"}',
    "half a surrogate pair": b'{"sentence": "\\ud800"}',
    "half a pair in a list": b'{"sentence": "x", "tags": ["\\udfff"]}',
    "an enormous number": b'{"sentence": "x", "cue_index": ' + b"9" * 5000 + b"}",
    "more than 64 bits": b'{"sentence": "x", "cue_index": 9223372036854775808}',
    "64 bits": b'{"sentence": "x", "start_ms": 9223372036854775807}',
    "a negative time": b'{"sentence": "x", "start_ms": -1}',
    "NaN": b'{"sentence": "x", "start_ms": NaN}',
    "infinity": b'{"sentence": "x", "start_ms": 1e999}',
    "a truth for a number": b'{"sentence": "x", "start_ms": true}',
    "a text for a number": b'{"sentence": "x", "start_ms": "1"}',
    "a number for a text": b'{"sentence": 1}',
    "an object for a list": b'{"sentence": "x", "tags": {}}',
    "a foreign origin of a focus word": b'{"sentence": "x", "focus": {"surface": "y", "origin": "them"}}',
    "an enormous frequency": b'{"sentence": "x", "focus": {"surface": "y", "frequency": 1e30}}',
}
FINE = {
    "half a pair as a name": b'{"\\ud800": 1, "sentence": "x"}',
    "a byte order mark": b'\xef\xbb\xbf{"sentence": "x"}',
    "UTF-16": '{"sentence": "x"}'.encode("utf-16"),
    "a name twice": b'{"sentence": "y", "sentence": "x"}',
    "NUL": b'{"sentence": "a\\u0000b"}',
    "a name not known": b'{"sentence": "x", "__class__": {"__init__": 1}}',
}


async def test_a_body_that_is_none_is_refused(client: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "application/json"}
    for what, body in BODIES.items():
        refused = await client.post("/profiles/clips", content=body, headers=headers)
        assert refused.status_code in (400, 422), (what, refused.text)
        assert refused.json()["error"]["message"], what
        for path in ("/profiles/template", "/llm/breakdown/preview", "/llm/breakdown", "/profiles/clips/delete"):
            answer = await client.post(path, content=body, headers=headers)
            assert answer.status_code in (200, 400, 422), (what, path, answer.text)
    assert (await client.get("/profiles/clips")).json() == []


async def test_what_is_odd_and_valid_is_kept_as_it_came_whatever_it_is_called(client: httpx.AsyncClient) -> None:
    for body in FINE.values():
        made = await client.post("/profiles/clips", content=body, headers={"Content-Type": "application/json"})
        kept = (await client.get(f"/profiles/clips/{made.json()['id']}")).json()
        assert (made.status_code, kept["sentence"]) == (201, json.loads(body)["sentence"])
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "x"):
        headers = {"Content-Type": kind}
        made = await client.post("/profiles/clips", content=b'{"sentence": "x"}', headers=headers)
        assert made.status_code == 201
        refused = await client.post("/profiles/clips", content=b"sentence=x", headers=headers)
        assert refused.status_code == 422
        assert "JSON" in refused.json()["error"]["message"]


async def test_every_text_is_kept_as_it_is_wherever_it_may_stand(client: httpx.AsyncClient) -> None:
    for name, text in HOSTILE.items():
        sentence = f"{SENTENCE} {text}"
        made = await client.post("/profiles/clips", json={"sentence": sentence, "tags": [text], "note": text})
        assert made.status_code == 201, made.text
        kept = (await client.get(f"/profiles/clips/{made.json()['id']}")).json()
        assert (kept["sentence"], kept["note"]) == (sentence, text), name
        asked = {
            "/profiles/clips": {"q": text, "limit": "5"},
            "/profiles/words/summary": {"word": text, "language": text[:35]},
            "/profiles/words/concordance": {"word": text},
            "/profiles/deck_export": {"name": text[:200], "format": "csv", "media": text[:200]},
            "/profiles/usage": {"month": text[:20]},
            "/llm/models": {"provider": text[:100]},
        }
        for path, params in asked.items():
            answer = await client.get(path, params=params)
            assert answer.status_code in (200, 404, 422), (name, path, answer.text)
        body = {"sentence": text, "focus": text, "prompt": "{{ sentence }}"}
        assert (await client.post("/llm/breakdown/preview", json=body)).json() == text


ADDRESSES = (
    *(f"/profiles/clips/{part}" for part in ("%00", "%ff%fe", "..%2f..%2fetc", "%ed%a0%80", "x" * 5000, "%0d%0aX:y")),
    *(f"/profiles/clips?{query}" for query in ("q=%00", "q=%ff", "limit=1&limit=2", "limit=NaN", "offset=1e3")),
    *(f"/profiles/transcripts/x/cues/{cue}/has_clip" for cue in ("-1", "9" * 20)),
    *("/profiles/clips?after=", "/profiles/clips?%00=%00", "/?", "/profiles/usage?month=x", "//evil.example/x"),
    *("/%2e%2e/%2e%2e/etc/passwd", "http://evil.example/profiles/clips"),
    "/profiles/job_events?id=" + "&id=".join("x" * 300),
)


async def test_an_odd_address_or_method_is_answered(served: Served, client: httpx.AsyncClient) -> None:
    await clip(client)
    for path in ADDRESSES:
        answer = read(await exchange(served.options.port, request("GET", path)))
        assert answer.status_code < 500, path
        if answer.status_code >= 300:
            assert answer.json()["error"]["message"], path
        assert answer.headers["content-type"].startswith("application/json"), path
    for method in ("OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT", "BREW", "get"):
        refused = read(await exchange(served.options.port, request(method, "/profiles/clips")))
        assert refused.status_code in (400, 404, 405), method


async def test_many_ids_at_once_are_bounded(client: httpx.AsyncClient) -> None:
    for ids in (["x" * 101], ["x"] * 100_001, "x", [None]):
        assert (await client.post("/profiles/clips/delete", json={"ids": ids})).status_code == 422
    assert (await client.post("/profiles/clips/delete", json={"ids": []})).json() == {"count": 0, "job_ids": []}
