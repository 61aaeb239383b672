"""PATCH of a transcript: what is given changes, the rest stays."""

from __future__ import annotations

import httpx

from tests.server.conftest import assert_refused, of, uploaded


async def test_what_is_given_changes_and_undo_takes_it_back(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    path = f"/profiles/transcripts/{file['transcript_id']}"
    before = (await client.get(path)).json()
    edited = await client.patch(path, json={"title": "Die Fahrt", "newer": 1})
    assert (edited.status_code, edited.json()) == (200, before | {"title": "Die Fahrt"})
    assert (await client.patch(path, json={"language": "nl", "title": None})).json()["title"] == "Die Fahrt"
    assert (await client.patch(path, json={"language": ""})).json()["language"] is None
    assert (await client.patch(path, json={})).json()["language"] is None
    for _ in range(3):
        assert (await client.post("/profiles/undo")).json()["kind"] == "edit"
    assert (await client.get(path)).json() == before


async def test_what_is_no_change_that_can_be_is_refused(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    path = f"/profiles/transcripts/{file['transcript_id']}"
    assert_refused(await client.patch(path, json={"title": ""}), 422, "invalid_input")
    assert_refused(await client.patch(path, json={"language": "no tag"}), 422, "invalid_input")
    assert_refused(await client.patch(path, json={"title": 1}), 422, "invalid_input")
    assert_refused(await client.patch(path, json={"title": "x"}, headers=of("other")), 404, "transcript_not_found")
