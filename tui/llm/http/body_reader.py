"""Body readers: take the chunks of a response that are there as one, ahead of the decoder or at a pace.

Servers send a chunk per token. A deadline, a decoder's call and a few generators for each of them cost several times
what reading it does; taken together they cost next to nothing, and one that comes alone is handed on at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Protocol

_MAX_BYTES = 32 * 1024
"""Maximum bytes read ahead: a millisecond's work. It begins with a chunk, since the first token is waited for."""
_FEW_STREAMS = 50
"""Maximum streams that are each read as their tokens come."""
_READINGS_PER_SECOND = 3000
"""Reads per second of all streams together, once they are many."""
_MAX_PAUSE = 0.15
"""Seconds that a text may wait; a reader sees words, not letters, come at that pace."""


def pause_between_reads(streams: int) -> float:
    """Seconds that each of so many streams is left alone after it was read: the more there are, the longer.

    A token alone costs a wake-up, a reading of the network, a decoder's call and a piece sent on, which is nothing for
    a few streams and the whole processor for hundreds.
    """
    return 0.0 if streams <= _FEW_STREAMS else min(_MAX_PAUSE, streams / _READINGS_PER_SECOND)


class BodyReader(Protocol):
    """Reads the body of a response within its block; leaving the block closes the chunks."""

    async def __aenter__(self) -> BodyReader: ...

    async def __aexit__(self, *exception: object) -> None: ...

    async def next(self, seconds: float | None = None) -> bytes | None:
        """Take the bytes that have come, at least a chunk; None at the end.

        Raises what reading raised, after the bytes before it, and ``TimeoutError`` when nothing comes for ``seconds``.
        """

    async def drain(self, seconds: float) -> None:
        """Read to the end, for so long at most: a connection whose body has ended can be used again.

        Never raises: what goes wrong here costs nothing but that connection.
        """


class ReadAhead:
    """A ``BodyReader`` whose task reads while the decoder is busy: chunks that are there come as one."""

    def __init__(self, chunks: AsyncGenerator[bytes, None]) -> None:
        self._chunks = chunks
        self._pending = bytearray()
        self._error: Exception | None = None
        self._came = asyncio.Event()
        self._room = asyncio.Event()

    async def __aenter__(self) -> ReadAhead:
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._task.cancel()
        await asyncio.wait((self._task,))

    async def next(self, seconds: float | None = None) -> bytes | None:
        if not self._pending and not self._task.done():
            async with asyncio.timeout(seconds):
                await self._came.wait()
        self._came.clear()
        if not self._pending:
            if self._error is not None:
                raise self._error
            return None
        taken = bytes(self._pending)
        self._pending.clear()
        self._room.set()
        return taken

    async def drain(self, seconds: float) -> None:
        self._pending.clear()
        self._room.set()
        await asyncio.wait((self._task,), timeout=seconds)

    async def _read(self) -> None:
        most = 1
        try:
            async with aclosing(self._chunks) as chunks:
                async for chunk in chunks:
                    self._pending += chunk
                    self._came.set()
                    if len(self._pending) >= most:
                        most = min(most * 8, _MAX_BYTES)
                        self._room.clear()
                        await self._room.wait()
        except Exception as error:  # noqa: BLE001 - handed to whoever reads, who raises it
            self._error = error
        finally:
            self._came.set()


class PacedReader:
    """A ``BodyReader`` that reads when it is asked, and after each chunk leaves the stream alone for ``pause`` seconds.

    With hundreds of streams each wake-up of a task between would make tokens late.
    """

    def __init__(self, chunks: AsyncGenerator[bytes, None], pause: Callable[[], float]) -> None:
        self._chunks = chunks
        self._pause = pause
        self._waits = 0.0

    async def __aenter__(self) -> PacedReader:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._chunks.aclose()

    async def next(self, seconds: float | None = None) -> bytes | None:
        if self._waits > 0:
            await asyncio.sleep(self._waits)
        async with asyncio.timeout(seconds):
            chunk = await anext(self._chunks, None)
        self._waits = self._pause()
        return chunk

    async def drain(self, seconds: float) -> None:
        with suppress(Exception):
            async with asyncio.timeout(seconds):
                async for _ in self._chunks:
                    pass
