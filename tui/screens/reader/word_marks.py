"""Marks that the reader's keys give to words: the next state of one, and all of a sentence as known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tui.records.word_states import WordState
from tui.records.words import TextWord, WordMark

NEXT_STATE: Mapping[WordState, WordState] = {
    "new": "learning",
    "seen": "learning",
    "learning": "known",
    "known": "ignored",
    "ignored": "new",
}
"""State → the one that the key for the next state gives."""


def next_mark(word: TextWord, language: str | None) -> WordMark:
    """The word in the state that follows its own."""
    return WordMark(language or "", word.lemma, word.reading, NEXT_STATE[word.state])


def known_marks(words: Iterable[TextWord], language: str | None) -> tuple[WordMark, ...]:
    """Those of the words that are new, or were only looked up, as known, each once; what is learned goes on."""
    unknown = (word for word in words if word.state in ("new", "seen"))
    return tuple(dict.fromkeys(WordMark(language or "", word.lemma, word.reading, "known") for word in unknown))
