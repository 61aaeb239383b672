"""Notes: clips as flashcards have them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """A note as a deck has it: its identity, its fields (HTML) in the order of the note type, and its tags.

    ``created_at`` is in milliseconds and ``changed_at`` in seconds since 1970: its number, and its time of change.
    ``note_type`` is the id of the note type, None for Lode's own, ``cards`` are the places of its templates that it has
    cards of, and ``within`` is the deck within the deck that new cards come into, "" for the deck itself.
    """

    guid: str
    fields: tuple[str, ...]
    tags: tuple[str, ...]
    created_at: int
    changed_at: int
    note_type: int | None = None
    cards: tuple[int, ...] = (0,)
    within: str = ""
