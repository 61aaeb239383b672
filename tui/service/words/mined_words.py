"""Words of one transcript that are to be broken down together: the commonest new ones, or those that somebody names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tui.language.tags import base_language
from tui.language.word import fold
from tui.records.word_states import WordState
from tui.records.words import KnownWord, NextWord
from tui.service.library import Library
from tui.service.words.counts import TranscriptCounter
from tui.service.words.next_words import NextWords, WordFrequencies
from tui.service.words.word_forms import WordForms
from tui.store import Store
from tui.store.known_words.transcript_words import CutTranscript

_EVERY = 5_000


@dataclass(frozen=True, slots=True)
class MinedWords:
    """Finds words of a transcript, each in the sentence that is best to learn it from."""

    library: Library
    counter: TranscriptCounter
    frequencies: WordFrequencies
    word_forms: WordForms
    next_words: NextWords

    async def find_commonest(self, transcript_id: str, language: str, count: int) -> tuple[tuple[NextWord, ...], str]:
        """Find the new words that are among so many of the commonest of their language, the most useful first.

        Gives the title of the dictionary that says so, too, "" for the library's own counts. Raises ``InvalidInput``.
        """
        base = base_language(language)
        lemmas, title = await self.frequencies.list_frequent(base, count)
        common = {fold(lemma, base) for lemma in lemmas}
        await self.frequencies.prepare(every_rank=True)

        def new(store: Store, cut: Sequence[CutTranscript], known: Sequence[WordState]) -> dict[int, KnownWord]:
            found = store.new_words.most_useful(self.library.profile, cut, None, known, _EVERY)
            return {seq: word for seq, word in found if fold(word.lemma, word.language) in common}

        return tuple((await self._find(transcript_id, new)).values()), title

    async def find_given(
        self, transcript_id: str, language: str | None, given: Sequence[str]
    ) -> tuple[tuple[NextWord, ...], tuple[str, ...]]:
        """Find words in any of their forms; gives those too that the transcript does not have."""
        base = base_language(language) if language is not None else ""
        if language is not None:
            await self.word_forms.prepare(base)

        def keys_of(word: str) -> tuple[str, ...]:
            lemma = self.word_forms.form_of(word, language).lemma if language is not None else None
            return tuple(fold(each, base) for each in (word, lemma) if each)

        keys = {word: await asyncio.to_thread(keys_of, word) for word in dict.fromkeys(given)}
        wanted = {key for each in keys.values() for key in each}

        def named(store: Store, cut: Sequence[CutTranscript], known: Sequence[WordState]) -> dict[int, KnownWord]:
            words = store.new_words.words_of(self.library.profile, cut)
            return {seq: word for seq, word in words.items() if fold(word.lemma, base) in wanted}

        by_key: dict[str, list[NextWord]] = {}
        for each in (await self._find(transcript_id, named)).values():
            by_key.setdefault(fold(each.word.lemma, base), []).append(each)
        found: dict[NextWord, None] = {}
        missing = list[str]()
        for word, forms in keys.items():
            here = next((by_key[key] for key in forms if key in by_key), [])
            found |= dict.fromkeys(here)
            missing += [] if here else [word]
        return tuple(found), tuple(missing)

    async def _find(
        self,
        transcript_id: str,
        choose: Callable[[Store, Sequence[CutTranscript], Sequence[WordState]], Mapping[int, KnownWord]],
    ) -> dict[int, NextWord]:
        known = await self.counter.known_states()
        cut = await self.counter.cut((transcript_id,))
        words = await self.library.run(lambda store: choose(store, cut, known))
        return await self.next_words.in_best_sentences(words, cut)
