"""Read a response body ahead of its decoder: chunks that are there come as one, at a pace when streams are many.

Servers send a chunk per token. A deadline, a decoder's call and a few generators for each of them cost several times
what reading it does; taken together they cost next to nothing, and one that comes alone is handed on at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress

_MOST_BYTES = 32 * 1024
"""What is read before somebody takes it: a millisecond's work, to which it grows from a single chunk, since the first
token is the one that is waited for.
"""
_FEW_STREAMS = 50
"""So many are each read as their tokens come."""
_READINGS_PER_SECOND = 3000
"""Of all streams together, once they are many."""
_LONGEST_PAUSE = 0.15
"""Seconds that a text may wait; a reader sees words, not letters, come at that pace."""


def pause_between_reads(streams: int) -> float:
    """Seconds that each of so many streams is left alone after it was read: the more there are, the longer.

    A token alone costs a wake-up, a reading of the network, a decoder's call and a piece sent on, which is nothing for
    a few streams and the whole processor for hundreds.
    """
    return 0.0 if streams <= _FEW_STREAMS else min(_LONGEST_PAUSE, streams / _READINGS_PER_SECOND)


class BodyReader:
    """Within its block a task reads ``chunks``; leaving the block ends it and closes them.

    ``pause`` says for how many seconds nothing is read after each chunk; what comes meanwhile is the next one.
    """

    def __init__(self, chunks: AsyncGenerator[bytes, None], pause: Callable[[], float] = lambda: 0.0) -> None:
        self._chunks = chunks
        self._pause = pause
        self._pending = bytearray()
        self._error: Exception | None = None
        self._came = asyncio.Event()
        self._room = asyncio.Event()

    async def __aenter__(self) -> BodyReader:
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._task.cancel()
        await asyncio.wait((self._task,))

    async def next(self, seconds: float | None = None) -> bytes | None:
        """What has come, at least one chunk; None at the end. Raises what reading raised, after what came before it.

        Raises ``TimeoutError`` when nothing has come for so many seconds.
        """
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
        """Read on for so long at most, though nobody wants it: a connection whose body has ended can be used again.

        Never raises: what goes wrong here costs nothing but that connection.
        """
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
                        most = min(most * 8, _MOST_BYTES)
                        self._room.clear()
                        await self._room.wait()
                    if (seconds := self._pause()) > 0:
                        await asyncio.sleep(seconds)
        except Exception as error:  # noqa: BLE001 - handed to whoever reads, who raises it
            self._error = error
        finally:
            self._came.set()


class DirectReader(BodyReader):
    """Reads when it is asked, without a task between: with hundreds of streams every wake-up more makes tokens late."""

    async def __aenter__(self) -> BodyReader:
        self._waits = 0.0
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
