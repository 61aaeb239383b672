"""Tables of transcripts and their cues."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import ClassVar, TypeVar

from tui.errors import InvalidInput
from tui.records.deletion import Deletion
from tui.records.pages import Page
from tui.records.transcripts import (
    Cue,
    CueNote,
    LastRead,
    NewTranscript,
    Origin,
    OriginalCue,
    ReadingPlace,
    Sentence,
    Transcript,
)
from tui.store.database import Connections
from tui.store.rows import AMONG, PROFILE, Connection, as_json, new_id, now, record
from tui.store.search import (
    Field,
    Search,
    codes_in,
    cue_scope,
    field_of,
    flags,
    folded_words,
    is_among,
    language_in,
    text_in,
)
from tui.store.tables import cue_rows
from tui.store.tables.cue_notes import noted_cues, notes_of, put_note
from tui.store.tables.cue_rows import CueRows, SentenceSearchTable
from tui.store.tables.cue_times import read_spans
from tui.store.tables.resource_table import cursor, cursor_numbers, invalid_cursor, page_limit
from tui.store.tables.sorting import text_key
from tui.store.tables.transcript_edit import Span, Track, counts_in, edit_transcript, track_of
from tui.store.tables.words import insert_counts
from tui.store.trash_entry import TrashEntry, forget_redo, take_out_jobs
from tui.text.search_query import Term

T = TypeVar("T")
READ = {
    "done": "id IN (SELECT transcript_id FROM reading_places WHERE read >= cue_count)",
    "begun": "id IN (SELECT transcript_id FROM reading_places WHERE read < cue_count)",
    "new": "id NOT IN (SELECT transcript_id FROM reading_places)",
}
"""Conditions of transcripts that are read, begun, or were never opened."""
_LAST_READ = (
    # CROSS JOIN keeps the places outermost, whose index has them in this order: only those asked for are read.
    "SELECT r.*, min(p.read, r.cue_count) AS read_cues, p.cue, p.word, p.left_at, c.start_ms FROM reading_places AS p"
    " CROSS JOIN transcripts AS r ON r.id = p.transcript_id"
    " LEFT JOIN cues AS c ON c.transcript = r.seq AND c.position = min(p.cue, r.cue_count - 1)"
    f" WHERE r.profile = {PROFILE} ORDER BY p.left_at DESC LIMIT ?"
)


def share_read(transcript_id: str, cue_count: str) -> str:
    """SQL of the share of a transcript that is read, null where it was never opened."""
    share = f"min(1.0, p.read * 1.0 / max(1, {cue_count}))"
    return f"(SELECT {share} FROM reading_places AS p WHERE p.transcript_id = {transcript_id})"


_EPISODE = "lower(r.series) || printf(' %05d %05d', coalesce(r.season, 0), coalesce(r.episode, 0)) || r.folded"
"""Text by which episodes come in their order."""


class Transcripts(SentenceSearchTable[Transcript]):
    """Table of transcripts, searched by title, series, language and origin, and by their cues."""

    name = "transcripts"
    select = (
        "SELECT r.*, min(p.read, r.cue_count) AS read_cues FROM transcripts AS r"
        " LEFT JOIN reading_places AS p ON p.transcript_id = r.id"
    )
    facets = (language_in("language"), codes_in("origin"))
    own_fields: ClassVar[Mapping[str, Field]] = {
        "lang": field_of(language_in("language")),
        "title": field_of(text_in("title", within="folded")),
        "series": field_of(text_in("series")),
        "source": field_of(text_in("title || ' ' || series")),
        "note": field_of(
            text_in("coalesce((SELECT group_concat(text, ' ') FROM cue_notes WHERE transcript_id = id), '')")
        ),
        "read": flags(**READ),
        "has": flags(
            film="seq IN (SELECT transcript FROM transcript_media)",
            translation="translation_id IS NOT NULL",
            series="series <> ''",
            clips="id IN (SELECT transcript_id FROM clips)",
            notes="id IN (SELECT transcript_id FROM cue_notes)",
            times="duration_ms IS NOT NULL",
        ),
    }
    sort_keys: ClassVar[Mapping[str, str]] = {
        "title": text_key(f"iif(r.series = '', r.folded, ' ' || {_EPISODE})"),
        "series": text_key(f"iif(r.series = '', '', {_EPISODE})"),
        "lang": text_key("r.language"),
        "cues": "r.cue_count",
        "length": "r.duration_ms",
        "origin": "r.origin",
        "read": share_read("r.id", "r.cue_count"),
    }
    group_names: ClassVar[Mapping[str, str]] = {"series": "r.series"}
    counted_row = "r.seq"
    kind = Transcript
    names = (
        "SELECT t.seq, t.title, t.series, t.season, t.episode, f.name, m.path FROM transcripts AS t"
        " LEFT JOIN files AS f ON f.id = t.file_id LEFT JOIN transcript_media AS m ON m.transcript = t.seq"
        " WHERE t.profile = ?"
    )

    def __init__(self, connections: Connections) -> None:
        super().__init__(connections)
        self.new_words: Mapping[int, float] = {}
        """How many new words transcripts have, by their rows, as they were counted for the last search by that."""
        self.fields = {**self.own_fields, "new": self._has_new}

    def _has_new(self, term: Term) -> tuple[str, tuple[object, ...]]:
        return f"seq {AMONG}", (as_json(seq for seq, count in self.new_words.items() if is_among(int(count), term)),)

    def build(self, row: sqlite3.Row) -> Transcript:
        return record(Transcript, row, hit=None)

    def _rows_with(self, connection: Connection, hits: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        return {seq: (seq, position) for seq, position in hits.items()}

    def newest(self, profile: str, language: str | None, limit: int) -> tuple[Transcript, ...]:
        """The newest transcripts in a language: a primary subtag, "" for an unknown one, None for any."""
        rows = self._connections.rows(
            f"{self.select} WHERE r.profile = {PROFILE} AND (?2 IS NULL OR coalesce(r.language, '') = ?2"
            " OR r.language LIKE ?2 || '-%') ORDER BY r.seq DESC LIMIT ?3",
            *(profile, language, limit),
        )
        return tuple(map(self.build, rows))

    def cues(
        self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Cue]:
        """A page of cues in the order of the text; a cursor is one of this transcript."""
        with self._connections.read() as connection:
            transcript = self.find_row(connection, profile, transcript_id)
            seq, total = transcript["seq"], transcript["cue_count"]
            offset, last = _begin("cues", seq, total, offset, after)
            query = f"SELECT {cue_rows.CUE_COLUMNS} FROM cues WHERE transcript = ? AND position > ?"
            rows = connection.rows(f"{query} ORDER BY position LIMIT ?", seq, last, page_limit(limit))
            cues = tuple(map(cue_rows.cue_of, rows))
            more = cues and cues[-1].index < total - 1
            return Page(cues, total, offset, cursor("cues", seq, cues[-1].index) if more else None)

    def sentences(
        self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Sentence]:
        """A page of the whole sentences, which may stand in several cues: these are joined and cut as they are read.

        From an offset that takes as long as reading all cues, as sentences are counted so. A cursor has the index of
        the next one, the cue and the offset in it where it begins, 0 if it is left in its many cues, and the total.
        """
        # Imported when it is asked for: the store is opened while the first rows are waited for.
        from tui.language.cue_sentences import SAMPLE, cuts_sentences, each_sentence

        with self._connections.read() as connection:
            transcript = self.find_row(connection, profile, transcript_id)
            seq, language, limit = transcript["seq"], transcript["language"], page_limit(limit)
            cutting = cuts_sentences(list(islice(cue_rows.spoken_cues(connection, seq), SAMPLE)))
            found, rest, total = [], None, 0
            if after is None:
                first = max(0, offset)
                for sentence in each_sentence(cue_rows.spoken_cues(connection, seq), language, cutting=cutting):
                    if first <= total < first + limit:
                        found.append(sentence)
                    elif total == first + limit:
                        rest = sentence
                    total += 1
                first = min(first, total)
            else:
                number, first, cue, begin, is_whole, total = cursor_numbers("sentences", after, 6)
                if number != seq:
                    raise invalid_cursor("sentences", after)
                cues = cue_rows.spoken_cues(connection, seq, cue)
                whole = bool(is_whole)
                sentences = each_sentence(cues, language, cutting=cutting, begin=begin, is_whole=whole)
                found, rest = list(islice(sentences, limit)), next(sentences, None)
            items = tuple(
                Sentence(index, each.start_ms, each.end_ms, each.text, each.speaker, each.first, each.last)
                for index, each in enumerate(found, first)
            )
            following = None
            if rest is not None:
                part, index = rest.parts[0], first + len(items)
                following = cursor("sentences", seq, index, part.cue, part.start, int(rest.is_whole), total)
            return Page(items, total, first if after is None else 0, following)

    def originals(
        self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[OriginalCue]:
        """A page of the cues that the import changed, as they stood in the file and in its order."""
        with self._connections.read() as connection:
            seq = self.find_row(connection, profile, transcript_id)["seq"]
            total = connection.value("SELECT count(*) FROM original_cues WHERE transcript = ?", seq)
            offset, last = _begin("changes", seq, total, offset, after)
            rows = connection.rows(
                "SELECT number, position AS cue_index, change, reasons, start_ms, end_ms, text FROM original_cues"
                " WHERE transcript = ? AND number > ? ORDER BY number LIMIT ?",
                *(seq, last, page_limit(limit)),
            )
            items = tuple(record(OriginalCue, row, reasons=tuple(row["reasons"].split())) for row in rows)
            more = rows and rows[-1]["number"] < total - 1
            return Page(items, total, offset, cursor("changes", seq, rows[-1]["number"]) if more else None)

    def find(self, profile: str, transcript_id: str, q: str, limit: int = 10_000) -> tuple[int, ...]:
        """The indexes of the cues that match, or whose notes do, in order; nothing typed finds nothing."""
        search = Search.parse(q)
        with self._connections.read() as connection:
            transcript, search = self.find_row(connection, profile, transcript_id), search.with_forms(connection)
            seq = transcript["seq"]
            if not search.has_spaced and not search.has_spaceless:
                return ()
            noted = noted_cues(connection, transcript["id"], search)
            # The cues of a transcript are neighbours.
            ends = connection.row("SELECT min(seq), max(seq) FROM cues WHERE transcript = ?", seq)
            conditions, parameters = cue_rows.cue_conditions(search, ends)
            which = f"transcript = ? AND {' AND '.join(conditions)}"
            query = f"SELECT position FROM cues WHERE {which} ORDER BY position LIMIT ?"
            found = connection.column(query, seq, *parameters, page_limit(limit))
            return tuple(sorted(noted.union(found))[: page_limit(limit)] if noted else found)

    def edit(self, profile: str, transcript_id: str, *, title: str | None, language: str | None) -> Transcript:
        """Give a transcript another title and language, which undo takes back; None leaves it, "" is no language.

        For another language its words are counted anew, before anything is locked.
        """
        while True:
            with self._connections.read() as connection:
                seen = self.find_row(connection, profile, transcript_id)
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
            transcript = self.find_row(connection, profile, transcript_id)
            row = connection.row("SELECT cue, word FROM reading_places WHERE transcript_id = ?", transcript["id"])
            return None if row is None else _place(transcript, *row)

    def leave_at(self, profile: str, transcript_id: str, place: ReadingPlace) -> None:
        """Keep the place at which the transcript is left; what was read once stays read."""
        with self._connections.write() as connection:
            transcript = self.find_row(connection, profile, transcript_id)
            read = max(0, min(place.read_cues, transcript["cue_count"]))
            connection.execute(
                "INSERT INTO reading_places (transcript_id, cue, word, left_at, read) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (transcript_id) DO UPDATE SET cue = excluded.cue, word = excluded.word,"
                " left_at = excluded.left_at, read = max(read, excluded.read)",
                (transcript["id"], place.cue_index, place.word_index, now(), read),
            )

    def last_read(self, profile: str, limit: int) -> tuple[LastRead, ...]:
        """The transcripts that were left last, the last one first."""
        return tuple(
            LastRead(self.build(row), _place(row, row["cue"], row["word"]), row["start_ms"], row["left_at"])
            for row in self._connections.rows(_LAST_READ, profile, page_limit(limit))
        )

    def notes(self, profile: str, transcript_id: str) -> tuple[CueNote, ...]:
        """The notes at the cues of a transcript, in order."""
        with self._connections.read() as connection:
            return notes_of(connection, self.find_row(connection, profile, transcript_id)["id"])

    def note(self, profile: str, transcript_id: str, cue: int, text: str) -> CueNote:
        """Put a note at a cue, or take it away (""), which undo takes back."""
        with self._connections.write() as connection:
            transcript = self.find_row(connection, profile, transcript_id)
            if not 0 <= cue < transcript["cue_count"]:
                raise InvalidInput(
                    f"there is no cue {cue} in it", hint=f"it has {transcript['cue_count']}, from 0 on", field="index"
                )
            return put_note(connection, transcript, cue, text)

    def spans(self, profile: str, transcript_id: str) -> list[Span]:
        """Start and end of the cues that have times."""
        with self._connections.read() as connection:
            return read_spans(connection, self.find_row(connection, profile, transcript_id)["seq"])

    def track(self, profile: str, transcript_id: str, offset: int = 0, limit: int = 200) -> Track:
        """The part of its translation track that is beside these cues."""
        with self._connections.read() as connection:
            transcript = self.find_row(connection, profile, transcript_id)
            offset = min(max(0, offset), transcript["cue_count"])
            return track_of(connection, transcript, offset, page_limit(limit))

    def pair(self, profile: str, transcript_id: str, translation_id: str | None, offset_ms: int = 0) -> Transcript:
        """Give a transcript a translation track, another one than it had before, or none any more."""
        with self._connections.write() as connection:
            given = connection.full_id(self.name, profile, transcript_id)
            track = None if translation_id is None else connection.full_id(self.name, profile, translation_id)
            changes = {"translation_id": track, "translation_offset_ms": None if track is None else offset_ms}
            connection.update("all_transcripts", "id", given, changes)
            forget_redo(connection, connection.profile_for_writing(profile))
            return self.build(self.row(connection, given))

    def _delete(self, connection: Connection, seqs: Sequence[int]) -> Deletion:
        """Delete transcripts with their cues; clips and transcripts that refer to them stay and no longer do.

        Takes as long for half a million cues as for one: they are hidden where they are.
        """
        about = connection.rows(
            f"SELECT profile, title FROM transcripts WHERE seq {AMONG} ORDER BY seq", as_json(seqs)
        )[0]
        entry = self.take_out(connection, seqs)
        deletion = entry.save(connection, about["profile"], "transcripts", about["title"], len(seqs))
        return replace(deletion, job_ids=tuple(entry.column("jobs", "id")))

    def take_out(self, connection: Connection, seqs: Sequence[int]) -> TrashEntry:
        entry = TrashEntry(hidden=seqs)
        ids = connection.column(f"SELECT id FROM transcripts WHERE seq {AMONG}", as_json(seqs))
        take_out_jobs(connection, entry, "transcript_id", ids)
        entry.clear_references(connection, "clips", "transcript_id", ids)
        entry.clear_references(connection, "transcripts", "translation_id", ids)
        return entry


@dataclass(frozen=True, slots=True)
class CountedTranscript:
    """A transcript to be kept, and how often each form of a word occurs in it, in parts as ``count_forms`` gives them.

    ``report`` gets the progress of its import, from 0 to 1; what it raises ends the work.
    """

    contents: NewTranscript
    forms: Iterable[str]
    report: Callable[[float], None] | None = None


def insert_transcript(
    connection: Connection, profile: int, file_id: str | None, counted: CountedTranscript, *, origin: Origin = "import"
) -> int:
    """Write a transcript with its cues and the counts of its word forms, part by part; gives its number.

    The progress that it reports is that of the second half of the work, which began with counting the forms.
    """
    new = counted.contents
    cues = new.cues
    if isinstance(cues, CueRows):
        rows, duration = iter(cues.parts), cues.last_end_ms
    else:
        rows = cue_rows.row_texts(with_progress(cues, counted.report, 0.5))
        duration = cue_rows.last_end_ms(with_progress(cues, counted.report, 1.0))
    values = {name: getattr(new, name) for name in ("title", "language", "series", "season", "episode")}
    values |= {"id": new_id(), "profile": profile, "file_id": file_id, "origin": origin, "created_at": now()}
    values |= {"cue_count": len(cues), "duration_ms": duration, "folded": folded_words(new.title, new.series)}
    seq = connection.insert("all_transcripts", values)
    insert_cues(connection, seq, cue_scope(profile, new.language), rows)
    connection.executemany(
        "INSERT INTO original_cues (transcript, number, position, change, reasons, start_ms, end_ms, text)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (seq, number, cue.cue_index, cue.change, " ".join(cue.reasons), cue.start_ms, cue.end_ms, cue.text)
            for number, cue in enumerate(with_progress(new.originals, counted.report, 1.0))
        ),
    )
    for part in counted.forms:
        if counted.report is not None:
            counted.report(1.0)
        insert_counts(connection, seq, new.language, part)
    return seq


def insert_cues(connection: Connection, transcript: int, scope: str, rows: Iterable[str]) -> None:
    """Write cues and make them searchable, many in one statement: meanwhile Python's other threads go on."""
    columns = ", ".join(cue_rows.COLUMNS)
    values = ", ".join(f"value ->> {number}" for number in range(len(cue_rows.COLUMNS)))
    insert = f"INSERT INTO cues (transcript, scope, {columns}) SELECT ?, ?, {values} FROM json_each(?)"
    for text in rows:
        cursor = connection.execute(insert, (transcript, scope, text))
        last = int(cursor.lastrowid or 0)
        index_cues(connection, last - cursor.rowcount + 1, last)


