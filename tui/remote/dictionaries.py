"""The dictionaries of a remote library: those of this machine are sent there to be added."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tui.errors import ImportRefused
from tui.records.dictionaries import OfferedDictionary
from tui.records.jobs import Job
from tui.records.settings import SavedSettings
from tui.remote.operations import RemotePart
from tui.service.protocol.words import Dictionaries
from tui.system import regular_file
from tui.system.event_loop import in_daemon_thread

_PATH = "/dictionaries"
_PIECE = 256 * 1024
_THREAD = "dictionary to send"


class RemoteDictionaries(RemotePart, Dictionaries):
    """The dictionaries of a remote library; those of this machine are sent there to be added."""

    async def add(self, paths: Sequence[str | Path]) -> tuple[Job, ...]:
        """Send each file, dictd's two in one; nothing is sent where one of them cannot be read or is too large."""
        jobs = []
        for parts in await in_daemon_thread(lambda: _sendable(paths), name=_THREAD):
            job = await (self._send(parts[0]) if len(parts) == 1 else self._send_pair(parts))
            jobs.append(replace(job, source=str(parts[0])))  # there it has another name
        return tuple(jobs)

    async def _send_pair(self, parts: Sequence[Path]) -> Job:
        from tui.dictionaries.dictd import zip_pair
        from tui.system.temporary import TemporaryDirectory, make_in_thread

        place = await make_in_thread(lambda: TemporaryDirectory(Path(tempfile.gettempdir())))
        try:
            target = place.path / f"{parts[0].stem}.zip"
            await asyncio.to_thread(zip_pair, parts, target)
            return await self._send(target)
        except OSError as error:
            raise _unreadable(parts[0], error) from error
        finally:
            await asyncio.to_thread(place.remove)

    async def _send(self, path: Path) -> Job:
        from tui.importing.file_name import make_displayable

        async def pieces() -> AsyncGenerator[bytes, None]:
            try:
                async for piece in _pieces_of(path):
                    yield piece
            except OSError as error:
                raise _unreadable(path, error) from error

        return await self._client.send(Job, _PATH, {"name": make_displayable(path.name)}, pieces)

    async def offered(self) -> tuple[OfferedDictionary, ...]:
        from tui.dictionaries.file_search import find_offered_dictionaries

        known, settings = await self.all(), await self._client.read(SavedSettings, "/profiles/settings")
        return await in_daemon_thread(lambda: find_offered_dictionaries(known, settings, os.environ), name=_THREAD)


def _sendable(paths: Sequence[str | Path]) -> list[tuple[Path, ...]]:
    """The files of each dictionary; raises ``ImportRefused`` for one that cannot be read or is too large. Blocks."""
    from tui.dictionaries.dictionary_file import MAX_SENT_SIZE, show_name
    from tui.dictionaries.file_search import find_named_dictionaries, list_parts

    found = [list_parts(path) for path in find_named_dictionaries(paths)]
    for parts in found:
        size = 0
        for part in parts:
            try:
                with regular_file.open_file(part) as file:
                    size += os.fstat(file.fileno()).st_size
            except OSError as error:
                raise _unreadable(part, error) from error
        if size > MAX_SENT_SIZE:
            raise ImportRefused(
                f"{show_name(parts[0].name)} has more than {MAX_SENT_SIZE / 1e6:g} MB, the most that can be sent",
                hint="add it on the machine of the server: lode dictionaries add FILE",
            )
    return found


async def _pieces_of(path: Path) -> AsyncGenerator[bytes, None]:
    """The bytes of a file, read where nothing waits for them: a network that is gone holds whoever reads its files."""
    with ExitStack() as stack:
        file = await in_daemon_thread(lambda: stack.enter_context(regular_file.open_file(path)), name=_THREAD)
        while piece := await in_daemon_thread(lambda: regular_file.piece_of(file, _PIECE), name=_THREAD):
            yield piece


def _unreadable(path: Path, error: OSError) -> ImportRefused:
    from tui.dictionaries.dictionary_file import show_name

    return ImportRefused(
        f"{show_name(path.name)} cannot be read: {error.strerror or error}", hint="check that it is a file you may read"
    )
