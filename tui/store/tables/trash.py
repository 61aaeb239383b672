"""Trash: undo of deletions, re-imports, edits and marks of words; removal for good of what nobody can bring back."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from tui.errors import damaged
from tui.records.library import Restored
from tui.store import trash_entry
from tui.store.blobs import BlobFolder
from tui.store.database import Connections
from tui.store.rows import AMONG, Connection, as_json
from tui.store.tables.clips import restore_clips
from tui.store.tables.media import remove_unused
from tui.store.tables.reimport import restore_cues
from tui.store.tables.transcript_edit import restore_edit
from tui.store.tables.transcripts import index_cues
from tui.store.tables.words import delete_counts, restore_count
from tui.store.trash_entry import STORED_AS

_ORDER = ("files", "transcripts", "cues", "form_counts", "clips", "jobs", "templates", "answers")
"""Tables in the order in which their rows can come back: what is referred to before what refers to it."""
_REFERENCES = {"file_id": "files", "transcript_id": "transcripts"}
_BATCH = 500
"""Rows removed in one transaction: as many as nobody notices who wants to write too."""
_NEWEST = (
    "SELECT seq, profile, kind, summary, count, json_remove(bundle, '$.tables') AS rest,"
    + ", ".join(f" json_extract(bundle, '$.tables.{table}.columns') AS {table}" for table in _ORDER)
    + " FROM trash WHERE profile = ? ORDER BY seq DESC LIMIT 1"
)


_EXPIRED_TRANSCRIPT = (
    "SELECT t.seq FROM all_transcripts AS t WHERE t.discarded IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.seq = t.discarded) LIMIT 1"
)
"""Query for a transcript whose deletion was forgotten."""


class Trash:
    def __init__(self, connections: Connections, blobs: BlobFolder) -> None:
        self._connections = connections
        self._blobs = blobs

    def undo(self, profile: str) -> Restored | None:
        """Bring the newest deletion back, in its old place in every list; None when there is nothing to undo.

        A file that was imported anew has its old cues again, a transcript that was edited its title and language, and
        clips that were made are gone; of edited ones what stands as it was edited is as it was before.

        What has come since is never overwritten: a file that was imported again stays the new one (its old transcripts
        and clips then belong to it), and so does a new template; ``count`` is what came back.
        """
        from tui.store.known_words.own_words import restore_own_word
        from tui.store.known_words.word_states import restore_states

        if self._connections.value("SELECT seq FROM profiles WHERE name = ?", profile) is None:
            return None
        with self._connections.write() as connection:
            # All rows, of which there is one at most: SQLite lets go of a large bundle once it has told that.
            found = connection.rows(_NEWEST, connection.profile_seq(profile))
            if not found:
                return None
            entry = found[0]
            try:
                rest = json.loads(entry["rest"])
                if reading := rest.get("reading"):
                    count = restore_cues(connection, entry["seq"], reading)
                    _restore_links(connection, rest["links"], {})
                elif edited := rest.get("edited"):
                    count = restore_edit(connection, edited)
                elif own_word := rest.get("own_word"):
                    count = restore_own_word(connection, own_word)
                elif added := rest.get("added_clips"):
                    count = connection.execute(f"DELETE FROM clips WHERE id {AMONG}", (as_json(added),)).rowcount
                    restore_states(connection, entry["profile"], rest["words"])
                elif edited_clips := rest.get("edited_clips"):
                    count = restore_clips(connection, edited_clips)
                elif words := rest.get("words"):
                    count = restore_states(connection, entry["profile"], words)
                else:
                    # An answer brings those back that were asked on it, which its deletion did not count either.
                    count = min(_restore(connection, entry, rest["links"])[f"{entry['kind']}s"], entry["count"])
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                raise damaged("what was deleted", error) from error
            connection.execute("DELETE FROM trash WHERE seq = ?", (entry["seq"],))
        return Restored(entry["kind"], count, entry["summary"])

    def empty(self, after_dates: int = trash_entry.KEPT_DATES) -> int:
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
            remove_unused(connection)
            oldest = trash_entry.oldest_kept(connection, after_dates)
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


def _restore(connection: Connection, entry: sqlite3.Row, links: Sequence[Any]) -> dict[str, int]:
    """Put the rows of a deletion back, and show what it hides; gives how many came back per table.

    Lode once put all cues of a transcript into the bundle, so SQLite reads it, and gives its rows one by one.
    """
    replaced: dict[str, str] = {}
    shown = connection.execute("UPDATE all_transcripts SET discarded = NULL WHERE discarded = ?", (entry["seq"],))
    counts: dict[str, int] = {"transcripts": shown.rowcount}
    for table in _ORDER:
        if entry[table] is None:
            continue
        stored, columns = STORED_AS.get(table, table), json.loads(entry[table])
        known = {row["name"] for row in connection.execute(f"PRAGMA table_info({stored})")}
        counts.setdefault(table, 0)
        query = f"SELECT value FROM trash, json_each(bundle, '$.tables.{table}.rows') WHERE seq = ?"
        for (values,) in connection.execute(query, (entry["seq"],)):
            row = dict(zip(columns, json.loads(values), strict=True))
            row = {name: value for name, value in row.items() if name in known}
            if _is_replaced(connection, table, row, replaced):
                continue
            if table == "form_counts":
                restore_count(connection, row)
                continue
            _repair_references(connection, row, replaced)
            connection.insert(stored, row)
            if table == "cues":
                index_cues(connection, row["seq"], row["seq"])
            counts[table] += 1
    _restore_links(connection, links, replaced)
    return counts


def _restore_links(connection: Connection, links: Sequence[Any], replaced: Mapping[str, str]) -> None:
    """Let rows refer again to what has come back; ``replaced`` says which file stands for which by now."""
    for table, column, seq, value in links:
        connection.execute(
            f"UPDATE {STORED_AS.get(table, table)} SET {column} = ? WHERE seq = ? AND {column} IS NULL",
            (replaced.get(value, value), seq),
        )


def _is_replaced(connection: Connection, table: str, row: dict[str, Any], replaced: dict[str, str]) -> bool:
    """Whether something that came since has this row's place; ``replaced`` learns which file stands for which."""
    if table == "templates":
        return connection.row("SELECT 1 FROM templates WHERE profile = ?", row["profile"]) is not None
    if table == "files":
        query = "SELECT id FROM files WHERE profile = ? AND sha256 = ?"
        newer = connection.value(query, row["profile"], row["sha256"])
        if newer is not None:
            replaced[row["id"]] = newer
        return newer is not None
    return False


def _repair_references(connection: Connection, row: dict[str, Any], replaced: dict[str, str]) -> None:
    """References to what is gone for good become null."""
    for column, table in _REFERENCES.items():
        if row.get(column) is not None:
            row[column] = replaced.get(row[column], row[column])
            if not connection.row(f"SELECT 1 FROM {table} WHERE id = ?", row[column]):
                row[column] = None
