"""A server process: asked to stop, killed while it streams or writes, left by readers, or told too much."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import struct
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from tests.llm.fakes.endless import SPOKEN, THOUGHT, endless
from tests.llm.fakes.fake_server import FakeModelServer, Gate, slow, stream
from tests.server.conftest import ASK, SRT, enqueue_breakdown, parts
from tests.server_process import ServerProcess
from tests.watching import peak_megabytes

pytestmark = pytest.mark.exhaustive

SEVERAL_CUES = "".join(f"{n}\n00:00:01,000 --> 00:00:02,000\nZeile {n}.\n\n" for n in range(1, 2_000))
SECRETS = ("a-very-secret-token", "Hoffentlich fährt")


@pytest.fixture
async def process(home: Path, model: FakeModelServer) -> AsyncIterator[ServerProcess]:
    """A real ``lode serve`` that asks the fake model."""
    (home / "config.toml").write_text(f'[providers.work]\nbase_url = "{model.base_url}"\n', "utf-8")
    process = ServerProcess(home, environ={"LODE_TOKEN": SECRETS[0]})
    await asyncio.to_thread(process.start)
    yield process
    if process.process.poll() is None:
        await asyncio.to_thread(process.kill)


def asking(process: ServerProcess) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {SECRETS[0]}"}
    return httpx.AsyncClient(base_url=process.url, timeout=30, trust_env=False, headers=headers)


async def test_a_stop_ends_streams_and_jobs_and_leaves_with_0(process: ServerProcess, model: FakeModelServer) -> None:
    enqueue_breakdown(model, slow(["what came"], Gate()))
    stopping: asyncio.Task[int] | None = None
    async with asking(process) as client:
        sent = [
            await client.post(f"/profiles/files?name=f{n}.srt", content=f"{n}\n{SEVERAL_CUES}".encode())
            for n in range(6)
        ]
        text = ""
        async with client.stream("POST", "/llm/breakdown", json=ASK) as response:
            async for chunk in response.aiter_text():
                text += chunk
                if "what came" in text and stopping is None:
                    stopping = asyncio.create_task(asyncio.to_thread(process.stop))
    assert stopping is not None
    assert await stopping == 0
    events = parts(text.replace(": still here\n\n", ""))
    assert [name for name, _ in events][-2:] == ["error", "done"]
    assert json.loads(events[-2][1])["code"] == "server_stopping"
    await model.chats[-1].disconnected.wait()
    for secret in SECRETS:
        assert secret not in "\n".join(process.said)
    await asyncio.to_thread(process.start)
    async with asking(process) as client:
        states = {job["id"]: job["state"] for job in (await client.get("/profiles/jobs")).json()}
        assert [states[each.json()["id"]] for each in sent][-1] == "interrupted"
        assert set(states.values()) <= {"interrupted", "succeeded"}
        (kept,) = (await client.get("/profiles/history")).json()
        assert (kept["state"], kept["text"]) == ("aborted", "what came")
        again = await client.post(f"/profiles/jobs/{sent[-1].json()['id']}/retry")
        assert again.status_code == 200  # what was sent is still there
        followed = await client.get("/profiles/job_events", params={"id": again.json()["id"]})
        assert json.loads(parts(followed.text)[-2][1])["state"] == "succeeded"


async def test_a_kill_loses_and_doubles_nothing(process: ServerProcess, model: FakeModelServer, home: Path) -> None:
    """Each kill is followed by a start, which the next one needs as well."""
    await _kill_in_a_stream(process, model)
    await _kill_while_it_writes(process)
    await _kill_in_an_upload(process)
    assert await asyncio.to_thread(process.stop) == 0
    with closing(sqlite3.connect(home / "lode.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def _kill_in_a_stream(process: ServerProcess, model: FakeModelServer) -> None:
    """What had come is kept."""
    gate = Gate()
    enqueue_breakdown(model, slow(["what came", " later"], gate, ["never"]))
    async with asking(process) as client:
        with pytest.raises(httpx.HTTPError):
            async with client.stream("POST", "/llm/breakdown", json=ASK) as response:
                text = ""
                async for chunk in response.aiter_text():
                    text += chunk
                    if "later" in text and process.process.poll() is None:
                        await asyncio.to_thread(process.kill)
    await model.chats[-1].disconnected.wait()
    await asyncio.to_thread(process.start)
    async with asking(process) as client:
        for kept in (await client.get("/profiles/history")).json():
            assert kept["state"] == "aborted"
            assert "what came later".startswith(kept["text"])


async def _kill_while_it_writes(process: ServerProcess) -> None:
    """What was acknowledged is there, and what is sent once more is there once."""
    after = 20
    acknowledged: dict[str, str] = {}
    keys = {f"Satz {n}.": uuid4().hex for n in range(120)}

    async def write_sentence(client: httpx.AsyncClient, sentence: str) -> None:
        made = await client.post(
            "/profiles/clips", json={"sentence": sentence}, headers={"Idempotency-Key": keys[sentence]}
        )
        acknowledged[sentence] = made.json()["id"]
        if len(acknowledged) == after:
            process.process.kill()

    async with asking(process) as client:
        await asyncio.gather(*(write_sentence(client, sentence) for sentence in keys), return_exceptions=True)
    assert after <= len(acknowledged) < len(keys)
    await asyncio.to_thread(process.kill)
    await asyncio.to_thread(process.start)
    lost = 0
    async with asking(process) as client:
        there = {each["sentence"]: each["id"] for each in (await client.get("/profiles/clips")).json()}
        assert acknowledged.items() <= there.items()
        for sentence, key in keys.items():  # all of them again, as a client would
            again = await client.post("/profiles/clips", json={"sentence": sentence}, headers={"Idempotency-Key": key})
            if again.status_code == 409:
                assert again.json()["error"]["code"] == "already_done"
                assert sentence not in acknowledged
                lost += 1
            elif sentence in there:
                assert again.json()["id"] == there[sentence]
        sentences = [each["sentence"] for each in (await client.get("/profiles/clips")).json()]
    assert sorted(sentences) == sorted(keys)
    assert lost <= len(keys) - len(acknowledged)


async def _kill_in_an_upload(process: ServerProcess) -> None:
    """It is taken anew."""
    key = {"Idempotency-Key": uuid4().hex}

    async def pieces() -> AsyncIterator[bytes]:
        yield SRT[:50].encode()
        await asyncio.to_thread(process.kill)
        yield SRT[50:].encode()

    async with asking(process) as client:
        with suppress(httpx.HTTPError):
            await client.post("/profiles/files?name=a.srt", content=pieces(), headers=key)
    await asyncio.to_thread(process.start)
    async with asking(process) as client:
        assert (await client.get("/profiles/jobs")).json() == []
        job = await client.post("/profiles/files?name=a.srt", content=SRT.encode(), headers=key)
        followed = await client.get("/profiles/job_events", params={"id": job.json()["id"]})
        assert json.loads(parts(followed.text)[-2][1])["state"] == "succeeded"


HEAD = b"Host: 127.0.0.1\r\n"
READ = ("/profiles/clips", "/backup", "/profiles/deck_export", "/health", "/openapi.json", "/doctor", "/nowhere")
HALVES = (
    b"POST /profiles/clips HTTP/1.1\r\n" + HEAD + b"Content-Length: 1000\r\n\r\n{",
    b"POST /profiles/clips HTTP/1.1\r\n" + HEAD + b"Idempotency-Key: a\r\nContent-Length: 1000\r\n\r\n{",
    b"POST /profiles/clips HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    b"POST /profiles/files?name=a.srt HTTP/1.1\r\n" + HEAD + b"Content-Length: 1000\r\n\r\nx",
    b"POST /profiles/files?name=a.srt HTTP/1.1\r\n" + HEAD + b"Idempotency-Key: b\r\nContent-Length: 1000\r\n\r\nx",
)


def posted(path: str, body: object) -> bytes:
    content = json.dumps(body).encode()
    return b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b" % (path.encode(), HEAD, len(content), content)


async def leave(port: int, sent: bytes, *, most: int, reset: bool) -> None:
    """Send it, read so many bytes at most, and go: with a farewell, or as when a cable is cut."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    if most:
        try:
            async with asyncio.timeout(0.5):
                await reader.read(most)
        except (TimeoutError, ConnectionError):
            pass
    if reset:
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.close()


