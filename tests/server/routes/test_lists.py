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


async def test_following_the_links_gives_each_row_once_while_rows_come_and_go(
    served: Served, client: httpx.AsyncClient
) -> None:
    await filled(served, 30)
    there = [each["id"] for each in (await client.get("/profiles/clips")).json()]
    gone = set(there[10:30:4])
    address, seen = "/profiles/clips?limit=4", list[str]()
    while address:
        page = await client.get(address)
        seen += [each["id"] for each in page.json()]
        address = page.links.get("next", {}).get("url", "")
        await clip(client, "new")
        for each in tuple(gone - set(seen))[:1]:
            await client.delete(f"/profiles/clips/{each}")
    assert len(seen) == len(set(seen))
    assert [each for each in seen if each not in gone] == [each for each in there if each not in gone]


async def test_a_search_goes_along_with_the_link(served: Served, client: httpx.AsyncClient) -> None:
    await filled(served, 3)
    await clip(client, "Ein Zug & mehr = ja")
    await clip(client, "Noch ein Zug & mehr = ja")
    page = await client.get("/profiles/clips", params={"limit": 1, "q": "zug & mehr ="})
    assert page.headers["x-total-count"] == "2"
    address = page.links["next"]["url"]
    assert parse_qs(urlsplit(address).query)["q"] == ["zug & mehr ="]
    assert [each["sentence"] for each in (await client.get(address)).json()] == ["Ein Zug & mehr = ja"]


async def test_the_jobs_order_goes_along_with_the_link(client: httpx.AsyncClient) -> None:
    for name in ("a.de.srt", "b.de.srt"):
        await uploaded(client, name)
    page = await client.get("/profiles/jobs", params={"limit": 1, "order": "attention"})
    rest = await client.get(page.links["next"]["url"])
    whole = await client.get("/profiles/jobs", params={"order": "attention"})
    assert page.json() + rest.json() == whole.json()
    assert_refused(await client.get("/profiles/jobs?order=wild"), 422, "invalid_input")


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


async def test_every_list_has_pages(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    for path in (
        "files",
        "transcripts",
        "jobs",
        "history",
        "clips",
        *(f"transcripts/{file['transcript_id']}/{part}" for part in ("cues", "sentences", "changes")),
    ):
        page = await client.get(f"/profiles/{path}", params={"limit": 1})
        whole = (await client.get(f"/profiles/{path}")).json()
        assert page.headers["x-total-count"] == str(len(whole)), path
        assert page.json() == whole[:1]
    cues = await client.get(f"/profiles/transcripts/{file['transcript_id']}/cues", params={"limit": 1})
    (second,) = (await client.get(cues.links["next"]["url"])).json()
    assert second["index"] == 1


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("limit=0", 422, "invalid_input"),
        ("limit=1001", 422, "invalid_input"),
        ("limit=x", 422, "invalid_input"),
        ("limit=" + "9" * 5000, 422, "invalid_input"),
        ("offset=-1", 422, "invalid_input"),
        ("offset=99999999999999999999", 422, "invalid_input"),
        ("after=x", 400, "invalid_cursor"),
        ("after=c99999999999999999999999", 400, "invalid_cursor"),
        ("after=f1&limit=1", 400, "invalid_cursor"),
        ("q=" + "x" * 3001, 422, "invalid_input"),
    ],
)
async def test_a_place_that_is_none_is_refused(client: httpx.AsyncClient, query: str, status: int, code: str) -> None:
    assert_refused(await client.get(f"/profiles/clips?{query}"), status, code)


async def test_a_cursor_of_another_profile_shows_nothing_of_it(served: Served, client: httpx.AsyncClient) -> None:
    await filled(served, 5)
    address = (await client.get("/profiles/clips?limit=2")).links["next"]["url"]
    page = await client.get(address, headers=of("other"))
    assert (page.json(), page.headers["x-total-count"]) == ([], "0")


async def test_whole_lists_of_many_readers_come_whole(served: Served, client: httpx.AsyncClient) -> None:
    await filled(served, 1500)
    lists = await asyncio.gather(*(client.get("/profiles/clips") for _ in range(5)))
    assert {len(each.json()) for each in lists} == {1500}
