"""Protocols of what the service does with words: a part of the contract in ``service/protocol.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tui.language.word import Word
from tui.records.clips import ConcordanceLine
from tui.records.dictionaries import Dictionary
from tui.records.lookups import LookUp
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


class Dictionaries(Protocol):
    """The dictionaries of the library, which all of its profiles share; no undo brings one back."""

    async def all(self) -> tuple[Dictionary, ...]:
        """The dictionaries in the order in which they are asked."""

    async def reorder(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        """Let these be asked first, in this order, the others after them as before; gives all of them."""

    async def delete(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        """Delete dictionaries for good; gives what they were."""

    async def look_up(self, word: str, *, language: str | None, sentence: str = "") -> LookUp:
        """Look a word up as it stands in its sentence: its entries as they are, the likeliest first.

        Asked are the dictionaries of the language, all where it is None, and the glossaries of the samples.
        """
