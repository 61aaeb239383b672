"""Files are read anew over HTTP: one by its path, several by their ids."""

from __future__ import annotations

import httpx
import pytest

from tests.server.conftest import assert_refused, of, uploaded


async def test_a_file_is_read_anew_as_a_job(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    queued = await client.post(f"/profiles/files/{file['id']}/reread", json={"language": "nl", "newer": 1})
    assert queued.status_code == 202
    job = queued.json()
    assert (job["kind"], job["file_id"]) == ("import", file["id"])
    await client.get("/profiles/job_events", params={"id": job["id"]})
    assert (await client.get(f"/profiles/jobs/{job['id']}")).json()["outcome"] == "reread"
    assert (await client.get(f"/profiles/files/{file['id']}")).json()["language"] == "nl"
    undone = (await client.post("/profiles/undo")).json()
    assert undone["kind"] == "reading"
    assert (await client.get(f"/profiles/files/{file['id']}")).json()["language"] == "de"


@pytest.mark.exhaustive
async def test_several_are_read_anew_at_once_and_a_key_does_it_once(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    body = {"ids": [file["id"]], "as_is": True}
    key = {"Idempotency-Key": "once"}
    first = await client.post("/profiles/files/reread", json=body, headers=key)
    again = await client.post("/profiles/files/reread", json=body, headers=key)
    assert (first.status_code, first.json()) == (202, again.json())
    assert len((await client.get("/profiles/jobs")).json()) == 2


async def test_what_is_no_file_of_the_profile_is_not_read(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    path = f"/profiles/files/{file['id']}/reread"
    assert_refused(await client.post(path, json={}, headers=of("other")), 404, "file_not_found")
    assert_refused(await client.post("/profiles/files/reread", json={"ids": ["nothere"]}), 404, "file_not_found")
    assert_refused(await client.post(path, json={"force": "yes"}), 422, "invalid_input")
