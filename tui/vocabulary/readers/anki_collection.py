"""Anki collections (collection.anki2, and those in packages): notes with their fields, cards with their states.

The file is copied first, with the log that an open Anki writes beside it, so that neither is waited for or changed.
Note types and decks are JSON in the row of ``col`` up to schema 11, and tables from 15 on, where U+001F parts the name
of a deck. Sources: Anki's rslib/src/storage/schema11.sql and upgrades/schema15_upgrade.sql, collections of anki 26.9.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

from tui import regular_file
from tui.errors import ImportRefused
from tui.records.vocabulary import NoteType, VocabularyChoice, VocabularyFormat, VocabularyOffer, VocabularyWord
from tui.temporary import TemporaryDirectory
from tui.text.sanitize import one_line
from tui.vocabulary.notes import SUSPENDED, Card, Note, NoteReader, check_choice, made_note_type
from tui.vocabulary.readers.anki_package import LARGEST_COLLECTION, OLDER_FORMAT, unpack_collection
from tui.vocabulary.vocabulary_file import (
    MOST_OFFERED,
    MOST_ROWS,
    ROWS_A_STEP,
    Progress,
    refused,
    too_many_rows,
)

SQLITE_SIGNATURE = b"SQLite format 3\0"
_OLDEST, _OLD, _NEWEST = 11, 14, 18
"""Schemas that are read, and the last one that keeps note types as JSON."""
_TABLES = ("col", "notes", "cards")
_SAMPLED = 40
"""Notes of each type that samples are taken from."""
_LARGEST_VALUE = 100_000_000
_BETWEEN_FIELDS = "\x1f"


class AnkiCollection:
    """A collection that is open; raises ``ImportRefused`` for a file that is none, or damaged, or too new.

    The copy lies in a temporary directory in ``place``.
    """

    format: VocabularyFormat = "anki"

    def __init__(self, path: Path, shown: str, place: Path, *, is_package: bool, progress: Progress) -> None:
        self._shown = shown
        self.skipped = 0
        self._directory = TemporaryDirectory(place)
        try:
            copy = self._directory.path / "collection.anki2"
            if is_package:
                unpack_collection(path, copy, shown, progress)
            else:
                _copy(path, copy, shown)
            self._connection = _opened(copy, shown)
        except BaseException:
            self._directory.remove()
            raise
        try:
            with self._faults():
                self._names, self._decks = self._described()
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            self.close()
            raise _damaged(self._shown) from error
        except BaseException:
            self.close()
            raise

    def offer(self) -> VocabularyOffer:
        with self._faults():
            return VocabularyOffer("anki", self._note_types(), tuple(sorted(self._decks.values())))

    def words(self, choice: VocabularyChoice, progress: Progress) -> Iterator[VocabularyWord]:
        with self._faults():
            note_types = self._note_types()
        check_choice(choice, note_types, tuple(self._decks.values()), self._shown)
        reader = NoteReader(choice, note_types)
        wanted = [number for number, (name, _) in self._names.items() if reader.reads(name)]
        with self._faults():
            for note in self._notes(wanted, progress):
                yield from reader.words(note)
                self.skipped = reader.skipped
        progress(1.0)

    def close(self) -> None:
        self._connection.close()
        self._directory.remove()

    def _notes(self, note_types: Sequence[int], progress: Progress) -> Iterator[Note]:
        total = self._connection.execute("SELECT count(*) FROM cards").fetchone()[0] or 1
        if total > MOST_ROWS:
            raise too_many_rows(self._shown)
        rows = self._connection.execute(
            "SELECT n.id, n.mid, n.flds, c.type, c.queue, c.ivl, CASE WHEN c.odid THEN c.odid ELSE c.did END"
            " FROM notes n JOIN cards c ON c.nid = n.id"
            f" WHERE n.mid IN ({','.join(map(str, note_types))}) ORDER BY n.id, c.ord"
        )
        read = 0
        for _, group in groupby(rows, key=lambda row: row[0]):
            cards = list(group)
            if (read // ROWS_A_STEP) != (read := read + len(cards)) // ROWS_A_STEP:
                progress(min(read / total, 1.0))
            name, fields = self._names[cards[0][1]]
            yield Note(name, dict(zip(fields, _split(cards[0][2]), strict=False)), [self._card(row) for row in cards])

    def _card(self, row: Sequence[object]) -> Card:
        kind, queue, days, deck = (value if isinstance(value, int) else 0 for value in row[3:7])
        return Card(kind, days, queue == SUSPENDED, self._decks.get(deck, ""))

    def _note_types(self) -> tuple[NoteType, ...]:
        """The note types that have notes, those with the most first."""
        counts = dict(self._connection.execute("SELECT mid, count(*) FROM notes GROUP BY mid ORDER BY count(*) DESC"))
        found = []
        for number in [number for number in counts if number in self._names]:
            name, fields = self._names[number]
            rows = self._connection.execute("SELECT flds FROM notes WHERE mid = ? LIMIT ?", (number, _SAMPLED))
            sampled = [dict(zip(fields, _split(row[0]), strict=False)) for row in rows]
            found.append(made_note_type(name, fields, sampled, counts[number]))
        return tuple(found)

    def _described(self) -> tuple[dict[int, tuple[str, tuple[str, ...]]], dict[int, str]]:
        """Note types, each with its name and those of its fields, and decks, by their ids."""
        (version,) = self._connection.execute("SELECT ver FROM col").fetchone() or (0,)
        if not isinstance(version, int) or version > _NEWEST:
            raise refused(self._shown, "was written by a newer Anki than this Lode knows", OLDER_FORMAT, "too_new")
        if version < _OLDEST:
            raise refused(self._shown, "was written by an Anki before 2.1", "open it in a newer Anki once")
        if version <= _OLD:
            models, decks = self._connection.execute("SELECT models, decks FROM col").fetchone()
            return _json_note_types(json.loads(models)), _json_decks(json.loads(decks))
        fields: dict[int, list[str]] = {}
        for number, name in self._connection.execute("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
            fields.setdefault(number, []).append(name)
        names = self._connection.execute(f"SELECT id, name FROM notetypes LIMIT {MOST_OFFERED}").fetchall()
        decks = self._connection.execute(f"SELECT id, name FROM decks LIMIT {MOST_OFFERED}").fetchall()
        return (
            {number: (one_line(name), tuple(fields.get(number, ()))) for number, name in names},
            {number: one_line(name.replace(_BETWEEN_FIELDS, "::")) for number, name in decks},
        )

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Tell of a file whose pages cannot be read."""
        try:
            yield
        except sqlite3.Error as error:
            raise _damaged(self._shown) from error


