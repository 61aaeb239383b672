"""Lists: pages with a link to the next one, which holds while rows come and go; whole lists, sent as they are read."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.server.conftest import assert_refused, clip, of, uploaded
from tests.server.serving import Served
from tests.store.many_clips import add_many
from tui.records.clips import NewClip

pytestmark = pytest.mark.exhaustive


async def filled(served: Served, count: int) -> None:
    clips = (NewClip(f"Satz {n}.") for n in range(count))
    await served.engine.database.run(lambda store: add_many(store, "default", clips))


async def test_pages_are_newest_first_and_name_the_next_one(served: Served, client: httpx.AsyncClient) -> None:
    await filled(served, 5)
    first = await client.get("/profiles/clips", params={"limit": 2})
    assert [each["sentence"] for each in first.json()] == ["Satz 4.", "Satz 3."]
    assert first.headers["x-total-count"] == "5"
    address = first.links["next"]["url"]
    assert urlsplit(address).path == "/profiles/clips"
    second = await client.get(address)
    assert [each["sentence"] for each in second.json()] == ["Satz 2.", "Satz 1."]
    last = await client.get(second.links["next"]["url"])
    assert [each["sentence"] for each in last.json()] == ["Satz 0."]
    assert "link" not in last.headers
    skipped = await client.get("/profiles/clips", params={"limit": 1, "offset": 3})
    assert [each["sentence"] for each in skipped.json()] == ["Satz 1."]
    others = await client.get(address, headers=of("other"))
    assert (others.json(), others.headers["x-total-count"]) == ([], "0"), "a cursor shows nothing of another profile"

    for sentence in ("Ein Zug & mehr = ja", "Noch ein Zug & mehr = ja"):
        await clip(client, sentence)
    page = await client.get("/profiles/clips", params={"limit": 1, "q": "zug & mehr ="})
    assert page.headers["x-total-count"] == "2"
    address = page.links["next"]["url"]
    assert parse_qs(urlsplit(address).query)["q"] == ["zug & mehr ="]
    assert [each["sentence"] for each in (await client.get(address)).json()] == ["Ein Zug & mehr = ja"]


async def test_a_sorted_list_is_read_on_by_its_links_and_has_groups(client: httpx.AsyncClient) -> None:
    for sentence, source in (("Zug", "Film 1"), ("Aal", "Film 2"), ("Markt", "Film 1")):
        await client.post("/profiles/clips", json={"sentence": sentence, "source": source})
    address, read = "/profiles/clips?sort=-sentence&limit=1", []
    while address:
        page = await client.get(address)
        read += [each["sentence"] for each in page.json()]
        address = page.links.get("next", {}).get("url", "")
    assert read == ["Zug", "Markt", "Aal"]
    whole = await client.get("/profiles/clips", params={"sort": "sentence"})
    assert [each["sentence"] for each in whole.json()] == read[::-1]
    groups = await client.get("/profiles/clips/groups", params={"sort": "source"})
    assert groups.json() == [{"name": "Film 1", "count": 2}, {"name": "Film 2", "count": 1}]
    assert_refused(await client.get("/profiles/clips", params={"sort": "cues"}), 422, "unknown_sort")
    assert_refused(await client.get("/profiles/clips/groups", params={"sort": "word"}), 422, "no_groups")


async def test_transcripts_are_sorted_by_their_words_with_their_counts(client: httpx.AsyncClient) -> None:
    for name, text in (("a.de.srt", "Der Zug kommt heute."), ("b.de.srt", "Der Zug.")):
        content = f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n".encode()
        sent = await client.post("/profiles/files", params={"name": name}, content=content)
        await client.get("/profiles/job_events", params={"id": sent.json()["id"]})
    for sort, first in (("new", "b"), ("-new", "a"), ("words", "a")):
        page = await client.get("/profiles/transcripts", params={"sort": sort, "limit": 1, "counts": "true"})
        assert page.json()[0]["title"] == first, sort
        (other,) = (await client.get(page.links["next"]["url"])).json()
        assert other["title"] != first and other["words"]["words"]
        assert (await client.get("/profiles/files", params={"sort": sort})).json()[0]["name"] == f"{first}.de.srt"


async def test_without_a_limit_the_whole_list_comes_and_in_pieces(served: Served, client: httpx.AsyncClient) -> None:
    await filled(served, 1203)
    async with client.stream("GET", "/profiles/clips") as response:
        assert response.headers["x-total-count"] == "1203"
        assert "content-length" not in response.headers
        assert "link" not in response.headers
        pieces = [piece async for piece in response.aiter_raw() if piece]
    whole = json.loads(b"".join(pieces))
    assert [each["sentence"] for each in whole] == [f"Satz {n}." for n in reversed(range(1203))]
    assert len(pieces) >= 3
    some = (await client.get("/profiles/clips", params={"offset": 1200})).json()
    assert [each["sentence"] for each in some] == ["Satz 2.", "Satz 1.", "Satz 0."]
    none = await client.get("/profiles/clips", params={"q": "nowhere"})
    assert (none.json(), none.headers["x-total-count"]) == ([], "0")
    lists = await asyncio.gather(*(client.get("/profiles/clips") for _ in range(5)))
    assert {len(each.json()) for each in lists} == {1203}, "many readers at once each get it whole"


async def test_every_list_has_pages(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    await uploaded(client, "b.de.srt")
    of_transcript = (f"transcripts/{file['transcript_id']}/{part}" for part in ("cues", "sentences", "changes"))
    for path in ("files", "transcripts", "jobs", "jobs?order=attention", "history", "clips", *of_transcript):
        page = await client.get(f"/profiles/{path}{'&' if '?' in path else '?'}limit=1")
        whole = (await client.get(f"/profiles/{path}")).json()
        assert page.headers["x-total-count"] == str(len(whole)), path
        assert page.json() == whole[:1]
        if len(whole) == 2:
            assert (await client.get(page.links["next"]["url"])).json() == whole[1:], path


async def test_a_place_that_is_none_is_refused(client: httpx.AsyncClient) -> None:
    for query, status, code in (
        *((f"limit={limit}", 422, "invalid_input") for limit in ("0", "1001", "x", "9" * 5000)),
        *((f"offset={offset}", 422, "invalid_input") for offset in ("-1", "9" * 20)),
        *((f"after={after}", 400, "invalid_cursor") for after in ("x", "c" + "9" * 22, "f1&limit=1")),
        ("q=" + "x" * 3001, 422, "invalid_input"),
    ):
        assert_refused(await client.get(f"/profiles/clips?{query}"), status, code)
    assert_refused(await client.get("/profiles/jobs?order=wild"), 422, "invalid_input")
