"""A model server that finds no end, for who has to end it, and how many bytes of it were read meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.llm.fakes.fake_server import delta, sse

SPOKEN = sse(delta("x" * 1000), done=False) * 60
THOUGHT = sse(delta(reasoning_content="x" * 1000), done=False) * 60


@dataclass
class Endless:
    """A server that repeats a piece for as long as it is read, and how many bytes of it were."""

    sent: int = 0
    port: int = 0
    left: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@asynccontextmanager
async def endless(
    piece: bytes, first: bytes = b"", *, headers: Mapping[str, str] | None = None
) -> AsyncIterator[Endless]:
    server = Endless()
    lines = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *(\d+)", head)
            await reader.readexactly(int(length[1]) if length else 0)
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n" + lines.encode() + b"\r\n" + first)
            while True:
                writer.write(piece)
                await writer.drain()
                server.sent += len(piece)
        except (ConnectionError, asyncio.IncompleteReadError):
            server.left.set()
        finally:
            writer.close()

    listening = await asyncio.start_server(answer, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
