"""A machine between client and server that does to their connections what networks do."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Literal, Self
from urllib.parse import urlsplit

Fault = Literal["before", "unanswered", "in the answer"]
"""Where a connection is cut: before the server gets anything of the request; when it has answered, but nothing of the
answer came through; in the middle of the answer's body."""


@dataclass
class Between:
    """Passes connections on to the server at ``target``. ``faults`` (None: none) are for the next requests; only
    ``piece`` bytes of an answer get through at a time. ``requests`` are the first lines of what went by, ``heads`` all
    their lines.

    It understands only as much of HTTP as the client uses: one request on a connection at a time.
    """

    target: str
    faults: deque[Fault | None] = field(default_factory=deque)
    piece: int = 65536
    requests: list[str] = field(default_factory=list)
    heads: list[bytes] = field(default_factory=list)
    is_open: bool = True

    async def __aenter__(self) -> Self:
        self._talks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        await asyncio.gather(*self._talks, return_exceptions=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Every connection there is."""
        for talk in self._talks:
            talk.cancel()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        try:
            if self.is_open:
                parts = urlsplit(self.target)
                far_reader, far_writer = await asyncio.open_connection(parts.hostname, parts.port)
                try:
                    await self._talk(reader, writer, far_reader, far_writer)
                finally:
                    far_writer.close()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # one of them has gone
        finally:
            self._talks.discard(task)
            writer.transport.abort()

    async def _talk(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        far_reader: asyncio.StreamReader,
        far_writer: asyncio.StreamWriter,
    ) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            fault = None
            if b"/health" not in head:  # the look-out asks when it likes
                self.heads.append(head)
                self.requests.append(head.split(b" HTTP/")[0].decode())
                fault = self.faults.popleft() if self.faults else None
            if fault == "before":
                return
            far_writer.write(head)
            answering: asyncio.Task[None] | None = None
            sending = asyncio.create_task(self._pass_on(reader, far_writer, head))
            try:
                if fault is not None:
                    await self._cut_short(fault, far_reader, writer)
                    return
                answering = asyncio.create_task(self._answer(far_reader, writer))
                # An answer may come before all that was asked; a client may go in the middle of asking.
                await asyncio.wait((sending, answering), return_when=asyncio.FIRST_EXCEPTION)
                if not (sending.done() and answering.done()) or sending.exception() or answering.exception():
                    return
            finally:
                for task in (sending, answering) if answering else (sending,):
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, far: asyncio.StreamWriter, head: bytes) -> None:
        """The body of the request."""
        async for piece in _body(reader, head):
            far.write(piece)
        await far.drain()

    async def _cut_short(self, fault: Fault, far: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await far.readuntil(b"\r\n\r\n")
        if fault == "in the answer":
            body = await far.read(1)
            writer.write(head + body)
            await writer.drain()

    async def _answer(self, far: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await far.readuntil(b"\r\n\r\n")
        await self._dribble(head, writer)
        async for piece in _body(far, head):
            await self._dribble(piece, writer)

    async def _dribble(self, data: bytes, writer: asyncio.StreamWriter) -> None:
        for at in range(0, len(data), self.piece):
            writer.write(data[at : at + self.piece])
            await writer.drain()
            await asyncio.sleep(0)


async def _body(reader: asyncio.StreamReader, head: bytes) -> AsyncIterator[bytes]:
    """The body behind a head, as it comes."""
    head = head.lower()
    if b"content-length:" in head:
        left = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        while left:
            if not (piece := await reader.read(min(left, 65536))):
                raise ConnectionResetError
            left -= len(piece)
            yield piece
    elif b"chunked" in head:
        size = b""
        while size != b"0\r\n":
            size = await reader.readuntil(b"\r\n")
            yield size + await reader.readexactly(int(size, 16) + 2)
