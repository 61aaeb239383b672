"""Notes of an Anki that are sent to be merged: what comes back, and what is refused."""

from __future__ import annotations

import asyncio
import gzip
import json
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.conftest import NOBODY, SENTENCE, assert_refused
from tests.server.raw import exchange, read, request
from tests.server.serving import Served
from tui.anki import note_lines
from tui.deck.note_type import FIELDS, MODEL_ID

pytestmark = pytest.mark.exhaustive

PATH = "/profiles/deck_merge"
OURS: dict[str, Any] = {
    "id": MODEL_ID,
    "name": "Lode",
    "fields": FIELDS,
    "templates": [{"name": "Reading", "front": "{{Expression}}", "back": ""}],
}
NOTE: dict[str, Any] = {
    "id": 1,
    "guid": f"lode-{NOBODY}",
    "note_type": MODEL_ID,
    "changed_at": 0,
    "fields": [""] * len(FIELDS),
    "tags": [],
    "cards": [0],
}


def lines(*notes: dict[str, Any], **head: Any) -> bytes:
    first = {"count": len(notes), "note_types": [OURS], "source": "test", **head}
    return b"".join(json.dumps(each).encode() + b"\n" for each in (first, *notes))


async def kept(client: httpx.AsyncClient, sentence: str = SENTENCE) -> str:
    made = await client.post("/profiles/clips", json={"sentence": sentence})
    return str(made.json()["id"])


async def exported(client: httpx.AsyncClient) -> list[str]:
    return [clip["exported"] for clip in (await client.get("/profiles/clips")).json()]


async def test_a_line_tells_of_the_package_after_it_which_counts_once_it_is_there(client: httpx.AsyncClient) -> None:
    first, _ = await kept(client), await kept(client, "Noch einer.")
    answer = await client.post(PATH, content=lines(ids=[first]), params={"name": "Mine"})
    said, _, package = answer.content.partition(b"\n")
    merged = json.loads(said)
    assert (answer.status_code, merged["report"]["deck"], merged["report"]["path"]) == (200, "Mine", "")
    assert (merged["report"]["merge"]["added"], merged["report"]["size_bytes"]) == (1, len(package))
    assert set(zipfile.ZipFile(BytesIO(package)).namelist()) == {"collection.anki2", "media"}
    assert await exported(client) == ["never", "never"]

    asked = {"name": "Mine", "as_of": merged["as_of"]}
    told = await client.post(f"{PATH}/written", params=asked, json={"ids": [first]})
    assert (told.status_code, told.content) == (204, b"")
    assert await exported(client) == ["never", "same"]
    seen = await client.post(f"{PATH}/arrived", params=asked, content=lines())
    assert (seen.status_code, seen.json()["added"]) == (200, 2)
    assert await exported(client) == ["never", "same"], "what is not in Anki counts as it did before"


async def test_a_moment_to_come_hides_no_later_edit_and_one_that_is_none_is_refused(client: httpx.AsyncClient) -> None:
    clip = await kept(client)
    for as_of in ("", "x", "2026-13-01", "0001-01-01T05:00+14:00", "\x00", "9" * 40):
        asked = {"name": "Lode", "as_of": as_of}
        assert_refused(await client.post(f"{PATH}/written", params=asked, json={"ids": []}), 422, "invalid_date")
        assert_refused(await client.post(f"{PATH}/arrived", params=asked, content=lines()), 422, "invalid_date")
    assert await exported(client) == ["never"]
    asked = {"name": "Lode", "as_of": "9999-01-01T00:00:00.000Z"}
    assert (await client.post(f"{PATH}/written", params=asked, json={"ids": []})).status_code == 204
    await client.put(f"/profiles/clips/{clip}", json={"sentence": SENTENCE, "translation": "changed"})
    assert await exported(client) == ["changed"]


