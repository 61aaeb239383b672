"""Anki decks: clips as a package that imports again and again, and keeps what the learner changed in Anki."""

from __future__ import annotations

from tui.deck.apkg import name_default_deck, write_deck
from tui.deck.note import RENDERING, make_note
from tui.deck.note_type import changed_at
from tui.records.settings import CHOICES, SavedSettings


def deck_version(settings: SavedSettings) -> str:
    """Version of all that makes a deck of clips."""
    return " ".join((str(RENDERING), str(changed_at(settings)), *(getattr(settings, name) for name in CHOICES)))


__all__ = ["RENDERING", "deck_version", "make_note", "name_default_deck", "write_deck"]
