"""Lane of jobs: runs those of some kinds one at a time, in their order, beside the other lanes.

What several jobs came to is stored in one transaction: a directory of subtitles is thousands of small jobs, and one
each would write the same pages of the library thousands of times over. What is not yet stored when the process is
killed is done again by a retry of its job.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Unpack

from tui.errors import NotFound, StoreError
from tui.service.jobs.running_job import RunningJob
from tui.service.library import Database
from tui.service.write_batcher import GroupedWrites

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.store import Store
    from tui.store.tables.jobs import JobChanges

T = TypeVar("T")
_UNRECORDED_SECONDS = 0.3
"""Time for which a job is at work before that is recorded."""


class LaneRunner(Protocol):
    """Runs the jobs of lanes; the ``JobRunner``, as a lane sees it."""

    async def update(self, job_id: str, **changes: Unpack[JobChanges]) -> Job: ...

    def wake_followers(self) -> None: ...

    def run_job(self, running: RunningJob) -> Coroutine[Any, Any, None]: ...


class Lane:
    """Jobs that run one after the other; writes down how far they are, as ``JobRecords``."""

    def __init__(self, database: Database, runner: LaneRunner) -> None:
        self._database = database
        self._runner = runner
        self._queued: asyncio.Queue[tuple[str, Job]] = asyncio.Queue()
        self.running: dict[str, RunningJob] = {}
        """The job at work, and those that have only to be written down, by id."""
        self._writes = GroupedWrites(database)
        self._task: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """Number of jobs that wait behind the one at work."""
        return self._queued.qsize()

    def enqueue(self, profile: str, job: Job) -> None:
        self._queued.put_nowait((profile, job))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run_all(), name="lode-jobs")
        self.wake_followers()

    async def update(self, job_id: str, **changes: Unpack[JobChanges]) -> Job:
        return await self._runner.update(job_id, **changes)

    def wake_followers(self) -> None:
        self._runner.wake_followers()

    async def write_together(self, work: Callable[[Store], T], size: int) -> T:
        written = self._writes.write(work, size)
        self._write_if_last()
        return await written

    def flush(self) -> None:
        """Write what waits for the writes of other jobs."""
        self._writes.flush()

    async def close(self) -> None:
        """Stop at once."""
        for running in self.running.values():
            running.stop()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _write_if_last(self) -> None:
        """Write what waits where nothing can come to it any more."""
        if self._queued.empty() and self._writes.pending >= len(self.running):
            self._writes.flush()

    async def _run_all(self) -> None:
        """Run the jobs in their order; each begins once the one before it is over or has only to be written down."""
        ending: set[asyncio.Task[None]] = set()
        try:
            while True:
                profile, queued = await self._queued.get()
                # Before anything is awaited: whoever cancels it from here on waits for its end.
                running = self.running[queued.id] = RunningJob(self._database, self, profile, queued)
                task = asyncio.create_task(self._run_to_its_end(running))
                ending.add(task)
                task.add_done_callback(ending.discard)
                await self._wait_for_work(running)
                await self._writes.room()
        finally:
            for task in tuple(ending):
                task.cancel()
            await asyncio.gather(*ending, return_exceptions=True)

    async def _wait_for_work(self, running: RunningJob) -> None:
        """Wait until the next job may begin. That one is at work is recorded only where it takes its time.

        Most of a directory's files take some hundredths of a second, in which nobody looks, and each record is a
        transaction.
        """
        await running.begun.wait()  # one that is recorded as running before that would be taken for somebody else's
        with suppress(TimeoutError):
            async with asyncio.timeout(_UNRECORDED_SECONDS):
                await running.worked.wait()
                return
        with suppress(StoreError, NotFound):
            if not await self._database.run(lambda store: store.jobs.begin(running.job.id)):
                running.stop()  # another process has cancelled it
        await running.worked.wait()

    async def _run_to_its_end(self, running: RunningJob) -> None:
        try:
            await self._runner.run_job(running)
        except NotFound:
            pass  # deleted meanwhile
        finally:
            del self.running[running.job.id]
            self._write_if_last()
            running.begun.set()
            running.worked.set()
            running.over.set()
            self.wake_followers()
