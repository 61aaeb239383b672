"""Summary of what the library and its dictionaries have of a word."""

from __future__ import annotations

from dataclasses import dataclass

from tui.records.clips import FocusWord
from tui.records.dictionaries import PitchAccent
from tui.records.own_words import OwnWord


@dataclass(frozen=True, slots=True)
class WordSummary:
    """Summary of what the library has of a word; ``per_transcript`` are its counts, oldest transcript first.

    ``pronunciations`` (IPA) and ``pitch`` are those of its likeliest term in the dictionaries.
    """

    focus: FocusWord
    occurrences: int
    per_transcript: tuple[int, ...]
    clips: int
    answers: int
    pronunciations: tuple[str, ...] = ()
    pitch: tuple[PitchAccent, ...] = ()
    own: OwnWord | None = None
    """Meaning, note and phrases that the profile has written itself."""
    in_anki: bool = False
    """Whether its state is that of a card in Anki, from the last import of words from there."""
    other: FocusWord | None = None
    """The word of another kind that may as well be meant, where only a tagger could tell."""
