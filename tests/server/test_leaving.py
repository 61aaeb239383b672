"""Readers that go away, at any moment and however: the log has no word of it, and nothing is left of them."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from pathlib import Path

import pytest

from tests.llm.fakes.fake_server import FakeModelServer, stream
from tests.server_process import ServerProcess

pytestmark = pytest.mark.exhaustive

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
            for _ in range(100):
                await leave(port, posted("/profiles/clips", {"sentence": "x" * 20_000}), most=1000, reset=False)
            ask = {"sentence": "Der Zug fährt.", "focus": "Zug", "model": "work:m", "fresh": True}
            requests = [
                *(f"GET {path} HTTP/1.1\r\n".encode() + HEAD + b"\r\n" for path in READ),
                *(posted(path, ask) for path in ("/llm/breakdown", "/llm/explain_sentence")),
                (b"GET /profiles/clips HTTP/1.1\r\n" + HEAD + b"\r\n") * 20,
                *HALVES,
            ]
            for reset in (True, False):
                for most in (0, 1, 2000):
                    await asyncio.gather(*(leave(port, each, most=most, reset=reset) for each in requests))
                    for each in requests:
                        await leave(port, each, most=most, reset=reset)
            assert await asyncio.to_thread(server.stop) == 0
            said = [line for line in server.said if line]
    assert said[-1] == "stopped"
    assert not [line for line in said if "ERROR" in line or "WARNING" in line or "Traceback" in line], said
    assert len(said) == 5, said
