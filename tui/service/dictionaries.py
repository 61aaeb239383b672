"""Dictionaries of the library, as the service has them for one profile."""

import asyncio
import os
from collections.abc import AsyncIterable, Sequence
from pathlib import Path

from tui.dictionaries.dictionary_file import MAX_SENT_SIZE
from tui.dictionaries.file_search import find_named_dictionaries, find_offered_dictionaries
from tui.records.dictionaries import Dictionary, LookUp, OfferedDictionary
from tui.records.jobs import Job, JobSource
from tui.service.incoming import Uploads
from tui.service.jobs.queue import JobRunner
from tui.service.library import Library
from tui.service.words.dictionaries import Dictionaries, LookUps
from tui.system.event_loop import in_daemon_thread

_KIND = "dictionary"


class LocalDictionaries:
    """All profiles have the same dictionaries; the jobs that add some are the profile's."""

    def __init__(self, library: Library, runner: JobRunner, dictionaries: Dictionaries, look_ups: LookUps) -> None:
        self._library = library
        self._runner = runner
        self._look_ups = look_ups
        self._dictionaries = dictionaries

    async def all(self) -> tuple[Dictionary, ...]:
        def listed() -> tuple[Dictionary, ...]:
            store = self._dictionaries.opened()
            return () if store is None else store.all()

        return await asyncio.to_thread(listed)

    async def add(self, paths: Sequence[str | Path]) -> tuple[Job, ...]:
        found = await in_daemon_thread(lambda: find_named_dictionaries(paths), name="search for dictionaries")
        return await self._runner.queue(self._library, _KIND, [JobSource.of_path(path) for path in found], {})

    async def add_upload(self, name: str, pieces: AsyncIterable[bytes]) -> Job:
        """Queue the import of a dictionary that comes in pieces; raises as ``Uploads.receive`` does."""
        async with Uploads(self._library.database.directory).receive(name, pieces, MAX_SENT_SIZE) as source:
            (job,) = await self._runner.queue(self._library, _KIND, [source], {})
            return job

    async def reorder(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        store = await asyncio.to_thread(self._dictionaries.opened_for_writing)
        return await asyncio.to_thread(store.reorder, *dictionary_ids)

    async def delete(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        store = await asyncio.to_thread(self._dictionaries.opened_for_writing)
        deleted = await self._library.change(lambda _: store.delete(*dictionary_ids))
        await asyncio.to_thread(store.remove_leftovers)
        return deleted

    async def find_offered(self) -> tuple[OfferedDictionary, ...]:

        known = await self.all()
        settings = await self._library.settings()
        return await in_daemon_thread(
            lambda: find_offered_dictionaries(known, settings, os.environ), name="search for dictionaries"
        )

    async def look_up(self, word: str, *, language: str | None, sentence: str = "") -> LookUp:
        return (await self._look_ups.look_up_prepared(word, language, sentence))[1]
