"""Frequency of words: ranks out of a frequency dictionary, and marks of the most frequent words of a language."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.language.levels import count_words_below
from tui.language.scripts import is_word_of
from tui.language.tags import base_language, language_name
from tui.records.dictionaries import Dictionary, TermFrequency
from tui.records.word_states import WordState
from tui.records.words import FrequencyMark, FrequencyOffer, WordMark
from tui.service.library import Library
from tui.service.words.dictionaries import Dictionaries
from tui.service.words.word_forms import WordForms

if TYPE_CHECKING:
    from tui.store import Store

MOST_FREQUENT = 100_000
"""Maximum words that are marked by their frequency."""
_SAMPLES = 6
_TOLD_BY_TEXTS = 10
"""Share of the different words of texts, one in so many, that are taken for the commonest of their language."""
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
        base = base_language(language)
        lemmas, title = await self._listed(base, count)
        marks = [WordMark(base, lemma, state=state) for lemma in lemmas]
        changed = await self._library.change(
            lambda store: store.word_states.mark(self._library.profile, marks, "frequency", only=_CHANGED)
        )
        return FrequencyMark(changed, len(lemmas), title)

    async def offer(self, language: str, count: int) -> FrequencyOffer:
        """What a mark of so many words would do."""
        base = base_language(language)
        lemmas, title = await self._listed(base, count)
        profile = self._library.profile
        changed = await self._library.run(lambda store: store.word_states.count_in(profile, base, lemmas, _CHANGED))
        return FrequencyOffer(len(lemmas), changed, title, tuple(lemmas[-_SAMPLES:]))

    async def offer_below(self, language: str, level: str) -> FrequencyOffer:
        """What a mark of the words below a level would do; of as few as the library's own counts can tell, if need be.

        The commonest words of a few texts are mostly those of everyday speech, all of their words are not.
        """
        count, base = count_words_below(level), base_language(language)
        if count and await asyncio.to_thread(self._dictionary, base) is None:
            await self._word_forms.prepare(base)
            count = min(count, len(await self._own(base, MOST_FREQUENT)) // _TOLD_BY_TEXTS)
        return await self.offer(language, count) if count else FrequencyOffer(0, 0, "", ())

    async def _listed(self, language: str, count: int) -> tuple[list[str], str]:
        """The most frequent lemmas, at most so many, and the title of their dictionary, "" for own counts."""
        if not 1 <= count <= MOST_FREQUENT:
            raise InvalidInput(f"mark 1 to {MOST_FREQUENT} words by their frequency", field="count")
        dictionary = await asyncio.to_thread(self._dictionary, language)
        await self._word_forms.prepare(language)
        if dictionary is not None:
            lemmas = await asyncio.to_thread(self._commonest, dictionary, language, count)
        else:
            lemmas = await self._own(language, count)
        if not lemmas:
            raise InvalidInput(
                f"nothing tells which words of {language_name(language)} are frequent",
                hint="import texts in it, or a frequency dictionary: lode dictionaries add FILE",
                field="language",
            )
        return lemmas, "" if dictionary is None else dictionary.title

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
