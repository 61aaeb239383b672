"""Translation tracks: the cues of another transcript that are shown at the same time as those of this one.

Which of them is the translation of which cue is for ``importing/alignment.py`` to say.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tui.store.rows import update_row

Span: TypeAlias = tuple[int, int]
"""Start and end of a cue in milliseconds."""

_BEHIND = 32
"""Cues of the track before the one that begins with ours that are looked at: a long one may still be shown."""


def spans(connection: sqlite3.Connection, transcript: int) -> list[Span]:
    """The times of all cues that have some, in their order."""
    query = "SELECT start_ms, end_ms FROM cues WHERE transcript = ? AND end_ms IS NOT NULL ORDER BY position"
    return [(start, end) for start, end in connection.execute(query, (transcript,))]


@dataclass(frozen=True, slots=True)
class Track:
    """A part of a transcript's translation track: the times of the ``cues`` that were asked for, None where one has
    none, and start, end and text of those of the track that are shown meanwhile, moved to the transcript's times."""

    cues: tuple[Span | None, ...]
    translations: tuple[tuple[int, int, str], ...] = ()


def track_of(connection: sqlite3.Connection, transcript: sqlite3.Row, offset: int, limit: int) -> Track:
    """The part of a transcript's track beside ``limit`` of its cues from ``offset`` on; empty where it has no track."""
    query = "SELECT start_ms, end_ms FROM cues WHERE transcript = ? AND position >= ? ORDER BY position LIMIT ?"
    rows = connection.execute(query, (transcript["seq"], offset, limit)).fetchall()
    cues = tuple(None if start is None or end is None else (start, end) for start, end in rows)
    query = "SELECT seq, cue_count FROM transcripts WHERE id = ?"
    track = connection.execute(query, (transcript["translation_id"],)).fetchone()
    timed = [cue for cue in cues if cue is not None]
    if track is None or not timed:
        return Track(cues)
    moved = transcript["translation_offset_ms"] or 0
    begin, end = min(start for start, _ in timed) - moved, max(end for _, end in timed) - moved
    shown = _shown(connection, track["seq"], track["cue_count"], begin, end)
    return Track(cues, tuple((start + moved, end + moved, text) for start, end, text in shown))


def _shown(
    connection: sqlite3.Connection, track: int, count: int, begin_ms: int, end_ms: int
) -> list[tuple[int, int, str]]:
    """Start, end and text of the cues of a track of ``count`` cues that are shown between two of its moments."""
    first = max(0, _first_from(connection, track, count, begin_ms) - _BEHIND)
    rows = connection.execute(
        "SELECT start_ms, end_ms, text FROM cues WHERE transcript = ? AND position BETWEEN ? AND ?"
        " AND end_ms IS NOT NULL ORDER BY position",
        (track, first, _first_from(connection, track, count, end_ms + 1)),
    )
    return [(start, end, text) for start, end, text in rows]


def _first_from(connection: sqlite3.Connection, track: int, count: int, moment: int) -> int:
    """Position of the first cue that begins at this moment or later: cues are in the order of their starts."""
    low, high = 0, count
    query = "SELECT start_ms FROM cues WHERE transcript = ? AND position = ?"
    while low < high:
        middle = (low + high) // 2
        row = connection.execute(query, (track, middle)).fetchone()
        if row is not None and row[0] is not None and row[0] < moment:
            low = middle + 1
        else:
            high = middle
    return low


def pair_transcripts(connection: sqlite3.Connection, two: Sequence[sqlite3.Row]) -> None:
    """Give each of two transcripts the other one as its translation track."""
    for ours, theirs in (two, two[::-1]):
        track = {"translation_id": theirs["id"], "translation_offset_ms": 0}
        update_row(connection, "all_transcripts", "id", ours["id"], track)
