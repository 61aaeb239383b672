"""Table of sent notes: digests of every version of a clip's note that Lode wrote into a deck or saw in Anki."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tui.store.database import Table

SentRow = tuple[str, bytes, bytes, bool]
"""Id of the clip, digests of the fields and of the tags, and whether this version was seen in Anki."""


class SentNotes(Table):
    def each(self) -> Iterator[SentRow]:
        """All versions of all clips, those of a clip in the order in which they were last written."""
        with self._connections.read() as connection:
            for clip, fields, tags, arrived in connection.execute(
                "SELECT clip, fields, tags, arrived FROM sent_notes ORDER BY seq"
            ):
                yield clip, fields, tags, bool(arrived)

    def record(self, rows: Iterable[SentRow]) -> None:
        """Remember versions as the latest of their clips."""
        with self._connections.write() as connection:
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS sending (clip, fields, tags, arrived)")
            connection.execute("DELETE FROM sending")
            connection.executemany("INSERT INTO sending VALUES (?, ?, ?, ?)", rows)
            # What is the latest version already is not written anew: that is nearly all of a second export.
            connection.execute(
                "DELETE FROM sending WHERE EXISTS (SELECT 1 FROM sent_notes AS s WHERE s.clip = sending.clip"
                " AND s.fields = sending.fields AND s.tags = sending.tags AND s.arrived >= sending.arrived"
                " AND s.seq = (SELECT max(seq) FROM sent_notes WHERE clip = sending.clip))"
            )
            connection.execute(
                "DELETE FROM sent_notes WHERE seq IN (SELECT s.seq FROM sending JOIN sent_notes AS s USING (clip)"
                " WHERE s.fields = sending.fields AND s.tags = sending.tags)"
            )
            connection.execute(
                "INSERT INTO sent_notes (clip, fields, tags, arrived) SELECT clip, fields, tags, arrived FROM sending"
            )
            connection.execute("DELETE FROM sending")
