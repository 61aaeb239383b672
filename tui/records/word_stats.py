"""Statistics of words: how many a profile knows, in its transcripts and day by day."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tui.records.transcripts import Transcript
from tui.records.word_states import WordState
from tui.records.words import WordCounts


@dataclass(frozen=True, slots=True)
class StateCount:
    """Number of words of a language in a state."""

    language: str
    state: WordState
    words: int


@dataclass(frozen=True, slots=True)
class DayCount:
    """Count of a day ("2026-11-03", by the clock on the wall)."""

    day: str
    count: int


@dataclass(frozen=True, slots=True)
class TranscriptCounts:
    """Counts of the words of a transcript."""

    transcript_id: str
    counts: WordCounts


@dataclass(frozen=True, slots=True)
class TranscriptWithCounts(Transcript):
    """A transcript with the counts of its words, None where they were not asked for."""

    words: WordCounts | None = None

    @classmethod
    def of(cls, transcript: Transcript, words: WordCounts) -> TranscriptWithCounts:
        return cls(**{field.name: getattr(transcript, field.name) for field in fields(Transcript)}, words=words)


@dataclass(frozen=True, slots=True)
class TranscriptShare:
    """Counts of the words of a transcript, with its title and language."""

    transcript_id: str
    title: str
    language: str | None
    counts: WordCounts


@dataclass(frozen=True, slots=True)
class WordStats:
    """Statistics of a profile's words: by state and language, known ones over time, clips a day, known by transcript.

    ``known`` has the days on which words came to be known, each with how many there were by its end: those that count
    as known, less the ignored ones. ``clips`` has the days of the last year that have some, ``transcripts`` the newest.
    """

    states: tuple[StateCount, ...]
    known: tuple[DayCount, ...]
    clips: tuple[DayCount, ...]
    transcripts: tuple[TranscriptShare, ...]
