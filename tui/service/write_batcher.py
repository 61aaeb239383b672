"""Write batcher: groups many small writes into few transactions; what comes while one runs goes into the next.

A durable commit costs a flush of the disk, and hundreds of answers that are written down as they come would ask for
hundreds of them a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from tui.service.library import Database
    from tui.store import Store

T = TypeVar("T")
_Batch: TypeAlias = "list[tuple[Callable[[Store], Any], asyncio.Future[Any]]]"

_PROGRESS_SECONDS = 1.0
"""Seconds between writes of progress: what a killed process loses at most."""


class WriteBatcher:
    """Groups writes: ``write`` returns once its write is kept; ``progress`` is written within a second.

    Writes are done in the order in which they were asked for, ``progress`` when its second is over.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: _Batch = []
        self._writing: asyncio.Task[None] | None = None
        self._progress: dict[object, Callable[[Store], None]] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def write(self, work: Callable[[Store], T]) -> T:
        """Do a write and give its result. Raises its ``LodeError``, with nothing of it written, and ``StoreError``."""
        kept: T = await self._enqueue(work)
        return kept

    def progress(self, of: object, work: Callable[[Store], None]) -> None:
        """Have ``work`` done within a second, unless a later one ``of`` the same takes its place or it is dropped.

        Errors are ignored: the next update contains everything.
        """
        self._progress[of] = work
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_PROGRESS_SECONDS, self._write_progress)

    def drop_progress(self, of: object) -> None:
        """Forget what ``progress`` was asked ``of`` this: what is written next contains it."""
        self._progress.pop(of, None)

    async def close(self) -> None:
        """Write what waits; no call may follow."""
        if self._timer is not None:
            self._timer.cancel()
            self._write_progress()
        if self._writing is not None:
            await self._writing

    def _write_progress(self) -> None:
        self._timer = None
        works, self._progress = self._progress, {}
        for work in works.values():
            self._enqueue(work).add_done_callback(_ignore_error)

    def _enqueue(self, work: Callable[[Store], Any]) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, future))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        return future

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await self._write_batch(batch)
        self._writing = None

    async def _write_batch(self, batch: _Batch) -> None:
        try:
            outcomes = await self._database.run(lambda store: store.write_batch([work for work, _ in batch]))
        except Exception as error:  # noqa: BLE001 - belongs to those who wait
            outcomes = [error] * len(batch)
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if future.done():
                continue  # cancelled: what was asked for was done all the same
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)


def _ignore_error(future: asyncio.Future[Any]) -> None:
    if not future.cancelled():
        future.exception()
