"""A body read ahead of who decodes it: chunks that are there already come as one.

Servers send a chunk per token. A deadline, a decoder's call and a few generators for each of them cost several times
what reading it does; taken together they cost next to nothing, and one that comes alone is handed on at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from types import TracebackType

_MOST = 8 * 1024
"""Bytes that are read before somebody takes them: some twenty tokens, a millisecond's work."""


class ReadAhead:
    """Within its block a task reads; leaving the block ends it, and the generator is then still to be closed."""

    def __init__(self, chunks: AsyncGenerator[bytes, None]) -> None:
        self._chunks = chunks
        self._pending: list[bytes] = []
        self._came = asyncio.Event()
        self._room = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> ReadAhead:
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def next(self) -> bytes | None:
        """What has come, at least one chunk; None at the end. Raises what reading raised, after what came before it."""
        while not self._pending:
            if self._task is None or self._task.done():
                if self._task is not None:
                    self._task.result()
                return None
            self._came.clear()
            await self._came.wait()
        taken = b"".join(self._pending)
        self._pending.clear()
        self._room.set()
        return taken

    async def _read(self) -> None:
        size = 0
        try:
            async for chunk in self._chunks:
                if not self._pending:
                    size = 0
                    self._came.set()
                self._pending.append(chunk)
                size += len(chunk)
                if size >= _MOST:
                    self._room.clear()
                    await self._room.wait()
        finally:
            self._came.set()
