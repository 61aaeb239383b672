"""Jobs: long work, one at a time in the order it was asked for, recorded so that a killed process leaves a trace."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from tui.errors import ImportRefused, InvalidInput, LodeError, NotFound, StoreError
from tui.event_loop import in_daemon_thread
from tui.records import Job, JobOrder, JobOutcome, JobState, Page
from tui.service.library import Database, Library
from tui.text.sanitize import without_controls

if TYPE_CHECKING:
    from tui.store import Store

T = TypeVar("T")
_REPORT_SECONDS = 0.1
"""Progress is written at most this often: a bar needs no more, and each report is a transaction."""
_FOLLOW_SECONDS = 1.0
"""How often followers look at jobs that another process may be running."""


class JobCancelled(Exception):
    """Raised inside a job's work once its cancellation was asked for."""


class RunningJob:
    """A job at work: what it was asked, and how it reports."""

    def __init__(self, runner: JobRunner, profile: str, job: Job) -> None:
        self.profile = profile
        self.job = job
        self.options: Mapping[str, object] = {}
        """Known once it has begun."""
        self.over = asyncio.Event()
        self.cancel_asked = threading.Event()
        self._stopping = asyncio.Event()
        self._runner = runner
        self._reported = 0.0
        self._told = 0.0
        self._loop = asyncio.get_running_loop()
        self._stage = (0.0, 0.0)
        self.progress = 0.0
        self.message = ""
        """How far it is, and what it does: known here sooner than from its record, which waits for what it writes."""

    def stop(self) -> None:
        """Ask for its cancellation."""
        self.cancel_asked.set()
        self._stopping.set()

    async def outside(self, work: Callable[[], T], *, name: str) -> T:
        """``work`` on what others may withhold for ever, a file on a network that is gone say.

        It has a thread that nothing waits for; raises ``JobCancelled`` at once when this job should stop.
        """
        doing = in_daemon_thread(work, name=name)
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait((doing, stopping), return_when=asyncio.FIRST_COMPLETED)
            self.checkpoint(0.0)
            return await doing
        finally:
            stopping.cancel()
            doing.cancel()

    def checkpoint(self, progress: float) -> None:
        """For blocking code in a thread: notes how far it is (0 to 1) with what was last reported.

        Raises ``JobCancelled`` when this job should stop.
        """
        if self.cancel_asked.is_set():
            raise JobCancelled
        begin, end = self._stage
        now = time.monotonic()
        if end > begin and now - self._told >= _REPORT_SECONDS:
            self._told = now
            self.progress = begin + (end - begin) * progress
            self._loop.call_soon_threadsafe(self._runner.tell)

    async def report(self, progress: float, message: str, *, until: float = 0.0) -> None:
        """Record how far it is (0 to 1), and where what comes now ends; raises ``JobCancelled`` when it should stop."""
        self.checkpoint(0.0)
        self.progress, self.message, self._stage = progress, message, (progress, until)
        now = time.monotonic()
        if now - self._reported >= _REPORT_SECONDS:
            self._reported = now
            recorded = await self._runner.update(self.job.id, progress=progress, message=message)
            if recorded.state == "cancelled":  # by another process
                self.stop()
                raise JobCancelled

    async def succeed(self, message: str, *, file_id: str | None = None, outcome: JobOutcome | None = None) -> None:
        await self._runner.update(
            self.job.id, state="succeeded", progress=1.0, message=message, file_id=file_id, outcome=outcome
        )


Work = Callable[[RunningJob], Awaitable[None]]


