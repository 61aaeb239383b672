"""Uploads on their way into the library: files that are sent to be imported, and films that it keeps a copy of."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import ImportRefused, InvalidInput, LodeError, MediaError, StoreError
from tui.records.jobs import JobSource
from tui.system.temporary import TemporaryDirectory, discard, make_in_thread, make_lasting, sweep
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
        too_large = ImportRefused(f"{safe} has more than {most / 1e6:.0f} MB", hint="split it", code="too_large")
        try:
            async with make_lasting(lambda: _make(self._directory, sweeping=False)) as place:
                await _write(place.path / safe, pieces, most, too_large)
        except OSError as error:
            hint = "the server's disk may be full"
            raise StoreError(f"{safe} cannot be kept: {error.strerror or error}", hint=hint) from error
        try:
            yield JobSource("upload", safe, place.path.name)
        except LodeError:
            place.remove()
            raise
        finally:
            place.leave()  # whoever was cancelled may have queued it already: then the job says whether it is needed

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


def _may_need(store: Store, place: str) -> bool:
    return store.jobs.may_need(str(JobSource("upload", "", place)))


def _make(directory: Path, *, sweeping: bool = True) -> TemporaryDirectory:
    directory.mkdir(parents=True, exist_ok=True)
    return TemporaryDirectory(directory, sweeping=sweeping)


async def _write(path: Path, pieces: AsyncIterable[bytes], most: int, too_large: LodeError) -> None:
    """Write a file as it comes, to the disk; raises ``too_large`` for more than ``most`` bytes, and ``OSError``."""
    size = 0
    with await asyncio.to_thread(path.open, "xb") as file:
        async for piece in pieces:
            size += len(piece)
            if size > most:
                raise too_large
            await asyncio.to_thread(file.write, piece)
        file.flush()
        await asyncio.to_thread(os.fsync, file.fileno())


_PIECE = 1 << 20
_SPARED_SECONDS = 86_400.0
"""What is younger may be about to be linked."""


class KeptFilms:
    """Directory of films beside the database. They are in no backup: whoever has the film can link it again."""

    def __init__(self, home: Path) -> None:
        self._directory = home / "films"

    async def receive(self, name: str, pieces: AsyncIterable[bytes], most: int) -> Path:
        """Keep a film that comes in pieces and give its path; whoever breaks off leaves nothing.

        Raises ``MediaError`` (``too_large``) for more than ``most`` bytes, and ``StoreError`` where it cannot be
        written.
        """
        from tui.importing.file_name import make_safe_name
        from tui.media.films import take_fingerprint

        safe = make_safe_name(name) or "film"
        try:
            place = await make_in_thread(lambda: _make(self._directory))
            try:
                beside = place.path / safe
                await _write(beside, pieces, most, film_too_large(safe, most))
                parts = await asyncio.to_thread(lambda: take_fingerprint(beside).parts_sha256)
                (self._directory / parts).mkdir(exist_ok=True)
                return beside.replace(self._directory / parts / safe)
            finally:
                await asyncio.shield(asyncio.to_thread(place.remove))
        except OSError as error:
            hint = "make room on the disk"
            raise StoreError(f"{safe} cannot be kept: {error.strerror or error}", hint=hint) from error

    async def copy(self, path: Path) -> Path:
        """Keep a copy of a film of this machine and give its path."""
        return await self.receive(path.name, _pieces(path), 1 << 62)

    def sweep(self, store: Store) -> None:
        """Remove the films that no transcript has."""
        with suppress(OSError):
            places = list(self._directory.iterdir())  # most libraries keep none
            wanted = {Path(path).parent.name for path in store.media.paths()}
            for place in places:
                with suppress(OSError):
                    if place.name not in wanted and time.time() - place.stat().st_mtime > _SPARED_SECONDS:
                        shutil.rmtree(place)


def film_too_large(shown: str, most: int) -> MediaError:
    """Make the error of a film that is sent and has more than ``most`` bytes."""
    return MediaError(
        f"{shown} has more than {most / 1e6:g} MB",
        hint="a recording of its sound is enough; or lode serve --max-film",
        code="too_large",
    )


async def _pieces(path: Path) -> AsyncIterable[bytes]:
    with await asyncio.to_thread(path.open, "rb") as file:
        while piece := await asyncio.to_thread(file.read, _PIECE):
            yield piece
