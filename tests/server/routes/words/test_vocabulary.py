"""Words sent over HTTP: what a body offers, what its import would do, and the job that does it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.conftest import assert_refused
from tests.vocabulary.anki_collections import Collection

LIST = b"der Hund\nKatzen\nzu Hause sein\n"


async def finished(client: httpx.AsyncClient, job_id: str) -> dict[str, Any]:
    await client.get("/profiles/job_events", params={"id": job_id})
    found: dict[str, Any] = (await client.get(f"/profiles/jobs/{job_id}")).json()
    return found


async def test_a_list_that_is_sent_is_looked_at_and_imported(client: httpx.AsyncClient) -> None:
    asked = {"name": "words.txt", "language": "de"}
    report = (await client.post("/profiles/vocabulary/preview", params=asked, content=LIST)).json()
    assert (report["format"], report["changed"], report["phrases"]) == ("list", 2, 1)
    assert (await client.get("/profiles/words")).json() == []
    answer = await client.post("/profiles/vocabulary", params=asked, content=LIST)
    assert answer.status_code == 202
    job = await finished(client, answer.json()["id"])
    assert (job["state"], job["kind"]) == ("succeeded", "vocabulary")
    words = (await client.get("/profiles/words")).json()
    assert {(word["lemma"], word["state"]) for word in words} == {("Hund", "known"), ("Katze", "known")}
    assert (await client.post("/profiles/undo")).status_code == 200
    assert (await client.get("/profiles/words")).json() == []


async def test_a_package_that_is_sent_says_its_fields(client: httpx.AsyncClient, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    collection.known("der Hund", "dog")
    package = collection.package(tmp_path / "deck.apkg")
    collection.close()
    offer = (
        await client.post("/profiles/vocabulary/fields", params={"name": "deck.apkg"}, content=package.read_bytes())
    ).json()
    (note_type,) = offer["note_types"]
    assert (offer["format"], note_type["word_field"], note_type["notes"]) == ("anki", "Front", 1)
    assert "Deutsch" in offer["decks"]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("params", "content", "code"),
    [
        ({"language": "de"}, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "import_refused"),
        ({}, b"Hund\nKatze\n", "language_needed"),
        ({"language": "de"}, b"ich 300\nund 200\n", "first_needed"),
        ({"known_days": "0"}, b"Hund\n", "invalid_input"),
        ({"state": "forgotten"}, b"Hund\n", "invalid_input"),
    ],
)
async def test_what_cannot_be_read_is_said_and_leaves_nothing(
    client: httpx.AsyncClient, home: Path, params: dict[str, str], content: bytes, code: str
) -> None:
    answer = await client.post("/profiles/vocabulary/preview", params={"name": "words.txt", **params}, content=content)
    assert_refused(answer, 422, code)
    assert not list((home / "uploads").glob("*/*"))
