"""Notes of one program in a collection, and their note types as the learner has made them.

A note type's templates are JSON up to schema 14. From 15 on they are messages of protocol buffers (Anki's
proto/anki/notetypes.proto): ``Notetype.Config`` has the kind as field 1 and the CSS as field 3, ``Template.Config`` the
two sides as fields 1 and 2.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from sys import getsizeof

from tui import bounds
from tui.anki.collection_file import BETWEEN, MAX_FIELDS, SQLITE_SIGNATURE, CollectionFile
from tui.errors import refused
from tui.system.regular_file import open_file

MAX_CARDS = 1_000
"""Maximum cards of a note that are read: a template or a cloze has one each."""
MAX_NOTE = bounds.ANKI_NOTES.entry_bytes
"""Maximum bytes of a note of Lode's: a clip has a tenth, and a learner's own fields may hold a picture."""
MAX_NOTES_BYTES = bounds.ANKI_NOTES.bytes_out
"""Maximum bytes of all notes of Lode's, as Python holds them: some 150 000 of them."""
MAX_TIME = 1 << 40
"""Seconds since 1970 that no clock shows: a time beyond them is none."""
_Wanted = Callable[[int, str], bool]
"""Whether a note type is to be read, by its id and its name."""
_TAG = re.compile(r"\{\{([#^/]?)([^{}]*)\}\}")


@dataclass(frozen=True, slots=True)
class AnkiTemplate:
    """A card template: its name and its two sides."""

    name: str
    front: str
    back: str

    def is_filled(self, fields: dict[str, str]) -> bool:
        """Whether Anki makes a card of it: a field that its front shows has something in it."""
        shown = [True]
        for kind, shown_as in _TAG.findall(self.front):
            name = shown_as.strip()
            if kind == "/":
                shown = shown[:-1] or [True]
            elif kind:
                shown.append(shown[-1] and bool(fields.get(name, "").strip()) is (kind == "#"))
            elif shown[-1] and fields.get(name.rpartition(":")[2].strip(), "").strip():
                return True
        return False


@dataclass(frozen=True, slots=True)
class AnkiNoteType:
    """A note type as a collection has it; a ``is_cloze`` one makes its cards of what is marked in a field."""

    id: int
    name: str
    fields: tuple[str, ...]
    templates: tuple[AnkiTemplate, ...]
    css: str = ""
    is_cloze: bool = False


