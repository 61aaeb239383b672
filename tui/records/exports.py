"""Exports of clips, as a deck or in another format: which clips go into one, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ExportState = Literal["never", "changed", "same"]
"""State of a clip against the decks that it was exported in: in none, in one as it was before, in one as it is."""


@dataclass(frozen=True, slots=True)
class ClipSelection:
    """Selection of clips: those that meet every condition; without any, all clips of the profile.

    ``ids`` are ids or unambiguous beginnings of them, ``q`` is what is typed into the filter of a list. ``tag`` is a
    whole tag, in any case; ``verb`` means ``verb::strong`` too, as in Anki. ``since`` is a date or a moment (ISO 8601),
    without an offset in the local time of this process, from which on clips were kept or changed. ``only_new`` leaves
    out what the deck of that name has as it is now.
    """

    ids: tuple[str, ...] = ()
    q: str = ""
    tag: str = ""
    since: str = ""
    only_new: bool = False

    @property
    def is_all(self) -> bool:
        return self == ClipSelection()


ALL_CLIPS = ClipSelection()


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Result of an export, or of a dry run; the three counts add up to the clips in the file.

    ``written`` is False as well where no clip was selected: then nothing is written. ``remembered``: the next export
    will be compared with this one, and not with the one before; only a deck (``format`` "apkg") is.
    """

    path: str
    deck: str
    new: int
    changed: int
    same: int
    size_bytes: int
    written: bool
    remembered: bool = True
    format: str = "apkg"

    @property
    def clips(self) -> int:
        return self.new + self.changed + self.same

    @property
    def is_deck(self) -> bool:
        return self.format == "apkg"
