"""Exports of clips as a deck: which clips go into one, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Result of an export, or of a dry run; the three counts add up to the notes in the deck.

    ``remembered``: the next export will be compared with this one, and not with the one before.
    """

    path: str
    deck: str
    new: int
    changed: int
    same: int
    size_bytes: int
    written: bool
    remembered: bool = True
