"""Notes: clips as flashcards have them; and the fields of note types, of an Anki and as a profile fills them."""

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
