"""Films that the library keeps itself: copied on request, or uploaded; one directory each, named by its fingerprint."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import MediaError, StoreError
from tui.media.films import take_fingerprint
from tui.system.temporary import TemporaryDirectory, made_in_thread

if TYPE_CHECKING:
    from tui.store import Store

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

        safe, size = make_safe_name(name) or "film", 0
        try:
            place = await made_in_thread(self._make)
            try:
                beside = place.path / safe
                with await asyncio.to_thread(beside.open, "xb") as file:
                    async for piece in pieces:
                        size += len(piece)
                        if size > most:
                            raise film_too_large(safe, most)
                        await asyncio.to_thread(file.write, piece)
                    file.flush()
                    await asyncio.to_thread(os.fsync, file.fileno())
                return await asyncio.to_thread(self._placed, beside, safe)
            finally:
                await asyncio.shield(asyncio.to_thread(place.remove))
        except OSError as error:
            raise StoreError(
                f"{safe} cannot be kept: {error.strerror or error}", hint="make room on the disk"
            ) from error

    async def copied(self, path: Path) -> Path:
        """Keep a copy of a film of this machine and give its path."""
        return await self.receive(path.name, _pieces(path), 1 << 62)

    def sweep(self, store: Store) -> None:
        """Remove the films that no transcript has."""
        wanted = {Path(path).parent.name for path in store.media.paths()}
        with suppress(OSError):
            for place in self._directory.iterdir():
                with suppress(OSError):
                    if place.name not in wanted and time.time() - place.stat().st_mtime > _SPARED_SECONDS:
                        shutil.rmtree(place)

    def _make(self) -> TemporaryDirectory:
        self._directory.mkdir(parents=True, exist_ok=True)
        return TemporaryDirectory(self._directory)

    def _placed(self, beside: Path, name: str) -> Path:
        """Give a film that is whole its place."""
        place = self._directory / take_fingerprint(beside).parts_sha256
        place.mkdir(exist_ok=True)
        return beside.replace(place / name)


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
