"""Look-ups of words for one profile: in its own words, then in all dictionaries, those of its language first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tui.service.library import Library
from tui.service.words.dictionaries import Dictionaries

if TYPE_CHECKING:
    from tui.records.clips import FocusWord
    from tui.records.lookups import LookUp
    from tui.store import Store


class LookUps:
    def __init__(self, library: Library, dictionaries: Dictionaries) -> None:
        self._library = library
        self._dictionaries = dictionaries

    async def prepare(self, language: str | None) -> None:
        """Wait until dictionary forms are known, which takes seconds when a language is first met."""
        await self._dictionaries.prepare(language)

    async def look_up(self, word: str, language: str | None, sentence: str = "") -> tuple[FocusWord, LookUp]:
        """Look a word up as it stands in its sentence; gives its facts and all entries. Raises ``StoreError``."""

        def looked_up(store: Store) -> tuple[FocusWord, LookUp]:
            from tui.language.tags import base_language

            profile, base = self._library.profile, base_language(language)
            explain_in = store.settings.get(profile).explain_in
            has_own = bool(base) and store.own_words.has_any(profile, base)
            read_own = partial(store.own_words.found, profile, base) if has_own else None
            return self._dictionaries.look_up(word, language, sentence, explain_in=explain_in, read_own=read_own)

        return await self._library.run(looked_up)
