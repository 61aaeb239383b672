"""What is downloaded as a file: the deck, a transcript and the backup."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sqlite3
import tempfile
import threading
import zipfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

import httpx
import pytest

from tests.server.conftest import SENTENCE, SRT, assert_refused, clip, of, uploaded
from tests.server.serving import Served, serving
from tests.store.many_clips import add_many
from tui.config import Settings
from tui.records.clips import NewClip


@pytest.mark.exhaustive
async def test_the_deck_is_an_attachment_named_after_it_and_without_clips_a_valid_empty_one(
    client: httpx.AsyncClient, home: Path, tmp_path: Path
) -> None:
    path = "/profiles/deck_export"
    empty = await client.get(path)
    assert (empty.status_code, empty.headers["content-type"]) == (200, "application/octet-stream")
    assert empty.headers["content-disposition"] == 'attachment; filename="Lode.apkg"'
    assert _notes(empty.content, tmp_path) == 0
    await clip(client)
    await clip(client, "Zwei.")
    report = (await client.get("/profiles/deck_report")).json()
    assert (report["new"], report["changed"], report["same"], report["written"]) == (2, 0, 0, False)
    assert str(home) not in json.dumps(report), "no place on the server"
    full = await client.get(path)
    assert int(full.headers["content-length"]) == len(full.content)
    assert _notes(full.content, tmp_path) == 2
    assert (await client.get("/profiles/deck_report")).json()["same"] == 2
    own = await client.get(path, headers=of("japanese"))
    assert own.headers["content-disposition"] == 'attachment; filename="Lode - japanese.apkg"'
    named = await client.get(path, params={"name": 'Über/..\\"x\r\nA: b\x00'})
    disposition = named.headers["content-disposition"]
    assert disposition.isascii()
    assert "filename*=UTF-8''" in disposition
    assert not set("/\\\r\n\x00") & set(disposition.replace("UTF-8''", ""))
    assert "a" not in named.headers  # no header of the name's making


KINDS = {"csv": "text/csv", "jsonl": "application/jsonl", "md": "text/markdown", "txt": "text/plain"}


@pytest.mark.exhaustive
async def test_selected_clips_come_in_a_format_and_that_is_no_export(client: httpx.AsyncClient, tmp_path: Path) -> None:
    first = await clip(client)
    await clip(client, "Zwei.")
    ids = {"ids": [first["id"]]}
    for name, kind in KINDS.items():
        asked: dict[str, str | bool] = {"format": name, "since": "2020-01-01T00:00:00+02:00", "only_new": True}
        got = await client.post("/profiles/deck_export", params=asked, json=ids)
        assert (got.status_code, got.headers["content-type"].partition(";")[0]) == (200, kind)
        assert got.headers["content-disposition"] == f'attachment; filename="Lode.{name}"'
        assert "Zwei." not in got.text
        assert SENTENCE in got.text.replace("**", "")
        report = (await client.post("/profiles/deck_report", params=asked, json=ids)).json()
        assert (report["new"], report["format"]) == (1, name)
        assert (await client.get("/profiles/deck_report", params=asked)).json()["new"] == 2

    zipped = {"format": "csv", "name": "Verbs", "media": "words.media"}
    got = await client.get("/profiles/deck_export", params=zipped)
    assert (got.status_code, got.headers["content-type"]) == (200, "application/zip")
    assert got.headers["content-disposition"] == 'attachment; filename="Verbs.zip"'
    with zipfile.ZipFile(BytesIO(got.content)) as archive:
        assert archive.namelist() == ["deck.csv"]  # no clip of these has a sound
        assert SENTENCE in archive.read("deck.csv").decode("utf-8-sig")
    deck = await client.get("/profiles/deck_export", params={"media": "words.media"})
    assert _notes(deck.content, tmp_path) == 2  # a deck has them in it
    for name in ("../words.media", "a/b", ".hidden", "x\x1b[31m"):
        refused = await client.get("/profiles/deck_export", params=zipped | {"media": name})
        assert_refused(refused, 422, "invalid_input")
    for path in ("/profiles/deck_export", "/profiles/deck_report"):
        assert_refused(await client.get(path, params={"format": "pdf"}), 422, "unknown_format")
        assert_refused(await client.get(path, params={"since": "soon"}), 422, "invalid_date")
        assert_refused(await client.post(path, json={"ids": ["zzzzzzzzzzzz"]}), 404, "clip_not_found")
        assert_refused(await client.post(path, json={}), 422, "invalid_input")


async def test_a_transcript_is_an_attachment_with_its_name(client: httpx.AsyncClient) -> None:
    file = await uploaded(client, "月曜日.ja.srt")
    path = f"/profiles/transcripts/{file['transcript_id']}/export"
    for name, kind in {"srt": "application/x-subrip", "vtt": "text/vtt", "json": "application/json"}.items():
        got = await client.get(path, params={"format": name})
        assert (got.status_code, got.headers["content-type"].partition(";")[0]) == (200, kind)
        disposition = got.headers["content-disposition"]
        assert disposition.isascii()
        assert f"filename*=UTF-8''%E6%9C%88%E6%9B%9C%E6%97%A5.ja.{name}" in disposition
        if name == "srt":
            assert got.text.rstrip() == SRT.rstrip()
    assert json.loads(got.text)["cues"] == (await client.get(path.replace("export", "cues"))).json()
    # Refused before the answer begins.
    assert_refused(await client.get(path, params={"format": "pdf"}), 422, "unknown_format")
    assert_refused(await client.get(path), 422, "invalid_input")
    assert_refused(await client.get(path, params={"format": "srt"}, headers=of("other")), 404, "transcript_not_found")
    text = await client.post("/profiles/files", params={"name": "a.de.txt"}, content=b"Ein Satz. Noch einer.")
    await client.get("/profiles/job_events", params={"id": text.json()["id"]})
    newest = (await client.get("/profiles/transcripts", params={"limit": 1})).json()[0]
    refused = await client.get(f"/profiles/transcripts/{newest['id']}/export", params={"format": "srt"})
    assert_refused(refused, 422, "no_times")


def _notes(package: bytes, place: Path) -> int:
    with zipfile.ZipFile(BytesIO(package)) as archive:
        (place / "deck").mkdir(exist_ok=True)
        path = Path(archive.extract("collection.anki2", place / "deck"))
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM notes").fetchone()[0])


@pytest.mark.exhaustive
async def test_a_deck_that_is_broken_off_does_not_count_as_exported(with_model: Settings) -> None:
    # So many different bytes that neither the packing nor the buffers on the way swallow them.
    clips = (NewClip(os.urandom(30_000).hex()) for _ in range(50))
    small = httpx.AsyncHTTPTransport(socket_options=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)])
    async with (
        serving(with_model, send_buffer=8192) as served,
        httpx.AsyncClient(base_url=served.url, transport=small, timeout=60) as slow,
        httpx.AsyncClient(base_url=served.url, timeout=60) as client,
    ):
        await served.engine.database.run(lambda store: add_many(store, "default", clips))
        async with slow.stream("GET", "/profiles/deck_export") as response:
            assert int(response.headers["content-length"]) > 1_400_000
            async for _ in response.aiter_raw(1000):
                break
        while served.server.server_state.tasks:
            await asyncio.sleep(0.005)
        report = (await client.get("/profiles/deck_report")).json()
        assert (report["new"], report["same"]) == (50, 0)
        await client.get("/profiles/deck_export")
        report = (await client.get("/profiles/deck_report")).json()
        assert (report["new"], report["same"]) == (0, 50)


@pytest.mark.exhaustive
async def test_a_backup_is_the_whole_database_and_leaves_nothing_behind_read_or_broken_off(
    served: Served, client: httpx.AsyncClient, home: Path, tmp_path: Path
) -> None:
    clips = (NewClip("x" * 10_000) for _ in range(1500))
    await served.engine.database.run(lambda store: add_many(store, "default", clips))
    copy = tmp_path / "copy.db"
    copy.write_bytes((await client.get("/backup", headers={"Range": "bytes=999999999-"})).content)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM clips").fetchone() == (1500,)
    while list(home.glob(".lode-tmp-*")):  # it goes once it was sent
        await asyncio.sleep(0.005)
    async with client.stream("GET", "/backup") as response:
        assert int(response.headers["content-length"]) > 10_000_000
        assert list(home.glob(".lode-tmp-*"))
    while list(home.glob(".lode-tmp-*")):
        await asyncio.sleep(0.005)


@pytest.mark.exhaustive
async def test_who_leaves_before_the_file_is_made_ends_its_making(
    served: Served, client: httpx.AsyncClient, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    held, hold = threading.Event(), served.engine.database.run_long
    # As many as there can be.
    holding = [asyncio.create_task(hold(lambda store, check: held.wait(20))) for _ in range(2)]
    clips = (NewClip(f"Satz {number}.") for number in range(12_000))
    await served.engine.database.run(lambda store: add_many(store, "default", clips))

    async def until_gone() -> None:
        while [*tmp_path.glob(".lode-tmp-*"), *home.glob(".lode-tmp-*")]:
            await asyncio.sleep(0.005)

    for path in ("/profiles/deck_export", "/backup"):
        with pytest.raises(httpx.TimeoutException):
            await client.get(path, timeout=0.3)  # it waits for its turn
        assert (await client.get("/profiles/clips?limit=1")).status_code == 200
        await until_gone()
    held.set()
    await asyncio.gather(*holding)
    with pytest.raises(httpx.TimeoutException):
        await client.get("/profiles/deck_export", timeout=0.1)  # a backup is made in a moment
    await until_gone()
