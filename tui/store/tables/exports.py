"""Table of exports: which clips each deck had in it when it was last exported, and what file it was."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence

from tui.exporting.formats import read_moment
from tui.records.exports import ClipSelection
from tui.store.database import Connections, Table
from tui.store.rows import as_json, now, profile_for_writing, profile_seq, row_numbers, timestamp
from tui.store.tables.clips import Clips

_EXPORT = "(SELECT seq FROM exports WHERE profile = ? AND deck = ?)"
_WITHOUT_MEANING = "surface <> '' AND coalesce(json_array_length(focus, '$.meanings'), 0) = 0"
_BY_SOURCE = "c.source = '', c.source, c.transcript_id, c.cue_index, c.seq"


class Exports(Table):
    def __init__(self, connections: Connections, clips: Clips) -> None:
        super().__init__(connections)
        self._clips = clips

    def select(
        self, profile: str, deck: str, selection: ClipSelection, *, by_source: bool = False
    ) -> Sequence[int] | None:
        """Select clips for an export under this deck name: their row numbers, None for all in order of creation.

        ``by_source`` orders them by their transcripts and, within these, by their cues. Raises ``NotFound`` and
        ``InvalidInput`` for an id, ``InvalidInput`` for a date that is none.
        """
        if selection.is_all and not by_source:
            return None
        with self._connections.read() as connection:
            seq = profile_seq(connection, profile)
            conditions, parameters = ["c.profile = ?"], [seq]  # type: tuple[list[str], list[object]]
            if selection.ids:
                conditions.append("c.seq IN (SELECT value FROM json_each(?))")
                parameters.append(as_json(row_numbers(connection, "clips", profile, selection.ids)))
            if selection.since:
                conditions.append("c.updated_at >= ?")
                parameters.append(timestamp(read_moment(selection.since, field="since")))
            if selection.tag:
                conditions.append(
                    "EXISTS (SELECT 1 FROM json_each(c.tags) AS t WHERE t.value IN (SELECT value FROM json_each(?)))"
                )
                parameters.append(as_json(_tags_within(connection, seq, selection.tag)))
            if selection.q:
                matching = self._clips.matching(connection, profile, selection.q)
                conditions.append("false" if matching is None else f"c.seq IN ({matching.query})")
                parameters += () if matching is None else matching.parameters
            if selection.only_new:
                conditions.append(
                    "NOT EXISTS (SELECT 1 FROM exported AS e"
                    f" WHERE e.export = {_EXPORT} AND e.clip = c.seq AND e.updated_at = c.updated_at)"
                )
                parameters += (seq, deck)
            order = _BY_SOURCE if by_source else "c.seq"
            query = f"SELECT c.seq FROM clips AS c WHERE {' AND '.join(conditions)} ORDER BY {order}"
            return array("q", (row[0] for row in connection.execute(query, parameters)))

    def all_but(self, profile: str, ids: Sequence[str]) -> Sequence[int]:
        """Select all clips but those with these ids: their row numbers."""
        with self._connections.read() as connection:
            query = "SELECT seq FROM clips WHERE profile = ? AND id NOT IN (SELECT value FROM json_each(?))"
            return array(
                "q", (row[0] for row in connection.execute(query, (profile_seq(connection, profile), as_json(ids))))
            )

    def compare(self, profile: str, deck: str, selected: Sequence[int] | None = None) -> tuple[int, int, int]:
        """Count the clips that are new, changed and the same since the last export under this deck name.

        The three add up to the clips of the profile, or those of its clips that are ``selected``.
        """
        which, given = _which("c.seq", selected)
        with self._connections.read() as connection:
            seq = profile_seq(connection, profile)
            row = connection.execute(
                "SELECT count(*) FILTER (WHERE e.clip IS NULL), count(*) FILTER (WHERE e.updated_at <> c.updated_at),"
                " count(*) FILTER (WHERE e.updated_at = c.updated_at) FROM clips AS c LEFT JOIN exported AS e"
                f" ON e.clip = c.seq AND e.export = {_EXPORT} WHERE c.profile = ? AND {which}",
                (seq, deck, seq, *given),
            ).fetchone()
            return row[0], row[1], row[2]

    def without_meaning(self, profile: str, selected: Sequence[int] | None = None) -> int:
        """Count the clips of the profile, or of those ``selected``, whose focus word has no meaning."""
        which, given = _which("seq", selected)
        with self._connections.read() as connection:
            query = f"SELECT count(*) FROM clips WHERE profile = ? AND {_WITHOUT_MEANING} AND {which}"
            return int(connection.execute(query, (profile_seq(connection, profile), *given)).fetchone()[0])

    def record(self, profile: str, deck: str, as_of: str, selected: Sequence[int] | None = None) -> None:
        """Remember the clips as they were at the moment ``as_of`` as the last export under this deck name.

        What was added or edited since, while the deck was being written, counts as it did before. So do, where only
        some were ``selected``, all others: Anki still has what an earlier deck brought it.
        """
        with self._connections.write() as connection:
            seq = profile_for_writing(connection, profile)
            connection.execute(
                "INSERT INTO exports (profile, deck, created_at) VALUES (?, ?, ?)"
                " ON CONFLICT (profile, deck) DO UPDATE SET created_at = excluded.created_at",
                (seq, deck, now()),
            )
            export = connection.execute(f"SELECT {_EXPORT}", (seq, deck)).fetchone()[0]
            which, given = _which("clip", selected)
            connection.execute(
                "DELETE FROM exported WHERE export = ?"
                f" AND clip NOT IN (SELECT seq FROM clips WHERE profile = ? AND updated_at > ?) AND {which}",
                (export, seq, as_of, *given),
            )
            which, given = _which("seq", selected)
            connection.execute(
                "INSERT INTO exported (export, clip, updated_at)"
                f" SELECT ?, seq, updated_at FROM clips WHERE profile = ? AND updated_at <= ? AND {which}",
                (export, seq, as_of, *given),
            )

    def state(self, profile: str, made_by: str) -> str:
        """A text that is another one after every change of the profile's clips, and of ``made_by``."""
        with self._connections.read() as connection:
            query = "SELECT revision FROM totals WHERE profile = ? AND kind = 'clips'"
            row = connection.execute(query, (profile_seq(connection, profile),)).fetchone()
            return f"{0 if row is None else row['revision']} {made_by}"

    def file_of(self, profile: str, deck: str, state: str) -> str:
        """The SHA-256 of the deck's file as it was last exported in this state, "" where that was another one."""
        with self._connections.read() as connection:
            query = "SELECT sha256 FROM exports WHERE profile = ? AND deck = ? AND state = ?"
            row = connection.execute(query, (profile_seq(connection, profile), deck, state)).fetchone()
            return "" if row is None else row["sha256"]

    def record_file(self, profile: str, deck: str, state: str, sha256: str) -> None:
        """Remember the file of a deck whose export was recorded."""
        with self._connections.write() as connection:
            connection.execute(
                "UPDATE exports SET state = ?, sha256 = ? WHERE profile = ? AND deck = ?",
                (state, sha256, profile_for_writing(connection, profile), deck),
            )


def _which(column: str, selected: Sequence[int] | None) -> tuple[str, tuple[object, ...]]:
    if selected is None:
        return "true", ()
    return f"{column} IN (SELECT value FROM json_each(?))", (as_json(selected),)


def _tags_within(connection: sqlite3.Connection, profile: int | None, wanted: str) -> list[str]:
    """The tags in use that are this one or below it; SQLite knows upper and lower case of ASCII only."""
    name = wanted.strip().casefold()
    query = "SELECT DISTINCT t.value FROM clips AS c, json_each(c.tags) AS t WHERE c.profile = ?"
    tags = (str(row[0]) for row in connection.execute(query, (profile,)))
    return [tag for tag in tags if tag.casefold() == name or tag.casefold().startswith(f"{name}::")]
