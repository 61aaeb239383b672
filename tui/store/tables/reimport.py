"""Re-import of a file: its transcript gets other cues, and the old ones are kept until nobody can undo that any more.

The new cues come as those of a new transcript, which takes over the id of the old one; that one a row of the trash
hides, as it hides deleted ones (``store/trash_entry.py``). So going back is one short transaction, however many cues
there are. Until then a transcript that was read anew is among the newest of its list.
"""

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from tui.records.transcripts import Cue, NewTranscript
from tui.store.rows import Connection, new_id
from tui.store.tables.bookmarks import move_bookmarks
from tui.store.tables.cue_notes import move_notes
from tui.store.tables.cue_rows import CUE_COLUMNS, cue_of
from tui.store.tables.mining_marks import move_marks
from tui.store.tables.transcripts import CountedTranscript, insert_transcript, move_place
from tui.store.trash_entry import TrashEntry

FILE_COLUMNS = ("kind", "format", "language", "duration_ms", "encoding", "named_language")
_KEPT_COLUMNS = (
    *("title", "folded", "series", "season", "episode"),
    *("origin", "created_at", "translation_id", "translation_offset_ms"),
)
_MARKED = {
    "cue_notes": "cue, text, updated_at",
    "bookmarks": "seq, id, cue, name, created_at",
    "reading_places": "cue, word, read, left_at",
    "mining_marks": "cue, id, start_at, end_at, text, focus, sentence, created_at",
}
"""Tables of what people leave at cues, by the transcript's id, and their columns, the moment last."""
_NEAR_MS = 1000
"""Farthest that a clip's moment may lie from the cue that it goes with, where none is shown at that moment."""


@dataclass(frozen=True, slots=True)
class _Link:
    """A clip that says which cue it is of, and that cue's time and text."""

    clip: int
    cue_index: int
    start_ms: int | None
    text: str


def has_cues(connection: Connection, file_id: str, transcripts: Sequence[NewTranscript]) -> bool:
    """Whether the transcripts of a file have just these cues; they are compared one by one, however many there are."""
    return all(
        ours is not None
        and other is not None
        and all(a == b for a, b in zip_longest(_cues(connection, ours["seq"]), other.cues))
        for ours, other in zip_longest(imported_transcripts(connection, file_id), transcripts)
    )


def imported_transcripts(connection: Connection, file_id: str) -> list[sqlite3.Row]:
    """The transcripts that were imported from a file, in its order: the first was written last."""
    query = "SELECT * FROM transcripts WHERE file_id = ? AND origin = 'import' ORDER BY seq DESC"
    return connection.rows(query, file_id)


def _cues(connection: Connection, transcript: int) -> Iterator[Cue]:
    query = f"SELECT {CUE_COLUMNS} FROM cues WHERE transcript = ? ORDER BY position"
    return map(cue_of, connection.execute(query, (transcript,)))


def replace_cues(
    connection: Connection, profile: int, file: Mapping[str, Any], transcripts: Sequence[CountedTranscript]
) -> None:
    """Give the transcripts of a file, and it, what another reading has found; undo brings the old reading back.

    ``file`` has the file's ``id`` and the new values of its columns. Transcripts that the other reading has no cues for
    are hidden like deleted ones, and what it has more comes as new ones.
    """
    query = f"SELECT {', '.join(FILE_COLUMNS)} FROM files WHERE id = ?"
    before = dict(connection.rows(query, file["id"])[0])
    olds = imported_transcripts(connection, file["id"])
    links = [_links(connection, old) for old in olds]
    read: list[dict[str, Any]] = [
        {"transcript": old["id"], "cues": old["seq"], "links": [[link.clip, link.cue_index] for link in of_clips]}
        for old, of_clips in zip(olds, links, strict=True)
    ]
    for old, part, counted in zip(olds, read, transcripts, strict=False):
        part["marks"] = _move_marks(connection, old, counted.contents.cues)
    reading = {"transcripts": read, "file": {"id": file["id"], **before}}
    entry = TrashEntry(hidden=[old["seq"] for old in olds], undo={"reading": reading})
    gone = [old["id"] for old in olds[len(transcripts) :]]
    entry.clear_references(connection, "transcripts", "translation_id", gone)
    title = olds[0]["title"]
    entry.save(connection, profile, "readings", f"{title}, as it was read before", subject=title)
    connection.update("files", "id", file["id"], {name: file[name] for name in FILE_COLUMNS})
    written = [insert_transcript(connection, profile, file["id"], each) for each in reversed(transcripts)]
    for old, of_clips, new, counted in zip(olds, links, reversed(written), transcripts, strict=False):
        kept = {name: old[name] for name in _KEPT_COLUMNS}
        if old["translation_id"] in gone:
            kept |= {"translation_id": None, "translation_offset_ms": None}
        connection.update("all_transcripts", "seq", new, kept)
        _swap_ids(connection, old["seq"], new)
        _relink(connection, of_clips, old["cue_count"], counted.contents.cues)


