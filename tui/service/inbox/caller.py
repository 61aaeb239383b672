"""Client of the inbox that asks, as far as it decides what may be done for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tui import bounds
from tui.errors import InvalidInput
from tui.inbox.media import kind_of
from tui.system import regular_file


@dataclass(frozen=True, slots=True)
class Caller:
    """A client of the inbox; one that a browser speaks for ``is_page``, and reads no files of this machine.

    ``may_read`` tells whether it could itself read the file at a path.
    """

    is_page: bool
    may_read: Callable[[Path], bool]

    async def read(self, path: str) -> bytes:
        """Read a sound or picture that it names. Raises ``InvalidInput`` where it may not, and for anything else."""
        return await asyncio.to_thread(self._read, path)

    def _read(self, path: str) -> bytes:
        place, shown = Path(path), path[:200]
        try:
            if self.is_page or not place.is_absolute() or not self.may_read(place):
                raise InvalidInput(f"{shown} is not read for this client", hint="send its bytes as data")
            content = regular_file.read(place, bounds.INBOX_MEDIA.bytes_in)
        except (OSError, ValueError) as error:
            raise InvalidInput(f"{shown} cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if not kind_of(content):
            raise InvalidInput(f"{shown} is neither a sound nor a picture")
        return content
