"""Jobs of one profile, as the service has them, and the encodings in which refused imports are tried again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import PurePosixPath

from tui.errors import ImportRefused, InvalidInput, LodeError
from tui.records.files import EncodingReading
from tui.records.jobs import Job, JobOrder, JobSource
from tui.records.pages import Page
from tui.service.jobs.kinds import check_startable
from tui.service.jobs.queue import JobRunner
from tui.service.library import Library
from tui.system.event_loop import in_daemon_thread


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


_MAX_REFUSED = 300
"""Maximum number of refused jobs that are looked at: each file is read."""


class EncodingChoice:
    """Readings and retries of the refused imports of a profile."""

    def __init__(self, library: Library, runner: JobRunner) -> None:
        self._library = library
        self._runner = runner

    async def readings(self, job_id: str) -> tuple[EncodingReading, ...]:
        """Readings of the file of an import, the likeliest first; raises ``ImportRefused`` where it is gone."""
        (job,) = await self._runner.get(self._library.profile, job_id)
        return await self._readings(job, None)

    async def retry_in(self, job_id: str, encoding: str) -> tuple[Job, ...]:
        """Try a refused import again in an encoding, and those of its directory that were refused and can be in it.

        The first of the jobs is the one that was named. Raises ``InvalidInput`` for what is no encoding or no import.
        """
        from tui.importing.encoding.decode import find_text_codec
        from tui.service.jobs.file_import import place_of

        profile = self._library.profile
        (job,) = await self._runner.get(profile, job_id)
        if job.kind != "import" or find_text_codec(encoding) is None:
            raise InvalidInput(
                f"job {job.id} cannot be tried again in the encoding {encoding[:40]!r}",
                hint="it has to be an import, and the encoding one such as windows-1251",
                field="encoding",
            )
        own, refused = await self._library.database.run_on_jobs(
            lambda store: (store.jobs.options(job.id), store.jobs.refused_for_encoding(profile, _MAX_REFUSED))
        )
        directory = _directory(place_of(JobSource.read(job.source), own))
        tried: dict[str, dict[str, object]] = {job.id: {"encoding": encoding, "force": True}}  # how it reads was seen
        for other, given in refused:
            is_beside = directory and _directory(place_of(JobSource.read(other.source), given)) == directory
            if is_beside and await self._can_be_in(other, given.get("language"), encoding):
                tried.setdefault(other.id, {"encoding": encoding})
        return await self._runner.retry(self._library, tried)

    async def _can_be_in(self, job: Job, language: object, encoding: str) -> bool:
        from tui.importing.encoding.decode import find_text_codec

        try:
            readings = await self._readings(job, language if isinstance(language, str) else None)
        except LodeError:
            return False  # its file is gone
        return find_text_codec(encoding) in [find_text_codec(each.encoding) for each in readings]

    async def _readings(self, job: Job, language: str | None) -> tuple[EncodingReading, ...]:
        from tui.importing.encoding.choices import read_in_encodings
        from tui.importing.file_name import read_file_name

        if job.kind != "import":
            raise ImportRefused(f"job {job.id} imports no file", hint="lode jobs list shows the imports")
        name, data = await self._bytes_of(job)
        return await asyncio.to_thread(read_in_encodings, data, language or read_file_name(name).language)

    async def _bytes_of(self, job: Job) -> tuple[str, bytes]:
        from tui.importing.archive import MemberReader
        from tui.service.incoming import Uploads
        from tui.service.jobs.file_import import kept_bytes, read_source

        database, profile, source = self._library.database, self._library.profile, JobSource.read(job.source)
        if source.kind == "kept":
            return await database.run(lambda store: kept_bytes(store, profile, source))

        def read() -> tuple[str, bytes]:
            with closing(MemberReader()) as archives:
                return read_source(source, Uploads(database.directory), archives)

        return await in_daemon_thread(read, name="file to read in other encodings")


def _directory(place: str) -> str:
    """The directory of a job's file; "" where it was sent without one."""
    parent = str(PurePosixPath(place).parent)
    return "" if parent == "." else parent
