"""Anki decks: clips as a package that imports again and again, and keeps what the learner changed in Anki."""

from __future__ import annotations

from tui.deck.apkg import default_deck_name, write_deck
from tui.deck.note import RENDERING, note_of
from tui.deck.note_type import DESIGN_DATE

DECK_VERSION = f"{RENDERING} {DESIGN_DATE}"
"""Version of all that makes a deck of clips."""

__all__ = ["DECK_VERSION", "RENDERING", "default_deck_name", "note_of", "write_deck"]
