"""The .apkg file: a zip of a SQLite collection, as genanki lays it out, written beside its target and then renamed.

genanki's own ``Package.write_to_file`` holds all notes in memory, stores the collection uncompressed, leaves a
temporary file behind and writes straight to the target; only its schema, its note type and its deck are used here.
"""

from __future__ import annotations

import itertools
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import genanki

from tui.anki.notes import AnkiNoteType
from tui.deck import note_type
from tui.deck.formats import DeckFile
from tui.deck.note import MEDIA_NAME
from tui.errors import DeckError
from tui.records.notes import Note
from tui.records.settings import CardOptions, SavedSettings
from tui.text.sanitize import one_line

USUAL = SavedSettings()
_COLLECTION = "collection.anki2"
_NOTE = "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, 0, 0, '')"
_CARD = "INSERT INTO cards VALUES (?, ?, ?, ?, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')"
_AT_ONCE = 100


def write_deck(
    path: Path,
    name: str,
    notes: Iterable[Note],
    *,
    settings: SavedSettings = USUAL,
    overwrite: bool = False,
    note_types: Iterable[AnkiNoteType] = (),
    media: Callable[[str], bytes | None] = lambda name: None,
) -> int:
    """Write notes as an Anki package to exactly ``path`` and return how many there were.

    New cards come in the order of the notes, which are taken one at a time and not kept. ``name`` may hold ``::`` for
    decks within decks; ``settings`` have the options of the cards. ``note_types`` are those that the learner changed in
    Anki, as they are there: by the same fields and cards Anki knows them again, and it keeps its own design of them.
    ``media`` gives the bytes of the sounds and pictures that the notes name; those that it has not are left out.
    The same notes and settings give the same bytes. An older deck at ``path`` is replaced, another file only with
    ``overwrite``; whatever fails, what was there stays as it is and nothing is left beside it. Raises ``DeckError``
    when the file cannot be written there, with the code ``not_a_deck`` when something else is there; what ``notes``
    raises passes through.
    """
    deck_name = one_line(name)
    if not deck_name:
        raise DeckError("a deck needs a name", hint='name it, for example "Lode"')
    with DeckFile(path, overwrite=overwrite) as deck_file:
        rows = _write_collection(deck_file, deck_name, notes, settings, note_types)
        _pack(deck_file, rows.media, media)
        deck_file.keep()
    return rows.count


def _write_collection(
    deck_file: DeckFile, deck_name: str, notes: Iterable[Note], settings: SavedSettings, types: Iterable[AnkiNoteType]
) -> _Rows:
    deck = genanki.Deck(_deck_id(deck_name), deck_name)
    deck.add_model(make_model(settings.card))
    models = {each.id: _model_of(each, deck.deck_id) for each in types}
    rows = _Rows(deck_name)
    try:
        with closing(sqlite3.connect(deck_file.directory / _COLLECTION, isolation_level=None)) as connection:
            cursor = connection.cursor()
            # No journal: nobody reads this file before it is whole, and one that failed is thrown away.
            cursor.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            genanki.Package(deck).write_to_db(cursor, note_type.changed_at(settings), itertools.count())
            _add_described(cursor, "models", models)
            cursor.execute("BEGIN")
            waiting = iter(notes)
            while batch := list(islice(waiting, _AT_ONCE)):
                numbered = [rows.number(note) for note in batch]
                cursor.executemany(_NOTE, [rows.note(*each) for each in numbered])
                cursor.executemany(_CARD, [row for each in numbered for row in rows.cards(*each)])
            _add_described(cursor, "decks", {at: genanki.Deck(at, name).to_json() for name, at in rows.decks.items()})
            cursor.execute("COMMIT")
    except sqlite3.Error as error:
        raise deck_file.failed(error) from error
    return rows


