"""Sentences of the library, as a search of everything finds them: the newest cues first, with those around them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from tui.records.search import SearchHit
from tui.records.search_fields import SEARCH_FIELDS
from tui.store.database import Connections, Table
from tui.store.rows import AMONG, MAX_INTEGER, Connection, as_json
from tui.store.search import Field, Search, is_among
from tui.store.tables.resource_table import field_conditions
from tui.store.tables.transcripts import Transcripts
from tui.text.sanitize import one_line
from tui.text.search_query import Matches, Term

if TYPE_CHECKING:
    from tui.store.known_words.new_words import NewWords
    from tui.store.tables.settings import SettingsTable

MAX_COUNTED = 20_000
"""Cues whose new words are counted for a search at most: a number that hardly any sentence has would take them all."""
_AT_ONCE = 50
_FEW = 50
"""Transcripts whose cues are looked through by themselves: a whole library is not, for the words of one film."""
_LIKE = r"cues.text LIKE ? ESCAPE '\'"
_NOTES = (
    "SELECT n.text AS note, n.cue, t.id, t.title, t.language, c.start_ms, c.text FROM cue_notes AS n"
    " CROSS JOIN transcripts AS t ON t.id = n.transcript_id CROSS JOIN cues AS c ON c.transcript = t.seq"
    " AND c.position = n.cue"
)
_AROUND = "SELECT position, text FROM cues WHERE transcript = ? AND position BETWEEN ? AND ?"


class Sentences(Table):
    """The cues of a profile's transcripts, searched by their texts and by the fields of their transcripts."""

    fields: ClassVar[Mapping[str, Field]] = Transcripts.own_fields

    def __init__(self, connections: Connections, new_words: NewWords, settings: SettingsTable) -> None:
        super().__init__(connections)
        self._new_words = new_words
        self._settings = settings

    def find(self, profile: str, q: str, limit: int) -> tuple[SearchHit, ...]:
        """The newest cues that have all of a search, at most ``limit``.

        None for one without a word, or without a number of new words, which only what was counted has.
        """
        with self._connections.read() as connection:
            seq, search = connection.profile_seq(profile), Search.parse(q, SEARCH_FIELDS["sentences"])
            wanted = [term for term in search.fields if term.field == "new"]
            if seq is None or not (search.has_spaced or search.has_spaceless or wanted):
                return ()
            search = _without_single_letters(search).with_forms(connection)
            matches = Matches(search.terms, {term: search.forms_of(term) for term in search.terms})
            rows = _newest(connection, seq, search, self.fields)
            if wanted:
                count = self._new_words.count_at(connection, seq, self._settings.get(profile).known_states)
                rows = islice(rows, MAX_COUNTED)
                rows = (row for row in rows if _has_new(count(row["transcript"], row["position"]), wanted))
            return tuple(_hit(connection, row, matches) for row in islice(rows, limit))

    def find_notes(self, profile: str, q: str, limit: int) -> tuple[SearchHit, ...]:
        """The last notes at cues that have all of a search, at most ``limit``; ``note:`` means what any word does."""
        with self._connections.read() as connection:
            seq, search = connection.profile_seq(profile), Search.parse(q, SEARCH_FIELDS["sentences"])
            words = [replace(term, field="") for term in search.fields if term.field == "note"]
            of_transcript = [term for term in search.fields if term.field != "note"]
            search = replace(search, terms=(*search.terms, *words), fields=tuple(of_transcript))
            is_counted = any(term.field == "new" for term in of_transcript)  # which is of sentences
            if seq is None or is_counted or not any(not term.is_negated for term in search.terms):
                return ()
            search = search.with_forms(connection)
            of_fields, parameters = field_conditions(search, self.fields)
            conditions = [
                "t.profile = ?",
                *(f"t.seq IN (SELECT seq FROM transcripts WHERE {each})" for each in of_fields),
            ]
            query = f"{_NOTES} WHERE {' AND '.join(conditions)} ORDER BY n.updated_at DESC"
            return tuple(islice(_found_notes(connection.execute(query, (seq, *parameters)), search), limit))


