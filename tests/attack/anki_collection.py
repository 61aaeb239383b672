"""Anki's collections for attacks: made of a text whose first line are the note types, and each other one a note."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

_PAGE = 4096
_TABLES = """
PRAGMA page_size = 4096;
CREATE TABLE col (id INTEGER PRIMARY KEY, ver INT, models TEXT, decks TEXT);
CREATE TABLE notes (id INTEGER PRIMARY KEY, guid TEXT, mid INT, mod INT, flds TEXT, tags TEXT);
CREATE TABLE cards (id INTEGER PRIMARY KEY, nid INT, did INT, ord INT, type INT, queue INT, ivl INT, odid INT);
CREATE INDEX ix_cards_nid ON cards (nid);
"""
_TEMPLATE = {"name": "Card 1", "ord": 0, "qfmt": "{{Front}}", "afmt": "{{Back}}"}
_FIELDS = [{"name": "Front", "ord": 0}, {"name": "Back", "ord": 1}]
NOTE_TYPES = json.dumps({"1": {"name": "Basic", "flds": _FIELDS, "tmpls": [_TEMPLATE]}}) + "\n"
"""One note type with two fields and one card."""


def collection_of(text: str, cards: int = 1) -> bytes:
    """A collection of schema 11, each of whose notes has so many cards."""
    note_types, _, notes = text.partition("\n")
    with TemporaryDirectory(prefix="attack-") as directory:
        path = Path(directory) / "collection.anki2"
        database = sqlite3.connect(path)
        database.executescript(_TABLES)
        database.execute("INSERT INTO col VALUES (1, 11, ?, '{}')", (note_types,))
        for number, fields in enumerate(notes.splitlines()):
            database.execute("INSERT INTO notes VALUES (?, ?, 1, 1, ?, '')", (number, f"lode{number}", fields))
            database.executemany(
                "INSERT INTO cards (nid, did, ord, type, queue, ivl, odid) VALUES (?, 1, ?, 2, 2, 30, 0)",
                ((number, card) for card in range(cards)),
            )
        database.commit()
        database.close()
        return path.read_bytes()


def looping_collection(text: str) -> bytes:
    """The same, where each page of the last half, those of a long text, says that the next one is itself."""
    data = bytearray(collection_of(text))
    for page in range(len(data) // _PAGE // 2, len(data) // _PAGE):
        data[page * _PAGE : page * _PAGE + 4] = (page + 1).to_bytes(4, "big")
    return bytes(data)


def many_cards(text: str) -> bytes:
    """The same, where each note has as many cards as no note has."""
    return collection_of(text, 200_000)
