"""Deletions that can be undone.

Each is a row of the trash. What it took lies there as one JSON bundle; but transcripts, which may have half a million
cues, stay where they are and are hidden (``all_transcripts.discarded`` names the row of the trash), so that deleting
and undoing are one short transaction whatever their size. Once the row of the trash is gone, nothing hides them any
more from ``Trash.remove_discarded``, which removes them for good, a batch at a time.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tui.errors import damaged
from tui.records import Deletion, Restored
from tui.store.blobs import BlobFolder
from tui.store.database import Connections
from tui.store.large_bundles import LARGE, read_large
from tui.store.rows import as_json, decoded, now, profile_seq
from tui.store.tables import openings

_ORDER = ("files", "transcripts", "cues", "form_counts", "clips", "jobs", "templates", "answers")
"""Tables in the order in which their rows can come back: what is referred to before what refers to it."""
_REFERENCES = {"file_id": "files", "transcript_id": "transcripts"}
_STORED_AS = {"transcripts": "all_transcripts"}
"""Where the rows of a table are that a bundle knows under its public name."""
_BATCH = 500
"""Rows removed in one transaction: as many as nobody notices who wants to write too."""


@dataclass(slots=True)
class Bundle:
    """What one deletion takes: whole rows, transcripts that it hides, and the links from other rows that it cuts."""

    tables: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    links: list[tuple[str, str, int, str]] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    reading: dict[str, Any] | None = None
    """What brings the cues back that a transcript had before its file was read anew (``tables/rereading.py``)."""

    def take(self, connection: sqlite3.Connection, table: str, column: str, values: Sequence[int | str]) -> int:
        """Delete the rows whose ``column`` has one of the values and keep them here; gives their number."""
        condition = f"WHERE {column} IN (SELECT value FROM json_each(?))"
        cursor = connection.execute(f"SELECT * FROM {table} {condition}", (as_json(values),))
        columns = [description[0] for description in cursor.description]
        rows = [list(row) for row in cursor]
        self.tables[table] = {"columns": columns, "rows": rows}
        connection.execute(f"DELETE FROM {table} {condition}", (as_json(values),))
        return len(rows)

    def hide(self, transcripts: Sequence[int]) -> None:
        """Take these transcripts, with all that belongs to them, out of everybody's sight once this is thrown away."""
        self.hidden += transcripts

    def cut_links(self, connection: sqlite3.Connection, table: str, column: str, ids: Sequence[str]) -> None:
        """Make the references of a table's rows to these ids null, and remember them; hidden rows have some too."""
        stored, condition = _STORED_AS.get(table, table), f"WHERE {column} IN (SELECT value FROM json_each(?))"
        found = connection.execute(f"SELECT seq, {column} FROM {stored} {condition}", (as_json(ids),))
        self.links += [(table, column, row[0], row[1]) for row in found]
        connection.execute(f"UPDATE {stored} SET {column} = NULL {condition}", (as_json(ids),))

    def column(self, table: str, name: str) -> list[Any]:
        """One column of what was taken from a table."""
        index = self.tables[table]["columns"].index(name)
        return [row[index] for row in self.tables[table]["rows"]]

    def throw_away(self, connection: sqlite3.Connection, profile: int, kind: str, summary: str, count: int) -> None:
        """Put the bundle in the trash, in the same transaction as the deletion."""
        blobs = self.column("files", "sha256") if "files" in self.tables else []
        thrown = connection.execute(
            "INSERT INTO trash (profile, kind, summary, count, bundle, blobs, created_at, opening)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                profile,
                kind,
                summary,
                count,
                json.dumps({"tables": self.tables, "links": self.links, "reading": self.reading}, ensure_ascii=False),
                as_json(blobs),
                now(),
                openings.note(connection),
            ),
        )
        connection.execute(
            "UPDATE all_transcripts SET discarded = ? WHERE seq IN (SELECT value FROM json_each(?))",
            (thrown.lastrowid, as_json(self.hidden)),
        )


def discard(connection: sqlite3.Connection, table: str, seqs: Sequence[int]) -> Deletion:
    """Throw away rows of a table that nothing else refers to and whose rows have a sentence: clips, answers."""
    if not seqs:
        return Deletion(0)
    bundle = Bundle()
    count = bundle.take(connection, table, "seq", seqs)
    summary = bundle.column(table, "sentence")[0] if count == 1 else f"{count} {table}"
    bundle.throw_away(connection, bundle.column(table, "profile")[0], table.removesuffix("s"), summary, count)
    return Deletion(count)


