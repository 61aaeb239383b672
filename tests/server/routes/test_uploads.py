"""Files that are sent: streamed to the disk, bounded, under a name that is only a name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.importing.archives.making import story, zipped
from tests.server.conftest import SRT, assert_refused, of, parts, uploaded
from tests.server.raw import exchange, read, request
from tests.server.serving import Served
from tui.importing.parse import MAX_BYTES
from tui.server.options import UPLOADS

pytestmark = pytest.mark.exhaustive


async def sent(client: httpx.AsyncClient, name: str, data: bytes = SRT.encode(), **params: str) -> dict[str, object]:
    """The job of an upload, once it is over."""
    made = await client.post("/profiles/files", params={"name": name, **params}, content=data)
    assert made.status_code == 202, made.text
    followed = await client.get("/profiles/job_events", params={"id": made.json()["id"]})
    last: dict[str, object] = json.loads(parts(followed.text)[-2][1])
    return last


async def test_an_archive_is_a_job_for_each_file_in_it(client: httpx.AsyncClient, home: Path, tmp_path: Path) -> None:
    season = {f"Dark/Season 1/{number:02}.srt": story(str(number)) for number in (1, 2, 3)}
    data = zipped(tmp_path / "a.zip", {**season, "empty.srt": b""}).read_bytes()
    made = await client.post("/profiles/files", params={"name": "subs.zip"}, content=data)
    assert made.status_code == 202, made.text
    answer = made.json()
    jobs = answer.pop("jobs")
    assert answer == jobs[0], "a client that knows of one job follows the first"
    followed = await client.get("/profiles/job_events", params=[("id", job["id"]) for job in jobs])
    assert followed.status_code == 200
    titles = [each["title"] for each in (await client.get("/profiles/transcripts")).json()]
    assert titles == ["Dark · S01E01", "Dark · S01E02", "Dark · S01E03"]
    states = {job["source"].rpartition("/")[2]: job["state"] for job in (await client.get("/profiles/jobs")).json()}
    assert states["empty.srt"] == "failed"
    assert len(list((home / "uploads").iterdir())) == 1, "which may be tried again"
    for broken in (b"PK\x03\x04 no", zipped(tmp_path / "b.zip", {"a.png": b"x"}).read_bytes()):
        refused = await client.post("/profiles/files", params={"name": "broken.zip"}, content=broken)
        assert refused.status_code == 422
        assert "broken.zip" in refused.json()["error"]["message"]
    assert len((await client.get("/profiles/jobs")).json()) == 4
    assert len(list((home / "uploads").iterdir())) == 1


async def test_an_upload_goes_with_the_last_of_its_jobs(client: httpx.AsyncClient, home: Path, tmp_path: Path) -> None:
    file = await uploaded(client)
    assert (file["name"], file["language"], file["size_bytes"]) == ("story.de.srt", "de", len(SRT.encode()))
    assert list((home / "uploads").iterdir()) == []
    data = zipped(tmp_path / "a.zip", {f"{name}.srt": story(name) for name in "abc"}).read_bytes()
    jobs = (await client.post("/profiles/files", params={"name": "subs.zip"}, content=data)).json()["jobs"]
    await client.get("/profiles/job_events", params=[("id", job["id"]) for job in jobs])
    while list((home / "uploads").iterdir()):
        await asyncio.sleep(0.001)


async def test_language_and_encoding_are_as_told_or_fail_the_job(client: httpx.AsyncClient, home: Path) -> None:
    job = await sent(client, "story.srt", SRT.encode("cp1252"), language="de", encoding="cp1252")
    file = (await client.get(f"/profiles/files/{job['file_id']}")).json()
    assert file["language"] == "de"
    cues = (await client.get(f"/profiles/transcripts/{file['transcript_id']}/cues")).json()
    assert cues[0]["text"] == "Der Zug fährt ab."
    for encoding in ("../../x", "a\x00b", "zip", "undefined", "x" * 40, "os.path"):
        job = await sent(client, "a.srt", encoding=encoding)
        assert job["state"] == "failed"
        assert "internal_error" not in str(job["error"])
    for language in ("../../../tmp/x", "/etc", "de\x00", "x" * 35, "-"):  # it chooses a dictionary, which is a file
        job = await sent(client, "a.srt", language=language)
        assert job["state"] in ("succeeded", "failed")
        for path in ("summary", "concordance"):
            params = {"word": "Zug", "language": language}
            assert (await client.get(f"/profiles/words/{path}", params=params)).status_code == 200
    assert not (home.parent / "tmp").exists()


NAMES = {
    "../../../etc/cron.d/x.srt": "x.srt",
    "/etc/passwd.srt": "passwd.srt",
    "C:\\Windows\\win.srt": "win.srt",
    "..\\..\\up.srt": "up.srt",
    "a\x00b.srt": "ab.srt",
    "a\x1b[31m\r\nX: y.srt": "a X: y.srt",
    "....srt": "srt",
    ".hidden.srt": "hidden.srt",
    "%2e%2e%2fx.srt": "%2e%2e%2fx.srt",
    "ein Zug: „ab“.srt": "ein Zug: „ab“.srt",
}


async def test_a_name_is_only_a_name(client: httpx.AsyncClient, home: Path) -> None:
    before = {path for path in home.parent.rglob("*") if "lemmas" not in path.parts}
    for number, (name, known_as) in enumerate(NAMES.items()):
        job = await sent(client, name, SRT.replace("Zug", f"Zug {number}").encode())
        assert str(job["source"]).endswith(f"/{known_as}")
        if job["state"] == "succeeded":
            assert (await client.get(f"/profiles/files/{job['file_id']}")).json()["name"] == known_as
    for name in ("x" * 300 + ".srt", "字" * 300 + ".srt"):
        job = await sent(client, name, SRT.replace("Zug", name[0]).encode())
        kept = (await client.get(f"/profiles/files/{job['file_id']}")).json()["name"]
        assert kept.endswith(".srt")
        assert len(kept.encode()) <= 200
    new = {path for path in home.parent.rglob("*") if "lemmas" not in path.parts} - before
    places = {path.relative_to(home).parts[0] for path in new}
    assert places <= {"blobs", "uploads", "run", "lode.db", "lode.db-wal", "lode.db-shm"}


async def test_no_name_and_no_file_are_refused_and_nothing_is_kept(client: httpx.AsyncClient, home: Path) -> None:
    for name in ("", " ", "/", "..", "a/", "\\", "\x00", "\u200b"):
        refused = await client.post("/profiles/files", params={"name": name}, content=b"x")
        assert_refused(refused, 422, "invalid_input")
    assert_refused(await client.post("/profiles/files", content=b"x"), 422, "invalid_input")
    for path in UPLOADS:
        assert_refused(await client.post(path, params={"name": "empty.srt"}), 422, "invalid_input")
    assert not (home / "uploads").exists() or list((home / "uploads").iterdir()) == []
    assert (await client.get("/profiles/jobs")).json() == []

    async def nothing() -> AsyncIterator[bytes]:
        yield b""

    for path in UPLOADS:  # an empty file is one
        sent = await client.post(path, params={"name": "empty.srt"}, content=nothing())
        is_job = path in ("/profiles/files", "/dictionaries", "/profiles/vocabulary")
        assert sent.status_code == (202 if is_job else 422)


async def test_a_file_that_is_too_large_is_refused_and_nothing_of_it_stays(served: Served, home: Path) -> None:
    chunk = b"f4240\r\n" + b"x" * 1_000_000 + b"\r\n"
    head = request("POST", "/profiles/files?name=a.srt", Transfer_Encoding="chunked")
    answer = await exchange(served.options.port, head, *[chunk] * (MAX_BYTES // 1_000_000 + 3), b"0\r\n\r\n")
    assert_refused(read(answer), 413, "too_large")
    assert list((home / "uploads").iterdir()) == []


async def test_a_sender_that_breaks_off_leaves_neither_a_job_nor_a_file(
    served: Served, client: httpx.AsyncClient, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for path in ("/profiles/files", "/dictionaries"):
        _, writer = await asyncio.open_connection("127.0.0.1", served.options.port)
        writer.write(request("POST", f"{path}?name=a.srt", Content_Length="1000") + b"only this")
        await writer.drain()
        while not list((home / "uploads").glob("*/a.srt")):
            await asyncio.sleep(0.005)
        writer.close()
        while list((home / "uploads").iterdir()):
            await asyncio.sleep(0.005)
    assert (await client.get("/profiles/jobs")).json() == []
    assert capfd.readouterr() == ("", "")


async def test_what_a_request_names_is_no_file_and_no_address_here(client: httpx.AsyncClient, home: Path) -> None:
    """No path takes one: what looks like one is text."""
    secret = home / "config.toml"
    secret.write_text("# the server's own", "utf-8")
    for text in (str(secret), secret.as_uri(), "http://127.0.0.1:9/x", "upload:../config.toml", "sample:../x"):
        for path in ("/profiles/files/{}", "/profiles/clips/{}", "/profiles/jobs/{}"):
            answer = await client.get(path.format(text.replace("/", "%2F")))
            assert answer.status_code == 404
            assert "the server's own" not in answer.text
        job = await sent(client, text, b"\0")
        assert job["state"] == "failed"
        assert "the server's own" not in json.dumps(job)
        shown = await client.post(
            "/llm/breakdown/preview", json={"sentence": text, "prompt": f"{{% include '{text}' %}}"}
        )
        assert_refused(shown, 422, "template_error")
        report = await client.get("/profiles/deck_report", params={"name": text[:200]})
        assert report.json()["path"] == "deck.apkg"
        models = await client.get("/llm/models", params={"provider": text[:100]})
        assert_refused(models, 404, "unknown_provider")
        assert_refused(await client.get("/profiles/clips", headers=of("x/../y")), 400, "invalid_profile")
