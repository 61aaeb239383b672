"""Tables of transcripts and their cues."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import accumulate
from typing import TypeVar

from tui.records.library import Deletion
from tui.records.pages import Page
from tui.records.transcripts import Cue, NewTranscript, OriginalCue, ReadingPlace, Sentence, Transcript
from tui.store.rows import as_json, full_id, new_id, now, profile_seq, record, update_row
from tui.store.search import Search, codes_in, cue_scope, folded_words, language_in
from tui.store.tables.resource_table import cursor, cursor_numbers, invalid_cursor, page_limit
from tui.store.tables.transcripts.cue_rows import (
    COLUMNS,
    ROWS,
    CueRows,
    SentenceSearchTable,
    cue_conditions,
    cue_of,
    last_end_ms,
    row_texts,
)
from tui.store.tables.transcripts.edit import Span, Track, counts_in, edit_transcript, spans, track_of
from tui.store.tables.transcripts.sentences import SentencePlace, sentences_from, sentences_from_offset
from tui.store.tables.words import insert_counts
from tui.store.trash_entry import TrashEntry

T = TypeVar("T")


class Transcripts(SentenceSearchTable[Transcript]):
    """Table of transcripts, searched by title, series, language and origin, and by their cues."""

    name = "transcripts"
    select = "SELECT r.* FROM transcripts AS r"
    facets = (language_in("language"), codes_in("origin"))
    kind = Transcript
    names = (
        "SELECT t.seq, t.title, t.series, t.season, t.episode, f.name, m.path FROM transcripts AS t"
        " LEFT JOIN files AS f ON f.id = t.file_id LEFT JOIN transcript_media AS m ON m.transcript = t.seq"
        " WHERE t.profile = ?"
    )

    def build(self, row: sqlite3.Row) -> Transcript:
        return record(Transcript, row, hit=None)

    def _rows_with(self, connection: sqlite3.Connection, hits: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        return {seq: (seq, position) for seq, position in hits.items()}

    def newest(self, profile: str, language: str | None, limit: int) -> tuple[Transcript, ...]:
        """The newest transcripts in a language: a primary subtag, "" for an unknown one, None for any."""
        with self._connections.read() as connection:
            rows = connection.execute(
                f"{self.select} WHERE r.profile = :profile AND (:language IS NULL"
                " OR coalesce(r.language, '') = :language OR r.language LIKE :language || '-%')"
                " ORDER BY r.seq DESC LIMIT :limit",
                {"profile": profile_seq(connection, profile), "language": language, "limit": limit},
            )
            return tuple(map(self.build, rows))

    def cues(
        self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Cue]:
        """A page of cues in the order of the text; a cursor is one of this transcript."""
        last = None if after is None else cursor_numbers("cues", after, 2)
        with self._connections.read() as connection:
            transcript = self.row(connection, full_id(connection, self.name, profile, transcript_id))
            seq, total = transcript["seq"], transcript["cue_count"]
            if last is not None and last[0] != seq:
                raise invalid_cursor("cues", after or "")
            offset = 0 if last is not None else min(max(0, offset), total)
            rows = connection.execute(
                f"SELECT {cue_columns()} FROM cues WHERE transcript = ? AND position > ? ORDER BY position LIMIT ?",
                (seq, offset - 1 if last is None else last[1], page_limit(limit)),
            )
            cues = tuple(map(cue_of, rows))
            more = cues and cues[-1].index < total - 1
            return Page(cues, total, offset, cursor("cues", seq, cues[-1].index) if more else None)

    def sentences(
        self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Sentence]:
        """A page of the whole sentences, which may stand in several cues."""
        with self._connections.read() as connection:
            transcript = self.row(connection, full_id(connection, self.name, profile, transcript_id))
            seq, language, limit = transcript["seq"], transcript["language"], page_limit(limit)
            if after is None:
                rows = sentences_from_offset(connection, seq, language, max(0, offset), limit)
            else:
                number, *place = cursor_numbers("sentences", after, 1 + len(fields(SentencePlace)))
                if number != seq:
                    raise invalid_cursor("sentences", after)
                rows = sentences_from(connection, seq, language, SentencePlace(*place), limit)
            begin = min(max(0, offset), rows.total) if after is None else 0
            following = None if rows.next is None else cursor("sentences", seq, *astuple(rows.next))
            return Page(rows.items, rows.total, begin, following)

    def originals(
        self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[OriginalCue]:
        """A page of the cues that the import changed, as they stood in the file and in its order."""
        last = None if after is None else cursor_numbers("changes", after, 2)
        with self._connections.read() as connection:
            seq = self.row(connection, full_id(connection, self.name, profile, transcript_id))["seq"]
            if last is not None and last[0] != seq:
                raise invalid_cursor("changes", after or "")
            counted = "SELECT count(*) FROM original_cues WHERE transcript = ?"
            total = connection.execute(counted, (seq,)).fetchone()[0]
            offset = 0 if last is not None else min(max(0, offset), total)
            rows = connection.execute(
                "SELECT number, position, change, reasons, start_ms, end_ms, text FROM original_cues"
                " WHERE transcript = ? AND number > ? ORDER BY number LIMIT ?",
                (seq, offset - 1 if last is None else last[1], page_limit(limit)),
            ).fetchall()
            items = tuple(_original_of(row) for row in rows)
            more = rows and rows[-1]["number"] < total - 1
            return Page(items, total, offset, cursor("changes", seq, rows[-1]["number"]) if more else None)

    def find(self, profile: str, transcript_id: str, q: str, limit: int = 10_000) -> tuple[int, ...]:
        """The indexes of the cues that match, in order; nothing typed finds nothing."""
        search = Search.parse(q)
        with self._connections.read() as connection:
            seq = self.row(connection, full_id(connection, self.name, profile, transcript_id))["seq"]
            if not search.given or search.matches_nothing:
                return ()
            # The cues of a transcript are neighbours.
            low, high = connection.execute(
                "SELECT min(seq), max(seq) FROM cues WHERE transcript = ?", (seq,)
            ).fetchone()
            conditions, parameters = cue_conditions(search, (low, high))
            rows = connection.execute(
                f"SELECT position FROM cues WHERE transcript = ? AND {' AND '.join(conditions)}"
                " ORDER BY position LIMIT ?",
                (seq, *parameters, page_limit(limit)),
            )
            return tuple(row[0] for row in rows)

    def edit(self, profile: str, transcript_id: str, *, title: str | None, language: str | None) -> Transcript:
        """Give a transcript another title and language, which undo takes back; None leaves it, "" is no language.

        For another language its words are counted anew, before anything is locked.
        """
        while True:
            with self._connections.read() as connection:
                seen = self.row(connection, full_id(connection, self.name, profile, transcript_id))
                new_title = seen["title"] if title is None else title
                new_language = seen["language"] if language is None else language or None
                counts = counts_in(connection, seen, new_language)
            if (new_title, new_language) == (seen["title"], seen["language"]):
                return self.build(seen)
            with self._connections.write() as connection:
                row = self.row(connection, seen["id"])
                if (row["seq"], row["language"]) == (seen["seq"], seen["language"]):
                    edit_transcript(connection, row, new_title, new_language, counts)
                    return self.build(self.row(connection, seen["id"]))
                # It was read anew meanwhile: these are the words of other cues.

    def place(self, profile: str, transcript_id: str) -> ReadingPlace | None:
        """The place at which the transcript was left, within the cues that it has now; None before it was read."""
        with self._connections.read() as connection:
            transcript = self.row(connection, full_id(connection, self.name, profile, transcript_id))
            query = "SELECT cue, word FROM reading_places WHERE transcript_id = ?"
            row = connection.execute(query, (transcript["id"],)).fetchone()
            return None if row is None else ReadingPlace(max(0, min(row[0], transcript["cue_count"] - 1)), row[1])

    def leave_at(self, profile: str, transcript_id: str, place: ReadingPlace) -> None:
        """Keep the place at which the transcript is left."""
        with self._connections.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO reading_places (transcript_id, cue, word, left_at) VALUES (?, ?, ?, ?)",
                (full_id(connection, self.name, profile, transcript_id), place.cue_index, place.word_index, now()),
            )

    def spans(self, profile: str, transcript_id: str) -> list[Span]:
        """Start and end of the cues that have times."""
        with self._connections.read() as connection:
            return spans(
                connection, self.row(connection, full_id(connection, self.name, profile, transcript_id))["seq"]
            )

    def track(self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200) -> Track:
        """The part of its translation track that is beside these cues."""
        with self._connections.read() as connection:
            transcript = self.row(connection, full_id(connection, self.name, profile, transcript_id))
            offset = min(max(0, offset), transcript["cue_count"])
            return track_of(connection, transcript, offset, page_limit(limit))

    def pair(self, profile: str, transcript_id: str, translation_id: str | None, offset_ms: int = 0) -> Transcript:
        """Give a transcript a translation track, another one than it had before, or none any more."""
        with self._connections.write() as connection:
            given = full_id(connection, self.name, profile, transcript_id)
            track = None if translation_id is None else full_id(connection, self.name, profile, translation_id)
            changes = {"translation_id": track, "translation_offset_ms": None if track is None else offset_ms}
            update_row(connection, "all_transcripts", "id", given, changes)
            return self.build(self.row(connection, given))

    def _delete(self, connection: sqlite3.Connection, seqs: Sequence[int]) -> Deletion:
        """Delete transcripts with their cues; clips and transcripts that refer to them stay and no longer do.

        Takes as long for half a million cues as for one: they are hidden where they are.
        """
        rows = connection.execute(
            f"{self.select} WHERE r.seq IN (SELECT value FROM json_each(?))", (as_json(seqs),)
        ).fetchall()
        entry = TrashEntry(hidden=seqs)
        ids = [row["id"] for row in rows]
        entry.clear_references(connection, "clips", "transcript_id", ids)
        entry.clear_references(connection, "transcripts", "translation_id", ids)
        return entry.save(connection, rows[0]["profile"], "transcripts", rows[0]["title"], len(seqs))


@dataclass(frozen=True, slots=True)
class CountedTranscript:
    """A transcript to be kept, and how often each form of a word occurs in it, in parts as ``count_forms`` gives them.

    ``report`` gets the progress of its import, from 0 to 1; what it raises ends the work.
    """

    contents: NewTranscript
    forms: Iterable[str]
    report: Callable[[float], None] | None = None


def insert_transcript(connection: sqlite3.Connection, profile: int, file_id: str, counted: CountedTranscript) -> int:
    """Write an imported transcript with its cues and the counts of its word forms, part by part; gives its number.

    The progress that it reports is that of the second half of the work, which began with counting the forms.
    """
    new = counted.contents
    cues = new.cues
    rows = cues.parts if isinstance(cues, CueRows) else row_texts(with_progress(cues, counted.report, 0.5))
    values = {
        "id": new_id(),
        "profile": profile,
        "file_id": file_id,
        "title": new.title,
        "language": new.language,
        "origin": "import",
        "cue_count": len(new.cues),
        "duration_ms": cues.last_end_ms if isinstance(cues, CueRows) else last_end_ms(_stoppable(cues, counted.report)),
        "created_at": now(),
        "folded": folded_words(new.title, new.series),
        "series": new.series,
        "season": new.season,
        "episode": new.episode,
    }
    cursor = connection.execute(
        f"INSERT INTO all_transcripts ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
        tuple(values.values()),
    )
    seq = int(cursor.lastrowid or 0)
    _insert_cues(connection, seq, cue_scope(profile, new.language), rows)
    connection.executemany(
        "INSERT INTO original_cues (transcript, number, position, change, reasons, start_ms, end_ms, text)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (seq, number, cue.cue_index, cue.change, " ".join(cue.reasons), cue.start_ms, cue.end_ms, cue.text)
            for number, cue in enumerate(_stoppable(new.originals, counted.report))
        ),
    )
    for part in counted.forms:
        if counted.report is not None:
            counted.report(1.0)
        insert_counts(connection, seq, new.language, part)
    return seq


def _insert_cues(connection: sqlite3.Connection, transcript: int, scope: str, rows: Iterable[str]) -> None:
    """Write cues and make them searchable, many in one statement: meanwhile Python's other threads go on."""
    columns = ", ".join(f"value ->> {number}" for number in range(len(COLUMNS)))
    for text in rows:
        cursor = connection.execute(
            f"INSERT INTO cues (transcript, scope, {', '.join(COLUMNS)}) SELECT ?, ?, {columns} FROM json_each(?)",
            (transcript, scope, text),
        )
        last = int(cursor.lastrowid or 0)
        index_cues(connection, last - cursor.rowcount + 1, last)


