"""A write with a key is done once, however often it is asked for."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.server.conftest import SENTENCE, SRT, assert_refused, clip, of, uploaded
from tests.server.serving import serving
from tui.config import Settings
from tui.store.tables.requests import Requests

pytestmark = pytest.mark.exhaustive

TEMPLATE = {"model": "work:m", "prompt": "{{ focus }}", "sys_msg": "s"}


def key(text: str = "") -> dict[str, str]:
    return {"Idempotency-Key": text or uuid4().hex}


async def test_a_key_gives_the_same_answer_and_writes_once_also_at_once(client: httpx.AsyncClient) -> None:
    headers = key()

    async def ask() -> httpx.Response:
        return await client.post("/profiles/clips", json={"sentence": SENTENCE}, headers=headers)

    first, *others = await asyncio.gather(*(ask() for _ in range(20)))
    for again in (*others, await ask()):
        assert (again.status_code, again.content) == (first.status_code, first.content) == (201, first.content)
        assert again.headers["content-type"] == "application/json"
    assert len((await client.get("/profiles/clips")).json()) == 1


async def test_a_key_is_for_one_request_of_its_profile_that_was_not_refused(client: httpx.AsyncClient) -> None:
    headers, kept = key(), await clip(client)
    assert_refused(await client.post("/profiles/clips", json={"sentence": " "}, headers=headers), 422, "invalid_input")
    made = await client.post("/profiles/clips", json={"sentence": SENTENCE}, headers=headers)
    assert made.status_code == 201
    for method, path, body in (
        ("POST", "/profiles/clips", {"sentence": "other"}),
        ("PUT", f"/profiles/clips/{kept['id']}", {"sentence": SENTENCE}),
        ("DELETE", f"/profiles/clips/{kept['id']}", None),
        ("POST", "/profiles/clips?x=1", {"sentence": SENTENCE}),
    ):
        assert_refused(await client.request(method, path, json=body, headers=headers), 422, "key_reused")
    assert len((await client.get("/profiles/clips", headers=headers)).json()) == 2, "reading ignores a key"
    for profile in ("a", "b"):
        await client.post("/profiles/clips", json={"sentence": profile}, headers=headers | of(profile))
        (own,) = (await client.get("/profiles/clips", headers=of(profile))).json()
        assert own["sentence"] == profile
    for wrong in ("", "x" * 101, "ä", "a b"):
        named = {b"Idempotency-Key": wrong.encode()}
        refused = await client.post("/profiles/clips", json={"sentence": "x"}, headers=named)
        assert_refused(refused, 422, "invalid_input")


async def test_of_a_deletion_without_answer_it_is_said_that_it_was_done(client: httpx.AsyncClient, home: Path) -> None:
    headers, file = key(), await uploaded(client)
    await clip(client)
    assert (await client.delete(f"/profiles/files/{file['id']}", headers=headers)).status_code == 200
    with closing(sqlite3.connect(home / "lode.db")) as connection, connection:
        connection.execute("UPDATE requests SET status = NULL, body = NULL")
    for _ in range(2):
        again = await client.delete(f"/profiles/files/{file['id']}", headers=headers)
        assert_refused(again, 409, "already_done")
    other = await client.delete("/profiles/files/another", headers=headers)
    assert_refused(other, 422, "key_reused")
    assert_refused(await client.delete(f"/profiles/files/{file['id']}", headers=key()), 404, "file_not_found")


async def test_every_write_takes_a_key_and_none_whose_answer_was_lost_is_done_again(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for method, path, body in await _calls(client):
        headers = key()
        first = await client.request(method, path, json=body, headers=headers)
        assert first.status_code < 300, (path, first.text)
        again = await client.request(method, path, json=body, headers=headers)
        assert (again.status_code, again.content) == (first.status_code, first.content), path
    assert len((await client.get("/profiles/jobs")).json()) == len(first.json())
    for method, path, body in await _calls(client):
        headers = key()
        with monkeypatch.context() as between:
            between.setattr(Requests, "record", lambda *_: None)
            assert (await client.request(method, path, json=body, headers=headers)).status_code < 300, path
        error = assert_refused(await client.request(method, path, json=body, headers=headers), 409, "already_done")
        assert error["hint"]


async def test_a_job_that_is_tried_again_is_so_whenever_its_key_is_known(
    client: httpx.AsyncClient, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = await client.post("/profiles/files?name=a.srt", content=b"no cue")
    job = sent.json()["id"]
    await client.get("/profiles/job_events", params={"id": job})
    headers = key()
    seen: list[tuple[str]] = []
    once = Requests.once

    @contextmanager
    def watched(requests: Requests, profile: str, given: str, digest: str) -> Iterator[None]:
        with once(requests, profile, given, digest):
            yield
        with closing(sqlite3.connect(home / "lode.db")) as connection:  # what would be left, were the server killed now
            seen.extend(connection.execute("SELECT state FROM jobs WHERE EXISTS (SELECT 1 FROM requests)"))

    monkeypatch.setattr(Requests, "once", watched)
    assert (await client.post(f"/profiles/jobs/{job}/retry", headers=headers)).status_code == 200
    assert seen == [("queued",)]


async def _calls(client: httpx.AsyncClient) -> list[tuple[str, str, Any]]:
    one, two = await clip(client), await clip(client)
    return [
        ("POST", "/profiles/clips", {"sentence": SENTENCE}),
        ("PUT", f"/profiles/clips/{one['id']}", {"sentence": "edited"}),
        ("POST", "/profiles/template", TEMPLATE),
        ("PUT", "/profiles/settings", {"explain_in": "es", "learning": []}),
        ("DELETE", f"/profiles/clips/{one['id']}", None),
        ("POST", "/profiles/undo", None),
        ("POST", "/profiles/clips/delete", {"ids": [one["id"], two["id"]]}),
        ("POST", "/profiles/template/delete", None),
        ("POST", "/profiles/files/samples", None),
    ]


async def test_an_upload_with_a_key_is_one_job_and_leaves_no_second_file(client: httpx.AsyncClient, home: Path) -> None:
    headers = key()
    answers = await asyncio.gather(
        *(client.post("/profiles/files?name=a.srt", content=SRT.encode(), headers=headers) for _ in range(4))
    )
    assert len({each.json()["id"] for each in answers}) == 1
    assert len((await client.get("/profiles/jobs")).json()) == 1
    for name, data in (("b.srt", SRT), ("a.srt", SRT.replace("Zug", "Bus")), ("a.srt", SRT + "\n"), ("a.srt", "")):
        other = await client.post(f"/profiles/files?name={name}", content=data.encode(), headers=headers)
        assert_refused(other, 422, "key_reused")
    job = answers[0].json()["id"]
    await client.get("/profiles/job_events", params={"id": job})
    # It has succeeded once it is recorded; what was sent goes right after, which this waits for.
    assert (await client.post(f"/profiles/jobs/{job}/cancel")).json()["state"] == "succeeded"
    assert list((home / "uploads").iterdir()) == []


async def test_a_key_is_still_known_after_the_server_was_started_again(with_model: Settings) -> None:
    headers, answers = key(), []
    for _ in range(2):
        async with serving(with_model) as served, httpx.AsyncClient(base_url=served.url, trust_env=False) as client:
            answers.append(await client.post("/profiles/clips", json={"sentence": SENTENCE}, headers=headers))
    assert answers[0].content == answers[1].content
