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
from tui.records.dictionaries import Dictionary, OfferedDictionary
from tui.records.jobs import Job
from tui.records.lookups import LookUp
from tui.records.settings import SavedSettings
from tui.remote.client import Client
from tui.remote.records import LONGEST_SENTENCE, word_asked
from tui.system import regular_file
from tui.system.event_loop import in_daemon_thread

_PATH = "/dictionaries"
_PIECE = 256 * 1024
_THREAD = "dictionary to send"


class RemoteDictionaries:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def all(self) -> tuple[Dictionary, ...]:
        return await self._client.get(tuple[Dictionary, ...], _PATH)

    async def add(self, paths: Sequence[str | Path]) -> tuple[Job, ...]:
        """Send each file, dictd's two in one; nothing is sent where one of them cannot be read or is too large."""
        jobs = []
        for parts in await in_daemon_thread(lambda: _sendable(paths), name=_THREAD):
            job = await (self._send(parts[0]) if len(parts) == 1 else self._send_pair(parts))
            jobs.append(replace(job, source=str(parts[0])))  # there it has another name
        return tuple(jobs)

    async def _send_pair(self, parts: Sequence[Path]) -> Job:
        from tui.dictionaries.readers.zipped_dictd import zipped_pair
        from tui.system.temporary import TemporaryDirectory, make_in_thread

        place = await make_in_thread(lambda: TemporaryDirectory(Path(tempfile.gettempdir())))
        try:
            target = place.path / f"{parts[0].stem}.zip"
            await asyncio.to_thread(zipped_pair, parts, target)
            return await self._send(target)
        except OSError as error:
            raise _unreadable(parts[0], error) from error
        finally:
            await asyncio.to_thread(place.remove)

    async def _send(self, path: Path) -> Job:
        from tui.importing.file_name import displayable

        async def pieces() -> AsyncGenerator[bytes, None]:
            try:
                async for piece in _pieces_of(path):
                    yield piece
            except OSError as error:
                raise _unreadable(path, error) from error

        return await self._client.send(Job, _PATH, {"name": displayable(path.name)}, pieces)

    async def reorder(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        body = self._client.ids(dictionary_ids)
        return await self._client.write(tuple[Dictionary, ...], "PUT", f"{_PATH}/order", body)

    async def delete(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        body = self._client.ids(dictionary_ids)
        return await self._client.write(tuple[Dictionary, ...], "POST", f"{_PATH}/delete", body)

    async def offered(self) -> tuple[OfferedDictionary, ...]:
        from tui.dictionaries.file_search import offered_dictionaries

        known, settings = await self.all(), await self._client.get(SavedSettings, "/profiles/settings")
        return await in_daemon_thread(lambda: offered_dictionaries(known, settings, os.environ), name=_THREAD)

    async def look_up(self, word: str, *, language: str | None, sentence: str = "") -> LookUp:
        asked = {**word_asked(word, language), "sentence": sentence[:LONGEST_SENTENCE]}
        return await self._client.get(LookUp, f"{_PATH}/entries", asked)


def _sendable(paths: Sequence[str | Path]) -> list[tuple[Path, ...]]:
    """The files of each dictionary; raises ``ImportRefused`` for one that cannot be read or is too large. Blocks."""
    from tui.dictionaries.dictionary_file import LARGEST_SENT, shown_name
    from tui.dictionaries.file_search import named_dictionaries, parts_of

    found = [parts_of(path) for path in named_dictionaries(paths)]
    for parts in found:
        size = 0
        for part in parts:
            try:
                with regular_file.open_file(part) as file:
                    size += os.fstat(file.fileno()).st_size
            except OSError as error:
                raise _unreadable(part, error) from error
        if size > LARGEST_SENT:
            raise ImportRefused(
                f"{shown_name(parts[0].name)} has more than {LARGEST_SENT / 1e6:g} MB, the most that can be sent",
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
    from tui.dictionaries.dictionary_file import shown_name

    return ImportRefused(
        f"{shown_name(path.name)} cannot be read: {error.strerror or error}",
        hint="check that it is a file you may read",
    )
