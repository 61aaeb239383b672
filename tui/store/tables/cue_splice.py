"""Splices: some cues of a transcript are replaced by others, and all that goes by their numbers follows.

An edit by hand replaces one cue or two; undo is the splice that puts the rows back that were there, with their numbers.
So a step keeps only those rows, whatever the transcript's size, and a splice costs what it changes: the words of the
texts are counted, and the positions behind it move where it makes them more or fewer.

Clips, notes, bookmarks, mining marks, the place of reading and what the import changed stay with their cue: the row
that is kept, else the nearest of the new ones. Nothing else of a clip changes, ``updated_at`` neither.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tui.records.transcripts import Cue
from tui.store.rows import AMONG, Connection, as_json, json_value
from tui.store.search import cue_scope
from tui.store.tables.bookmarks import move_bookmarks
from tui.store.tables.cue_notes import move_notes
from tui.store.tables.cue_rows import COLUMNS, CUE_COLUMNS, cue_of, row_texts
from tui.store.tables.mining_marks import move_marks
from tui.store.tables.transcripts import index_cues, move_place
from tui.store.tables.words import count_forms, insert_counts, remove_counts

Row: TypeAlias = list[Any]
"""A cue: its number, None for a new one, and the values of ``COLUMNS`` but its position."""
_VALUES = COLUMNS[1:]
_TEXT = 1 + _VALUES.index("text")
_END = 1 + _VALUES.index("end_ms")
_MARKS = {
    "cue_notes": ("cue", "text", "updated_at"),
    "bookmarks": ("cue", "seq", "id", "profile", "name", "created_at"),
    "reading_places": ("cue", "read", "word", "left_at"),
    "mining_marks": ("cue", "id", "start_at", "end_at", "text", "focus", "sentence", "created_at"),
}
"""Tables of what people leave at cues, by the transcript's id, and their columns, the moment last."""


@dataclass(frozen=True, slots=True)
class Splice:
    """The cues from position ``at`` on, ``count`` of them, become ``rows``; ``clips`` that go elsewhere than their cue.

    These are by their numbers, None for those that are of no cue any more. ``marks`` are notes, bookmarks and the
    place of reading as they are to be where they are still as they were left.
    """

    at: int
    count: int
    rows: Sequence[Row]
    clips: Mapping[int, int | None] = field(default_factory=dict)
    marks: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    originals: Mapping[int, int | None] = field(default_factory=dict)

    @property
    def grows_by(self) -> int:
        return len(self.rows) - self.count


def row_of(cue: Cue, number: int | None = None) -> Row:
    """The row of a cue, in the place of the one with this number."""
    ((_, *values),) = json_value(next(row_texts([cue])))
    return [number, *values]


def rows_at(connection: Connection, transcript: int, at: int, count: int) -> list[Row]:
    """The rows of a transcript's cues from a position on."""
    return [
        list(row)
        for row in connection.execute(
            f"SELECT seq, {', '.join(_VALUES)} FROM cues WHERE transcript = ? AND position >= ? AND position < ?"
            " ORDER BY position",
            (transcript, at, at + count),
        )
    ]


def cues_at(connection: Connection, transcript: int, at: int, count: int) -> list[Cue]:
    """The cues of a transcript from a position on."""
    query = f"SELECT {CUE_COLUMNS} FROM cues WHERE transcript = ? AND position >= ? AND position < ? ORDER BY position"
    return [cue_of(row) for row in connection.execute(query, (transcript, at, at + count))]


def splice_cues(connection: Connection, transcript: sqlite3.Row, splice: Splice) -> dict[str, Any]:
    """Replace cues by others; gives what undoes it, for ``read_splice``."""
    old = rows_at(connection, transcript["seq"], splice.at, splice.count)
    before = {table: _marks_within(connection, transcript, table, splice.at, splice.count) for table in _MARKS}
    clips = _clips_within(connection, transcript, splice)
    originals = _originals_within(connection, transcript, splice)
    new = _write_rows(connection, transcript, splice, old)
    _count_words(connection, transcript, old, new)
    _update_transcript(connection, transcript, splice, old, new)
    _move_what_follows(connection, transcript, splice, old, new, clips, originals)
    after = {table: _marks_within(connection, transcript, table, splice.at, len(new)) for table in _MARKS}
    left = dict(connection.execute(f"SELECT seq, cue_index FROM clips WHERE seq {AMONG}", (as_json(clips),)))
    return {
        "at": splice.at,
        "count": len(new),
        "rows": old,
        "clips": [[clip, index, left.get(clip)] for clip, index in clips.items()],
        "originals": [[number, position] for number, position in originals.items()],
        "marks": {table: [before[table], after[table]] for table in _MARKS if before[table] or after[table]},
    }


