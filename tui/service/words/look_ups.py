"""Look-ups of words for one profile: in all dictionaries, those first that explain in the profile's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.service.library import Library
from tui.service.words.dictionaries import Dictionaries

if TYPE_CHECKING:
    from tui.records.clips import FocusWord
    from tui.records.lookups import LookUp


class LookUps:
    def __init__(self, library: Library, dictionaries: Dictionaries) -> None:
        self._library = library
        self._dictionaries = dictionaries

    async def look_up(self, word: str, language: str | None, sentence: str = "") -> tuple[FocusWord, LookUp]:
        """Look a word up as it stands in its sentence; gives its facts and all entries. Raises ``StoreError``."""
        profile = self._library.profile
        settings = await self._library.run(lambda store: store.settings.get(profile))
        return await self._dictionaries.look_up(word, language, sentence, explain_in=settings.explain_in)
