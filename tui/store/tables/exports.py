"""Table of exports: which clips each deck had in it when it was last exported."""

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
