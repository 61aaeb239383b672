"""A body read ahead of who decodes it: chunks that are there already come as one.

Servers send a chunk per token. A deadline, a decoder's call and a few generators for each of them cost several times
what reading it does; taken together they cost next to nothing, and one that comes alone is handed on at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from types import TracebackType
from typing import Protocol

_MOST_BYTES = 32 * 1024
_MOST_CHUNKS = 32
"""What is read before somebody takes it: a millisecond's work, to which it grows from a single chunk, since the first
token is the one that is waited for.
"""


class BodyReader(Protocol):
    """A body that is read piece by piece; ``ReadAhead`` says what its methods do."""

    async def next(self, seconds: float | None = None) -> bytes | None: ...

    async def drain(self, seconds: float) -> None: ...


class ReadAhead:
    """Within its block a task reads; leaving the block ends it, and the generator is then still to be closed.

    ``pause`` says for how many seconds nothing is read after each chunk; what comes meanwhile is the next one.
    """

    def __init__(
        self,
        chunks: AsyncGenerator[bytes, None],
        pause: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._chunks = chunks
        self._pause = pause
        self._pending: list[bytes] = []
        self._wanted: asyncio.Future[None] | None = None
        self._room = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> ReadAhead:
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is None:
            return
        self._task.cancel()
        again: asyncio.CancelledError | None = None
        while not self._task.done():  # who is cancelled once more meanwhile still waits: the generator is in use
            try:
                await asyncio.wait((self._task,))
            except asyncio.CancelledError as cancelled:
                again = cancelled
        if not self._task.cancelled():
            self._task.exception()  # so that one that nobody asked for is not reported as lost
        if again is not None:
            raise again

    async def drain(self, seconds: float) -> None:
        """Read on for so long at most, though nobody wants it: a connection whose body has ended can be used again.

        Never raises: what goes wrong here costs nothing but that connection.
        """
        self._pending.clear()
        self._room.set()
        if self._task is not None and not self._task.done():
            await asyncio.wait((self._task,), timeout=seconds)

    async def next(self, seconds: float | None = None) -> bytes | None:
        """What has come, at least one chunk; None at the end. Raises what reading raised, after what came before it.

        Raises ``TimeoutError`` when nothing has come for so many seconds.
        """
        while not self._pending:
            if self._task is None or self._task.done():
                if self._task is not None:
                    self._task.result()
                return None
            await self._more(seconds)
        taken = self._pending[0] if len(self._pending) == 1 else b"".join(self._pending)
        self._pending.clear()
        self._room.set()
        return taken

    async def _more(self, seconds: float | None) -> None:
        """A timer and a future: ``asyncio.timeout`` around an event costs three times as much, for every token."""
        loop = asyncio.get_running_loop()
        wanted = self._wanted = loop.create_future()
        timer = None if seconds is None else loop.call_later(seconds, _too_late, wanted)
        try:
            await wanted
        finally:
            self._wanted = None
            if timer is not None:
                timer.cancel()

    def _came(self) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)

    async def _read(self) -> None:
        size, most = 0, 1
        pending = self._pending
        try:
            async for chunk in self._chunks:
                if not pending:
                    size = 0
                    self._came()
                pending.append(chunk)
                size += len(chunk)
                if size >= _MOST_BYTES or len(pending) >= most:
                    most = min(most * 2, _MOST_CHUNKS)
                    self._room.clear()
                    await self._room.wait()
                if (seconds := self._pause()) > 0:
                    await asyncio.sleep(seconds)
        finally:
            self._came()


def _too_late(wanted: asyncio.Future[None]) -> None:
    if not wanted.done():
        wanted.set_exception(TimeoutError())
