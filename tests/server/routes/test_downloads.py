"""What is downloaded as a file: the deck and the backup."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sqlite3
import tempfile
import threading
import zipfile
from io import BytesIO
from pathlib import Path

import httpx
import pytest

from tests.server.conftest import SENTENCE, assert_refused, clip, of
from tests.server.serving import Served
from tests.store.many_clips import add_many
from tui.records.clips import NewClip

pytestmark = pytest.mark.exhaustive


async def test_the_deck_is_an_attachment_and_without_clips_a_valid_empty_one(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    empty = await client.get("/profiles/deck_export")
    assert (empty.status_code, empty.headers["content-type"]) == (200, "application/octet-stream")
    assert empty.headers["content-disposition"] == 'attachment; filename="Lode.apkg"'
    assert _notes(empty.content, tmp_path) == 0
    await clip(client)
    await clip(client, "Zwei.")
    full = await client.get("/profiles/deck_export")
    assert int(full.headers["content-length"]) == len(full.content)
    assert _notes(full.content, tmp_path) == 2


async def test_the_decks_file_is_named_after_the_deck(client: httpx.AsyncClient) -> None:
    own = await client.get("/profiles/deck_export", headers=of("japanese"))
    assert own.headers["content-disposition"] == 'attachment; filename="Lode - japanese.apkg"'
    named = await client.get("/profiles/deck_export", params={"name": 'Über/..\\"x\r\nA: b\x00'})
    disposition = named.headers["content-disposition"]
    assert disposition.isascii()
    assert "filename*=UTF-8''" in disposition
    assert not set("/\\\r\n\x00") & set(disposition.replace("UTF-8''", ""))
    assert "a" not in named.headers  # no header of the name's making


async def test_the_report_of_a_deck_says_what_an_export_would_write_and_no_place_on_the_server(
    client: httpx.AsyncClient, home: Path
) -> None:
    await clip(client)
    report = (await client.get("/profiles/deck_report")).json()
    assert (report["new"], report["changed"], report["same"], report["written"]) == (1, 0, 0, False)
    assert str(home) not in json.dumps(report)
    await client.get("/profiles/deck_export")
    assert (await client.get("/profiles/deck_report")).json()["same"] == 1


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("csv", "text/csv; charset=utf-8"),
        ("jsonl", "application/jsonl"),
        ("md", "text/markdown; charset=utf-8"),
        ("txt", "text/plain; charset=utf-8"),
    ],
)
async def test_selected_clips_come_in_a_format_and_that_is_no_export(
    client: httpx.AsyncClient, name: str, kind: str
) -> None:
    first = await clip(client)
    await clip(client, "Zwei.")
    asked: dict[str, str | bool] = {"format": name, "since": "2020-01-01T00:00:00+02:00", "only_new": True}
    ids = {"ids": [first["id"]]}
    got = await client.post("/profiles/deck_export", params=asked, json=ids)
    assert (got.status_code, got.headers["content-type"]) == (200, kind)
    assert got.headers["content-disposition"] == f'attachment; filename="Lode.{name}"'
    assert "Zwei." not in got.text
    assert SENTENCE in got.text.replace("**", "")
    report = (await client.post("/profiles/deck_report", params=asked, json=ids)).json()
    assert (report["new"], report["format"]) == (1, name)
    assert (await client.get("/profiles/deck_report", params=asked)).json()["new"] == 2


async def test_clips_come_with_a_folder_of_their_sounds_in_a_zip_file(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    await clip(client)
    asked = {"format": "csv", "name": "Verbs", "media": "words.media"}
    got = await client.get("/profiles/deck_export", params=asked)
    assert (got.status_code, got.headers["content-type"]) == (200, "application/zip")
    assert got.headers["content-disposition"] == 'attachment; filename="Verbs.zip"'
    with zipfile.ZipFile(BytesIO(got.content)) as archive:
        assert archive.namelist() == ["deck.csv"]  # no clip of these has a sound
        assert SENTENCE in archive.read("deck.csv").decode("utf-8-sig")
    deck = await client.get("/profiles/deck_export", params={"media": "words.media"})
    assert _notes(deck.content, tmp_path) == 1  # a deck has them in it
    for name in ("../words.media", "a/b", ".hidden", "x\x1b[31m"):
        assert_refused(await client.get("/profiles/deck_export", params=asked | {"media": name}), 422, "invalid_input")


async def test_a_selection_that_cannot_be_is_refused(client: httpx.AsyncClient) -> None:
    for path in ("/profiles/deck_export", "/profiles/deck_report"):
        assert_refused(await client.get(path, params={"format": "pdf"}), 422, "unknown_format")
        assert_refused(await client.get(path, params={"since": "soon"}), 422, "invalid_date")
        assert_refused(await client.post(path, json={"ids": ["zzzzzzzzzzzz"]}), 404, "clip_not_found")
        assert_refused(await client.post(path, json={}), 422, "invalid_input")


def _notes(package: bytes, place: Path) -> int:
    with zipfile.ZipFile(BytesIO(package)) as archive:
        (place / "deck").mkdir(exist_ok=True)
        path = Path(archive.extract("collection.anki2", place / "deck"))
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM notes").fetchone()[0])
    finally:
        connection.close()
        path.unlink()


async def test_a_deck_whose_download_is_broken_off_does_not_count_as_exported(
    served: Served, client: httpx.AsyncClient
) -> None:
    # So many different bytes that neither the packing nor the buffers on the way swallow them.
    clips = (NewClip(os.urandom(30_000).hex()) for _ in range(220))
    await served.engine.database.run(lambda store: add_many(store, "default", clips))
    small = httpx.AsyncHTTPTransport(socket_options=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)])
    async with (
        httpx.AsyncClient(base_url=served.url, transport=small, timeout=60) as impatient,
        impatient.stream("GET", "/profiles/deck_export") as response,
    ):
        assert int(response.headers["content-length"]) > 6_000_000
        async for _ in response.aiter_raw(1000):
            break
    while served.server.server_state.tasks:
        await asyncio.sleep(0.005)
    report = (await client.get("/profiles/deck_report")).json()
    assert (report["new"], report["same"]) == (220, 0)
    await client.get("/profiles/deck_export", timeout=60)
    report = (await client.get("/profiles/deck_report")).json()
    assert (report["new"], report["same"]) == (0, 220)


async def test_a_backup_is_the_whole_database_and_leaves_nothing_behind(
    client: httpx.AsyncClient, home: Path, tmp_path: Path
) -> None:
    await clip(client)
    copy = tmp_path / "copy.db"
    copy.write_bytes((await client.get("/backup", headers={"Range": "bytes=999999999-"})).content)
    connection = sqlite3.connect(copy)
    assert connection.execute("SELECT sentence FROM clips").fetchall() == [(SENTENCE,)]
    connection.close()
    while list(home.glob(".lode-tmp-*")):  # it goes once it was sent
        await asyncio.sleep(0.005)


async def test_a_download_that_is_broken_off_leaves_nothing_behind(
    served: Served, client: httpx.AsyncClient, home: Path
) -> None:
    clips = (NewClip("x" * 10_000) for _ in range(3000))
    await served.engine.database.run(lambda store: add_many(store, "default", clips))
    async with client.stream("GET", "/backup") as response:
        assert int(response.headers["content-length"]) > 10_000_000
        assert list(home.glob(".lode-tmp-*"))
    while list(home.glob(".lode-tmp-*")):
        await asyncio.sleep(0.005)


@pytest.mark.parametrize("path", ["/profiles/deck_export", "/backup"])
async def test_who_leaves_before_the_file_is_made_ends_its_making(
    served: Served, client: httpx.AsyncClient, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    held = threading.Event()
    hold = served.engine.database.run_long
    holding = [
        asyncio.create_task(hold(lambda store, check: held.wait(20))) for _ in range(2)
    ]  # as many as there can be
    clips = (NewClip(f"Satz {number}.") for number in range(30_000))
    await served.engine.database.run(lambda store: add_many(store, "default", clips))

    def made() -> list[Path]:
        return [*tmp_path.glob(".lode-tmp-*"), *home.glob(".lode-tmp-*")]

    with pytest.raises(httpx.TimeoutException):
        await client.get(path, timeout=0.3)  # it waits for its turn
    assert (await client.get("/profiles/clips?limit=1")).status_code == 200
    while made():
        await asyncio.sleep(0.005)
    held.set()
    await asyncio.gather(*holding)
    if path == "/profiles/deck_export":  # a backup is made in a moment
        with pytest.raises(httpx.TimeoutException):
            await client.get(path, timeout=0.1)
    while made():
        await asyncio.sleep(0.005)
