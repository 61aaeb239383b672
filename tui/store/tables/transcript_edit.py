"""Edit of a transcript: its title and language, with all that hangs on the language, and its translation track.

The cues stay as they are, so their order, their clips and the place of the transcript in its list do too. What is
written anew for another language is the scope by which they are searched, and the counts of their words, which each
language folds in its own way: some seconds for a hundred thousand cues.

A translation track is another transcript, whose cues are shown at the same time; which of them is the translation of
which cue is for ``retiming/alignment.py`` to say.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tui.language.tags import base_language
from tui.store.rows import Connection
from tui.store.search import cue_scope, folded_words
from tui.store.tables.words import count_forms, delete_counts, insert_counts
from tui.store.trash_entry import TrashEntry

_FILE_COLUMNS = ("language", "named_language")


def counts_in(connection: Connection, transcript: sqlite3.Row, language: str | None) -> Sequence[str] | None:
    """Count the words of a transcript as those of another language; None where they are counted so already."""
    if base_language(language) == base_language(transcript["language"]):
        return None
    texts = connection.execute("SELECT text FROM cues WHERE transcript = ? ORDER BY position", (transcript["seq"],))
    return count_forms((row[0] for row in texts), language)


def edit_transcript(
    connection: Connection, transcript: sqlite3.Row, title: str, language: str | None, counts: Iterable[str] | None
) -> None:
    """Give a transcript this title and language; ``counts`` are those of ``counts_in``.

    Its file has the language from now on as one that was named, unless it has other transcripts besides.
    """
    edited = {name: transcript[name] for name in ("id", "title", "language")}
    if language != transcript["language"] and (file := _only_file(connection, transcript)) is not None:
        edited["file"] = file
        connection.update("files", "id", file["id"], dict.fromkeys(_FILE_COLUMNS, language))
    summary = f"{transcript['title']}, as it was before it was edited"
    entry = TrashEntry(undo={"edited": edited})
    entry.save(connection, transcript["profile"], "edits", summary, subject=transcript["title"])
    _write(connection, transcript, title, language, counts)


def restore_edit(connection: Connection, edited: Mapping[str, Any]) -> dict[str, Any] | None:
    """Undo an ``edit_transcript``, and give what does it again; None where the transcript is gone for good."""
    transcript = connection.row("SELECT * FROM all_transcripts WHERE id = ?", edited["id"])
    if transcript is None:
        return None
    language = edited["language"]
    again = {name: transcript[name] for name in ("id", "title", "language")}
    _write(connection, transcript, edited["title"], language, counts_in(connection, transcript, language))
    if file := edited.get("file"):
        query = f"SELECT id, {', '.join(_FILE_COLUMNS)} FROM files WHERE id = ? AND profile = ?"
        if (found := connection.row(query, file["id"], transcript["profile"])) is not None:
            again["file"] = dict(found)
            connection.update("files", "id", file["id"], {name: file[name] for name in _FILE_COLUMNS})
    return again


def _only_file(connection: Connection, transcript: sqlite3.Row) -> dict[str, Any] | None:
    """The file of which this is the one transcript, as it is now: a chapter's language is not that of its book."""
    row = connection.row(
        f"SELECT id, {', '.join(_FILE_COLUMNS)} FROM files WHERE id = ?"
        " AND (SELECT count(*) FROM transcripts WHERE file_id = files.id) = 1",
        transcript["file_id"],
    )
    return None if row is None else dict(row)


def _write(
    connection: Connection, transcript: sqlite3.Row, title: str, language: str | None, counts: Iterable[str] | None
) -> None:
    from tui.store.known_words.transcript_words import forget_words

    seq = transcript["seq"]
    changes = {"title": title, "folded": folded_words(title, transcript["series"]), "language": language}
    connection.update("all_transcripts", "seq", seq, changes)
    if language != transcript["language"]:
        # The decks that the clips are in are to be written anew: cards say the language.
        connection.update("clips", "transcript_id", transcript["id"], {"transcript_id": transcript["id"]})
    if counts is None:
        return
    connection.update("cues", "transcript", seq, {"scope": cue_scope(transcript["profile"], language)})
    delete_counts(connection, seq)
    forget_words(connection, seq)
    for part in counts:
        insert_counts(connection, seq, language, part)


Span: TypeAlias = tuple[int, int]
"""Start and end of a cue in milliseconds."""

_BEHIND = 32
"""Cues of the track before the one that begins with ours that are looked at: a long one may still be shown."""


@dataclass(frozen=True, slots=True)
class Track:
    """A part of a transcript's translation track: the times of the ``cues`` that were asked for, None where one has
    none, and start, end and text of those of the track that are shown meanwhile, moved to the transcript's times."""

    cues: tuple[Span | None, ...]
    translations: tuple[tuple[int, int, str], ...] = ()


def track_of(connection: Connection, transcript: sqlite3.Row, offset: int, limit: int) -> Track:
    """The part of a transcript's track beside ``limit`` of its cues from ``offset`` on; empty where it has no track."""
    query = "SELECT start_ms, end_ms FROM cues WHERE transcript = ? AND position >= ? ORDER BY position LIMIT ?"
    rows = connection.execute(query, (transcript["seq"], offset, limit))
    cues = tuple(None if start is None or end is None else (start, end) for start, end in rows)
    track = connection.row("SELECT seq, cue_count FROM transcripts WHERE id = ?", transcript["translation_id"])
    timed = [cue for cue in cues if cue is not None]
    if track is None or not timed:
        return Track(cues)
    moved = transcript["translation_offset_ms"] or 0
    begin, end = min(start for start, _ in timed) - moved, max(end for _, end in timed) - moved
    shown = _shown(connection, track["seq"], track["cue_count"], begin, end)
    return Track(cues, tuple((start + moved, end + moved, text) for start, end, text in shown))


def _shown(connection: Connection, track: int, count: int, begin_ms: int, end_ms: int) -> list[tuple[int, int, str]]:
    """Start, end and text of the cues of a track of ``count`` cues that are shown between two of its moments."""
    first = max(0, _first_from(connection, track, count, begin_ms) - _BEHIND)
    rows = connection.execute(
        "SELECT start_ms, end_ms, text FROM cues WHERE transcript = ? AND position BETWEEN ? AND ?"
        " AND end_ms IS NOT NULL ORDER BY position",
        (track, first, _first_from(connection, track, count, end_ms + 1)),
    )
    return [(start, end, text) for start, end, text in rows]


def _first_from(connection: Connection, track: int, count: int, moment: int) -> int:
    """Position of the first cue that begins at this moment or later: cues are in the order of their starts."""

    def begins_from(position: int) -> bool:
        start = connection.value("SELECT start_ms FROM cues WHERE transcript = ? AND position = ?", track, position)
        return start is None or start >= moment

    return bisect_left(range(count), True, key=begins_from)


def pair_transcripts(connection: Connection, two: Sequence[sqlite3.Row]) -> None:
    """Give each of two transcripts the other one as its translation track."""
    for ours, theirs in (two, two[::-1]):
        track = {"translation_id": theirs["id"], "translation_offset_ms": 0}
        connection.update("all_transcripts", "id", ours["id"], track)
