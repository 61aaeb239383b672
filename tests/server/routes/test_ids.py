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


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/profiles/files/{}", "file_not_found"),
        ("DELETE", "/profiles/files/{}", "file_not_found"),
        ("GET", "/profiles/transcripts/{}", "transcript_not_found"),
        ("GET", "/profiles/transcripts/{}/cues", "transcript_not_found"),
        ("GET", "/profiles/transcripts/{}/find?q=x", "transcript_not_found"),
        ("GET", "/profiles/transcripts/{}/clip_cues", "transcript_not_found"),
        ("GET", "/profiles/transcripts/{}/cues/0/has_clip", "transcript_not_found"),
        ("DELETE", "/profiles/transcripts/{}", "transcript_not_found"),
        ("GET", "/profiles/clips/{}", "clip_not_found"),
        ("PUT", "/profiles/clips/{}", "clip_not_found"),
        ("DELETE", "/profiles/clips/{}", "clip_not_found"),
        ("GET", "/profiles/jobs/{}", "job_not_found"),
        ("POST", "/profiles/jobs/{}/cancel", "job_not_found"),
        ("POST", "/profiles/jobs/{}/retry", "job_not_found"),
        ("GET", "/profiles/job_events?id={}", "job_not_found"),
        ("GET", "/profiles/history/{}", "answer_not_found"),
        ("DELETE", "/profiles/history/{}", "answer_not_found"),
    ],
)
async def test_an_unknown_id_and_another_profiles_id_are_not_found(
    client: httpx.AsyncClient, model: FakeModelServer, method: str, path: str, code: str
) -> None:
    file = await uploaded(client)
    enqueue_breakdown(model, stream("x"))
    await client.post("/llm/breakdown", json=ASK)
    mine = {
        "file": file["id"],
        "transcript": file["transcript_id"],
        "clip": (await clip(client))["id"],
        "job": (await client.get("/profiles/jobs")).json()[0]["id"],
        "answer": (await client.get("/profiles/history")).json()[0]["id"],
    }[code.removesuffix("_not_found")]
    body = {"sentence": "x"} if method == "PUT" else None
    before = [(await client.get(f"/profiles/{kind}")).text for kind in ("files", "clips", "jobs", "history")]
    unknown = await client.request(method, path.format(NOBODY), json=body)
    others = await client.request(method, path.format(mine), json=body, headers=of("other"))
    for response in (unknown, others):
        assert_refused(response, 404, code)
    assert mine not in others.text.replace(f"'{mine}'", "")  # what was asked for is quoted, and nothing else said
    assert [(await client.get(f"/profiles/{kind}")).text for kind in ("files", "clips", "jobs", "history")] == before


@pytest.mark.parametrize("kind", ["files", "transcripts", "clips", "history"])
async def test_several_cannot_be_deleted_with_one_of_another_profile_among_them(
    client: httpx.AsyncClient, kind: str
) -> None:
    mine = await clip(client)
    refused = await client.post(f"/profiles/{kind}/delete", json={"ids": [mine["id"]]}, headers=of("other"))
    assert refused.status_code == 404
    assert (await client.get("/profiles/clips")).json() == [mine]
