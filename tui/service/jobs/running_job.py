"""Running job: its options, its progress reports, and where it is cancelled."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Unpack

from tui.records.jobs import Job, JobOutcome, JobSource
from tui.system.event_loop import in_daemon_thread
from tui.text.time_left import TimeLeft

if TYPE_CHECKING:
    from tui.llm.protocol import ModelProvider
    from tui.service.jobs.card_maker import CardMaker
    from tui.service.library import Database
    from tui.service.words.word_forms import WordForms
    from tui.store import Store
    from tui.store.tables.jobs import JobChanges
    from tui.voices import Voice

T = TypeVar("T")
_REPORT_SECONDS = 0.1
"""Seconds between two writes of progress: a bar needs no more, and each report is a transaction."""


class JobCancelled(Exception):
    """Raised inside a job's work once its cancellation was asked for."""


class JobKind(Protocol):
    """The work of the jobs of one kind; made with ``JobParts`` when the first of them runs.

    ``run`` reports how far it is, which is also where it is cancelled. Where the work has parts that need not be done
    twice it passes over those in ``running.done``, and tells of each of the others by ``running.finish``.
    """

    async def run(self, running: RunningJob) -> None: ...


@dataclass(frozen=True, slots=True)
class JobParts:
    """Parts that the work of jobs is made with, the same for all kinds.

    ``voice_of`` gives the voice of a language, ``find_provider`` a provider by its name, ``make_card_maker`` what makes
    the cards of a profile.
    """

    database: Database
    word_forms: WordForms
    voice_of: Callable[[str], Awaitable[Voice]]
    find_provider: Callable[[str], ModelProvider]
    make_card_maker: Callable[[str], CardMaker]


class JobRecords(Protocol):
    """Writes down how far jobs are; the ``JobRunner``, as a job that is at work sees it."""

    async def update(self, job_id: str, **changes: Unpack[JobChanges]) -> Job: ...

    async def write_together(self, work: Callable[[Store], T], size: int) -> T: ...

    def wake_followers(self) -> None: ...

    @property
    def waiting(self) -> int: ...


class RunningJob:
    """A job as its work sees it.

    ``options`` are what it was asked; ``done`` are the parts that were done before it was tried again, each with what
    it came to. Both are known once it has begun.
    """

    def __init__(self, database: Database, records: JobRecords, profile: str, job: Job) -> None:
        self.profile = profile
        self.job = job
        self.source = JobSource.read(job.source)
        self.options: Mapping[str, object] = {}
        self.done: dict[str, Any] = {}
        self.begun = asyncio.Event()
        """Set once its work has begun, or is not to be done."""
        self.worked = asyncio.Event()
        """Set once the next job may begin: this one is over, or has only to be written down."""
        self.over = asyncio.Event()
        self.has_ended = False
        """Whether its end is recorded."""
        self.cancel_asked = threading.Event()
        self._stopping = asyncio.Event()
        self._database = database
        self._records = records
        self._reported = time.monotonic()
        self._noted = 0.0
        self._loop = asyncio.get_running_loop()
        self._stage = (0.0, 0.0)
        self.progress = 0.0
        self.message = ""
        """Progress and message, known here sooner than from the record, which waits for what the job writes."""
        self._time_left = TimeLeft()

    @property
    def seconds_left(self) -> int | None:
        """Estimate of how long it may take yet; None until it has said how far it is, which need not be at 0."""
        return self._time_left.at(self.progress) if self.message else None

    @property
    def jobs_behind(self) -> int:
        """Number of jobs that wait; behind the last what is held open for the next one is to be closed."""
        return self._records.waiting

    def stop(self) -> None:
        """Ask for its cancellation."""
        self.cancel_asked.set()
        self._stopping.set()

    async def run_detached(self, work: Callable[[], T], *, name: str) -> T:
        """Run ``work`` that others may hold up for ever, a file on a network that is gone say.

        It has a thread that nothing waits for; raises ``JobCancelled`` at once when this job should stop.
        """
        return await self.until_stopped(in_daemon_thread(work, name=name))

    async def until_stopped(self, work: Awaitable[T]) -> T:
        """Await ``work``, which is cancelled when this job should stop; then raises ``JobCancelled``."""
        doing, stopping = asyncio.ensure_future(work), asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait((doing, stopping), return_when=asyncio.FIRST_COMPLETED)
            self.checkpoint(0.0)
            return await doing
        finally:
            doing.cancel()
            stopping.cancel()
            await asyncio.gather(doing, stopping, return_exceptions=True)

    async def finish(self, part: str, result: object = True, write: Callable[[Store], object] | None = None) -> None:
        """Record that the part is done and what it came to, which JSON can hold, in one transaction with ``write``.

        Raises ``JobCancelled`` when this job should stop: then neither is kept.
        """

        def finished(store: Store) -> None:
            with store.jobs.finishing(self.job.id, part, result):
                self.check_with(store)
                if write is not None:
                    write(store)

        await self._database.run(finished)
        self.done[part] = result

    async def keep(self, write: Callable[[Store], T], *, size: int = 1) -> T:
        """Do what ends the job in one transaction with the ends of the jobs behind it, which begin meanwhile.

        ``size`` is in cues, or what costs as much. Raises ``JobCancelled`` when this job should stop: then it is not
        kept.
        """

        def checked(store: Store) -> T:
            self.check_with(store)
            kept = write(store)
            self.has_ended = store.jobs.get(self.profile, self.job.id).is_over
            return kept

        self.worked.set()
        return await self._records.write_together(checked, size)

    def check_with(self, store: Store) -> None:
        """Raise ``JobCancelled`` when this job should stop, also where another process says so."""
        self.checkpoint(0.0)
        if store.jobs.get(self.profile, self.job.id).state == "cancelled":
            raise JobCancelled

    def checkpoint(self, progress: float) -> None:
        """Note progress (0 to 1) from blocking code in a thread, within what was last reported.

        Raises ``JobCancelled`` when this job should stop.
        """
        if self.cancel_asked.is_set():
            raise JobCancelled
        begin, end = self._stage
        now = time.monotonic()
        if end > begin and now - self._noted >= _REPORT_SECONDS:
            self._noted = now
            self.progress = begin + (end - begin) * progress
            self._loop.call_soon_threadsafe(self._records.wake_followers)

    async def report(self, progress: float, message: str, *, until: float = 0.0) -> None:
        """Record progress (0 to 1), and where what comes now ends; raises ``JobCancelled`` when the job should stop."""
        self.checkpoint(0.0)
        self.progress, self.message, self._stage = progress, message, (progress, until)
        self._time_left.at(progress)
        now = time.monotonic()
        if now - self._reported >= _REPORT_SECONDS:
            self._reported = now
            recorded = await self._records.update(self.job.id, progress=progress, message=message)
            if recorded.state == "cancelled":  # by another process
                self.stop()
                raise JobCancelled

    async def succeed(self, message: str, *, file_id: str | None = None, outcome: JobOutcome | None = None) -> None:
        await self._records.update(
            self.job.id, state="succeeded", progress=1.0, message=message, file_id=file_id, outcome=outcome
        )
        self.has_ended = True
