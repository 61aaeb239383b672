"""Jobs of one profile, as the service has them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from tui.records.files import EncodingReading
from tui.records.jobs import Job, JobOrder
from tui.records.pages import Page
from tui.service.jobs.encoding_choice import EncodingChoice
from tui.service.jobs.kinds import check_startable
from tui.service.jobs.queue import JobRunner
from tui.service.library import Library


class LocalJobs:
    """The jobs of one profile."""

    def __init__(self, library: Library, runner: JobRunner) -> None:
        self._library = library
        self._profile = library.profile
        self._runner = runner
        self._encodings = EncodingChoice(library, runner)

    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None, order: JobOrder = "newest"
    ) -> Page[Job]:
        page = await self._library.database.run_on_jobs(
            lambda store: store.jobs.page(self._profile, offset, limit, q, after, order)
        )
        return replace(page, items=tuple(self._runner.as_known(job) for job in page.items))

    async def get(self, job_id: str) -> Job:
        (job,) = await self._runner.get(self._profile, job_id)
        return job

    async def running(self) -> int:
        return await self._runner.running(self._profile)

    async def start(self, kind: str, source: str = "") -> Job:
        check_startable(kind)
        (job,) = await self._runner.queue(self._library, kind, [source], {})
        return job

    async def cancel(self, *job_ids: str) -> tuple[Job, ...]:
        return await self._runner.cancel(self._profile, *job_ids)

    async def retry(self, job_id: str) -> Job:
        (job,) = await self._runner.retry(self._library, {job_id: {}})
        return job

    async def readings(self, job_id: str) -> tuple[EncodingReading, ...]:
        return await self._encodings.readings(job_id)

    async def retry_in(self, job_id: str, encoding: str) -> tuple[Job, ...]:
        return await self._encodings.retry_in(job_id, encoding)

    def follow(self, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        return self._runner.follow(self._profile, job_ids)
