"""Clips → an Anki package that imports cleanly, again and again, and keeps what the learner changed in Anki."""

from __future__ import annotations

from tui.deck.apkg import default_deck_name, write_deck

__all__ = ["default_deck_name", "write_deck"]
