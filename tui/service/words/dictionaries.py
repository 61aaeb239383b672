"""Dictionaries: what all profiles have of them, and the look-ups of one: its own words, then all dictionaries."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from tui.service.library import Database, Library

if TYPE_CHECKING:
    from tui.dictionaries.own_words import ReadOwn
    from tui.records.clips import FocusWord
    from tui.records.dictionaries import FoundRow, LookUp
    from tui.service.words.word_forms import WordForms
    from tui.store import Store
    from tui.store.dictionaries.dictionary_store import DictionaryStore


class Dictionaries:
    """The dictionaries of a data directory and the glossaries of the sample stories, which come last.

    Their file is opened by the first look-up, and made by the first dictionary.
    """

    def __init__(self, database: Database, word_forms: WordForms) -> None:
        self._directory = database.directory
        self._word_forms = word_forms
        self._opening = threading.Lock()
        self._store: DictionaryStore | None = None

    async def prepare(self, language: str | None) -> None:
        """Wait until dictionary forms are known, which takes seconds when a language is first met."""
        if await asyncio.to_thread(self._word_forms.needs_preparing, language) and language is not None:
            await self._word_forms.prepare(language)

    def look_up(
        self,
        word: str,
        language: str | None,
        sentence: str,
        *,
        explain_in: str | None = None,
        read_own: ReadOwn | None = None,
    ) -> tuple[FocusWord, LookUp]:
        """Look a word up as it stands in its sentence; gives its facts and all entries. Raises ``StoreError``; blocks.

        Own words, where ``read_own`` reads some, come before the dictionaries, and of these those before the rest that
        explain in the language ``explain_in``.
        """
        from tui.dictionaries.focus_word import make_focus_word
        from tui.dictionaries.lookup import Find, look_up
        from tui.dictionaries.own_words import OwnWordSearch
        from tui.samples.glossaries import find_in_glossaries

        store = self.opened()
        form = self._word_forms.form_of(word, language, sentence)

        def lemma_of(text: str) -> str | None:
            return form.lemma if text == word else self._word_forms.form_of(text, language).lemma

        def find_all(keys: Sequence[str], language: str | None) -> list[FoundRow]:
            found = () if store is None else store.find(keys, language)
            glossary = find_in_glossaries(keys, language, sentence)
            return [*glossary, *found] if glossary and glossary[0].position == 0 else [*found, *glossary]

        find: Find = find_all
        phrases: list[str] = []
        if read_own is not None and language is not None:
            own = OwnWordSearch(read_own, language, lemma_of)
            phrases = own.phrases(word, sentence)
            find = lambda keys, language: [*own.find(keys), *find_all(keys, language)]  # noqa: E731 - used here only
        found = look_up(find, word, language, lemma_of, sentence, explain_in=explain_in, phrases=phrases)
        return make_focus_word(word, language, form, found), found

    def revision(self) -> str:
        """A text that is another one after every change of their file, whoever made it; "" without one. Blocks."""
        written = []
        for name in ("dictionaries.db", "dictionaries.db-wal"):
            with suppress(OSError):
                status = (self._directory / name).stat()
                written.append(f"{status.st_mtime_ns} {status.st_size}")
        return " ".join(written)

    def opened(self) -> DictionaryStore | None:
        """The store, None while there is no file. Blocks."""
        return self.opened_for_writing() if (self._directory / "dictionaries.db").exists() else None

    def opened_for_writing(self) -> DictionaryStore:
        """The store, in a new file where there is none. Blocks."""
        with self._opening:
            if self._store is None:
                from tui.store.dictionaries.dictionary_store import DictionaryStore

                self._store = DictionaryStore.open(self._directory)
            return self._store

    async def close(self) -> None:
        if self._store is not None:
            await asyncio.to_thread(self._store.close)
            self._store = None


class LookUps:
    def __init__(self, library: Library, dictionaries: Dictionaries) -> None:
        self._library = library
        self._dictionaries = dictionaries

    async def look_up_prepared(self, word: str, language: str | None, sentence: str = "") -> tuple[FocusWord, LookUp]:
        """Do ``look_up`` once dictionary forms are known."""
        await self._dictionaries.prepare(language)
        return await self.look_up(word, language, sentence)

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
