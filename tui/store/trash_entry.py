"""Entries of the trash: what a deletion takes becomes one JSON bundle, so that it can be undone.

Transcripts, which may have half a million cues, stay where they are and are hidden instead
(``all_transcripts.discarded`` names the trash's row), so that deleting and undoing are one short transaction whatever
their size. ``tables/trash.py`` brings back what is here, and removes it for good.

Whatever is kept for a time is kept for a number of dates on which the library was open (``openings``).

A clock can be wrong: it may stand in 2001 until the network is there, or be in 2037 for one start. Moments are
therefore never compared with it to forget something. What is kept for a time notes the opening at which it came, and
goes once so many other dates have followed that one; a jump of the clock is one date, however far it goes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tui.records.library import Deletion
from tui.store.rows import as_json, now

STORED_AS = {"transcripts": "all_transcripts"}
"""Tables with the rows that a bundle knows under another, public name."""


@dataclass(slots=True)
class TrashEntry:
    """Contents of one deletion: whole rows, transcripts that it hides, and the references from other rows to them."""

    tables: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    links: list[tuple[str, str, int, str]] = field(default_factory=list)
    hidden: Sequence[int] = ()
    reading: dict[str, Any] | None = None
    """Data that brings back the cues from before a file was imported anew (``tables/transcripts/reimport.py``)."""
    edited: dict[str, Any] | None = None
    """Title and language that a transcript had before it was edited (``tables/transcripts/edit.py``)."""
    added_clips: Sequence[str] = ()
    """Ids of clips that were made in one step, of which undo removes those that are still there."""
    edited_clips: Mapping[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    """Columns of clips that were edited in one step, by their ids: what stood there before, and after that."""
    own_word: dict[str, Any] | None = None
    """Place of an own word, and its row from before it was changed (``known_words/own_words.py``)."""
    words: dict[str, Any] | None = None
    """States that words had before they were marked (``known_words/word_states.py``)."""

    def delete(self, connection: sqlite3.Connection, table: str, column: str, values: Sequence[int | str]) -> int:
        """Delete the rows whose ``column`` has one of the values and keep them here; gives their number."""
        condition = f"WHERE {column} IN (SELECT value FROM json_each(?))"
        cursor = connection.execute(f"SELECT * FROM {table} {condition}", (as_json(values),))
        columns = [description[0] for description in cursor.description]
        rows = [list(row) for row in cursor]
        self.tables[table] = {"columns": columns, "rows": rows}
        connection.execute(f"DELETE FROM {table} {condition}", (as_json(values),))
        return len(rows)

    def clear_references(self, connection: sqlite3.Connection, table: str, column: str, ids: Sequence[str]) -> None:
        """Make the references of a table's rows to these ids null, and remember them; hidden rows have some too."""
        stored, condition = STORED_AS.get(table, table), f"WHERE {column} IN (SELECT value FROM json_each(?))"
        found = connection.execute(f"SELECT seq, {column} FROM {stored} {condition}", (as_json(ids),))
        self.links += [(table, column, row[0], row[1]) for row in found]
        connection.execute(f"UPDATE {stored} SET {column} = NULL {condition}", (as_json(ids),))

    def column(self, table: str, name: str) -> list[Any]:
        """One column of the deleted rows of a table."""
        index = self.tables[table]["columns"].index(name)
        return [row[index] for row in self.tables[table]["rows"]]

    def save(
        self, connection: sqlite3.Connection, profile: int, table: str, name: str, count: int = 1, several: str = ""
    ) -> Deletion:
        """Put the entry in the trash, in the deletion's transaction; ``name`` is what people call it if it is one.

        ``several`` is what they call more than one, if that is not just their number.
        """
        blobs = self.column("files", "sha256") if "files" in self.tables else []
        for column in ("audio", "picture") if "clips" in self.tables else ():
            blobs += filter(None, self.column("clips", column))
        bundle: dict[str, Any] = {
            "tables": self.tables,
            "links": self.links,
            "reading": self.reading,
            "edited": self.edited,
        }
        if self.own_word is not None:
            bundle["own_word"] = self.own_word
        if self.words is not None:
            bundle["words"] = self.words
        if self.added_clips:
            bundle["added_clips"] = self.added_clips
        if self.edited_clips:
            bundle["edited_clips"] = self.edited_clips
        entry = connection.execute(
            "INSERT INTO trash (profile, kind, summary, count, bundle, blobs, created_at, opening)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(profile, table.removesuffix("s"), name if count == 1 else several or f"{count} {table}", count),
                *(json.dumps(bundle, ensure_ascii=False), as_json(blobs), now(), record_opening(connection)),
            ),
        )
        connection.execute(
            "UPDATE all_transcripts SET discarded = ? WHERE seq IN (SELECT value FROM json_each(?))",
            (entry.lastrowid, as_json(self.hidden)),
        )
        return Deletion(count)


def delete_sentences(connection: sqlite3.Connection, table: str, seqs: Sequence[int]) -> Deletion:
    """Delete rows that have a sentence and that nothing else refers to: clips, answers."""
    entry = TrashEntry()
    count = entry.delete(connection, table, "seq", seqs)
    return entry.save(connection, entry.column(table, "profile")[0], table, entry.column(table, "sentence")[0], count)


KEPT_DATES = 30
"""Number of dates for which what was deleted can be brought back, and what was sent can be imported after all."""


def record_opening(connection: sqlite3.Connection) -> int:
    """Record that the library is open today; gives the number of the opening, a new one when the date has changed."""
    today = now()[:10]
    last = connection.execute("SELECT seq, date FROM openings ORDER BY seq DESC LIMIT 1").fetchone()
    if last is not None and last[1] == today:
        return int(last[0])
    # A date that comes back is the newest again, and still one date only.
    return int(connection.execute("INSERT OR REPLACE INTO openings (date) VALUES (?)", (today,)).lastrowid or 0)


def oldest_kept(connection: sqlite3.Connection, dates: int) -> int:
    """The first opening that fewer than so many other dates have followed: what came before it has expired."""
    query = "SELECT seq FROM openings ORDER BY seq DESC LIMIT 1 OFFSET ?"
    row = connection.execute(query, (dates - 1,)).fetchone()
    return 0 if row is None else int(row[0])


def forget_old_openings(connection: sqlite3.Connection) -> None:
    """Forget the dates that nothing is counted by any more."""
    connection.execute("DELETE FROM openings WHERE seq < ?", (oldest_kept(connection, KEPT_DATES),))
