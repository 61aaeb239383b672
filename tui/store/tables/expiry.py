"""Removal for good of what nobody can bring back: steps whose time is over, and what only they still needed.

It runs beside the first list of a start, and so imports next to nothing.
"""

from datetime import UTC, datetime, timedelta

from tui.store.blobs import BlobFolder
from tui.store.database import Connections, Table
from tui.store.rows import timestamp
from tui.store.tables.words import delete_counts
from tui.store.trash_entry import KEPT_DATES, oldest_kept

_BATCH = 500
"""Rows removed in one transaction: as many as nobody notices who wants to write too."""
_EXPIRED_TRANSCRIPT = (
    "SELECT t.seq FROM all_transcripts AS t WHERE t.discarded IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.seq = t.discarded) LIMIT 1"
)
"""Query for a transcript whose deletion was forgotten."""
_UNUSED = (
    "DELETE FROM clip_media AS b WHERE NOT EXISTS (SELECT 1 FROM clips WHERE audio = b.sha256)"
    " AND NOT EXISTS (SELECT 1 FROM clips WHERE picture = b.sha256)"
    " AND NOT EXISTS (SELECT 1 FROM inbox_media WHERE sha256 = b.sha256)"
    " AND b.sha256 NOT IN (SELECT value FROM trash, json_each(trash.blobs))"
)
_UNCLAIMED = (
    "DELETE FROM inbox_media WHERE created_at < ? AND (clip_id IS NULL"
    " OR NOT EXISTS (SELECT 1 FROM clips WHERE clips.id = inbox_media.clip_id))"
)
"""Media of the inbox that no note has ever named, or whose clip is gone: nobody can bring it back after that time."""
_WITHOUT_CLIP = "DELETE FROM inbox_notes WHERE id < ? AND NOT EXISTS (SELECT 1 FROM clips WHERE clips.id = clip_id)"
_UNCLAIMED_DAYS = 60


class Expiry(Table):
    """Steps that can be taken back no longer, and the bytes and rows that they have left."""

    def __init__(self, connections: Connections, blobs: BlobFolder) -> None:
        super().__init__(connections)
        self._blobs = blobs

    def forget_steps(self, after_dates: int = KEPT_DATES) -> int:
        """Forget deletions since which the library was opened on so many other dates; gives how many went.

        Imported bytes that nothing needs go too; those of what is forgotten now, the next time: by then it is certain
        that it is.
        """
        with self._connections.write() as connection:
            # Under the write lock nobody can record an old blob anew between the look and its removal. An import of an
            # older Lode lays its bytes down before it records them.
            if not connection.row("SELECT 1 FROM jobs WHERE state IN ('queued', 'running') LIMIT 1"):
                wanted = "SELECT sha256 FROM files UNION SELECT value FROM trash, json_each(trash.blobs)"
                self._blobs.sweep(set(connection.column(wanted)))
            before = datetime.now(UTC) - timedelta(days=_UNCLAIMED_DAYS)
            connection.execute(_UNCLAIMED, (timestamp(before),))
            connection.execute(_WITHOUT_CLIP, (int(before.timestamp() * 1000),))
            connection.execute(_UNUSED)
            oldest = oldest_kept(connection, after_dates)
            return connection.execute("DELETE FROM trash WHERE opening < ?", (oldest,)).rowcount

    def remove_discarded(self) -> bool:
        """Remove a batch of what belongs to hidden transcripts that no deletion can bring back; whether more is left.

        Takes about a tenth of a second, most of it for the full-text tables. It may be interrupted between any two
        batches and goes on where it was.
        """
        if self._connections.value(_EXPIRED_TRANSCRIPT) is None:
            return False
        with self._connections.write() as connection:
            seq = connection.value(_EXPIRED_TRANSCRIPT)
            if seq is None:
                return False
            for table, key in (("cues", "seq"), ("original_cues", "number")):
                batch = f"SELECT {key} FROM {table} WHERE transcript = ? LIMIT {_BATCH}"
                gone = f"DELETE FROM {table} WHERE transcript = ? AND {key} IN ({batch})"
                if connection.execute(gone, (seq, seq)).rowcount == _BATCH:
                    return True
            if delete_counts(connection, seq, _BATCH) == _BATCH:
                return True
            connection.execute("DELETE FROM all_transcripts WHERE seq = ?", (seq,))
            return True
