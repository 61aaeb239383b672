"""Word look-ups of the reader: what the library says of the words under the eye, kept while it may still hold."""

from __future__ import annotations

from typing import TypeVar

from tui.records.clips import ConcordanceLine
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
        self._summaries: dict[tuple[str, str], WordSummary] = {}
        self._lines: dict[tuple[str, str | None], tuple[ConcordanceLine, ...]] = {}

    def clear(self) -> None:
        """Forget all: the library has changed."""
        self._summaries.clear()
        self._lines.clear()

    def known(self, focused: FocusedText | None) -> WordSummary | None:
        """What is known of a word without asking."""
        return None if focused is None else self._summaries.get((focused.focus, focused.sentence))

    async def summary(self, focused: FocusedText, language: str | None) -> WordSummary:
        """Ask for a word, and again where it had no lemma: the dictionary may be ready by now. Raises ``LodeError``."""
        known = self.known(focused)
        if known is not None and known.focus.lemma is not None:
            return known
        summary = await self._words.summary(focused.focus, language=language, sentence=focused.sentence)
        return _kept(self._summaries, (focused.focus, focused.sentence), summary)

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
