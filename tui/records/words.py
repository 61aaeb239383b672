"""Words: what the library has of one."""

from __future__ import annotations

from dataclasses import dataclass

from tui.records.clips import FocusWord


@dataclass(frozen=True, slots=True)
class WordSummary:
    """Summary of what the library has of a word; ``per_transcript`` are its counts, oldest transcript first."""

    focus: FocusWord
    occurrences: int
    per_transcript: tuple[int, ...]
    clips: int
    answers: int
