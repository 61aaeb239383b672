"""Entries of the trash: what a deletion takes becomes one JSON bundle, so that it can be undone.

Transcripts, which may have half a million cues, stay where they are and are hidden instead
(``all_transcripts.discarded`` names the trash's row), so that deleting and undoing are one short transaction whatever
their size. ``tables/trash.py`` brings back what is here, and removes it for good.

Whatever is kept for a time is kept for a number of dates on which the library was open (``openings``).

A clock can be wrong: it may stand in 2001 until the network is there, or be in 2037 for one start. Moments are
therefore never compared with it to forget something. What is kept for a time notes the opening at which it came, and
goes once so many other dates have followed that one; a jump of the clock is one date, however far it goes.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tui.records.deletion import Deletion
from tui.store.rows import AMONG, Connection, as_json, now

STORED_AS = {"transcripts": "all_transcripts"}
"""Tables with the rows that a bundle knows under another, public name."""


@dataclass(slots=True)
class TrashEntry:
    """Contents of one deletion: whole rows, what it hides, and the references from other rows to them.

    ``hidden`` are transcripts, ``reviews`` those that do not wait any more, both by their numbers.
    """

    tables: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    links: list[tuple[str, str, int, str]] = field(default_factory=list)
    hidden: Sequence[int] = ()
    reviews: Sequence[int] = ()
    undo: dict[str, Any] = field(default_factory=dict)
    """State from before a change that is no deletion, by the names under which ``tables/trash.py`` brings it back."""

    def delete(self, connection: Connection, table: str, column: str, values: Sequence[int | str]) -> int:
        """Delete the rows whose ``column`` has one of the values and keep them here; gives their number."""
        condition = f"WHERE {column} {AMONG}"
        cursor = connection.execute(f"SELECT * FROM {table} {condition}", (as_json(values),))
        columns = [description[0] for description in cursor.description]
        self.tables[table] = {"columns": columns, "rows": [list(row) for row in cursor]}
        return connection.execute(f"DELETE FROM {table} {condition}", (as_json(values),)).rowcount

    def clear_references(self, connection: Connection, table: str, column: str, ids: Sequence[str]) -> None:
        """Make the references of a table's rows to these ids null, and remember them; hidden rows have some too."""
        stored, condition = STORED_AS.get(table, table), f"WHERE {column} {AMONG}"
        found = connection.execute(f"SELECT seq, {column} FROM {stored} {condition}", (as_json(ids),))
        self.links += [(table, column, row[0], row[1]) for row in found]
        connection.execute(f"UPDATE {stored} SET {column} = NULL {condition}", (as_json(ids),))

    def column(self, table: str, name: str) -> list[Any]:
        """One column of the deleted rows of a table."""
        index = self.tables[table]["columns"].index(name)
        return [row[index] for row in self.tables[table]["rows"]]

    def save(
        self,
        connection: Connection,
        profile: int,
        table: str,
        name: str,
        count: int = 1,
        several: str = "",
        *,
        subject: str = "",
    ) -> Deletion:
        """Put the entry in the trash, in the deletion's transaction; ``name`` is what people call it if it is one.

        ``several`` is what they call more than one, if that is not just their number. ``subject`` is what was changed,
        where ``name`` says how it was before. What was taken back can be done again no longer.
        """
        forget_redo(connection, profile)
        summary = name if count == 1 else several or f"{count} {table}"
        about = {"profile": profile, "kind": table.removesuffix("s"), "summary": summary, "count": count}
        about |= {"created_at": now(), "opening": record_opening(connection)}
        if subject:
            self.undo["subject"] = subject
        entry = connection.insert("trash", {**about, **self._columns()})
        self._hide(connection, entry)
        return Deletion(count)

    def replace(self, connection: Connection, entry: int, undone: int) -> None:
        """Put it in the place of another entry of the trash, whose step was taken back (``undone``) or done again."""
        connection.update("trash", "seq", entry, {**self._columns(), "undone": undone})
        self._hide(connection, entry)

    def _columns(self) -> dict[str, object]:
        blobs = self.column("files", "sha256") if "files" in self.tables else []
        for column in ("audio", "picture") if "clips" in self.tables else ():
            blobs += filter(None, self.column("clips", column))
        bundle = json.dumps({"tables": self.tables, "links": self.links, **self.undo}, ensure_ascii=False)
        return {"bundle": bundle, "blobs": as_json(blobs)}

    def _hide(self, connection: Connection, entry: int) -> None:
        hide = f"UPDATE all_transcripts SET discarded = ? WHERE seq {AMONG}"
        connection.execute(hide, (entry, as_json(self.hidden)))
        if self.reviews:
            hide = f"UPDATE all_reviews SET discarded = ? WHERE seq {AMONG}"
            connection.execute(hide, (entry, as_json(self.reviews)))


def take_out_jobs(connection: Connection, entry: TrashEntry, column: str, ids: Sequence[str]) -> None:
    """Delete the jobs of files or transcripts, whose ids stand in ``column``, and keep them in the entry."""
    # One that was still at work comes back as what it then is.
    connection.execute(
        f"UPDATE jobs SET state = 'cancelled' WHERE state IN ('queued', 'running') AND {column} {AMONG}",
        (as_json(ids),),
    )
    entry.delete(connection, "jobs", column, ids)


def forget_redo(connection: Connection, profile: int) -> None:
    """Forget what was taken back: of what has changed since, nobody can say what doing it again would come to."""
    connection.execute("DELETE FROM trash WHERE profile = ? AND undone > 0", (profile,))


KEPT_DATES = 30
"""Number of dates for which what was deleted can be brought back, and what was sent can be imported after all."""


def record_opening(connection: Connection) -> int:
    """Record that the library is open today; gives the number of the opening, a new one when the date has changed."""
    today = now()[:10]
    last = connection.row("SELECT seq, date FROM openings ORDER BY seq DESC LIMIT 1")
    if last is not None and last[1] == today:
        return int(last[0])
    # A date that comes back is the newest again, and still one date only.
    return connection.insert("openings", {"date": today}, replacing=True)


def oldest_kept(connection: Connection, dates: int) -> int:
    """The first opening that fewer than so many other dates have followed: what came before it has expired."""
    query = "SELECT seq FROM openings ORDER BY seq DESC LIMIT 1 OFFSET ?"
    return connection.value(query, dates - 1) or 0


def forget_old_openings(connection: Connection) -> None:
    """Forget the dates that nothing is counted by any more."""
    connection.execute("DELETE FROM openings WHERE seq < ?", (oldest_kept(connection, KEPT_DATES),))
