"""Files: what was imported, and what is to be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from tui.records.files import EncodingReading, ProfileFile
from tui.records.jobs import Job, JobSource, UploadJob
from tui.service.incoming import Uploads
from tui.service.records import CountTranscripts, MovableRecords

if TYPE_CHECKING:
    from tui.records.deletion import Deletion
    from tui.service.jobs.queue import JobRunner
    from tui.service.library import Library
    from tui.service.protocol.records import AddProgress, ImportChoice


class LocalFiles(MovableRecords[ProfileFile]):
    def __init__(self, library: Library, runner: JobRunner, count: CountTranscripts) -> None:
        super().__init__(library, lambda store: store.files, count)
        self._runner = runner

    async def add(
        self, paths: Sequence[str | Path], *, on_progress: AddProgress | None = None, **choice: Unpack[ImportChoice]
    ) -> tuple[Job, ...]:
        from tui.service.media.film_subtitles import find_all

        language = choice.get("language")
        found, downloads, inside = await find_all(paths, self, self._library.settings, on_progress, language)
        jobs = await self._runner.queue(self._library, "import", [JobSource.of_path(path) for path in found], choice)
        for address, file in downloads:
            named = {**choice, "encoding": choice.get("encoding") or file.encoding}
            made = await self._add_pieces(file.name, _one_piece(file.content), named, address)
            jobs += tuple(replace(job, source=address) for job in made)
        for track in inside:
            named = {**choice, "language": language or track.language, "film": str(track.film)}
            jobs += await self._add_pieces(track.name, _one_piece(track.content), named)
        return jobs

    async def add_upload(
        self,
        name: str,
        pieces: AsyncIterable[bytes],
        *,
        language: str | None = None,
        encoding: str | None = None,
        force: bool = False,
    ) -> UploadJob:
        """Raises as ``Uploads.receive`` does."""
        options = {"language": language, "encoding": encoding, "force": force}
        jobs = await self._add_pieces(name, pieces, options)
        return UploadJob(**{field.name: getattr(jobs[0], field.name) for field in fields(Job)}, jobs=jobs)

    async def _add_pieces(
        self, name: str, pieces: AsyncIterable[bytes], options: Mapping[str, object], address: str = ""
    ) -> tuple[Job, ...]:
        from tui.importing.archive import list_contents
        from tui.importing.parse import MAX_BYTES
        from tui.importing.series import order_last_first

        uploads = Uploads(self._library.database.directory)
        async with uploads.receive(name, pieces, MAX_BYTES) as source:
            place = uploads.path(source)
            members = await asyncio.to_thread(list_contents, place)
            sources = [replace(source, address=address)]
            if members is not None:
                inside = (path.relative_to(place).as_posix() for path in order_last_first(members))
                sources = [replace(sources[0], name=f"{source.name}/{path}") for path in inside]
            return await self._runner.queue(self._library, "import", sources, {**options, "path": name})

    async def add_content(self, name: str, content: bytes, **choice: Unpack[ImportChoice]) -> tuple[Job, ...]:
        jobs = await self._add_pieces(name, _one_piece(content), choice)
        return tuple(replace(job, source=name) for job in jobs) if len(jobs) == 1 else jobs

    async def add_samples(self) -> tuple[Job, ...]:
        from tui.samples import SAMPLES

        # The newest stands at the top of every list: that is to be the first sample.
        sources = [JobSource("sample", sample.name) for sample in reversed(SAMPLES)]
        return await self._runner.queue(self._library, "import", sources, {})

    async def reread(
        self,
        *file_ids: str,
        language: str | None = None,
        encoding: str | None = None,
        force: bool = False,
        as_is: bool = False,
    ) -> tuple[Job, ...]:
        profile = self._profile
        found = await self._library.run(lambda store: [store.files.get(profile, each) for each in file_ids])
        files = {file.id: JobSource("kept", file.name, file.id) for file in found}
        options = {"language": language, "encoding": encoding, "force": force, "as_is": as_is}
        return await self._runner.queue(self._library, "import", list(files.values()), options, list(files))

    async def readings(self, file_id: str) -> tuple[EncodingReading, ...]:
        from tui.importing.encoding.choices import read_in_encodings

        file, data = await self._library.run(lambda store: store.files.content(self._profile, file_id))
        return await asyncio.to_thread(read_in_encodings, data, file.language)

    async def jobs_of(self, *file_ids: str) -> tuple[Job, ...]:
        return await self._library.database.run_on_jobs(
            lambda store: store.jobs.of_records(self._profile, "files", file_ids)
        )

    async def delete(self, *file_ids: str) -> Deletion:
        await self._runner.cancel(self._profile, *(job.id for job in await self.jobs_of(*file_ids)))
        return await super().delete(*file_ids)


async def _one_piece(content: bytes) -> AsyncGenerator[bytes, None]:
    yield content
