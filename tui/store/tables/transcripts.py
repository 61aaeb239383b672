"""Transcripts and their cues."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tui.language.scripts import is_spaceless
from tui.language.tags import base_language
from tui.records import Cue, Deletion, Page, Transcript
from tui.store.database import Connections
from tui.store.page_cursors import Window, bounded, cursor, no_cursor, numbers_of
from tui.store.rows import (
    as_json,
    full_id,
    new_id,
    now,
    read_page,
    record,
    seqs_of,
    small_table,
)
from tui.store.search import Search, codes_in, language_in, shadow
from tui.store.tables.words import insert_counts
from tui.store.trash import Bundle

_REPORTED = 256
"""Every so many cues it is told how far the work is, and asked whether it shall go on."""
SELECT = "SELECT r.* FROM transcripts AS r"
_FACETS = (language_in("language"), codes_in("origin"))


class Transcripts:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def page(
        self, profile: str, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None
    ) -> Page[Transcript]:
        """Newest first; ``q`` looks in the title, the language and the origin."""
        window = Window.of("transcripts", offset, limit, after)
        with self._connections.read() as connection:
            matching = small_table(connection, "transcripts", profile, q, _FACETS)
            return read_page(connection, matching, SELECT, build, window)

    def get(self, profile: str, transcript_id: str) -> Transcript:
        with self._connections.read() as connection:
            return build(self._row(connection, profile, transcript_id))

    def cues(
        self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Cue]:
        """In the order of the text; a cursor is one of this transcript."""
        last = None if after is None else numbers_of("cues", after, 2)
        with self._connections.read() as connection:
            transcript = self._row(connection, profile, transcript_id)
            seq, total = transcript["seq"], transcript["cue_count"]
            if last is not None and last[0] != seq:
                raise no_cursor("cues", after or "")
            offset = 0 if last is not None else min(max(0, offset), total)
            rows = connection.execute(
                "SELECT position, start_ms, end_ms, text, speaker FROM cues"
                " WHERE transcript = ? AND position > ? ORDER BY position LIMIT ?",
                (seq, offset - 1 if last is None else last[1], bounded(limit)),
            )
            cues = tuple(Cue(*row) for row in rows)
            more = cues and cues[-1].index < total - 1
            return Page(cues, total, offset, cursor("cues", seq, cues[-1].index) if more else None)

    def find(self, profile: str, transcript_id: str, q: str, limit: int = 10_000) -> tuple[int, ...]:
        """The indexes of the cues that match, in order; nothing typed finds nothing."""
        search = Search.parse(q)
        with self._connections.read() as connection:
            seq = self._row(connection, profile, transcript_id)["seq"]
            if not search.given or search.hopeless:
                return ()
            # The cues of a transcript are neighbours, and FTS5 can look through a range of rows only.
            low, high = connection.execute(
                "SELECT min(seq), max(seq) FROM cues WHERE transcript = ?", (seq,)
            ).fetchone()
            conditions, parameters = ["transcript = ?"], [seq]
            for table, expression in (
                ("cues_words", search.match("text") if search.prefixes else ""),
                ("cues_trigrams", search.trigrams),
            ):
                if expression:
                    conditions.append(
                        f"seq IN (SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid BETWEEN ? AND ?)"
                    )
                    parameters += [expression, low, high]
            conditions += [r"text LIKE ? ESCAPE '\'"] * len(search.too_short)
            parameters += [*search.too_short, bounded(limit)]
            rows = connection.execute(
                f"SELECT position FROM cues WHERE {' AND '.join(conditions)} ORDER BY position LIMIT ?", parameters
            )
            return tuple(row[0] for row in rows)

    def delete(self, profile: str, transcript_ids: Sequence[str]) -> Deletion:
        """Delete transcripts with their cues; their clips stay and no longer say which transcript they are from.

        Takes as long for half a million cues as for one: they are hidden where they are.
        """
        with self._connections.write() as connection:
            seqs = seqs_of(connection, "transcripts", profile, transcript_ids)
            if not seqs:
                return Deletion(0)
            rows = connection.execute(
                f"{SELECT} WHERE r.seq IN (SELECT value FROM json_each(?))", (as_json(seqs),)
            ).fetchall()
            bundle = Bundle()
            bundle.cut_links(connection, "clips", "transcript_id", [row["id"] for row in rows])
            bundle.hide(seqs)
            count = len(seqs)
            summary = rows[0]["title"] if count == 1 else f"{count} transcripts"
            bundle.throw_away(connection, rows[0]["profile"], "transcript", summary, count)
            return Deletion(count)

    def _row(self, connection: sqlite3.Connection, profile: str, transcript_id: str) -> sqlite3.Row:
        wanted = full_id(connection, "transcripts", profile, transcript_id)
        row: sqlite3.Row = connection.execute(f"{SELECT} WHERE r.id = ?", (wanted,)).fetchone()
        return row


def insert(
    connection: sqlite3.Connection,
    profile: int,
    file_id: str,
    title: str,
    language: str | None,
    cues: Sequence[Cue],
    forms: Iterable[Mapping[str, int]],
    report: Callable[[float], None] | None = None,
) -> int:
    """Write an imported transcript with its cues and the counts of its word forms, part by part; gives its number.

    ``report`` is told of the second half of the work that began with counting the forms.
    """
    ends = (cue.end_ms for cue in cues if cue.end_ms is not None)
    cursor = connection.execute(
        "INSERT INTO all_transcripts (id, profile, file_id, title, language, origin, cue_count, duration_ms,"
        " created_at, folded) VALUES (?, ?, ?, ?, ?, 'import', ?, ?, ?, ?)",
        (
            *(new_id(), profile, file_id, title, language, len(cues), max(ends, default=None)),
            *(now(), shadow(title)),
        ),
    )
    seq = int(cursor.lastrowid or 0)
    scope = cue_scope(profile, language)
    connection.executemany(
        "INSERT INTO cues (transcript, position, start_ms, end_ms, text, speaker, scope, spaceless)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (seq, position, cue.start_ms, cue.end_ms, cue.text, cue.speaker, scope, is_spaceless(cue.text))
            for position, cue in enumerate(watched(cues, report, 0.5))
        ),
    )
    for part in forms:
        insert_counts(connection, seq, language, part)
    return seq


def watched(cues: Sequence[Cue], report: Callable[[float], None] | None, begin: float = 0.0) -> Iterator[Cue]:
    """The cues, while ``report`` is told how far that is, as half of a work that is at ``begin`` now."""
    for number, cue in enumerate(cues):
        if report is not None and number % _REPORTED == 0:
            report(begin + number / len(cues) / 2)
        yield cue


def cue_scope(profile: int, language: str | None) -> str:
    """One word that says whose cue it is and in which language: full-text queries begin with it."""
    return f"p{profile}x{base_language(language)}"


def build(row: sqlite3.Row) -> Transcript:
    return record(Transcript, row)