def _found_notes(rows: Iterable[sqlite3.Row], search: Search) -> Iterator[SearchHit]:
    """The notes in which every word is found, and none that is to be left out; people write few, so all are read."""
    forms = {term: search.forms_of(term) for term in search.terms}
    matches = Matches(search.terms, forms)
    unwanted = Matches([replace(term, is_negated=False) for term in search.terms if term.is_negated])
    for row in rows:
        text = one_line(row["note"])
        spans = matches.spans(text)
        if len({number for _, _, number in spans}) == len(matches) and not unwanted.spans(text):
            yield SearchHit(
                row["id"],
                text,
                tuple(sorted((start, end) for start, end, _ in spans)),
                row["title"],
                language=row["language"],
                before=one_line(row["text"]),
                cue_index=row["cue"],
                start_ms=row["start_ms"],
            )


def _has_new(counts: Collection[int], wanted: Iterable[Term]) -> bool:
    """Whether one of a cue's sentences has as many new words as every term wants: a number, or the first and last."""
    return all(any(is_among(each, term) for each in counts) is not term.is_negated for term in wanted)


def _without_single_letters(search: Search) -> Search:
    """The search, in which a single letter is a whole word: as a beginning it would be that of half a library."""
    terms = tuple(replace(each, is_finished=each.is_finished or len(each.text) < 2) for each in search.terms)
    return replace(search, terms=terms)


def _newest(connection: Connection, profile: int, search: Search, fields: Mapping[str, Field]) -> Iterator[sqlite3.Row]:
    """The cues that match, newest first, a few at a time."""
    among: list[int] | None = None
    of_fields, of_transcript = field_conditions(search, fields)
    if of_fields:
        query = f"SELECT seq FROM transcripts WHERE profile = ? AND {' AND '.join(of_fields)}"
        among = connection.column(query, profile, *of_transcript)
    table, number, words = "cues", "cues.seq", search.match("text")
    if among is not None and len(among) <= _FEW:
        ends = connection.row(f"SELECT min(seq), max(seq) FROM cues WHERE transcript {AMONG}", as_json(among))
        conditions, parameters = search.conditions("cues", words, _LIKE, ends and tuple(ends))
        conditions.append(f"cues.transcript {AMONG}")
        parameters.append(as_json(among))
    else:
        conditions, parameters = search.conditions("cues", "", _LIKE)
        # The rest is asked of each row in this order: a text is read where nothing shorter has left the row out.
        if among is not None:
            conditions.insert(0, f"+cues.transcript {AMONG}")  # not by its index, whose rows would all be sorted
            parameters.insert(0, as_json(among))
        if words:
            # CROSS JOIN keeps the full-text table outermost: it gives its rows newest first, so that nothing is sorted.
            table, number = "cues_words AS f CROSS JOIN cues ON cues.seq = f.rowid", "f.rowid"
            conditions.insert(0, "cues_words MATCH ?")
            parameters.insert(0, words)
        elif search.has_spaceless:
            conditions.insert(0, "cues.spaceless")
    if any(term.field == "new" for term in search.fields):
        conditions.append("t.seq IN (SELECT transcript FROM transcript_words)")
    query = (
        "SELECT cues.seq, cues.position, cues.start_ms, cues.text, t.seq AS transcript, t.id, t.title, t.language"
        f" FROM {table} CROSS JOIN transcripts AS t ON t.seq = cues.transcript AND t.profile = {profile}"
        f" WHERE {' AND '.join(conditions)} AND {number} < ? ORDER BY {number} DESC LIMIT {_AT_ONCE}"
    )
    below = MAX_INTEGER
    while rows := connection.rows(query, *parameters, below):
        yield from rows
        below = rows[-1]["seq"]


def _hit(connection: Connection, row: sqlite3.Row, matches: Matches) -> SearchHit:
    text, here = one_line(row["text"]), row["position"]
    around = dict[int, str](map(tuple, connection.execute(_AROUND, (row["transcript"], here - 1, here + 1))))
    return SearchHit(
        row["id"],
        text,
        tuple(sorted((start, end) for start, end, _ in matches.spans(text))),
        row["title"],
        language=row["language"],
        before=one_line(around.get(here - 1, "")),
        after=one_line(around.get(here + 1, "")),
        cue_index=here,
        start_ms=row["start_ms"],
    )
