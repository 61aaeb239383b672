"""Table of exports: which clips each deck had in it when it was last exported, and what file it was."""

from __future__ import annotations

from tui.store.database import Table
from tui.store.rows import now, profile_for_writing, profile_seq


class Exports(Table):
    def compare(self, profile: str, deck: str) -> tuple[int, int, int]:
        """Count the clips that are new, changed and the same since the last export under this deck name.

        The three add up to the clips of the profile.
        """
        with self._connections.read() as connection:
            row = connection.execute(
                "SELECT count(*) FILTER (WHERE e.clip IS NULL), count(*) FILTER (WHERE e.updated_at <> c.updated_at),"
                " count(*) FILTER (WHERE e.updated_at = c.updated_at) FROM clips AS c LEFT JOIN exported AS e"
                " ON e.clip = c.seq AND e.export = (SELECT seq FROM exports WHERE profile = :profile AND deck = :deck)"
                " WHERE c.profile = :profile",
                {"profile": profile_seq(connection, profile), "deck": deck},
            ).fetchone()
            return row[0], row[1], row[2]

    def record(self, profile: str, deck: str, as_of: str) -> None:
        """Remember the clips as they were at the moment ``as_of`` as the last export under this deck name.

        What was added or edited since, while the deck was being written, counts as it did before.
        """
        with self._connections.write() as connection:
            seq = profile_for_writing(connection, profile)
            connection.execute(
                "INSERT INTO exports (profile, deck, created_at) VALUES (?, ?, ?)"
                " ON CONFLICT (profile, deck) DO UPDATE SET created_at = excluded.created_at",
                (seq, deck, now()),
            )
            query = "SELECT seq FROM exports WHERE profile = ? AND deck = ?"
            export = connection.execute(query, (seq, deck)).fetchone()[0]
            connection.execute(
                "DELETE FROM exported WHERE export = ?"
                " AND clip NOT IN (SELECT seq FROM clips WHERE profile = ? AND updated_at > ?)",
                (export, seq, as_of),
            )
            connection.execute(
                "INSERT INTO exported (export, clip, updated_at)"
                " SELECT ?, seq, updated_at FROM clips WHERE profile = ? AND updated_at <= ?",
                (export, seq, as_of),
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