class Trash:
    def __init__(self, connections: Connections, blobs: BlobFolder) -> None:
        self._connections = connections
        self._blobs = blobs

    def undo(self, profile: str) -> Restored | None:
        """Bring the newest deletion back, in its old place in every list; None when there is nothing to undo.

        A file that was read anew has its old cues again.

        What has come since is never overwritten: a file that was imported again stays the new one (its old transcripts
        and clips then belong to it), and so does a new template; ``count`` is what came back.
        """
        with self._connections.read() as connection:
            if profile_seq(connection, profile) is None:
                return None
        with self._connections.write() as connection:
            row = connection.execute(
                "SELECT seq, kind, summary, CASE WHEN length(bundle) <= ? THEN bundle END AS bundle FROM trash"
                " WHERE profile = ? ORDER BY seq DESC LIMIT 1",
                (LARGE, profile_seq(connection, profile)),
            ).fetchone()
            if row is None:
                return None
            try:
                counts = _brought_back(connection, row["seq"], _bundle(connection, row))
                count = counts[f"{row['kind']}s"]
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                raise damaged("what was deleted", error) from error
            connection.execute("DELETE FROM trash WHERE seq = ?", (row["seq"],))
        return Restored(row["kind"], count, row["summary"])

    def empty(self, after_dates: int = openings.KEPT_DATES) -> int:
        """Forget deletions since which the library was opened on so many other dates; gives how many went.

        Imported bytes that nothing needs go too; those of what is forgotten now, the next time: by then it is certain
        that it is.
        """
        with self._connections.write() as connection:
            self._sweep_blobs(connection)
            oldest = openings.older_than(connection, after_dates)
            return connection.execute("DELETE FROM trash WHERE opening < ?", (oldest,)).rowcount

    def _sweep_blobs(self, connection: sqlite3.Connection) -> None:
        """Under the write lock: nobody can record an old blob anew between the look and the removal."""
        if connection.execute("SELECT 1 FROM jobs WHERE state IN ('queued', 'running') LIMIT 1").fetchone():
            return  # an import of an older Lode lays its bytes down before it records them
        wanted = {row[0] for row in connection.execute("SELECT sha256 FROM files")}
        wanted |= {row[0] for row in connection.execute("SELECT value FROM trash, json_each(trash.blobs)")}
        self._blobs.sweep(wanted)

    def remove_discarded(self) -> bool:
        """Remove a batch of what belongs to hidden transcripts that no deletion can bring back; whether more is left.

        Takes about a tenth of a second, most of it for the full-text tables. It may be interrupted between any two
        batches and goes on where it was.
        """
        with self._connections.read() as connection:
            if _unwanted(connection) is None:
                return False
        with self._connections.write() as connection:
            seq = _unwanted(connection)
            if seq is None:
                return False
            for table, key in (("cues", "seq"), ("form_counts", "form")):
                batch = f"SELECT {key} FROM {table} WHERE transcript = ? LIMIT {_BATCH}"
                gone = f"DELETE FROM {table} WHERE transcript = ? AND {key} IN ({batch})"
                if connection.execute(gone, (seq, seq)).rowcount == _BATCH:
                    return True
            connection.execute("DELETE FROM all_transcripts WHERE seq = ?", (seq,))
            return True


def _bundle(connection: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    if row["bundle"] is None:
        with suppress(ValueError):
            return read_large(connection, row["seq"])
        row = connection.execute("SELECT bundle FROM trash WHERE seq = ?", (row["seq"],)).fetchone()
    bundle: dict[str, Any] = decoded(row["bundle"])
    return bundle


def _unwanted(connection: sqlite3.Connection) -> int | None:
    """A transcript whose deletion was forgotten."""
    row = connection.execute(
        "SELECT t.seq FROM all_transcripts AS t WHERE t.discarded IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.seq = t.discarded) LIMIT 1"
    ).fetchone()
    return None if row is None else int(row[0])


def _brought_back(connection: sqlite3.Connection, thrown: int, bundle: dict[str, Any]) -> dict[str, int]:
    """How many came back per table."""
    if reading := bundle.get("reading"):
        from tui.store.tables.rereading import bring_back  # which throws away what it replaces

        return {"readings": bring_back(connection, thrown, reading)}
    return _restore(connection, thrown, bundle["tables"], bundle["links"])


def _restore(connection: sqlite3.Connection, thrown: int, tables: dict[str, Any], links: list[Any]) -> dict[str, int]:
    """Put the rows back, and show what the deletion ``thrown`` hides; gives how many came back per table."""
    replaced: dict[str, str] = {}
    shown = connection.execute("UPDATE all_transcripts SET discarded = NULL WHERE discarded = ?", (thrown,)).rowcount
    counts: dict[str, int] = {"transcripts": shown}
    for table in _ORDER:
        if table not in tables:
            continue
        stored = _STORED_AS.get(table, table)
        known = {row["name"] for row in connection.execute(f"PRAGMA table_info({stored})")}
        counts.setdefault(table, 0)
        columns, taken = tables[table]["columns"], tables[table]["rows"]
        for start in range(0, len(taken), _BATCH):
            rows = [dict(zip(columns, row, strict=True)) for row in taken[start : start + _BATCH]]
            rows = [{name: row[name] for name in row if name in known} for row in rows]
            rows = [row for row in rows if not _stands_already(connection, table, row, replaced)]
            for row in rows:
                _mend_references(connection, row, replaced)
            counts[table] += len(rows)
            if rows:
                names = list(rows[0])
                connection.executemany(
                    f"INSERT INTO {stored} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                    [tuple(row.values()) for row in rows],
                )
    for table, column, seq, value in links:
        connection.execute(
            f"UPDATE {_STORED_AS.get(table, table)} SET {column} = ? WHERE seq = ? AND {column} IS NULL",
            (replaced.get(value, value), seq),
        )
    return counts


def _stands_already(connection: sqlite3.Connection, table: str, row: dict[str, Any], replaced: dict[str, str]) -> bool:
    """Whether something that came since has this row's place; ``replaced`` learns which file stands for which."""
    if table == "templates":
        query = "SELECT 1 FROM templates WHERE profile = ?"
        return connection.execute(query, (row["profile"],)).fetchone() is not None
    if table == "files":
        query = "SELECT id FROM files WHERE profile = ? AND sha256 = ?"
        newer = connection.execute(query, (row["profile"], row["sha256"])).fetchone()
        if newer is not None:
            replaced[row["id"]] = newer[0]
        return newer is not None
    return False


def _mend_references(connection: sqlite3.Connection, row: dict[str, Any], replaced: dict[str, str]) -> None:
    """References to what is gone for good become null."""
    for column, table in _REFERENCES.items():
        if row.get(column) is not None:
            row[column] = replaced.get(row[column], row[column])
            if not connection.execute(f"SELECT 1 FROM {table} WHERE id = ?", (row[column],)).fetchone():
                row[column] = None
