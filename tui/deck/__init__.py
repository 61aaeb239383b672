"""Anki decks: clips as a package that imports again and again, and keeps what the learner changed in Anki."""

from __future__ import annotations

from tui.deck.apkg import default_deck_name, write_deck
from tui.deck.note import note_of

__all__ = ["default_deck_name", "note_of", "write_deck"]
