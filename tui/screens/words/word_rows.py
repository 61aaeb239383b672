"""Rows of words in a list: their columns, their states as they are shown, and the marks that keys give them."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from tui.records.word_states import WordState
from tui.records.words import KnownWord, WordMark
from tui.screens.lists.columns import styled_cell

STATE_STYLES = {"new": "running", "seen": "", "learning": "strong", "known": "muted", "ignored": "muted"}
"""Styles of the states in a list: what is new stands out, what is done with stands back."""


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word in a list; its id is what tells it from the others."""

    word: KnownWord

    @property
    def id(self) -> str:
        return word_id(self.word)


def word_id(word: KnownWord) -> str:
    """Id of a word within a profile: its language, lemma and reading."""
    return f"{word.language}\t{word.lemma}\t{word.reading}"


def mark_of(record_id: str, state: WordState) -> WordMark:
    """The mark that gives this state to the word with an id."""
    language, lemma, reading = record_id.split("\t")
    return WordMark(language, lemma, reading, state)


def state_cell(word: KnownWord) -> Text:
    """Cell of a word's state, in its style."""
    return styled_cell(STATE_STYLES[word.state], word.state)


def lemma_cell(word: KnownWord) -> Text | str:
    """Cell of a word with its reading, which stands back."""
    if not word.reading:
        return word.lemma
    text = styled_cell("muted", f"{word.lemma}  {word.reading}")
    text.stylize("strong", 0, len(word.lemma))
    return text
