"""Jobs of one profile, as the service has them, and the encodings in which refused imports are tried again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tui.errors import ImportRefused, InvalidInput, LodeError
from tui.records.jobs import Job, JobOrder, JobSource
from tui.service.jobs.kinds import check_startable
from tui.system.event_loop import in_daemon_thread

if TYPE_CHECKING:
    from tui.records.files import EncodingReading
    from tui.records.pages import Page
    from tui.service.jobs.queue import JobRunner
    from tui.service.library import Library

_MAX_REFUSED = 300
"""Maximum number of refused jobs that are looked at: each file is read."""


class LocalJobs:
    """The jobs of one profile."""

    def __init__(self, library: Library, runner: JobRunner) -> None:
        self._library = library
        self._profile = library.profile
        self._runner = runner

    async def page(
        self,
        *,
        offset: int = 0,
        limit: int = 100,
        q: str = "",
        after: str | None = None,
        sort: str = "",
        order: JobOrder = "newest",
    ) -> Page[Job]:
        page = await self._library.database.run_on_jobs(
            lambda store: store.jobs.page(self._profile, offset, limit, q, after, sort, order=order)
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
        return await self._readings(await self.get(job_id))

    async def retry_in(self, job_id: str, encoding: str) -> tuple[Job, ...]:
        from tui.importing.encoding.decode import find_text_codec
        from tui.service.jobs.file_import import place_of

        job = await self.get(job_id)
        codec = find_text_codec(encoding)
        if job.kind != "import" or codec is None:
            raise InvalidInput(
                f"job {job.id} cannot be tried again in the encoding {encoding[:40]!r}",
                hint="it has to be an import, and the encoding one such as windows-1251",
                field="encoding",
            )
        own, refused = await self._library.database.run_on_jobs(
            lambda store: (store.jobs.options(job.id), store.jobs.refused_for_encoding(self._profile, _MAX_REFUSED))
        )
        directory = _directory(place_of(JobSource.read(job.source), own))
        tried: dict[str, dict[str, object]] = {job.id: {"encoding": encoding, "force": True}}  # how it reads was seen
        for other, given in refused:
            is_beside = directory and _directory(place_of(JobSource.read(other.source), given)) == directory
            if is_beside and codec in await self._codecs(other, given.get("language")):
                tried.setdefault(other.id, {"encoding": encoding})
        return await self._runner.retry(self._library, tried)

    async def _codecs(self, job: Job, language: object) -> list[str | None]:
        """The codecs that the file of an import can be in, none where it is gone."""
        from tui.importing.encoding.decode import find_text_codec

        try:
            readings = await self._readings(job, language if isinstance(language, str) else None)
        except LodeError:
            return []
        return [find_text_codec(each.encoding) for each in readings]

    async def _readings(self, job: Job, language: str | None = None) -> tuple[EncodingReading, ...]:
        from tui.importing.archive import MemberReader
        from tui.importing.encoding.choices import read_in_encodings
        from tui.importing.file_name import read_file_name
        from tui.service.incoming import Uploads
        from tui.service.jobs.file_import import kept_bytes, read_source

        if job.kind != "import":
            raise ImportRefused(f"job {job.id} imports no file", hint="lode jobs list shows the imports")
        database, source = self._library.database, JobSource.read(job.source)

        def read() -> tuple[str, bytes]:
            with closing(MemberReader()) as archives:
                return read_source(source, Uploads(database.directory), archives)

        if source.kind == "kept":
            name, data = await database.run(lambda store: kept_bytes(store, self._profile, source))
        else:
            name, data = await in_daemon_thread(read, name="file to read in other encodings")
        return await asyncio.to_thread(read_in_encodings, data, language or read_file_name(name).language)

    def follow(self, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        return self._runner.follow(self._profile, job_ids)


def _directory(place: str) -> str:
    """The directory of a job's file; "" where it was sent without one."""
    parent = str(PurePosixPath(place).parent)
    return "" if parent == "." else parent
