"""Word look-ups of the reader: what the library says of the words under the eye, kept while it may still hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from tui.records.clips import ConcordanceLine, FocusWord
from tui.records.words import WordSummary
from tui.service.protocol.words import Words
from tui.widgets.transcript.focused_text import FocusedText

K = TypeVar("K")
V = TypeVar("V")
MOST_LINES = 200
"""Lines of a concordance that are read at most: more is no longer read through, and takes longer than a key."""
_KEPT = 500
"""Words kept of each sort; the oldest goes first."""


class WordLookUps:
    """Look-ups of focus words in the sentences that they stand in, which may make phrases of them."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._summaries: dict[tuple[str, str], tuple[WordSummary, ...]] = {}
        """What is known of a word, and behind it of the other one that may as well be meant, if any."""
        self._others: set[tuple[str, str]] = set()
        """Words of which the other one was taken; remembered when the rest is forgotten."""
        self._lines: dict[tuple[str, str | None], tuple[ConcordanceLine, ...]] = {}

    def clear(self) -> None:
        """Forget all: the library has changed."""
        self._summaries.clear()
        self._lines.clear()

    def known(self, focused: FocusedText | None) -> WordSummary | None:
        """What is known of a word without asking."""
        if focused is None or (found := self._summaries.get(key := (focused.focus, focused.sentence))) is None:
            return None
        return found[-1] if key in self._others else found[0]

    def take_other(self, focused: FocusedText) -> bool:
        """Take the other of two words that may be meant from now on, and the first again; False where there is one."""
        key = focused.focus, focused.sentence
        if is_tie := len(self._summaries.get(key, ())) > 1:
            self._others ^= {key}
        return is_tie

    async def summary(self, focused: FocusedText, language: str | None) -> WordSummary:
        """Ask for a word, and again where it had no lemma: the dictionary may be ready by now. Raises ``LodeError``."""
        known = self.known(focused)
        if known is not None and known.focus.lemma is not None:
            return known
        first = await self._words.summary(focused.focus, language=language, sentence=focused.sentence)
        found = (first,) if first.other is None else (first, await self._turned(first, first.other, language))
        _kept(self._summaries, (focused.focus, focused.sentence), found)
        return self.known(focused) or first

    async def _turned(self, first: WordSummary, other: FocusWord, language: str | None) -> WordSummary:
        """The summary with the other word first; where that has another lemma, with its clips, sound and own words."""
        if other.lemma == first.focus.lemma:
            return replace(first, focus=other, other=first.focus)
        of_lemma = await self._words.summary(other.lemma or other.surface, language=language)
        return replace(of_lemma, focus=replace(other, frequency=of_lemma.occurrences), other=first.focus)

    async def concordance(self, word: str, language: str | None) -> tuple[ConcordanceLine, ...]:
        """The sentences with a word in any of its forms, at most ``MOST_LINES``. Raises ``LodeError``."""
        if (known := self._lines.get((word, language))) is not None:
            return known
        lines = await self._words.concordance(word, language=language, limit=MOST_LINES)
        return _kept(self._lines, (word, language), lines)


def _kept(kept: dict[K, V], key: K, value: V) -> V:
    if len(kept) >= _KEPT:
        del kept[next(iter(kept))]
    kept[key] = value
    return value
