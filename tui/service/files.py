"""Files: what was imported, and the import itself, which runs as a job."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import ImportRefused, NotFound
from tui.records import Deletion, Job, Page, ProfileFile
from tui.service.jobs import JobRunner, RunningJob
from tui.service.library import Library

if TYPE_CHECKING:
    from tui.service.words import LocalWords
    from tui.store import Store

_URI = "file://"
SAMPLE = "sample:"
"""What the source of a job that imports one of the sample stories begins with."""


class LocalFiles:
    def __init__(self, library: Library, runner: JobRunner, words: LocalWords) -> None:
        self._library = library
        self._runner = runner
        self._words = words
        self._profile = library.profile
        runner.register("import", self._import)

    async def page(self, *, offset: int = 0, limit: int = 100, q: str = "") -> Page[ProfileFile]:
        return await self._library.run(lambda store: store.files.page(self._profile, offset, limit, q))

    async def get(self, file_id: str) -> ProfileFile:
        return await self._library.run(lambda store: store.files.get(self._profile, file_id))

    async def add(
        self, paths: Sequence[str | Path], *, language: str | None = None, encoding: str | None = None
    ) -> tuple[Job, ...]:
        from tui.importing.sources import find_files

        found = await asyncio.to_thread(find_files, paths)
        options = {"language": language, "encoding": encoding}
        return await self._runner.queue("import", [_source(path) for path in found], options)

    async def add_samples(self) -> tuple[Job, ...]:
        from tui.samples import SAMPLES

        return await self._runner.queue("import", [SAMPLE + sample.name for sample in SAMPLES], {})

    async def jobs_of(self, *file_ids: str) -> tuple[Job, ...]:
        return await self._library.run_on_jobs(lambda store: store.jobs.of_files(self._profile, file_ids))

    async def delete(self, *file_ids: str) -> Deletion:
        for job in await self.jobs_of(*file_ids):
            if not job.is_over:
                await self._runner.cancel(job.id)
        return await self._library.run(lambda store: store.files.delete(self._profile, file_ids))

    async def _import(self, running: RunningJob) -> None:
        job, options = running.job, running.options
        language, encoding = options.get("language"), options.get("encoding")
        await running.report(0.0, "reading")
        name, data = await asyncio.to_thread(_read, job.source)
        digest = hashlib.sha256(data).hexdigest()
        known = await self._library.run(lambda store: store.files.by_sha256(self._profile, digest))
        if known is not None and known.transcript_id is not None:
            await running.succeed("already in the library", file_id=known.id)
            return

        from tui.importing.parse import parse

        await running.report(0.1, "parsing")
        parsed = await asyncio.to_thread(
            parse,
            name,
            data,
            language=language if isinstance(language, str) else None,
            encoding=encoding if isinstance(encoding, str) else None,
            report=running.checkpoint,
        )
        await running.report(0.6, "storing")

        def keep(store: Store) -> None:
            running.checkpoint(0.8)  # the last moment at which it can be cancelled
            store.blobs.put(data)
            store.files.add(
                self._profile,
                name=name,
                kind=parsed.kind,
                format=parsed.format,
                language=parsed.language,
                size_bytes=len(data),
                sha256=digest,
                duration_ms=parsed.duration_ms,
                title=parsed.title,
                cues=parsed.cues,
                job_id=job.id,
            )

        await self._library.run(keep)
        if parsed.language:
            self._words.prepare_soon(parsed.language)


def _source(path: Path) -> str:
    """How a job's record names an absolute path: as it is or, where its bytes are no text, as a ``file:`` URI."""
    return str(path) if _is_text(str(path)) else path.as_uri()


def _path(source: str) -> Path:
    if source.startswith(_URI):
        from urllib.parse import unquote_to_bytes

        return Path(os.fsdecode(unquote_to_bytes(source.removeprefix(_URI))))
    return Path(source)


def _is_text(name: str) -> bool:
    """Bytes that the file system's encoding does not know are surrogates in a name, which UTF-8 does not know."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(name: str) -> str:
    """The name as text: what is none becomes U+FFFD."""
    return name if _is_text(name) else os.fsencode(name).decode("utf-8", "replace")


def _read(source: str) -> tuple[str, bytes]:
    """The name and the bytes of a job's source; raises ``ImportRefused`` when it cannot be read."""
    if source.startswith(SAMPLE):
        from tui import samples

        name = source.removeprefix(SAMPLE)
        for sample in samples.SAMPLES:
            if sample.name == name:
                return name, samples.read(sample)
        raise NotFound(f"there is no sample story {name}", hint="load the samples anew: lode add --samples")

    from tui.importing.parse import MAX_BYTES

    path = _path(source)
    name = _shown(path.name)
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise ImportRefused(
                f"{name} has {size / 1e6:.0f} MB; a subtitle or text file has at most {MAX_BYTES / 1e6:.0f} MB",
                hint="check that it is the file you meant, or split it",
            )
        return name, path.read_bytes()
    except FileNotFoundError as error:
        raise ImportRefused(
            f"there is no file {_shown(str(path))} any more", hint="check the path and add it again"
        ) from error
    except OSError as error:
        raise ImportRefused(
            f"{_shown(str(path))} cannot be read: {error.strerror or error}",
            hint="check that it is a file you may read",
        ) from error