def restore_cues(connection: Connection, entry: int, reading: Mapping[str, Any]) -> tuple[TrashEntry | None, bool]:
    """Undo a ``replace_cues``; clips that came since are linked by time.

    Gives the entry that does it again, None where the transcript is gone for good, and whether all came back. What is
    hidden by the entry of the trash is shown again, and what is hidden in its place the new one keeps.
    """
    each = reading.get("transcripts", [reading])  # Lode once wrote the only one of a file there is
    first = connection.row("SELECT file_id, profile FROM all_transcripts WHERE id = ?", each[0]["transcript"])
    if first is None:
        return None, False
    swapped = [_restore_transcript(connection, old) for old in each]
    restored = {old["cues"] for old, other in zip(each, swapped, strict=True) if other is not None}
    if not restored:
        return None, False
    replaced = [other for other in swapped if other]
    more: list[dict[str, Any]] = []  # what the other reading had more
    if first["file_id"] is not None:
        shown = restored.union(other["cues"] for other in replaced)
        found = imported_transcripts(connection, first["file_id"])
        more = [{"transcript": row["id"], "cues": row["seq"], "links": []} for row in found if row["seq"] not in shown]
    file = dict(reading["file"])
    columns = f"SELECT id, {', '.join(FILE_COLUMNS)} FROM files WHERE id = ? AND profile = ?"
    before = connection.row(columns, file["id"], first["profile"])
    again = {"transcripts": [*replaced, *more], "file": dict(file if before is None else before)}
    counter = TrashEntry(hidden=[other["cues"] for other in (*replaced, *more)], undo={"reading": again})
    counter.clear_references(connection, "transcripts", "translation_id", [other["transcript"] for other in more])
    if before is not None:  # it may have been moved to another profile without its transcript
        connection.update("files", "id", file.pop("id"), file)
    return counter, len(restored) == len(each)


