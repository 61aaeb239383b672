"""Words: what the library has of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tui.records.clips import FocusWord

WordState = Literal["new", "seen", "learning", "known", "ignored"]
"""State of a word in a profile: ``seen`` was looked up or clipped, ``ignored`` is a name, a number, another language.

A word without a state is new; a number, and a word in a script that its language is not written in, is ignored.
"""
WORD_STATES: tuple[WordState, ...] = get_args(WordState)


@dataclass(frozen=True, slots=True)
class WordSummary:
    """Summary of what the library has of a word; ``per_transcript`` are its counts, oldest transcript first."""

    focus: FocusWord
    occurrences: int
    per_transcript: tuple[int, ...]
    clips: int
    answers: int