def read_splice(connection: Connection, transcript: sqlite3.Row, undo: Mapping[str, Any]) -> Splice:
    """The splice that undoes another one: clips and marks that were changed since go by their cues instead."""
    left = {clip: index for clip, _, index in undo["clips"]}
    now = connection.execute(
        f"SELECT seq, cue_index FROM clips WHERE transcript_id = ? AND seq {AMONG}", (transcript["id"], as_json(left))
    )
    same = {clip for clip, index in now if left[clip] == index}
    marks = {
        table: found
        for table, (found, after) in undo["marks"].items()  # of a place without cues nothing can be said
        if found
        and after
        and _without_moments(table, after)
        == _without_moments(table, _marks_within(connection, transcript, table, undo["at"], undo["count"]))
    }
    return Splice(
        undo["at"],
        undo["count"],
        undo["rows"],
        {clip: index for clip, index, _ in undo["clips"] if clip in same},
        marks,
        dict(undo["originals"]),
    )


def _write_rows(connection: Connection, transcript: sqlite3.Row, splice: Splice, old: Sequence[Row]) -> list[Row]:
    """Write the rows, at positions below 0 until all of them are there; gives them with their numbers."""
    seq, kept = transcript["seq"], {row[0]: row for row in old}
    gone = kept.keys() - {row[0] for row in splice.rows}
    connection.execute(f"DELETE FROM cues WHERE seq {AMONG}", (as_json(gone),))
    if splice.grows_by:
        connection.execute(
            "UPDATE cues SET position = -1 - position - ?1 WHERE transcript = ?2 AND position >= ?3",
            (splice.grows_by, seq, splice.at + splice.count),
        )
    scope, new = cue_scope(transcript["profile"], transcript["language"]), list[Row]()
    for position, row in enumerate(splice.rows, splice.at):
        if (there := kept.get(row[0])) is None:
            values = dict(zip(_VALUES, row[1:], strict=True))
            values |= {"transcript": seq, "scope": scope, "position": -1 - position}
            number = connection.insert("cues", values if row[0] is None else {**values, "seq": row[0]})
            index_cues(connection, number, number)
        else:
            number = row[0]
            changes = {
                name: value for name, value, was in zip(_VALUES, row[1:], there[1:], strict=True) if value != was
            }
            # Only what changed: the triggers of the search tables go by the columns that are named.
            connection.update("cues", "seq", number, {**changes, "position": -1 - position})
        new.append([number, *row[1:]])
    connection.execute("UPDATE cues SET position = -1 - position WHERE transcript = ? AND position < 0", (seq,))
    return new


def _count_words(connection: Connection, transcript: sqlite3.Row, old: Sequence[Row], new: Sequence[Row]) -> None:
    from tui.store.known_words.transcript_words import forget_words

    forget_words(connection, transcript["seq"])
    was, becomes = ({(row[0], row[_TEXT]) for row in rows} for rows in (old, new))
    language = transcript["language"]
    for part in count_forms((text for _, text in was - becomes), language):
        remove_counts(connection, transcript["seq"], language, part)
    for part in count_forms((text for _, text in becomes - was), language):
        insert_counts(connection, transcript["seq"], language, part)


def _update_transcript(
    connection: Connection, transcript: sqlite3.Row, splice: Splice, old: Sequence[Row], new: Sequence[Row]
) -> None:
    ends, its_ends = ([row[_END] for row in rows if row[_END] is not None] for rows in (old, new))
    duration = transcript["duration_ms"]
    if duration is not None and duration in ends and duration not in its_ends:  # another cue ends last
        duration = connection.value("SELECT max(end_ms) FROM cues WHERE transcript = ?", transcript["seq"])
    duration = max((each for each in (duration, *its_ends) if each is not None), default=None)
    changes = {"cue_count": transcript["cue_count"] + splice.grows_by, "duration_ms": duration}
    connection.update("all_transcripts", "seq", transcript["seq"], changes)


# What follows.