def _restore_transcript(connection: Connection, reading: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show the cues of a reading instead of those that its transcript has now.

    Gives that one's part of the way back, which is empty where it was hidden; None where the transcript is gone.
    """
    row = connection.row("SELECT * FROM all_transcripts WHERE id = ?", reading["transcript"])
    old = connection.row("SELECT * FROM all_transcripts WHERE seq = ?", reading["cues"])
    if row is None or old is None:
        return None
    if row["seq"] == old["seq"]:  # the other reading had no cues for it
        connection.update("all_transcripts", "seq", old["seq"], {"discarded": None})
        return {}
    query = "SELECT seq, cue_index FROM clips WHERE transcript_id = ?"
    links = [list(link) for link in connection.execute(query, (row["id"],))]
    known = {clip for clip, _ in reading["links"]}
    if newer := [link for link in _links(connection, row) if link.clip not in known]:
        _relink(connection, newer, row["cue_count"], list(_cues(connection, old["seq"])))
    marks = _move_marks(connection, row, list(_cues(connection, old["seq"])), reading.get("marks"))
    connection.update("all_transcripts", "seq", old["seq"], {"discarded": None, "file_id": row["file_id"]})
    _swap_ids(connection, old["seq"], row["seq"])
    connection.executemany(
        "UPDATE clips SET cue_index = ? WHERE seq = ? AND transcript_id = ?",
        [(index, clip, row["id"]) for clip, index in reading["links"]],
    )
    return {"transcript": row["id"], "cues": row["seq"], "links": links, "marks": marks}


def _swap_ids(connection: Connection, one: int, other: int) -> None:
    """Let two transcripts change ids: clips refer to the one that has the id."""
    connection.execute("PRAGMA defer_foreign_keys = ON")  # until the end of this transaction, which has both ids again
    ids = {seq: connection.value("SELECT id FROM all_transcripts WHERE seq = ?", seq) for seq in (one, other)}
    for seq, row_id in ((one, new_id()), (other, ids[one]), (one, ids[other])):
        connection.update("all_transcripts", "seq", seq, {"id": row_id})


def _links(connection: Connection, transcript: sqlite3.Row) -> list[_Link]:
    rows = connection.execute(
        # A clip of a sentence in several cues begins with the first of them, and its focus word is in the one it names.
        "SELECT c.seq, c.cue_index, CASE WHEN q.start_ms BETWEEN c.start_ms AND c.end_ms THEN q.start_ms"
        " ELSE coalesce(c.start_ms, q.start_ms) END, coalesce(q.text, '') FROM clips AS c"
        " LEFT JOIN cues AS q ON q.transcript = ? AND q.position = c.cue_index"
        " WHERE c.transcript_id = ? AND c.cue_index IS NOT NULL",
        (transcript["seq"], transcript["id"]),
    )
    return [_Link(*row) for row in rows]


def _relink(connection: Connection, links: Sequence[_Link], old_count: int, new: Sequence[Cue]) -> None:
    """Let the clips say which of the new cues they are of; nothing else of them changes, ``updated_at`` neither."""
    if not links:
        return
    by_time, by_text = _ways_to(new)
    connection.executemany(
        "UPDATE clips SET cue_index = ? WHERE seq = ?",
        [(_cue_of(link, new, by_time, by_text, is_parallel=old_count == len(new)), link.clip) for link in links],
    )


def _move_marks(
    connection: Connection, old: sqlite3.Row, new: Sequence[Cue], undone: Sequence[Mapping[str, Any]] | None = None
) -> list[dict[str, Any]]:
    """Let the notes, the bookmarks and the place of reading stand at the cues of the same moments, or near them.

    Two may come to stand at one cue and be one then. So those of a kind of which nothing has changed since a reading
    that is ``undone`` are as they were before it. Gives all that there were before, and that there are now.
    """
    before = _marks(connection, old["id"])
    _move_by_time(connection, old, new)
    found, left = undone or ({}, {})
    for table in _MARKED:
        if [row[:-1] for row in left.get(table, ())] == [row[:-1] for row in before[table]]:
            _put_marks(connection, table, old, found.get(table, ()))
    return [before, _marks(connection, old["id"])]


def _marks(connection: Connection, transcript_id: str) -> dict[str, list[list[object]]]:
    query = "SELECT {} FROM {} WHERE transcript_id = ? ORDER BY 1, 2"
    return {
        table: [list(row) for row in connection.rows(query.format(columns, table), transcript_id)]
        for table, columns in _MARKED.items()
    }


def _put_marks(connection: Connection, table: str, transcript: sqlite3.Row, rows: Sequence[Sequence[object]]) -> None:
    about = {"transcript_id": transcript["id"]}
    if table == "bookmarks":
        about["profile"] = transcript["profile"]
    connection.execute(f"DELETE FROM {table} WHERE transcript_id = ?", (transcript["id"],))
    for row in rows:
        connection.insert(table, {**about, **dict(zip(_MARKED[table].split(", "), row, strict=True))})


def _move_by_time(connection: Connection, old: sqlite3.Row, new: Sequence[Cue]) -> None:
    rows = connection.rows(
        "WITH marked (id, cue) AS (SELECT transcript_id, cue FROM cue_notes UNION SELECT transcript_id, cue"
        " FROM bookmarks UNION SELECT transcript_id, cue FROM reading_places UNION SELECT transcript_id, read - 1"
        " FROM reading_places WHERE read > 0 UNION SELECT transcript_id, cue FROM mining_marks)"
        " SELECT m.cue, q.start_ms, coalesce(q.text, '') FROM marked AS m"
        " LEFT JOIN cues AS q ON q.transcript = ? AND q.position = m.cue WHERE m.id = ?",
        *(old["seq"], old["id"]),
    )
    if not rows or not new:
        return
    by_time, by_text = _ways_to(new)
    places = {}
    for cue, start, text in rows:
        found = _cue_of(_Link(0, cue, start, text), new, by_time, by_text, is_parallel=old["cue_count"] == len(new))
        places[cue] = min(cue, len(new) - 1) if found is None else found
    move_notes(connection, old["id"], places)
    move_bookmarks(connection, old["id"], places)
    move_marks(connection, old["id"], places)
    move_place(connection, old, places, len(new))


def _ways_to(cues: Sequence[Cue]) -> tuple[list[tuple[int, int]], dict[str, list[int]]]:
    """The cues by their times, and by their texts."""
    by_text: dict[str, list[int]] = {}
    for cue in cues:
        by_text.setdefault(cue.text, []).append(cue.index)
    return sorted((cue.start_ms, cue.index) for cue in cues if cue.start_ms is not None), by_text


def _cue_of(
    link: _Link,
    new: Sequence[Cue],
    by_time: Sequence[tuple[int, int]],
    by_text: Mapping[str, Sequence[int]],
    *,
    is_parallel: bool,
) -> int | None:
    """The cue shown at the clip's moment; without times that of the same text, or of the same number among as many."""
    if link.start_ms is None or not by_time:
        if same := by_text.get(link.text):
            return min(same, key=lambda index: abs(index - link.cue_index))
        return link.cue_index if is_parallel else None
    if link.cue_index < len(new) and new[link.cue_index].start_ms == link.start_ms:
        return link.cue_index
    at = bisect_right(by_time, (link.start_ms, len(new)))
    near = [new[index] for _, index in by_time[max(0, at - 1) : at + 1]]
    best = min(near, key=lambda cue: _distance(cue, link.start_ms or 0))
    return best.index if _distance(best, link.start_ms) <= _NEAR_MS else None


def _distance(cue: Cue, moment: int) -> int:
    """Milliseconds between a moment and a cue, 0 while it is shown."""
    start, end = cue.start_ms or 0, cue.end_ms or 0
    return max(start - moment, moment - end, 0)
