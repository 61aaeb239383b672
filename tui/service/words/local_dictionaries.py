"""Dictionaries of the library, as the service has them for one profile."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tui.records.dictionaries import Dictionary
from tui.records.lookups import LookUp
from tui.service.library import Library
from tui.service.words.dictionaries import Dictionaries

if TYPE_CHECKING:
    from tui.store.dictionaries.dictionary_store import DictionaryStore


class LocalDictionaries:
    """All profiles have the same dictionaries; the jobs that add some are the profile's."""

    def __init__(self, library: Library, dictionaries: Dictionaries) -> None:
        self._library = library
        self._dictionaries = dictionaries

    async def all(self) -> tuple[Dictionary, ...]:
        def listed() -> tuple[Dictionary, ...]:
            store = self._dictionaries.opened()
            return () if store is None else store.all()

        return await asyncio.to_thread(listed)

    async def reorder(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        store = await self._store()
        return await asyncio.to_thread(store.reorder, *dictionary_ids)

    async def delete(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        store = await self._store()
        deleted = await self._library.change(lambda _: store.delete(*dictionary_ids))
        await asyncio.to_thread(store.remove_leftovers)
        return deleted

    async def look_up(self, word: str, *, language: str | None, sentence: str = "") -> LookUp:
        return (await self._dictionaries.look_up(word, language, sentence))[1]

    async def _store(self) -> DictionaryStore:
        return await asyncio.to_thread(self._dictionaries.opened_for_writing)
