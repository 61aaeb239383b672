"""Protocols of what the service does with words: a part of the contract in ``service/protocol.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tui.language.word import Word
from tui.records.clips import ConcordanceLine
from tui.records.words import WordSummary


@dataclass(frozen=True, slots=True)
class CueWords:
    """Words of a cue as the library counts them, with lemmas and readings; offsets are those of the cue's text."""

    index: int
    words: tuple[Word, ...]


class Words(Protocol):
    async def summary(self, word: str, *, language: str | None, sentence: str = "") -> WordSummary:
        """Sum up what dictionaries and library have of a word, as it stands in its sentence where that is given."""

    async def concordance(self, word: str, *, language: str | None, limit: int = 20) -> tuple[ConcordanceLine, ...]: ...
