"""Grouped writes: what several jobs came to is stored in one transaction.

A directory of subtitles is thousands of small jobs, and a transaction each would write the same pages of the library
thousands of times over. What is not yet stored when the process is killed is done again by a retry of its job.
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
_MOST = 12_000
"""Size (in cues) from which a group is written: some tenths of a second, for which everybody else who writes waits."""
_SECONDS = 1.0
"""Time for which a write waits for others at most."""


class GroupedWrites:
    """Writes of jobs, done in their order once there are enough of them, they have waited, or it is asked for."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: _Group = []
        self.pending = 0
        """Number of writes that are not done yet."""
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def write(self, work: Callable[[Store], T], size: int) -> asyncio.Future[T]:
        """Do a write with others. The future has its result or what it raises, with nothing of it written."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((work, future))
        self.pending += 1
        self._size += size
        if self._size >= _MOST:
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
            self._writing = asyncio.create_task(self._write(group), name="lode-job-writes")

    async def room(self) -> None:
        """Wait while a whole group waits behind the one that is being written: memory is to hold no more of them."""
        while self._writing is not None and self._size >= _MOST:
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