def _split(fields: object) -> list[str]:
    return str(fields).split(_BETWEEN_FIELDS)


def _json_note_types(models: dict[str, dict[str, object]]) -> dict[int, tuple[str, tuple[str, ...]]]:
    found = {}
    for number, model in list(models.items())[:MOST_OFFERED]:
        fields = model["flds"]
        names = [str(each["name"]) for each in fields] if isinstance(fields, list) else []
        found[int(number)] = one_line(str(model["name"])), tuple(names)
    return found


def _json_decks(decks: dict[str, dict[str, object]]) -> dict[int, str]:
    return {int(number): one_line(str(deck["name"])) for number, deck in list(decks.items())[:MOST_OFFERED]}


def _copy(path: Path, copy: Path, shown: str) -> None:
    """Copy a collection with its write-ahead log, in which an Anki that is open keeps what is new."""
    for ending in ("", "-wal"):
        source = path.with_name(path.name + ending)
        if ending and not source.exists():
            continue
        with regular_file.opened(source) as file, copy.with_name(copy.name + ending).open("wb") as target:
            if source.stat().st_size > LARGEST_COLLECTION:
                raise refused(shown, f"has more than {LARGEST_COLLECTION / 1e9:g} GB")
            shutil.copyfileobj(file, target, 1 << 20)


def _opened(path: Path, shown: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.create_collation("unicase", _unicase)
        # What a file says of itself is not to be believed: no functions in its schema, no cells beyond their pages.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        found = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (?, ?, ?) AND sql NOT LIKE '%VIRTUAL%'",
            _TABLES,
        ).fetchall()
        if len(found) < len(_TABLES):
            raise refused(shown, "is an SQLite file, but no Anki collection", "name collection.anki2, or an .apkg")
        connection.execute("PRAGMA query_only = ON")
    except sqlite3.Error as error:
        connection.close()
        raise _damaged(shown) from error
    except ImportRefused:
        connection.close()
        raise
    return connection


def _unicase(left: str, right: str) -> int:
    """Anki's collation of names, which reading does not order by: SQLite only asks that there is one."""
    left, right = left.casefold(), right.casefold()
    return (left > right) - (left < right)


def _damaged(shown: str) -> ImportRefused:
    return refused(shown, "is damaged", "check it in Anki (Tools → Check Database), and export it anew")
