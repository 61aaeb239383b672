"""Uploads: files that were sent to be imported, kept until they are, so that an interrupted job can be retried."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import ImportRefused, InvalidInput, LodeError, StoreError
from tui.records.jobs import JobSource
from tui.system.temporary import TemporaryDirectory, discard, made_in_thread, sweep
from tui.text.sanitize import is_blank

if TYPE_CHECKING:
    from tui.store import Store


class Uploads:
    """Directory of uploads beside the database, in it one for each file.

    Nothing of a request but the file's name gets there, and that only as a name.
    """

    def __init__(self, home: Path) -> None:
        self._directory = home / "uploads"

    @asynccontextmanager
    async def receive(self, name: str, pieces: AsyncIterable[bytes], most: int) -> AsyncIterator[JobSource]:
        """Write a file as it comes, and give the source of a job for it, which the block queues; else it goes again.

        Raises ``InvalidInput`` for a name of nothing, ``ImportRefused`` (``too_large``) for more than ``most`` bytes,
        and ``StoreError`` where it cannot be written; then, and when the sender breaks off, nothing of it stays.
        """
        from tui.importing.file_name import make_safe_name

        safe = make_safe_name(name)
        if is_blank(safe):
            raise InvalidInput("the file needs a name", hint="as in ?name=story.srt: its ending says what it is")
        try:
            place = await made_in_thread(self._make)
        except OSError as error:
            raise _unkept(safe, error) from error
        try:
            await self._write(place.path / safe, pieces, most)
        except BaseException:
            place.remove()
            raise
        try:
            yield JobSource("upload", safe, place.path.name)
        except LodeError:
            place.remove()
            raise
        finally:
            place.leave()  # whoever was cancelled may have queued it already: then the job says whether it is needed

    async def _write(self, path: Path, pieces: AsyncIterable[bytes], most: int) -> None:
        size = 0
        try:
            with path.open("wb") as file:
                async for piece in pieces:
                    size += len(piece)
                    if size > most:
                        raise ImportRefused(
                            f"{path.name} has more than {most / 1e6:.0f} MB", hint="split it", code="too_large"
                        )
                    await asyncio.to_thread(file.write, piece)
                file.flush()
                await asyncio.to_thread(os.fsync, file.fileno())
        except OSError as error:
            raise _unkept(path.name, error) from error

    def path(self, source: JobSource) -> Path:
        """Path of the file of a job's source, sent or not, or of a file in an archive that was sent; it may be gone."""
        return self._directory / source.place / source.name if source.kind == "upload" else source.path

    def discard(self, store: Store, source: JobSource) -> None:
        """Forget the file of a job's source that was sent, unless another job needs a file of the same archive."""
        if source.kind == "upload" and ("/" not in source.name or not _may_need(store, source.place)):
            discard(self._directory / source.place)

    def sweep(self, store: Store) -> None:
        """Remove what was never wholly sent, and what no job can import any more."""
        sweep(self._directory, spare=lambda place: _may_need(store, place.name))

    def _make(self) -> TemporaryDirectory:
        self._directory.mkdir(parents=True, exist_ok=True)
        return TemporaryDirectory(self._directory, sweeping=False)


def _may_need(store: Store, place: str) -> bool:
    return store.jobs.may_need(str(JobSource("upload", "", place)))


def _unkept(name: str, error: OSError) -> StoreError:
    return StoreError(f"{name} cannot be kept: {error.strerror or error}", hint="the server's disk may be full")
