"""Table of sent notes: digests of every version of a clip's note that Lode wrote into a deck or saw in Anki."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tui.store.database import Table

SentRow = tuple[str, bytes, bytes, bytes, bool]
"""Id of the clip, digests of the whole version, of its fields and of its tags, and whether it was seen in Anki."""
_COLUMNS = "clip, whole, fields, tags, arrived"


class SentNotes(Table):
    def each(self) -> Iterator[SentRow]:
        """All versions of all clips, those of a clip in the order in which they were last written."""
        with self._connections.read() as connection:
            for *digests, arrived in connection.execute(f"SELECT {_COLUMNS} FROM sent_notes ORDER BY seq"):
                clip, whole, fields, tags = digests
                yield clip, whole, fields, tags, bool(arrived)

    def latest(self) -> dict[str, bytes]:
        """Digest of the whole version of each clip that was written last."""
        with self._connections.read() as connection:
            return dict(map(tuple, connection.execute("SELECT clip, whole FROM sent_notes ORDER BY seq")))

    def record(self, rows: Iterable[SentRow]) -> None:
        """Remember versions as the latest of their clips."""
        with self._connections.write() as connection:
            connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS sending ({_COLUMNS})")
            connection.execute("DELETE FROM sending")
            connection.executemany("INSERT INTO sending VALUES (?, ?, ?, ?, ?)", rows)
            # The latest version, written once more, has arrived all the same.
            connection.execute(
                "UPDATE sending SET arrived = 1 WHERE EXISTS (SELECT 1 FROM sent_notes AS s WHERE s.clip = sending.clip"
                " AND s.whole = sending.whole AND s.arrived"
                " AND s.seq = (SELECT max(seq) FROM sent_notes WHERE clip = sending.clip))"
            )
            connection.execute(
                "DELETE FROM sent_notes WHERE seq IN (SELECT s.seq FROM sending JOIN sent_notes AS s USING (clip)"
                " WHERE s.whole = sending.whole)"
            )
            connection.execute(f"INSERT INTO sent_notes ({_COLUMNS}) SELECT {_COLUMNS} FROM sending")
            connection.execute("DELETE FROM sending")