def index_cues(connection: sqlite3.Connection, first: int, last: int) -> None:
    """Make the cues with these numbers searchable.

    A statement costs FTS5 a flush of its index, so that a trigger for each cue takes ten times as long.
    """
    between = "FROM cues WHERE seq BETWEEN ? AND ?"
    connection.execute(f"INSERT INTO cues_words (rowid, scope, text) SELECT seq, scope, text {between}", (first, last))
    connection.execute(
        f"INSERT INTO cues_trigrams (rowid, text) SELECT seq, text {between} AND spaceless", (first, last)
    )


def with_progress(cues: Sequence[Cue], report: Callable[[float], None] | None, begin: float = 0.0) -> Iterator[Cue]:
    """Iterate over the cues and report progress, as the half of a work that is at ``begin`` now."""
    for number, cue in enumerate(cues):
        if report is not None and number % ROWS == 0:
            report(begin + number / len(cues) / 2)
        yield cue


def _stoppable(values: Iterable[T], report: Callable[[float], None] | None) -> Iterator[T]:
    """The values; now and then the report of a work that is nearly done is called, which may end it."""
    for number, value in enumerate(values):
        if report is not None and number % ROWS == 0:
            report(1.0)
        yield value


def shares_of(
    report: Callable[[float], None] | None, transcripts: Sequence[NewTranscript]
) -> list[Callable[[float], None] | None]:
    """Split the progress of an import among its transcripts, each with the share of its cues."""
    if report is None:
        return [None] * len(transcripts)
    total = max(1, sum(len(each.cues) for each in transcripts))
    begins = accumulate((len(each.cues) / total for each in transcripts), initial=0.0)
    return [_share(report, begin, len(each.cues) / total) for each, begin in zip(transcripts, begins, strict=False)]


def _share(report: Callable[[float], None], begin: float, share: float) -> Callable[[float], None]:
    return lambda progress: report(begin + share * progress)


def cue_columns(alias: str = "") -> str:
    """The columns that ``cue_of`` makes a cue of, of the table ``cues`` under this alias."""
    return ", ".join(f"{alias}{name}" for name in COLUMNS[:-1])


def _original_of(row: sqlite3.Row) -> OriginalCue:
    _, position, change, reasons, start, end, text = row
    return OriginalCue(position, change, tuple(reasons.split()), start, end, text)
