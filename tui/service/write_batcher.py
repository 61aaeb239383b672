"""Writes in groups: many small ones in few transactions; what comes while one runs goes into the next.

A durable commit costs a flush of the disk, and hundreds of answers that are written down as they come, or thousands of
files that are imported, would ask for as many of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from tui.service.library import Database

if TYPE_CHECKING:
    from tui.store import Store

T = TypeVar("T")
_Group: TypeAlias = "list[tuple[Callable[[Store], Any], asyncio.Future[Any]]]"
_MAX_GROUP = 12_000
"""Size (in cues) from which a group is written: some tenths of a second, for which everybody else who writes waits."""
_SECONDS = 1.0
"""Time for which a write waits for others at most."""


class GroupedWrites:
    """Writes that are done in their order once there are enough of them, they have waited, or it is asked for."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: _Group = []
        self.pending = 0
        """Number of writes that are not done yet."""
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def write(self, work: Callable[[Store], T], size: int = 1) -> asyncio.Future[T]:
        """Do a write with others. The future has its result or what it raises, with nothing of it written."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((work, future))
        self.pending += 1
        self._size += size
        if self._size >= _MAX_GROUP:
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_later(_SECONDS, self.flush)
        return future

    def flush(self) -> None:
        """Begin to write what waits, now or as soon as what is being written is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting and self._writing is None:
            group, self._waiting, self._size = self._waiting, [], 0
            self._writing = asyncio.create_task(self._write(group), name="lode-writes")

    async def room(self, size: int = _MAX_GROUP) -> None:
        """Wait while so much waits behind the group that is being written: memory is to hold no more than a group."""
        while self._writing is not None and self._size >= size:
            await asyncio.wait((self._writing,))

    async def _write(self, group: _Group) -> None:
        try:
            outcomes = await self._database.run(lambda store: store.write_batch([work for work, _ in group]))
        except Exception as error:  # noqa: BLE001 - belongs to those who wait
            outcomes = [error] * len(group)
        finally:
            self._writing = None
            if self._timer is None:  # what came meanwhile was to be written at once
                self.flush()
        self.pending -= len(group)
        for (_, future), outcome in zip(group, outcomes, strict=True):
            if future.done():
                continue  # cancelled: what was asked for was done all the same
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)


_PROGRESS_SECONDS = 1.0
"""Seconds between writes of progress: what a killed process loses at most."""


class WriteBatcher:
    """Batches writes: ``write`` returns once its write is kept; ``progress`` is written within a second.

    Writes are done in the order in which they were asked for, ``progress`` when its second is over.
    """

    def __init__(self, database: Database) -> None:
        self._writes = GroupedWrites(database)
        self._progress: dict[object, Callable[[Store], None]] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def write(self, work: Callable[[Store], T]) -> T:
        """Do a write and give its result. Raises its ``LodeError``, with nothing of it written, and ``StoreError``."""
        kept = self._writes.write(work)
        self._writes.flush()
        return await kept

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
        await self._writes.room(0)

    def _write_progress(self) -> None:
        self._timer = None
        works, self._progress = self._progress, {}
        for work in works.values():
            self._writes.write(work).add_done_callback(_ignore_error)
        self._writes.flush()


def _ignore_error(future: asyncio.Future[Any]) -> None:
    if not future.cancelled():
        future.exception()
