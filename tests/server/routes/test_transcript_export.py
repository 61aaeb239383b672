"""A transcript as a file that is downloaded."""

from __future__ import annotations

import json

import httpx
import pytest

from tests.server.conftest import SRT, assert_refused, of, uploaded


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("srt", "application/x-subrip"),
        ("vtt", "text/vtt; charset=utf-8"),
        ("txt", "text/plain; charset=utf-8"),
        ("json", "application/json"),
    ],
)
async def test_a_transcript_is_an_attachment_with_its_name(client: httpx.AsyncClient, name: str, kind: str) -> None:
    file = await uploaded(client)
    got = await client.get(f"/profiles/transcripts/{file['transcript_id']}/export", params={"format": name})
    assert (got.status_code, got.headers["content-type"]) == (200, kind)
    assert got.headers["content-disposition"] == f'attachment; filename="story.de.{name}"'
    if name == "srt":
        assert got.text.rstrip() == SRT.rstrip()
    if name == "json":
        cues = (await client.get(f"/profiles/transcripts/{file['transcript_id']}/cues")).json()
        assert json.loads(got.text)["cues"] == cues


async def test_a_title_that_is_not_ascii_is_named_twice(client: httpx.AsyncClient) -> None:
    file = await uploaded(client, "月曜日.ja.srt")
    got = await client.get(f"/profiles/transcripts/{file['transcript_id']}/export", params={"format": "srt"})
    disposition = got.headers["content-disposition"]
    assert disposition.isascii()
    assert "filename*=UTF-8''%E6%9C%88%E6%9B%9C%E6%97%A5.ja.srt" in disposition


async def test_what_cannot_be_exported_is_refused_before_the_answer_begins(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    path = f"/profiles/transcripts/{file['transcript_id']}/export"
    assert_refused(await client.get(path, params={"format": "pdf"}), 422, "unknown_format")
    assert_refused(await client.get(path), 422, "invalid_input")
    assert_refused(await client.get(path, params={"format": "srt"}, headers=of("other")), 404, "transcript_not_found")
    text = await client.post("/profiles/files", params={"name": "a.de.txt"}, content=b"Ein Satz. Noch einer.")
    await client.get("/profiles/job_events", params={"id": text.json()["id"]})
    newest = (await client.get("/profiles/transcripts", params={"limit": 1})).json()[0]
    refused = await client.get(f"/profiles/transcripts/{newest['id']}/export", params={"format": "srt"})
    assert_refused(refused, 422, "no_times")
