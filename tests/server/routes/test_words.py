"""Words over HTTP, as the plainest client meets them: their states, counts and places, and lists that are sent."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import httpx
import pytest

from tests.server.conftest import assert_refused, of, uploaded
from tests.vocabulary.anki_collections import Collection


@pytest.mark.exhaustive
async def test_words_are_marked_in_groups_listed_in_pages_and_written_out(client: httpx.AsyncClient) -> None:
    await uploaded(client)
    groups = [
        {"language": "de", "state": "known", "lemmas": ["Zug", "der"]},
        {"language": "ja", "state": "learning", "lemmas": ["床", "駅"], "readings": ["ゆか"]},
    ]
    marked = await client.post("/profiles/words/mark", json={"groups": groups, "source": "list"})
    assert (marked.status_code, marked.json()) == (200, 4)
    known = await client.get("/profiles/words", params={"states": "known,learning", "limit": 3})
    assert known.headers["x-total-count"] == "4"
    assert [(word["lemma"], word["reading"], word["state"], word["source"]) for word in known.json()] == [
        *(("der", "", "known", "list"), ("Zug", "", "known", "list"), ("床", "ゆか", "learning", "list"))
    ]
    rest = await client.get(known.links["next"]["url"])
    assert [word["lemma"] for word in rest.json()] == ["駅"]
    written = await client.get("/profiles/words/export", params={"language": "ja"})
    assert written.headers["content-type"].startswith("text/csv")
    assert "words.csv" in written.headers["content-disposition"]
    assert [row["reading"] for row in csv.DictReader(io.StringIO(written.text))] == ["ゆか", ""]
    undone = (await client.post("/profiles/undo")).json()
    assert (undone["kind"], undone["count"]) == ("word", 4)
    assert (await client.get("/profiles/words", params={"states": "known"}, headers=of("anna"))).json() == []


@pytest.mark.exhaustive
async def test_the_transcripts_have_counts_where_they_are_asked_for(client: httpx.AsyncClient) -> None:
    await uploaded(client)
    (plain,) = (await client.get("/profiles/transcripts")).json()
    assert "words" not in plain
    for params in ({"counts": "true"}, {"counts": "true", "limit": "5"}):
        (counted,) = (await client.get("/profiles/transcripts", params=params)).json()
        words = {"words": 7, "different": 7, "known": 0, "sentences": 2, "one_new": 0}
        assert counted == plain | {"words": words | {"new": counted["words"]["new"]}}
    counts = await client.post("/profiles/words/counts", json={"ids": [plain["id"]]})
    assert counts.json() == [{"transcript_id": plain["id"], "counts": counted["words"]}]


@pytest.mark.exhaustive
async def test_the_words_of_cues_and_the_next_new_one_have_their_places(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    transcript = f"/profiles/transcripts/{file['transcript_id']}"
    first, _ = (await client.get(f"{transcript}/word_states")).json()
    assert [(word["start"], word["end"], word["state"]) for word in first["words"][:2]] == [
        *((0, 3, "new"), (4, 7, "new"))
    ]
    following = await client.get(f"{transcript}/next_new_word", params={"cue": 0, "start": 0})
    assert following.json() == {"cue": 0, "start": 4, "end": 7}
    assert (await client.get(f"{transcript}/next_new_word", params={"cue": 0})).json()["cue"] == 1
    assert (await client.get(f"{transcript}/next_new_word", params={"cue": 7})).json() is None
    assert (await client.get(f"{transcript}/next_new_word", params={"cue": 0, "one_new": "true"})).json() is None


async def test_a_list_that_is_sent_is_looked_at_and_imported_or_refused(client: httpx.AsyncClient, home: Path) -> None:
    path, asked, content = (
        "/profiles/vocabulary",
        {"name": "words.txt", "language": "de"},
        b"der Hund\nKatzen\nzu Hause sein\n",
    )
    report = (await client.post(f"{path}/preview", params=asked, content=content)).json()
    assert (report["format"], report["changed"], report["phrases"]) == ("list", 2, 1)
    for params, sent, code in (
        ({"language": "de"}, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "import_refused"),
        ({}, content, "language_needed"),
        ({"known_days": "0"}, content, "invalid_input"),
    ):
        refused = await client.post(f"{path}/preview", params={"name": "words.txt", **params}, content=sent)
        assert_refused(refused, 422, code)
    assert not list((home / "uploads").glob("*/*"))
    assert (await client.get("/profiles/words")).json() == []
    answer = await client.post(path, params=asked, content=content)
    assert answer.status_code == 202
    await client.get("/profiles/job_events", params={"id": answer.json()["id"]})
    words = (await client.get("/profiles/words")).json()
    assert {(word["lemma"], word["state"]) for word in words} == {("Hund", "known"), ("Katze", "known")}
    assert (await client.post("/profiles/undo")).status_code == 200
    assert (await client.get("/profiles/words")).json() == []


async def test_a_package_that_is_sent_says_its_fields(client: httpx.AsyncClient, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    collection.known("der Hund", "dog")
    package = collection.package(tmp_path / "deck.apkg")
    collection.close()
    path, name = "/profiles/vocabulary/fields", {"name": "deck.apkg"}
    offer = (await client.post(path, params=name, content=package.read_bytes())).json()
    (note_type,) = offer["note_types"]
    assert (offer["format"], note_type["word_field"], note_type["notes"]) == ("anki", "Front", 1)
    assert "Deutsch" in offer["decks"]
