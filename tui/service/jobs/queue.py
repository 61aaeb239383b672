"""Job queue: runs long work in the order in which it came, recorded so that a killed process leaves a trace.

One job runs at a time, but in a lane of their own those of kinds that take hours: an import does not wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from tui.errors import ImportRefused, InvalidInput, LodeError, NotFound, StoreError, in_two_lines
from tui.service.jobs.lane import Lane
from tui.service.jobs.running_job import JobCancelled, JobKind, RunningJob
from tui.service.library import Database, Library
from tui.text.sanitize import without_controls

if TYPE_CHECKING:
    from tui.records.jobs import Job, JobSource
    from tui.store import Store
    from tui.store.tables.jobs import JobChanges


_FOLLOW_SECONDS = 1.0
"""Seconds between looks at jobs that another process may be running."""


Work = Callable[[RunningJob], Awaitable[None]]


class JobRunner:
    """Runs this process's jobs, whichever profile they are of; those of other processes are only looked at.

    ``make_kind`` gives what does the work of a kind, or raises ``InvalidInput`` for what is none; ``find_lane`` the
    lane of a kind, by its name.
    """

    def __init__(
        self, database: Database, make_kind: Callable[[str], JobKind], find_lane: Callable[[str], str] = lambda kind: ""
    ) -> None:
        self._database = database
        self._make_kind = make_kind
        self.work: dict[str, Work] = {}
        """Work by kind, from the first job of a kind on."""
        self._find_lane = find_lane
        self._lanes: dict[str, Lane] = {}
        self._unrecorded: dict[str, tuple[str, Job]] = {}
        """Ended jobs whose end could not be written down, with the profile, by id."""
        self._changed = asyncio.Event()

    async def queue(
        self,
        library: Library,
        kind: str,
        sources: Sequence[JobSource | str],
        options: Mapping[str, object],
        file_ids: Sequence[str] = (),
    ) -> tuple[Job, ...]:
        """Queue a job for each source; ``file_ids`` are the files of the library that they work on, if they do."""
        told = [str(each) for each in sources]
        return await self.queue_made(
            library, lambda store: store.jobs.add_all(library.profile, kind, told, options, file_ids)
        )

    async def queue_made(self, library: Library, make: Callable[[Store], tuple[Job, ...]]) -> tuple[Job, ...]:
        """Queue the jobs that ``make`` adds to the library, in one transaction with what they are of."""
        jobs = await library.change(make)
        for job in jobs:
            self._enqueue(library.profile, job)
        return jobs

    def _enqueue(self, profile: str, job: Job) -> None:
        name = self._find_lane(job.kind)
        if name not in self._lanes:
            self._lanes[name] = Lane(self._database, self)
        self._lanes[name].enqueue(profile, job)

    def _find_running(self, job_id: str) -> RunningJob | None:
        return next((lane.running[job_id] for lane in self._lanes.values() if job_id in lane.running), None)

    async def update(self, job_id: str, **changes: Unpack[JobChanges]) -> Job:
        job = await self._database.run(lambda store: store.jobs.update(job_id, **changes))
        self._unrecorded.pop(job_id, None)
        self.wake_followers()
        return job

    async def _end(self, profile: str, ended: Job) -> None:
        """Record the end; where that fails (a full disk, a locked database) followers see it all the same."""
        try:
            await self._record_end(ended)
        except StoreError:
            self._unrecorded[ended.id] = profile, ended

    async def _record_end(self, ended: Job) -> None:
        message, suggested = ended.message or None, ended.suggested_encoding
        await self.update(ended.id, state=ended.state, message=message, error=ended.error, suggested_encoding=suggested)

    def as_known(self, job: Job) -> Job:
        """The job as its record says, unless its end could not be recorded or it is known here how far it is."""
        _, known = self._unrecorded.get(job.id, ("", job))
        running = self._find_running(job.id)
        if running is not None and running.begun.is_set() and not known.is_over:
            return replace(
                known,
                state="running",
                progress=running.progress,
                message=running.message,
                seconds_left=running.seconds_left,
            )
        return known

    async def get(self, profile: str, *job_ids: str) -> tuple[Job, ...]:
        jobs = await self._database.run_on_jobs(lambda store: store.jobs.get_all(profile, job_ids))
        return tuple(self.as_known(job) for job in jobs)

    async def running(self, profile: str) -> int:
        """Number of the profile's jobs that are queued or running."""
        count = await self._database.run_on_jobs(lambda store: store.jobs.active_count(profile))
        return max(0, count - sum(owner == profile for owner, _ in self._unrecorded.values()))

    async def cancel(self, profile: str, *job_ids: str) -> tuple[Job, ...]:
        """Stop queued and running jobs and wait until they have stopped; those that are over are left as they are.

        One that another process runs is only marked: it stops there when it next reports. Those that wait are marked
        before the one at work is stopped, so that none of them begins meanwhile.
        """
        jobs = await self.get(profile, *job_ids)
        ids = [job.id for job in jobs]
        waiting = [job.id for job in jobs if not job.is_over and self._find_running(job.id) is None]
        try:
            if waiting:
                await self._database.run(lambda store: store.jobs.cancel(*waiting))
        finally:
            at_work = [running for each in ids if (running := self._find_running(each)) is not None]
            for running in at_work:
                running.stop()
            for lane in self._lanes.values():
                lane.flush()
            for running in at_work:
                await running.over.wait()
            self.wake_followers()
        return await self.get(profile, *ids)

    async def retry(self, library: Library, wanted: Mapping[str, Mapping[str, object]]) -> tuple[Job, ...]:
        """Queue jobs that are over once more, all of them or none, each with the options that are to be others."""

        def requeue(store: Store) -> tuple[Job, ...]:
            return store.jobs.requeue_all([(seen, wanted[seen.id]) for seen in recorded])

        recorded = await self._database.run_on_jobs(
            lambda store: [store.jobs.get(library.profile, job_id) for job_id in wanted]
        )
        for job in map(self.as_known, recorded):
            if not job.is_over or job.state == "succeeded":
                raise InvalidInput(
                    f"job {job.id} {'has succeeded' if job.is_over else 'is still ' + job.state}",
                    hint="only failed, cancelled and interrupted jobs can be tried again",
                )
        wanted = {seen.id: options for seen, options in zip(recorded, wanted.values(), strict=True)}  # ids in full
        jobs = await library.change(requeue)
        for job in jobs:
            self._unrecorded.pop(job.id, None)
            self._enqueue(library.profile, job)
        return jobs

    async def follow(self, profile: str, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        shown: dict[str, Job] = {}
        open_ids = list(job_ids)
        while open_ids:
            self._changed.clear()
            jobs = await self.get(profile, *open_ids)
            open_ids = list(dict.fromkeys(job.id for job in jobs if not job.is_over))  # a job may be named twice
            for job in jobs:
                if shown.get(job.id) != job:
                    shown[job.id] = job
                    yield job
            if open_ids:
                # Not wait_for: before Python 3.12 it swallows a cancellation that comes together with the change.
                with suppress(TimeoutError):
                    async with asyncio.timeout(_FOLLOW_SECONDS):
                        await self._changed.wait()

    async def close(self) -> None:
        """Stop at once; what was queued or running becomes interrupted."""
        if not self._lanes:
            return
        for lane in self._lanes.values():
            await lane.close()
        self._lanes.clear()
        with suppress(StoreError):
            for _, job in tuple(self._unrecorded.values()):  # there may be room again by now
                with suppress(NotFound):
                    await self._record_end(job)
            await self._database.run(lambda store: store.jobs.release_owner())

    def wake_followers(self) -> None:
        """Let ``follow`` look at its jobs again."""
        self._changed.set()

    async def run_job(self, running: RunningJob) -> None:
        """Do the work of a job and record how it ended; raises ``NotFound`` where it was deleted meanwhile."""
        profile, job = running.profile, running.job

        def begin(store: Store) -> bool:
            if not store.jobs.is_queued(job.id):
                return False
            running.options, running.done = store.jobs.options(job.id), store.jobs.done(job.id)
            return True

        try:
            if not await self._database.run(begin):
                return  # cancelled while it waited
            running.begun.set()
            self.wake_followers()
            running.checkpoint(0.0)
            if job.kind not in self.work:
                self.work[job.kind] = self._make_kind(job.kind).run
            await self.work[job.kind](running)
            if not running.has_ended:
                (recorded,) = await self.get(profile, job.id)
                if not recorded.is_over:
                    await running.succeed("done")
        except JobCancelled:
            await self._end(profile, replace(job, state="cancelled", message="cancelled"))
        except LodeError as error:
            # It may name a file whose bytes are no text, which cannot be stored.
            failed = replace(job, state="failed", message="", error=without_controls(in_two_lines(error)))
            suggested = (error.suggested_encoding or None) if isinstance(error, ImportRefused) else None
            await self._end(profile, replace(failed, suggested_encoding=suggested))
        except Exception as error:  # noqa: BLE001 - the edge of a job: whatever broke, the next job must still run
            said = without_controls(f"unexpected {type(error).__name__}: {error}")
            await self._end(profile, replace(job, state="failed", message="", error=said))
