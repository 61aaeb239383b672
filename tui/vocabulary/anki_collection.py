"""Anki collections (collection.anki2, and those in packages): notes with their fields, cards with their states."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

from tui.anki.collection_file import BETWEEN, CollectionFile
from tui.anki.notes import MAX_CARDS
from tui.records.vocabulary import NoteType, VocabularyChoice, VocabularyFormat, VocabularyOffer, VocabularyWord
from tui.text.sanitize import one_line
from tui.vocabulary.notes import SUSPENDED, Card, Note, NoteReader, check_choice, make_note_type
from tui.vocabulary.vocabulary_file import MAX_FIELD_LENGTH, MAX_OFFERED, MAX_ROWS, ROWS_A_STEP, Progress, too_many_rows

_SAMPLED = 40
"""Notes of each type that samples are taken from."""


class AnkiCollection:
    """A collection that is open; raises ``ImportRefused`` for a file that is none, or damaged, or too new.

    The copy lies in a temporary directory in ``place``.
    """

    format: VocabularyFormat = "anki"

    def __init__(self, path: Path, shown: str, place: Path, *, is_package: bool, progress: Progress) -> None:
        self._shown = shown
        self.skipped = 0
        self._file = CollectionFile(path, shown, place, is_package=is_package, progress=progress)
        self._connection = self._file.connection
        try:
            with self._file.faults():
                self._names, self._decks = self._described()
        except BaseException:
            self.close()
            raise

    def offer(self) -> VocabularyOffer:
        with self._file.faults():
            return VocabularyOffer("anki", self._note_types(), tuple(sorted(self._decks.values())))

    def words(self, choice: VocabularyChoice, progress: Progress) -> Iterator[VocabularyWord]:
        with self._file.faults():
            note_types = self._note_types()
        check_choice(choice, note_types, tuple(self._decks.values()), self._shown)
        reader = NoteReader(choice, note_types)
        wanted = [number for number, (name, _) in self._names.items() if reader.reads(name)]
        with self._file.faults():
            for note in self._notes(wanted, progress):
                yield from reader.words(note)
                self.skipped = reader.skipped
        progress(1.0)

    def close(self) -> None:
        self._file.close()

    def _notes(self, note_types: Sequence[int], progress: Progress) -> Iterator[Note]:
        total = self._connection.execute("SELECT count(*) FROM cards").fetchone()[0] or 1
        if total > MAX_ROWS:
            raise too_many_rows(self._shown)
        # Without the text, which would come once more with each card of a note, and be sorted with them.
        rows = self._connection.execute(
            "SELECT n.rowid, n.mid, c.type, c.queue, c.ivl, CASE WHEN c.odid THEN c.odid ELSE c.did END"
            " FROM notes n JOIN cards c ON c.nid = n.id"
            f" WHERE n.mid IN ({','.join(map(str, note_types))}) ORDER BY n.id, c.ord"
        )

        def counted() -> Iterator[Sequence[object]]:
            for read, row in enumerate(rows, 1):
                if read % ROWS_A_STEP == 0:
                    progress(min(read / total, 1.0))
                yield row

        for (note, note_type), cards in groupby(counted(), key=lambda row: (row[0], row[1])):
            name, fields = self._names[note_type]
            states = [self._card(row) for row in islice(cards, MAX_CARDS)]
            yield Note(name, self._values(note, fields), states)

    def _values(self, note: int, fields: Sequence[str]) -> dict[str, str]:
        """The values of a note by the names of its fields, each as long as it is looked at."""
        return dict(zip(fields, self._file.field_values(note, MAX_FIELD_LENGTH), strict=False))

    def _card(self, row: Sequence[object]) -> Card:
        kind, queue, days, deck = (value if isinstance(value, int) else 0 for value in row[2:6])
        return Card(kind, days, queue == SUSPENDED, self._decks.get(deck, ""))

    def _note_types(self) -> tuple[NoteType, ...]:
        """The note types that have notes, those with the most first."""
        rows = self._connection.execute("SELECT mid, count(*) FROM notes GROUP BY mid ORDER BY count(*) DESC")
        counts = {number: count for number, count in rows if number in self._names}
        found = []
        for number, count in counts.items():
            name, fields = self._names[number]
            notes = self._connection.execute("SELECT rowid FROM notes WHERE mid = ? LIMIT ?", (number, _SAMPLED))
            sampled = [self._values(note, fields) for (note,) in notes]
            found.append(make_note_type(name, fields, sampled, count))
        return tuple(found)

    def _described(self) -> tuple[dict[int, tuple[str, tuple[str, ...]]], dict[int, str]]:
        """Note types, each with its name and those of its fields, and decks, by their ids."""
        if self._file.keeps_json:
            models, decks = map(json.loads, self._connection.execute("SELECT models, decks FROM col").fetchone())
            described = {}
            for number, model in list(models.items())[:MAX_OFFERED]:
                listed = model["flds"] if isinstance(model["flds"], list) else []
                described[int(number)] = one_line(str(model["name"])), tuple(str(each["name"]) for each in listed)
            named = list(decks.items())[:MAX_OFFERED]
            return described, {int(number): one_line(str(deck["name"])) for number, deck in named}
        fields: dict[int, list[str]] = {}
        for number, name in self._connection.execute("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
            fields.setdefault(number, []).append(name)
        names = self._connection.execute(f"SELECT id, name FROM notetypes LIMIT {MAX_OFFERED}").fetchall()
        decks = self._connection.execute(f"SELECT id, name FROM decks LIMIT {MAX_OFFERED}").fetchall()
        return (
            {number: (one_line(name), tuple(fields.get(number, ()))) for number, name in names},
            {number: one_line(name.replace(BETWEEN, "::")) for number, name in decks},
        )
