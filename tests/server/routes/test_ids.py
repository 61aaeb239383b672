"""Ids over HTTP: whole ones, beginnings for who asks for them, unknown ones and another profile's."""

from __future__ import annotations

import httpx
import pytest

from tests.llm.fakes.fake_server import FakeModelServer, stream
from tests.server.conftest import ASK, NOBODY, assert_refused, clip, enqueue_breakdown, of, uploaded
from tui.wire import codec

pytestmark = pytest.mark.exhaustive


async def test_a_part_of_an_id_is_none(client: httpx.AsyncClient) -> None:
    made = await clip(client)
    for part in (made["id"][:4], made["id"][:-1], made["id"][1:]):
        for method in ("GET", "DELETE"):
            assert_refused(await client.request(method, f"/profiles/clips/{part}"), 404, "clip_not_found")
    assert (await client.get(f"/profiles/clips/{made['id']}")).json() == made


async def test_who_asks_for_it_may_write_any_unambiguous_beginning_of_an_id(client: httpx.AsyncClient) -> None:
    client.headers[codec.BEGINNINGS_HEADER] = "1"
    made = await clip(client)
    assert (await client.get(f"/profiles/clips/{made['id'][:4]}")).json() == made
    for _ in range(33):  # more than there are letters
        await clip(client)
    ids = [each["id"] for each in (await client.get("/profiles/clips")).json()]
    twice = next(letter for letter in "abcdefghijklmnopqrstuvwxyz234567" if sum(i[0] == letter for i in ids) > 1)
    assert_refused(await client.get(f"/profiles/clips/{twice}"), 422, "ambiguous_id")


ROWS = (
    *(("GET", "files/{}", "file"), ("DELETE", "files/{}", "file"), ("DELETE", "transcripts/{}", "transcript")),
    *(("GET", f"transcripts/{{}}/{path}", "transcript") for path in ("cues", "find?q=x", "cues/0/has_clip")),
    *(
        ("GET", "transcripts/{}/next_new_word?cue=1", "transcript"),
        ("GET", "words/next?transcript_id={}", "transcript"),
    ),
    *((method, "clips/{}", "clip") for method in ("GET", "PUT", "DELETE")),
    *(("GET", "jobs/{}", "job"), ("POST", "jobs/{}/retry", "job"), ("GET", "job_events?id={}", "job")),
    *((method, "history/{}", "answer") for method in ("GET", "DELETE")),
)


async def test_unknown_ids_and_other_profiles_are_not_found(client: httpx.AsyncClient, model: FakeModelServer) -> None:
    file = await uploaded(client)
    enqueue_breakdown(model, stream("x"))
    await client.post("/llm/breakdown", json=ASK)
    mine = {
        "file": file["id"],
        "transcript": file["transcript_id"],
        "clip": (await clip(client))["id"],
        "job": (await client.get("/profiles/jobs")).json()[0]["id"],
        "answer": (await client.get("/profiles/history")).json()[0]["id"],
    }

    async def everything() -> list[str]:
        return [(await client.get(f"/profiles/{kind}")).text for kind in ("files", "clips", "jobs", "history")]

    before = await everything()
    for method, path, kind in ROWS:
        body = {"sentence": "x"} if method == "PUT" else None
        unknown = await client.request(method, f"/profiles/{path.format(NOBODY)}", json=body)
        others = await client.request(method, f"/profiles/{path.format(mine[kind])}", json=body, headers=of("other"))
        for response in (unknown, others):
            assert_refused(response, 404, f"{kind}_not_found")
        # What was asked for is quoted, and nothing else said.
        assert mine[kind] not in others.text.replace(f"'{mine[kind]}'", "")
    for kinds in ("files", "transcripts", "clips", "history"):
        ids = {"ids": [mine["clip"]]}
        refused = await client.post(f"/profiles/{kinds}/delete", json=ids, headers=of("other"))
        assert refused.status_code == 404, "several with one of another profile among them"
    assert await everything() == before