WRONG: dict[str, bytes] = {
    "no head": b"\n",
    "an empty head": b"{}\n",
    "nested too deep": b"[" * 100_000,
    "no text": b"\xff\xfe{}",
    "cut off": lines(NOTE)[:-9],
    "packed and cut off": gzip.compress(lines(NOTE))[:-9],
    "only the head of gzip": gzip.compress(lines(NOTE))[:9],
    "packed wrongly": gzip.compress(lines(NOTE))[:20] + b"x" * 99,
    "fewer notes": lines(count=1),
    "more notes": lines(NOTE, count=0),
    "a negative count": lines(count=-1),
    "a count that is text": lines(count="1"),
    "ids that are numbers": lines(ids=[1]),
    "no fields": lines(note_types=[{**OURS, "fields": []}]),
    "no templates": lines(note_types=[{**OURS, "templates": []}]),
    "a field that opens a section": lines(note_types=[{**OURS, "fields": ["{{#x"]}]),
    "a field that closes a section": lines(note_types=[{**OURS, "fields": ["/x"]}]),
    "a large id of a note type": lines(note_types=[{**OURS, "id": 1 << 63}]),
    "half a character in a name": lines(note_types=[{**OURS, "name": "\ud800"}]),
    "a note without fields": lines({**NOTE, "fields": []}),
    "a separator in a field": lines({**NOTE, "fields": ["a\x1fb"]}),
    "half a character in a field": lines({**NOTE, "fields": ["\udc00 half a character"]}),
    "too many fields": lines({**NOTE, "fields": [""] * 501}),
    "a number of a note type beyond 64 bits": lines({**NOTE, "note_type": 1 << 64}),
    "a time that no clock shows": lines({**NOTE, "changed_at": 1 << 50}),
    "a card before the first": lines({**NOTE, "cards": [-1]}),
    "too many cards": lines({**NOTE, "cards": list(range(501))}),
    "a note without guid": lines({**NOTE, "guid": None}),
    "a note that is a list": lines(NOTE, count=2) + b"[]\n",
}


PATHS = (PATH, f"{PATH}/report", f"{PATH}/arrived?name=Lode&as_of=2026-11-01")


async def test_what_no_anki_can_have_is_refused(served: Served, client: httpx.AsyncClient) -> None:
    await kept(client)
    for body in WRONG.values():
        assert_refused(await client.post(PATH, content=body), 422, "bad_notes")
    for path in PATHS:
        assert_refused(await client.post(path, content=WRONG["cut off"]), 422, "bad_notes")
        head = request("POST", path, Content_Length=str(note_lines.MAX_NOTES_SIZE + 1))
        assert_refused(read(await exchange(served.options.port, head)), 413, "too_large")


async def test_too_many_or_too_large_notes_are_refused(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_refused(await client.post(PATH, content=lines(count=note_lines.MAX_NOTES + 1)), 422, "too_many_notes")
    many = ["x"] * (note_lines.MAX_NOTES + 1)
    assert_refused(await client.post(PATH, content=lines(ids=many)), 422, "too_many_notes")
    monkeypatch.setattr(note_lines, "MAX_NOTES_SIZE", 20_000)
    packed = gzip.compress(lines(*[NOTE] * 1000))
    assert len(packed) < 20_000
    assert_refused(await client.post(PATH, content=packed), 422, "too_many_notes")
    monkeypatch.setattr(note_lines, "_MAX_LINE_LENGTH", 1000)
    assert_refused(await client.post(PATH, content=lines({**NOTE, "fields": ["x" * 1000]})), 422, "bad_notes")


async def test_a_sender_that_breaks_off_leaves_nothing(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    _, writer = await asyncio.open_connection("127.0.0.1", served.options.port)
    writer.write(request("POST", PATH, Content_Length="1000") + lines(count=1))
    await writer.drain()
    while not list(place.glob("*/notes.jsonl")):
        await asyncio.sleep(0.005)
    writer.close()
    while list(place.iterdir()):
        await asyncio.sleep(0.005)
    assert capfd.readouterr() == ("", "")


async def test_hostile_notes_are_only_notes(client: httpx.AsyncClient) -> None:
    clip = await kept(client)
    strange = {**OURS, "id": 5, "name": "\x1b[31m{{#", "css": "</style>", "fields": ['a"b:', *FIELDS]}
    strange["templates"] = [{"name": "", "front": "{{" + " " * 200_000, "back": "{{/x}}"}] * 3
    notes = [
        {**NOTE, "guid": f"lode-{clip}", "note_type": 5, "fields": ["<script>", "\x00"], "tags": ["a b", '"', "\x1b"]},
        {**NOTE, "guid": "lode-", "note_type": 99},
        {**NOTE, "guid": "x" * 10_000, "cards": [499, 499]},
    ]
    answer = await client.post(PATH, content=lines(*notes, note_types=[OURS, strange], source="\x1b]0;x\x07"))
    assert answer.status_code == 200
    merge = json.loads(answer.content.partition(b"\n")[0])["report"]["merge"]
    assert (merge["added"], merge["updated"], merge["deleted_count"]) == (0, 1, 0)
    assert merge["note_types"] == ["{{#"]
    for unknown in ("nobody", "x" * 1_000_000, "\x00", ""):
        assert_refused(await client.post(PATH, content=lines(ids=[unknown])), 404, "clip_not_found")
