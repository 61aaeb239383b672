"""Edit of a transcript's title and language, with all that hangs on the language, and the way back for undo.

The cues stay as they are, so their order, their clips and the place of the transcript in its list do too. What is
written anew for another language is the scope by which they are searched, and the counts of their words, which each
language folds in its own way: some seconds for a hundred thousand cues.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tui.language.tags import base_language
from tui.store.rows import update_row
from tui.store.search import cue_scope, folded_words
from tui.store.tables.words import count_forms, delete_counts, insert_counts
from tui.store.trash_entry import TrashEntry

_FILE_COLUMNS = ("language", "named_language")


def counts_in(connection: sqlite3.Connection, transcript: sqlite3.Row, language: str | None) -> Sequence[str] | None:
    """Count the words of a transcript as those of another language; None where they are counted so already."""
    if base_language(language) == base_language(transcript["language"]):
        return None
    texts = connection.execute("SELECT text FROM cues WHERE transcript = ? ORDER BY position", (transcript["seq"],))
    return count_forms((row[0] for row in texts), language)


def edit_transcript(
    connection: sqlite3.Connection,
    transcript: sqlite3.Row,
    title: str,
    language: str | None,
    counts: Iterable[str] | None,
) -> None:
    """Give a transcript this title and language; ``counts`` are those of ``counts_in``.

    Its file has the language from now on as one that was named, unless it has other transcripts besides.
    """
    entry = TrashEntry()
    entry.edited = {name: transcript[name] for name in ("id", "title", "language")}
    if language != transcript["language"] and (file := _only_file(connection, transcript)) is not None:
        entry.edited["file"] = file
        update_row(connection, "files", "id", file["id"], dict.fromkeys(_FILE_COLUMNS, language))
    entry.save(connection, transcript["profile"], "edits", f"{transcript['title']}, as it was before it was edited")
    _write(connection, transcript, title, language, counts)


def restore_edit(connection: sqlite3.Connection, edited: Mapping[str, Any]) -> int:
    """Undo an ``edit_transcript``; 0 where the transcript is gone for good."""
    transcript = connection.execute("SELECT * FROM all_transcripts WHERE id = ?", (edited["id"],)).fetchone()
    if transcript is None:
        return 0
    language = edited["language"]
    _write(connection, transcript, edited["title"], language, counts_in(connection, transcript, language))
    if file := edited.get("file"):
        update_row(connection, "files", "id", file["id"], {name: file[name] for name in _FILE_COLUMNS})
    return 1


def _only_file(connection: sqlite3.Connection, transcript: sqlite3.Row) -> dict[str, Any] | None:
    """The file of which this is the one transcript, as it is now: a chapter's language is not that of its book."""
    row = connection.execute(
        f"SELECT id, {', '.join(_FILE_COLUMNS)} FROM files WHERE id = ?"
        " AND (SELECT count(*) FROM transcripts WHERE file_id = files.id) = 1",
        (transcript["file_id"],),
    ).fetchone()
    return None if row is None else dict(row)


def _write(
    connection: sqlite3.Connection,
    transcript: sqlite3.Row,
    title: str,
    language: str | None,
    counts: Iterable[str] | None,
) -> None:
    from tui.store.known_words.transcript_words import forget_words

    seq = transcript["seq"]
    changes = {"title": title, "folded": folded_words(title), "language": language}
    update_row(connection, "all_transcripts", "seq", seq, changes)
    if language != transcript["language"]:
        # The decks that the clips are in are to be written anew: cards say the language.
        connection.execute(
            "UPDATE clips SET transcript_id = transcript_id WHERE transcript_id = ?", (transcript["id"],)
        )
    if counts is None:
        return
    update_row(connection, "cues", "transcript", seq, {"scope": cue_scope(transcript["profile"], language)})
    delete_counts(connection, seq)
    forget_words(connection, seq)
    for part in counts:
        insert_counts(connection, seq, language, part)