class JobRunner:
    """Runs this process's jobs, whichever profile they are of; those of other processes are only looked at."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._work: dict[str, Work] = {}
        self._waiting: asyncio.Queue[tuple[str, Job]] = asyncio.Queue()
        self._unrecorded: dict[str, tuple[str, Job]] = {}
        """Ends that could not be written down, with the profile, by id."""
        self._running: RunningJob | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def register(self, kind: str, work: Work) -> None:
        self._work[kind] = work

    async def queue(
        self, library: Library, kind: str, sources: Sequence[str], options: Mapping[str, object]
    ) -> tuple[Job, ...]:
        profile = library.profile
        jobs = await library.change(lambda store: store.jobs.add_all(profile, kind, sources, options))
        for job in jobs:
            self._enqueue(profile, job)
        return jobs

    def _enqueue(self, profile: str, job: Job) -> None:
        self._waiting.put_nowait((profile, job))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run_all(), name="lode-jobs")
        self.tell()

    async def update(self, job_id: str, **changes: object) -> Job:
        job = await self._database.run(lambda store: store.jobs.update(job_id, **changes))  # type: ignore[arg-type]
        self._unrecorded.pop(job_id, None)
        self.tell()
        return job

    async def _end(
        self,
        profile: str,
        job: Job,
        state: JobState,
        *,
        message: str = "",
        error: str | None = None,
        suggested_encoding: str | None = None,
    ) -> None:
        """Record the end; where that fails (a full disk, a locked database) those who wait are told all the same."""
        if error is not None:
            error = without_controls(error)  # it may name a file whose bytes are no text, which cannot be stored
        try:
            ended = {"state": state, "error": error, "suggested_encoding": suggested_encoding}
            await self.update(job.id, message=message or None, **ended)
        except StoreError:
            self._unrecorded[job.id] = profile, replace(job, state=state, message=message, error=error)

    def as_known(self, job: Job) -> Job:
        """The job as its record says, unless its end could not be recorded or it is known here how far it is."""
        _, known = self._unrecorded.get(job.id, ("", job))
        running = self._running
        if running is not None and running.job.id == job.id and known.state == "running":
            return replace(known, progress=running.progress, message=running.message)
        return known

    async def get(self, profile: str, job_id: str) -> Job:
        return self.as_known(await self._database.run_on_jobs(lambda store: store.jobs.get(profile, job_id)))

    async def running(self, profile: str) -> int:
        """How many jobs of the profile are queued or running."""
        count = await self._database.run_on_jobs(lambda store: store.jobs.active_count(profile))
        return max(0, count - sum(owner == profile for owner, _ in self._unrecorded.values()))

    async def cancel(self, profile: str, job_id: str) -> Job:
        """Stop a queued or running job and wait until it has stopped; one that is over is left as it is.

        One that another process runs is only marked: it stops there when it next reports.
        """
        job = await self.get(profile, job_id)
        if await self._stopped(job.id):
            job = await self.get(profile, job.id)
        if not job.is_over:
            if not await self._database.run(lambda store: store.jobs.cancel(job.id)):
                await self._stopped(job.id)  # it began here between the look and the mark
            self.tell()
        return await self.get(profile, job.id)

    async def _stopped(self, job_id: str) -> bool:
        """Whether it was at work here; it has stopped then."""
        running = self._running
        if running is None or running.job.id != job_id:
            return False
        running.stop()
        await running.over.wait()
        return True

    async def retry(self, library: Library, job_id: str) -> Job:
        recorded = await self._database.run_on_jobs(lambda store: store.jobs.get(library.profile, job_id))
        job = self.as_known(recorded)
        if not job.is_over or job.state == "succeeded":
            raise InvalidInput(
                f"job {job.id} {'has succeeded' if job.is_over else 'is still ' + job.state}",
                hint="only failed, cancelled and interrupted jobs can be tried again",
            )
        job = await library.change(lambda store: store.jobs.requeue(recorded))
        self._unrecorded.pop(job.id, None)
        self._enqueue(library.profile, job)
        return job

    async def follow(self, profile: str, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        shown: dict[str, Job] = {}
        open_ids = list(job_ids)
        while open_ids:
            self._changed.clear()
            for job_id in tuple(open_ids):
                job = await self.get(profile, job_id)
                if job.is_over:
                    open_ids.remove(job_id)
                if shown.get(job_id) != job:
                    shown[job_id] = job
                    yield job
            if open_ids:
                # Not wait_for: before Python 3.12 it swallows a cancellation that comes together with the change.
                with suppress(TimeoutError):
                    async with asyncio.timeout(_FOLLOW_SECONDS):
                        await self._changed.wait()

    async def close(self) -> None:
        """Stop at once; what was queued or running becomes interrupted."""
        if self._task is not None:
            if self._running is not None:
                self._running.stop()
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None
            with suppress(StoreError):
                for _, job in tuple(self._unrecorded.values()):  # there may be room again by now
                    with suppress(NotFound):
                        await self.update(job.id, state=job.state, message=job.message or None, error=job.error)
                await self._database.run(lambda store: store.jobs.release_owner())

    def tell(self) -> None:
        """Wake those who follow jobs."""
        self._changed.set()

    async def _run_all(self) -> None:
        while True:
            profile, queued = await self._waiting.get()
            # Before anything is awaited: whoever cancels it from here on waits for its end.
            running = self._running = RunningJob(self, profile, queued)
            try:
                await self._run(running)
            except NotFound:
                pass  # deleted meanwhile
            finally:
                self._running = None
                running.over.set()
                self.tell()

    async def _run(self, running: RunningJob) -> None:
        profile, job = running.profile, running.job

        def begin(store: Store) -> Mapping[str, object] | None:
            try:
                return store.jobs.options(job.id) if store.jobs.begin(job.id) else None
            except NotFound:
                return None

        try:
            options = await self._database.run(begin)
            if options is None:
                return  # cancelled or deleted while it waited
            self.tell()
            running.options = options
            running.checkpoint(0.0)
            await self._work[job.kind](running)
            if not (await self.get(profile, job.id)).is_over:
                await running.succeed("done")
        except JobCancelled:
            await self._end(profile, job, "cancelled", message="cancelled")
        except LodeError as error:
            suggested = (error.suggested_encoding or None) if isinstance(error, ImportRefused) else None
            await self._end(profile, job, "failed", error=_said(error), suggested_encoding=suggested)
        except Exception as error:  # noqa: BLE001 - the edge of a job: whatever broke, the next job must still run
            await self._end(profile, job, "failed", error=f"unexpected {type(error).__name__}: {error}")


def _said(error: LodeError) -> str:
    return "\n".join(filter(None, (error.message, error.hint)))


class LocalJobs:
    """The jobs of one profile."""

    def __init__(self, library: Library, runner: JobRunner) -> None:
        self._library = library
        self._profile = library.profile
        self._runner = runner

    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None, order: JobOrder = "newest"
    ) -> Page[Job]:
        page = await self._library.run_on_jobs(
            lambda store: store.jobs.page(self._profile, offset, limit, q, after, order)
        )
        return replace(page, items=tuple(self._runner.as_known(job) for job in page.items))

    async def get(self, job_id: str) -> Job:
        return await self._runner.get(self._profile, job_id)

    async def running(self) -> int:
        return await self._runner.running(self._profile)

    async def cancel(self, job_id: str) -> Job:
        return await self._runner.cancel(self._profile, job_id)

    async def retry(self, job_id: str) -> Job:
        return await self._runner.retry(self._library, job_id)

    def follow(self, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        return self._runner.follow(self._profile, job_ids)
