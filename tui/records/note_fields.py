"""Fields of note types: those that an Anki has, and how they go with those that a profile fills."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NoteTypeFields:
    """A note type of Anki's by its name, and its fields in their order."""

    name: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnknownField:
    """A field that the note type does not have, what it was to get, and the closest name that there is ("": none)."""

    name: str
    value: str
    closest: str = ""


@dataclass(frozen=True, slots=True)
class NoteFieldsCheck:
    """Result of comparing a profile's fields with the note types of an Anki or a deck, which ``source`` names.

    ``usable``: the note type is there with every field that gets something, and its first one, without which Anki
    takes no note, does. ``fields`` are all that it has, ``empty`` those that stay empty, ``unused`` the fields of
    Lode's that go nowhere. Where there is no such note type ``closest_types`` are names of some that there are.
    """

    source: str
    note_type: str
    usable: bool
    fields: tuple[str, ...] = ()
    unknown: tuple[UnknownField, ...] = ()
    empty: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    closest_types: tuple[str, ...] = ()
