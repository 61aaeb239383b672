"""Files that were sent to be imported, kept until they are: a job that was interrupted can be tried again."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterable
from contextlib import suppress
from pathlib import Path

from tui.errors import ImportRefused, InvalidInput, StoreError
from tui.importing.file_name import safe_name

UPLOAD = "upload:"
"""What the source of a job begins with that imports such a file: ``upload:<its own directory>/<its name>``."""
_KEPT_DAYS = 30
"""As long as what was deleted."""


class Uploads:
    """A directory beside the database, in it one for each file. Nothing of a request but the file's name gets there,
    and that only as a name.
    """

    def __init__(self, home: Path) -> None:
        self._directory = home / "uploads"

    async def keep(self, name: str, pieces: AsyncIterable[bytes], most: int) -> str:
        """Write it down as it comes, and give the source of a job for it.

        Raises ``InvalidInput`` for a name of nothing, ``ImportRefused`` (``too_large``) for more than ``most`` bytes,
        and ``StoreError`` where it cannot be written; then, and when the sender breaks off, nothing of it stays.
        """
        safe = safe_name(name)
        if not safe:
            raise InvalidInput("the file needs a name", hint="as in ?name=story.srt: its ending says what it is")
        place = self._directory / os.urandom(8).hex()
        try:
            await asyncio.to_thread(self._make, place)
            size = 0
            with (place / safe).open("wb") as file:
                async for piece in pieces:
                    size += len(piece)
                    if size > most:
                        raise ImportRefused(
                            f"{safe} has more than {most / 1e6:.0f} MB", hint="split it", code="too_large"
                        )
                    await asyncio.to_thread(file.write, piece)
                file.flush()
                await asyncio.to_thread(os.fsync, file.fileno())
        except OSError as error:
            shutil.rmtree(place, ignore_errors=True)
            raise StoreError(
                f"{safe} cannot be kept: {error.strerror or error}", hint="the server's disk may be full"
            ) from error
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        return f"{UPLOAD}{place.name}/{safe}"

    def path(self, source: str) -> Path:
        """Where the file of a job's source is; it may be gone."""
        place, _, name = source.removeprefix(UPLOAD).partition("/")
        return self._directory / place / name

    def discard(self, source: str) -> None:
        """Forget the file of a job's source, if it is one that was sent."""
        if source.startswith(UPLOAD):
            shutil.rmtree(self.path(source).parent, ignore_errors=True)

    def _make(self, place: Path) -> None:
        place.mkdir(parents=True)
        oldest = time.time() - _KEPT_DAYS * 86400
        for old in self._directory.iterdir():
            with suppress(OSError):
                if old.stat().st_mtime < oldest:
                    shutil.rmtree(old, ignore_errors=True)
