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

        def pick_new(store: Store, cut: Sequence[CutTranscript], known: Sequence[WordState]) -> dict[int, KnownWord]:
            found = store.new_words.most_useful(self.library.profile, cut, None, known, _EVERY)
            return {seq: word for seq, word in found if fold(word.lemma, word.language) in common}

        return tuple((await self._find(transcript_id, pick_new)).values()), title

    async def find_given(
        self, transcript_id: str, language: str | None, given: Sequence[str]
    ) -> tuple[tuple[NextWord, ...], tuple[str, ...]]:
        """Find words in any of their forms; gives those too that the transcript does not have."""
        base = base_language(language) if language is not None else ""
        if language is not None:
            await self.word_forms.prepare(base)

        def lemma_of(word: str) -> str:
            return (self.word_forms.form_of(word, language).lemma if language is not None else None) or word

        lemmas = await asyncio.to_thread(lambda: {word: lemma_of(word) for word in dict.fromkeys(given)})
        numbers: dict[str, set[int]] = {}

        def pick_given(store: Store, cut: Sequence[CutTranscript], known: Sequence[WordState]) -> dict[int, KnownWord]:
            words = store.new_words.words_of(self.library.profile, cut)
            by_form = store.new_words.find_forms(base, [fold(word, base) for word in lemmas])
            for word, lemma in lemmas.items():
                keys = {fold(word, base), fold(lemma, base)}
                same = {seq for seq, each in words.items() if fold(each.lemma, base) in keys}
                numbers[word] = {by_form.get(fold(word, base), 0)} & words.keys() or same
            return {seq: words[seq] for seq in sorted(set().union(*numbers.values()))}

        found = await self._find(transcript_id, pick_given)
        wanted = dict.fromkeys(seq for word in lemmas for seq in sorted(numbers[word]) if seq in found)
        missing = tuple(word for word in lemmas if numbers[word].isdisjoint(found))
        return tuple(found[seq] for seq in wanted), missing

    async def _find(
        self,
        transcript_id: str,
        choose: Callable[[Store, Sequence[CutTranscript], Sequence[WordState]], Mapping[int, KnownWord]],
    ) -> dict[int, NextWord]:
        known = await self.counter.known_states()
        cut = await self.counter.cut((transcript_id,))
        words = await self.library.run(lambda store: choose(store, cut, known))
        return await self.next_words.in_best_sentences(words, cut)