@dataclass(frozen=True, slots=True)
class AnkiNote:
    """A note as a collection has it; ``cards`` are the numbers of the templates that it has cards of.

    ``changed_at`` is in seconds since 1970.
    """

    id: int
    guid: str
    note_type: int
    changed_at: int
    fields: tuple[str, ...]
    tags: tuple[str, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnkiNotes:
    """The notes that were looked for, by their guid, and the note types of the collection by their ids."""

    notes: dict[str, AnkiNote]
    note_types: dict[int, AnkiNoteType]


def read_notes(path: Path, place: Path, prefix: str, model_id: int, name: str = "") -> AnkiNotes:
    """Read the notes whose guid begins with ``prefix``, with their note types, the one with ``model_id`` and that of
    this ``name``.

    ``path`` is a package or a collection, also one that an Anki has open. Of two notes with one guid it is the later
    one, as for Anki itself. Blocks, and raises ``ImportRefused``.
    """
    with _collection(path, place) as collection:
        notes = {note.guid: note for note in _notes(collection, prefix)}
        used = {note.note_type for note in notes.values()} | {model_id}
        return AnkiNotes(notes, _note_types(collection, lambda number, called: number in used or called == name))


def read_note_types(path: Path, place: Path) -> dict[int, AnkiNoteType]:
    """Read all note types of a package or a collection, by their ids. Blocks, and raises ``ImportRefused``."""
    with _collection(path, place) as collection:
        return _note_types(collection, lambda number, called: True)


@contextmanager
def _collection(path: Path, place: Path) -> Iterator[CollectionFile]:
    shown = str(path)
    try:
        with open_file(path) as file:
            signature = file.read(len(SQLITE_SIGNATURE))
        is_package = signature != SQLITE_SIGNATURE
        if is_package and not signature.startswith(b"PK"):
            raise refused(shown, "is no Anki collection", "name a .colpkg, an .apkg or a collection.anki2")
        collection = CollectionFile(path, shown, place, is_package=is_package, progress=lambda share: None)
    except OSError as error:
        raise refused(shown, f"cannot be read: {error.strerror or error}", "name a file that can be") from error
    try:
        with collection.faults():
            yield collection
    finally:
        collection.close()


def measure_size(note: AnkiNote) -> int:
    """Bytes of the texts of a note as Python holds them: four for each character where one of them is an emoji."""
    return sum(map(getsizeof, (note.guid, note.fields, *note.fields, note.tags, *note.tags, note.cards)))


def _notes(collection: CollectionFile, prefix: str) -> Iterator[AnkiNote]:
    """The notes whose guid begins so; raises ``ImportRefused`` for one, or more of them, than can be held."""
    wanted = "typeof(guid) = 'text' AND substr(guid, 1, ?) = ?"
    asked = (len(prefix), prefix)
    (largest,) = collection.connection.execute(
        "SELECT max(length(CAST(guid AS BLOB)) + length(CAST(flds AS BLOB)) + length(CAST(tags AS BLOB))) FROM notes"
        f" WHERE {wanted}",
        asked,
    ).fetchone()
    if largest is not None and largest > MAX_NOTE:
        reason = f"has a note of Lode's with more than {MAX_NOTE / 1e6:g} MB"
        hint = "take out of it what you put in: a picture belongs into Anki's media"
        raise refused(collection.shown, reason, hint, "too_large")
    rows = collection.connection.execute(
        "SELECT id, guid, mid, mod, flds, tags, (SELECT group_concat(ord) FROM"
        f" (SELECT DISTINCT ord FROM cards WHERE nid = notes.id LIMIT {MAX_CARDS})) FROM notes"
        f" WHERE {wanted} ORDER BY id",
        asked,
    )
    left = MAX_NOTES_BYTES
    for number, guid, note_type, mod, fields, tags, cards in rows:
        changed_at = mod if isinstance(mod, int) and 0 <= mod < MAX_TIME else 0
        numbers = sorted({int(each) for each in str(cards).split(",")}) if cards is not None else []
        values = tuple(str(fields).split(BETWEEN, MAX_FIELDS))
        note = AnkiNote(number, guid, note_type, changed_at, values, tuple(str(tags).split()), tuple(numbers))
        left -= measure_size(note)
        if left < 0:
            reason = f"holds more than {MAX_NOTES_BYTES / 1e6:g} MB of notes of Lode's"
            raise refused(collection.shown, reason, "export one deck of it, and name that", "too_large")
        yield note


def _note_types(collection: CollectionFile, wanted: _Wanted) -> dict[int, AnkiNoteType]:
    types = _json_types(collection, wanted) if collection.keeps_json else _types(collection, wanted)
    if not all(each.fields and each.templates for each in types.values()):
        raise ValueError("a note type without fields or cards")
    return types


def _json_types(collection: CollectionFile, wanted: _Wanted) -> dict[int, AnkiNoteType]:
    (models,) = collection.connection.execute("SELECT models FROM col").fetchone()
    found = {}
    for number, model in json.loads(models).items():
        if wanted(int(number), str(model["name"])):
            templates = sorted(model["tmpls"], key=lambda each: int(each["ord"]))
            found[int(number)] = AnkiNoteType(
                int(number),
                str(model["name"]),
                tuple(str(each["name"]) for each in sorted(model["flds"], key=lambda each: int(each["ord"]))),
                tuple(AnkiTemplate(str(each["name"]), str(each["qfmt"]), str(each["afmt"])) for each in templates),
                str(model.get("css", "")),
                is_cloze=model.get("type") == 1,
            )
    return found


def _types(collection: CollectionFile, wanted: _Wanted) -> dict[int, AnkiNoteType]:
    asked = collection.connection.execute
    found = {}
    for number, name, config in asked("SELECT id, name, config FROM notetypes ORDER BY id").fetchall():
        if not wanted(number, name):
            continue
        fields = asked("SELECT name FROM fields WHERE ntid = ? ORDER BY ord", (number,)).fetchall()
        templates = asked("SELECT name, config FROM templates WHERE ntid = ? ORDER BY ord", (number,)).fetchall()
        message = _message(config)
        found[number] = AnkiNoteType(
            number,
            name,
            tuple(name for (name,) in fields),
            tuple(
                AnkiTemplate(name, _text(sides.get(1)), _text(sides.get(2)))
                for name, sides in ((name, _message(data)) for name, data in templates)
            ),
            _text(message.get(3)),
            is_cloze=message.get(1) == 1,
        )
    return found


def _message(data: bytes) -> dict[int, int | bytes]:
    """Numbers and texts of a message of protocol buffers by their fields; raises ``ValueError`` for none."""
    found: dict[int, int | bytes] = {}
    at = 0
    while at < len(data):
        tag, at = _number(data, at)
        kind = tag & 7
        if kind == 0:
            found[tag >> 3], at = _number(data, at)
            continue
        length, at = _number(data, at) if kind == 2 else ({1: 8, 5: 4}.get(kind, len(data) + 1), at)
        if at + length > len(data):
            raise ValueError("a message ends too soon")
        found[tag >> 3] = data[at : at + length]
        at += length
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("a number without end")


def _text(value: int | bytes | None) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
