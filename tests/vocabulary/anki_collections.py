"""Real Anki collections for tests: notes whose cards are in every state, written by the anki package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anki.lang", reason="the anki package is not installed")

STATES: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "neu": ("new", {}),
    "lernen": ("learning", {"type": 1, "queue": 1, "ivl": 0}),
    "wieder": ("relearning", {"type": 3, "queue": 1, "ivl": 40}),
    "jung": ("young", {"type": 2, "queue": 2, "ivl": 20}),
    "reif": ("mature", {"type": 2, "queue": 2, "ivl": 21}),
    "ruhend": ("suspended, mature", {"type": 2, "queue": -1, "ivl": 50}),
    "still": ("suspended, new", {"type": 0, "queue": -1}),
    "begraben": ("buried, mature", {"type": 2, "queue": -2, "ivl": 30}),
    "vergraben": ("buried by its sibling, young", {"type": 2, "queue": -3, "ivl": 3}),
}
"""Word → the state of its card, and the fields of the card that make it so."""


class Collection:
    """A collection to be filled and read by; ``close`` writes it down."""

    def __init__(self, path: Path) -> None:
        import anki.lang
        from anki.collection import Collection as AnkiCollection

        anki.lang.set_lang("en_US")
        self.path = path
        self.col: Any = AnkiCollection(str(path))

    def note(self, *values: str, note_type: str = "Basic", deck: str = "Deutsch") -> Any:
        """Add a note with these values of its fields, in their order."""
        note = self.col.new_note(self.col.models.by_name(note_type))
        for place, value in enumerate(values):
            note.fields[place] = value
        self.col.add_note(note, self.col.decks.id(deck))
        return note

    def known(self, *values: str, days: int = 30, note_type: str = "Basic", deck: str = "Deutsch") -> Any:
        """Add a note whose cards are all in review with this interval."""
        note = self.note(*values, note_type=note_type, deck=deck)
        for card in note.cards():
            self.set_card(card, type=2, queue=2, ivl=days)
        return note

    def set_card(self, card: Any, **fields: int) -> None:
        for name, value in fields.items():
            setattr(card, name, value)
        self.col.update_card(card)

    def note_type(self, name: str, *fields: str) -> None:
        models = self.col.models
        made = models.new(name)
        for field in fields:
            models.add_field(made, models.new_field(field))
        template = models.new_template("Card 1")
        template["qfmt"], template["afmt"] = "{{%s}}" % fields[0], "{{FrontSide}}"  # noqa: UP031 - braces
        models.add_template(made, template)
        models.add_dict(made)

    def in_every_state(self) -> None:
        """Add a note for each of ``STATES``, and one that a filtered deck has borrowed."""
        for word, (_, fields) in STATES.items():
            note = self.note(word)
            self.set_card(note.cards()[0], **fields)
        self.known("geborgt", deck="Deutsch::Ferien")
        filtered = self.col.sched.get_or_create_filtered_deck(0)
        filtered.name = "Vor der Reise"
        del filtered.config.search_terms[:]
        term = filtered.config.search_terms.add()
        term.search, term.limit = "geborgt", 10
        self.col.sched.add_or_update_filtered_deck(filtered)

    def package(self, path: Path, *, legacy: bool = False) -> Path:
        from anki.collection import ExportAnkiPackageOptions

        options = ExportAnkiPackageOptions(with_scheduling=True, with_media=False, legacy=legacy)
        self.col.export_anki_package(out_path=str(path), options=options, limit=None)
        return path

    def close(self) -> Path:
        self.col.close()
        return self.path
