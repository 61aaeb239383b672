"""Known words over HTTP, as the plainest client meets them."""

from __future__ import annotations

import csv
import io

import httpx
import pytest

from tests.server.conftest import assert_refused, of, uploaded

pytestmark = pytest.mark.exhaustive


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


async def test_a_mark_that_is_sent_twice_with_its_key_is_done_once(client: httpx.AsyncClient) -> None:
    body = {"groups": [{"language": "de", "state": "known", "lemmas": ["Zug"]}]}
    answers = [await client.post("/profiles/words/mark", json=body, headers={"Idempotency-Key": "k"}) for _ in range(2)]
    assert [answer.json() for answer in answers] == [1, 1]
    assert (await client.post("/profiles/undo")).json()["count"] == 1
    assert (await client.post("/profiles/undo")).json() is None


async def test_the_transcripts_have_counts_where_they_are_asked_for(client: httpx.AsyncClient) -> None:
    await uploaded(client)
    (plain,) = (await client.get("/profiles/transcripts")).json()
    assert "words" not in plain
    for params in ({"counts": "true"}, {"counts": "true", "limit": "5"}):
        (counted,) = (await client.get("/profiles/transcripts", params=params)).json()
        assert counted["words"] | {"new": 0} == {
            "words": 7,
            "different": 7,
            "new": 0,
            "known": 0,
            "sentences": 2,
            "one_new": 0,
        }
        assert counted["id"] == plain["id"]
    counts = await client.post("/profiles/words/counts", json={"ids": [plain["id"]]})
    assert counts.json() == [{"transcript_id": plain["id"], "counts": counted["words"]}]


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


async def test_the_next_words_become_clips(client: httpx.AsyncClient) -> None:
    await uploaded(client)
    words = (await client.get("/profiles/words/next", params={"limit": 2})).json()
    assert len(words) == 2
    places = [{name: word[name] for name in ("transcript_id", "cue", "start", "end")} for word in words]
    made = await client.post("/profiles/words/clip", json={"places": places})
    assert made.status_code == 201
    assert [clip["focus"]["surface"] for clip in made.json()] == [word["surface"] for word in words]
    wrong = await client.post("/profiles/words/clip", json={"places": [{**places[0], "start": 10**15, "end": 3}]})
    assert_refused(wrong, 422, "no_word")


@pytest.mark.parametrize(
    ("path", "params", "status", "code"),
    [
        ("words", {"states": "clever"}, 422, "invalid_input"),
        ("words", {"order": "random"}, 422, "invalid_input"),
        ("words", {"language": "no tag"}, 422, "invalid_input"),
        ("words", {"after": "c12", "limit": 1}, 400, "invalid_cursor"),
        ("words/export", {"language": "no tag"}, 422, "invalid_input"),
        ("words/next", {"transcript_id": "nothing"}, 404, "transcript_not_found"),
        ("transcripts/aaaaaaaaaaaa/word_states", {}, 404, "transcript_not_found"),
        ("transcripts/aaaaaaaaaaaa/next_new_word", {"cue": 1}, 404, "transcript_not_found"),
    ],
)
async def test_what_cannot_be_asked_is_refused(
    client: httpx.AsyncClient, path: str, params: dict[str, str], status: int, code: str
) -> None:
    await uploaded(client)
    assert_refused(await client.get(f"/profiles/{path}", params=params), status, code)