def _move_what_follows(
    connection: Connection,
    transcript: sqlite3.Row,
    splice: Splice,
    old: Sequence[Row],
    new: Sequence[Row],
    clips: Mapping[int, int],
    originals: Mapping[int, int],
) -> None:
    place_of = {row[0]: place for place, row in enumerate(new, splice.at)}
    behind, by = splice.at + splice.count, splice.grows_by
    # Where no row comes instead, marks go to the next cue, or to the last one; clips are of none any more.
    last = splice.at + len(new) - 1 if new else min(splice.at, transcript["cue_count"] + by - 1)
    places = {
        position: place_of.get(row[0], max(0, min(position, last))) for position, row in enumerate(old, splice.at)
    }
    for table, column, key, value in (
        ("clips", "cue_index", "transcript_id", transcript["id"]),
        ("original_cues", "position", "transcript", transcript["seq"]),
    ):
        if by:
            connection.execute(
                f"UPDATE {table} SET {column} = {column} + ? WHERE {key} = ? AND {column} >= ?", (by, value, behind)
            )
    moved: dict[int, int | None] = {
        clip: places[index] if new else None for clip, index in clips.items() if index in places
    }
    moved |= splice.clips
    connection.executemany(
        "UPDATE clips SET cue_index = ? WHERE seq = ? AND transcript_id = ? AND cue_index IS NOT ?1",
        [(index, clip, transcript["id"]) for clip, index in moved.items()],
    )
    stays: dict[int, int | None] = {
        number: places[position] if new else None for number, position in originals.items() if position in places
    }
    stays |= splice.originals
    connection.executemany(
        "UPDATE original_cues SET position = ? WHERE transcript = ? AND number = ?",
        [(position, transcript["seq"], number) for number, position in stays.items()],
    )
    if by or any(here != there for here, there in places.items()):
        marked = _marked_cues(connection, transcript["id"])
        moves = {cue: places.get(cue, cue + by if cue >= behind else cue) for cue in marked}
        move_notes(connection, transcript["id"], moves)
        move_bookmarks(connection, transcript["id"], moves)
        move_marks(connection, transcript["id"], moves)
        move_place(connection, transcript, moves, transcript["cue_count"] + by)
    for table, found in splice.marks.items():
        _put_marks(connection, transcript, table, splice.at, len(new), found)


def _clips_within(connection: Connection, transcript: sqlite3.Row, splice: Splice) -> dict[int, int]:
    """The clips of the cues that are replaced, with their cues, and those that are to come back to them."""
    query = (
        "SELECT seq, cue_index FROM clips WHERE transcript_id = ?"
        f" AND (cue_index >= ? AND cue_index < ? OR seq {AMONG})"
    )
    span = splice.at, splice.at + splice.count
    return dict(connection.execute(query, (transcript["id"], *span, as_json(splice.clips))))


def _originals_within(connection: Connection, transcript: sqlite3.Row, splice: Splice) -> dict[int, int]:
    query = (
        "SELECT number, position FROM original_cues WHERE transcript = ?"
        f" AND (position >= ? AND position < ? OR number {AMONG})"
    )
    span = splice.at, splice.at + splice.count
    return dict(connection.execute(query, (transcript["seq"], *span, as_json(splice.originals))))


def _marked_cues(connection: Connection, transcript_id: str) -> list[int]:
    """The cues that have notes, bookmarks or marks, that where reading was left, and the last one that is read."""
    return connection.column(
        "SELECT cue FROM cue_notes WHERE transcript_id = ?1 UNION SELECT cue FROM bookmarks WHERE transcript_id = ?1"
        " UNION SELECT cue FROM reading_places WHERE transcript_id = ?1"
        " UNION SELECT cue FROM mining_marks WHERE transcript_id = ?1"
        " UNION SELECT read - 1 FROM reading_places WHERE transcript_id = ?1 AND read > 0",
        transcript_id,
    )


def _marks_within(
    connection: Connection, transcript: sqlite3.Row, table: str, at: int, count: int
) -> list[dict[str, Any]]:
    """The marks of a kind at some cues; of reading, also where the last one that is read is among them."""
    condition, given = "cue >= ?2 AND cue < ?3", (transcript["id"], at, at + count)
    if table == "reading_places":
        condition = f"({condition} OR read - 1 >= ?2 AND read - 1 < ?3)"
    query = f"SELECT {', '.join(_MARKS[table])} FROM {table} WHERE transcript_id = ?1 AND {condition} ORDER BY 1, 2"
    return [dict(row) for row in connection.rows(query, *given)]


def _put_marks(
    connection: Connection, transcript: sqlite3.Row, table: str, at: int, count: int, found: Sequence[Mapping[str, Any]]
) -> None:
    """Put marks at some cues in the place of those that are there."""
    within = "" if table == "reading_places" else " AND cue >= ?2 AND cue < ?3"  # of places of reading there is one
    given = (transcript["id"], at, at + count)[: 3 if within else 1]
    connection.execute(f"DELETE FROM {table} WHERE transcript_id = ?1{within}", given)
    for row in found:
        connection.insert(table, {**row, "transcript_id": transcript["id"]})


def _without_moments(table: str, marks: Sequence[Mapping[str, Any]]) -> list[list[object]]:
    return [[mark[name] for name in _MARKS[table][:-1]] for mark in marks]