class _Rows:
    """Rows of notes and of their cards, in the order in which they are numbered.

    The columns are those of Anki's schema 11 (rslib/src/storage/schema11.sql); Anki makes up the checksum itself.
    """

    def __init__(self, deck: str) -> None:
        self.count = 0
        self.media: dict[str, None] = {}
        """Names of the sounds and pictures of the notes, in the order in which they come."""
        self.decks = {deck: _deck_id(deck)}
        self._number = 0
        self._deck = deck

    def number(self, note: Note) -> tuple[int, int, Note]:
        """A number of its own for the note and for its cards, the moment of its creation as in Anki, and its place."""
        self.count += 1
        number = max(self._number + 1, note.created_at)
        self._number = number + max(len(note.cards) - 1, 0)
        return number, self.count, note

    def note(self, number: int, due: int, note: Note) -> tuple[object, ...]:
        tags = f" {' '.join(note.tags)} " if note.tags else ""
        model = note.note_type or note_type.MODEL_ID
        fields = "\x1f".join(note.fields if note.note_type is not None else note.fields[: len(note_type.FIELDS)])
        self.media.update(dict.fromkeys(MEDIA_NAME.findall(fields)))
        return (number, note.guid, model, note.changed_at, tags, fields, note.fields[0])

    def cards(self, number: int, due: int, note: Note) -> Iterator[tuple[object, ...]]:
        name = f"{self._deck}::{note.within}" if note.within else self._deck
        deck = self.decks.get(name) or self.decks.setdefault(name, _deck_id(name))
        for at, template in enumerate(note.cards):
            yield number + at, number, deck, template, note.changed_at, due


def make_model(options: CardOptions) -> genanki.Model:
    """Make the note type as genanki writes it, with these options."""
    return genanki.Model(
        note_type.MODEL_ID,
        note_type.NAME,
        fields=[{"name": field} for field in note_type.FIELDS],
        templates=[{"name": note_type.TEMPLATE_NAME, "qfmt": note_type.make_front(options), "afmt": note_type.BACK}],
        css=note_type.CSS,
    )


def _add_described(cursor: sqlite3.Cursor, what: str, described: Mapping[int, dict[str, object]]) -> None:
    """Add note types or decks to those that the collection has already."""
    if described:
        (written,) = cursor.execute(f"SELECT {what} FROM col").fetchone()
        together = json.loads(written) | {str(number): each for number, each in described.items()}
        cursor.execute(f"UPDATE col SET {what} = ?", (json.dumps(together),))


def _model_of(theirs: AnkiNoteType, deck: int) -> dict[str, object]:
    """A note type of Anki's as genanki writes one, of no time: Anki keeps its own design."""
    # genanki looks into the sides for fields; a learner's may be anything.
    sides = {"qfmt": f"{{{{{theirs.fields[0]}}}}}", "afmt": ""}
    model = genanki.Model(
        theirs.id,
        theirs.name,
        fields=[{"name": field} for field in theirs.fields],
        templates=[{"name": each.name, **sides} for each in theirs.templates],
        css=theirs.css,
        model_type=genanki.Model.CLOZE if theirs.is_cloze else genanki.Model.FRONT_BACK,
    )
    described: dict[str, Any] = model.to_json(0, deck)
    for template, each in zip(described["tmpls"], theirs.templates, strict=True):
        template.update(qfmt=each.front, afmt=each.back)
    return described


def _deck_id(name: str) -> int:
    """Deck id, the same for the same name, between 2**30 and 2**31 as genanki advises; Anki matches decks by name.

    "Default", in any case, is deck 1 of every collection: beside it one of the same name would be renamed.
    """
    if name.casefold() == "default":
        return 1
    return (1 << 30) + int.from_bytes(sha256(name.encode()).digest()[:4], "big") % (1 << 30)


def _pack(deck_file: DeckFile, names: Iterable[str], media: Callable[[str], bytes | None]) -> None:
    """Zip the collection and its media, which lie in a package by numbers; the entry "media" tells their names."""
    numbered: dict[str, str] = {}
    collection = deck_file.directory / _COLLECTION
    try:
        with zipfile.ZipFile(deck_file.file, "w") as archive:
            entry = _entry(_COLLECTION)
            entry.file_size = collection.stat().st_size
            with collection.open("rb") as unpacked, archive.open(entry, "w") as packing:
                shutil.copyfileobj(unpacked, packing, 1 << 20)
            for name in names:
                if content := media(name):
                    archive.writestr(_entry(str(len(numbered)), zipfile.ZIP_STORED), content)
                    numbered[str(len(numbered))] = name
            archive.writestr(_entry("media"), json.dumps(numbered))
    except OSError as error:
        raise deck_file.failed(error) from error


def _entry(name: str, compression: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)  # of 1980: the moment of an export is nothing that a deck says
    entry.compress_type = compression
    return entry
