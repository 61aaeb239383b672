"""Vocabulary from outside: words with their states out of lists and flashcards, and which of their fields are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tui.records.word_states import WordState
from tui.records.word_stats import StateCount
from tui.records.words import WordMark

VocabularyFormat = Literal["list", "table", "frequency", "anki"]
"""A word in each line, a table with named columns, words with their ranks or counts, or flashcards of Anki."""

SuspendedCards = Literal["as-others", "skip", "known", "ignored"]
"""Treatment of words whose cards are all suspended in Anki: like others, left out, or marked with this state."""

KNOWN_DAYS = 21
"""Days between two reviews from which on Anki itself calls a card mature."""


@dataclass(frozen=True, slots=True)
class VocabularyWord:
    """A text that a list or a card has as its word, and how well that is known.

    ``state`` None: a card that was never shown, which says nothing of the word. ``reading`` and ``language`` are ""
    where the source does not say them; ``rank`` is the place in a list that goes by frequency, the most frequent first.
    ``is_lemma``: the source says that it is the dictionary form, and nothing is to be made of it. Of Lode's own export
    ``said_by`` and ``said_at`` are where the state was from and since when.
    """

    text: str
    reading: str = ""
    state: WordState | None = None
    language: str = ""
    rank: int | None = None
    is_lemma: bool = False
    said_by: str = ""
    said_at: str = ""


@dataclass(frozen=True, slots=True)
class VocabularyField:
    """A field of a note type, or a column of a table, with texts that it has as samples."""

    name: str
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteType:
    """A note type of Anki (``name`` "" for a list), its fields, and the one that looks like the word's, "" for none."""

    name: str
    fields: tuple[VocabularyField, ...]
    notes: int
    word_field: str = ""
    reading_field: str = ""


@dataclass(frozen=True, slots=True)
class VocabularyOffer:
    """Contents of a source that can be chosen from: note types with their fields, and decks, subdecks after ``::``."""

    format: VocabularyFormat
    note_types: tuple[NoteType, ...] = ()
    decks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VocabularyChoice:
    """Choice of what to import from a source of words, and how its words and cards are understood.

    ``field`` is the field with the word, "" for the one that looks so, ``note_type`` and ``deck`` (with those below it)
    leave out all others. ``language`` is that of words for which the source names none. ``state`` is that of words in
    a list without states. A card counts as known from ``known_days`` between two reviews on. ``first`` takes that many
    of the most frequent. ``sentences``: the field has sentences, of which every word counts.
    """

    field: str = ""
    note_type: str = ""
    deck: str = ""
    language: str = ""
    state: WordState = "known"
    known_days: int = KNOWN_DAYS
    suspended: SuspendedCards = "as-others"
    first: int | None = None
    sentences: bool = False
    encoding: str = ""


@dataclass(frozen=True, slots=True)
class RunningAnki:
    """A running Anki: the address of its AnkiConnect, and the variable that holds its key; "" for the usual ones."""

    address: str = ""
    key_env: str = ""

    @classmethod
    def typed(cls, text: str) -> RunningAnki | None:
        """The one that somebody types, "anki" or "anki=ADDRESS"; None for all else, which is a path."""
        name, _, address = text.partition("=")
        return cls(address) if name == "anki" else None

    def or_else(self, usual: RunningAnki) -> RunningAnki:
        """The same with what ``usual`` says where this one says nothing."""
        return RunningAnki(self.address or usual.address, self.key_env or usual.key_env)


USUAL_ANKI = RunningAnki()


@dataclass(frozen=True, slots=True)
class VocabularyReport:
    """Report of what an import would do: words by state, how many change theirs, and what is left out.

    ``kept`` words have been marked by hand, which a running Anki does not change; ``unchanged`` have the state already.
    ``never_shown`` cards, ``phrases`` of several words and ``unread`` rows are left out. ``samples`` are the first
    words, as they would be marked.
    """

    format: VocabularyFormat
    states: tuple[StateCount, ...]
    changed: int
    unchanged: int
    kept: int
    never_shown: int
    phrases: int
    unread: int
    samples: tuple[WordMark, ...] = ()

    @property
    def words(self) -> int:
        """Number of words that were read."""
        return sum(each.words for each in self.states)
