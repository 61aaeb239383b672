"""Grouped writes: what several jobs came to is stored in one transaction.

A directory of subtitles is thousands of small jobs, and a transaction each would write the same pages of the library
thousands of times over. What is not yet stored when the process is killed is done again by a retry of its job.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from tui.service.library import Database

if TYPE_CHECKING:
    from tui.store import Store

T = TypeVar("T")
_MOST = 12_000
"""Size (in cues) from which a group is written: some tenths of a second, for which everybody else who writes waits."""
_SECONDS = 1.0
"""Time for which a write waits for others at most."""


class GroupedWrites:
    """Writes of jobs, done in their order once there are enough of them, they have waited, or nothing more comes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[tuple[Callable[[Store], Any], asyncio.Future[Any]]] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    async def write(self, work: Callable[[Store], T], size: int) -> T:
        """Do a write with others and give its result. Raises what it raises, with nothing of it written."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((work, future))
        self._size += size
        if self._size >= _MOST:
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_later(_SECONDS, self.flush)
        return await future

    def flush(self) -> None:
        """Begin to write what waits, now or as soon as what is being written is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting and self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="lode-job-writes")

    async def written(self) -> None:
        """Wait until what is being written is."""
        if self._writing is not None:
            await asyncio.wait((self._writing,))

    async def _write(self) -> None:
        group, self._waiting, self._size = self._waiting, [], 0
        try:
            outcomes = await self._database.run(lambda store: store.write_batch([work for work, _ in group]))
        except Exception as error:  # noqa: BLE001 - belongs to those who wait
            outcomes = [error] * len(group)
        finally:
            self._writing = None
        for (_, future), outcome in zip(group, outcomes, strict=True):
            if future.done():
                continue  # cancelled: what was asked for was done all the same
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
