"""The dictionaries of a remote library."""

from __future__ import annotations

from tui.records.dictionaries import Dictionary
from tui.records.lookups import LookUp
from tui.remote.client import Client
from tui.remote.records import LONGEST_SENTENCE, word_asked

_PATH = "/dictionaries"


class RemoteDictionaries:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def all(self) -> tuple[Dictionary, ...]:
        return await self._client.get(tuple[Dictionary, ...], _PATH)

    async def reorder(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        body = self._client.ids(dictionary_ids)
        return await self._client.write(tuple[Dictionary, ...], "PUT", f"{_PATH}/order", body)

    async def delete(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        body = self._client.ids(dictionary_ids)
        return await self._client.write(tuple[Dictionary, ...], "POST", f"{_PATH}/delete", body)

    async def look_up(self, word: str, *, language: str | None, sentence: str = "") -> LookUp:
        asked = {**word_asked(word, language), "sentence": sentence[:LONGEST_SENTENCE]}
        return await self._client.get(LookUp, f"{_PATH}/entries", asked)