async def test_a_reader_that_goes_away_leaves_no_trace_in_the_log(home: Path) -> None:
    async with FakeModelServer() as model:
        model.on_chat = lambda _: stream(*["word "] * 2000)
        (home / "config.toml").write_text(f'[providers.work]\nbase_url = "{model.base_url}"\n', "utf-8")
        with ServerProcess(home) as server:
            port = int(server.url.rpartition(":")[2])
            for _ in range(30):
                await leave(port, posted("/profiles/clips", {"sentence": "x" * 20_000}), most=1000, reset=False)
            ask = {"sentence": "Der Zug fährt.", "focus": "Zug", "model": "work:m", "fresh": True}
            requests = [
                *(f"GET {path} HTTP/1.1\r\n".encode() + HEAD + b"\r\n" for path in READ),
                *(posted(path, ask) for path in ("/llm/breakdown", "/llm/explain_sentence")),
                (b"GET /profiles/clips HTTP/1.1\r\n" + HEAD + b"\r\n") * 20,
                *HALVES,
            ]
            for reset in (True, False):
                for most in (0, 2000):
                    await asyncio.gather(*(leave(port, each, most=most, reset=reset) for each in requests))
                for each in requests:
                    await leave(port, each, most=1, reset=reset)
            assert await asyncio.to_thread(server.stop) == 0
            said = [line for line in server.said if line]
    assert said[-1] == "stopped"
    assert not [line for line in said if "ERROR" in line or "WARNING" in line or "Traceback" in line], said
    assert len(said) == 5, said


ENDLESS = {"sentence": "Der Zug fährt.", "focus": "Zug", "fresh": True}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says it so")
async def test_a_model_that_finds_no_end_costs_the_server_no_memory(home: Path) -> None:
    """Without bounds it grows by more than the 300 MB that come while the focus is waited for."""
    async with FakeModelServer() as short, endless(SPOKEN) as speaks, endless(THOUGHT) as thinks:
        urls = {"short": short.base_url, "speaks": speaks.url, "thinks": thinks.url}
        settings = [f'[providers.{name}]\nbase_url = "{url}"\n' for name, url in urls.items()]
        (home / "config.toml").write_text("".join(settings), "utf-8")
        with ServerProcess(home) as server:
            async with httpx.AsyncClient(base_url=server.url, timeout=60, trust_env=False) as client:
                await client.post("/llm/breakdown", json={**ENDLESS, "model": "short:m"})
                usual = peak_megabytes(server.process.pid)
                for name in ("speaks", "thinks"):
                    answered = await client.post("/llm/breakdown", json={**ENDLESS, "model": f"{name}:m"})
                    assert '"code":"answer_without_end"' in answered.text
                assert peak_megabytes(server.process.pid) < usual + 40
                thought, spoken, _ = (await client.get("/profiles/history")).json()
    assert (thought["state"], spoken["state"], len(spoken["text"])) == ("failed", "failed", 400_000)
    assert "goes on without end" in thought["error"]
