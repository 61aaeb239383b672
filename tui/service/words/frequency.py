"""Frequency of words: ranks out of a frequency dictionary, and marks of the most frequent words of a language."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.language.scripts import is_word_of
from tui.language.tags import base_language, language_name
from tui.records.dictionaries import Dictionary, TermFrequency
from tui.records.word_states import WordState
from tui.records.words import FrequencyMark, WordMark
from tui.service.library import Library
from tui.service.words.dictionaries import Dictionaries
from tui.service.words.word_forms import WordForms

if TYPE_CHECKING:
    from tui.store import Store

MOST_FREQUENT = 100_000
"""Maximum words that are marked by their frequency."""
_CHANGED: tuple[WordState, ...] = ("new", "seen")
"""States that a mark by frequency takes the place of: whatever else a word is, somebody said so."""


class WordFrequencies:
    """Frequencies of words, of one profile where they are the library's own counts."""

    def __init__(self, library: Library, dictionaries: Dictionaries, word_forms: WordForms) -> None:
        self._library = library
        self._dictionaries = dictionaries
        self._word_forms = word_forms

    async def update_ranks(self, *, every_word: bool) -> None:
        """Give the words of the library the ranks of the dictionaries that are there now.

        Seconds for a dictionary of half a million terms, whenever that is a new one; ``every_word``: and whenever words
        have been added since.
        """
        for language in await self._library.run(lambda store: store.word_ranks.languages()):
            await self._update(language, every_word=every_word)

    async def _update(self, language: str, *, every_word: bool) -> None:
        dictionary = await asyncio.to_thread(self._dictionary, language)
        name, title = (dictionary.id, dictionary.title) if dictionary is not None else ("", "")

        def is_done(store: Store) -> bool:
            return store.read_only or store.word_ranks.are_of(language, name, every_word=every_word)

        if not await self._library.run(is_done):
            ranks = await asyncio.to_thread(self._ranks, dictionary, language)
            await self._library.run(lambda store: store.word_ranks.save(language, name, title, ranks))

    async def mark(self, language: str, count: int, state: WordState) -> FrequencyMark:
        """Mark the most frequent words of a language, those that are new or were only seen."""
        if not 1 <= count <= MOST_FREQUENT:
            raise InvalidInput(f"mark 1 to {MOST_FREQUENT} words by their frequency", field="count")
        base = base_language(language)
        dictionary = await asyncio.to_thread(self._dictionary, base)
        if dictionary is not None:
            await self._word_forms.prepare(base)
            lemmas = await asyncio.to_thread(self._commonest, dictionary, base, count)
        else:
            lemmas = await self._own(base, count)
        if not lemmas:
            raise InvalidInput(
                f"nothing tells which words of {language_name(language)} are frequent",
                hint="import texts in it, or a frequency dictionary: lode dictionaries add FILE",
                field="language",
            )
        marks = [WordMark(base, lemma, state=state) for lemma in lemmas]
        changed = await self._library.change(
            lambda store: store.word_states.mark(self._library.profile, marks, "frequency", only=_CHANGED)
        )
        return FrequencyMark(changed, len(lemmas), "" if dictionary is None else dictionary.title)

    async def _own(self, language: str, count: int) -> list[str]:
        """The lemmas that occur most in the profile's transcripts."""
        from tui.store.tables.word_list import WordFilter

        profile = self._library.profile

        def read(store: Store) -> list[str]:
            if not store.read_only:
                store.word_list.prepare(profile)
            page = store.word_list.page(profile, WordFilter(language), "occurrences", 0, count + count // 10 + 100)
            words = (
                word
                for word in page.items
                if word.occurrences and not word.is_name and is_word_of(language, word.lemma)
            )
            return list(dict.fromkeys(word.lemma for word in words))[:count]

        return await self._library.run(read)

    def _dictionary(self, language: str) -> Dictionary | None:
        from tui.store.dictionaries.frequencies import frequency_dictionary

        store = self._dictionaries.opened()
        return None if store is None else frequency_dictionary(store, language)

    def _terms(self, dictionary: Dictionary) -> Sequence[TermFrequency]:
        from tui.store.dictionaries.frequencies import ranked_terms

        store = self._dictionaries.opened()
        return () if store is None else ranked_terms(store, dictionary)

    def _ranks(self, dictionary: Dictionary | None, language: str) -> dict[tuple[str, str], int]:
        from tui.store.dictionaries.frequencies import ranks

        return {} if dictionary is None else ranks(self._terms(dictionary), language)

    def _commonest(self, dictionary: Dictionary, language: str, count: int) -> list[str]:
        """The lemmas of the first terms of a list: many lists are of forms."""

        def lemmas() -> Iterator[str]:
            for term in self._terms(dictionary):
                if is_word_of(language, term.term):
                    yield self._word_forms.form_of(term.term, language).lemma or term.term

        found: dict[str, None] = {}
        for lemma in lemmas():
            found.setdefault(lemma)
            if len(found) == count:
                break
        return list(found)