def index_cues(connection: Connection, first: int, last: int) -> None:
    """Make the cues with these numbers searchable.

    A statement costs FTS5 a flush of its index, so that a trigger for each cue takes ten times as long.
    """
    between = "FROM cues WHERE seq BETWEEN ? AND ?"
    connection.execute(f"INSERT INTO cues_words (rowid, scope, text) SELECT seq, scope, text {between}", (first, last))
    trigrams = f"INSERT INTO cues_trigrams (rowid, text) SELECT seq, text {between} AND spaceless"
    connection.execute(trigrams, (first, last))


def with_progress(values: Sequence[T], report: Callable[[float], None] | None, begin: float = 0.0) -> Iterator[T]:
    """Iterate and report progress, as the half of a work that is at ``begin`` now; the report may end it."""
    for number, value in enumerate(values):
        if report is not None and number % cue_rows.ROWS == 0:
            report(min(begin + number / len(values) / 2, 1.0))
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


def _place(transcript: sqlite3.Row, cue: int, word: int) -> ReadingPlace:
    """A place in a transcript, within the cues that it has now."""
    return ReadingPlace(max(0, min(cue, transcript["cue_count"] - 1)), word, transcript["read_cues"] or 0)


def move_place(connection: Connection, old: sqlite3.Row, places: Mapping[int, int], count: int) -> None:
    """Let the place of reading stand at another cue, by the old ones, of now ``count``; what was read stays read."""
    place = connection.row("SELECT cue, read FROM reading_places WHERE transcript_id = ?", old["id"])
    if place is not None:
        read = count if place["read"] >= old["cue_count"] else places.get(place["read"] - 1, -1) + 1
        changes = {"cue": places.get(place["cue"], place["cue"]), "read": read}
        connection.update("reading_places", "transcript_id", old["id"], changes)


def _begin(listed: str, transcript: int, total: int, offset: int, after: str | None) -> tuple[int, int]:
    """The offset at which a page of a transcript's rows begins, 0 behind a cursor, and the number before its first."""
    if after is None:
        offset = min(max(0, offset), total)
        return offset, offset - 1
    number, last = cursor_numbers(listed, after, 2)
    if number != transcript:
        raise invalid_cursor(listed, after)
    return 0, last
