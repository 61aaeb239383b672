"""Search in cues: those of one transcript that match, and the transcripts and files whose lists a sentence finds."""

from __future__ import annotations

import json
import sqlite3
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tui.records.files import ProfileFile
from tui.records.transcripts import CueHit, Transcript
from tui.store.rows import as_json
from tui.store.search import Search
from tui.store.tables.resource_table import Matching, ResourceTable

T = TypeVar("T", bound=Transcript | ProfileFile)


def cue_conditions(search: Search, rows: tuple[int, int] | None = None) -> tuple[list[str], list[object]]:
    """Conditions on ``cues`` for those that have every word of the search, with their parameters.

    ``rows`` are the first and the last number that they may have: FTS5 can look through a range of rows only.
    """
    conditions: list[str] = []
    parameters: list[object] = []
    within = "" if rows is None else " AND rowid BETWEEN ? AND ?"
    for table, expression in (
        ("cues_words", search.match("text") if search.prefixes else ""),
        ("cues_trigrams", search.trigrams),
    ):
        if expression:
            conditions.append(f"cues.seq IN (SELECT rowid FROM {table} WHERE {table} MATCH ?{within})")
            parameters += [expression, *(rows or ())]
    conditions += [r"cues.text LIKE ? ESCAPE '\'"] * len(search.short_patterns)
    return conditions, [*parameters, *search.short_patterns]


@dataclass(frozen=True, slots=True)
class SentenceMatching(Matching):
    """Rows of a list, some of which are found by a cue: ``hits`` has its transcript and position by the row."""

    hits: Mapping[int, tuple[int, int]] | None = None


class SentenceSearchTable(ResourceTable[T]):
    """Base class of the tables of transcripts and files, which are found by what their rows have or by one cue.

    A record that only a cue finds says which, the first one.
    """

    @abstractmethod
    def _rows_with(self, connection: sqlite3.Connection, hits: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        """The rows of this table that have transcripts with these first hits, each with one of them and its hit."""

    def _found(self, connection: sqlite3.Connection, profile: int, search: Search) -> Matching:
        by_row: Matching = super()._found(connection, profile, search)
        hits = self._rows_with(connection, _first_hits(connection, profile, search))
        query = f"{by_row.query} AND seq IN (SELECT value FROM json_each(?))"
        for (seq,) in connection.execute(query, (*by_row.parameters, as_json(hits))):
            del hits[seq]
        if not hits:
            return by_row
        return SentenceMatching(
            f"SELECT seq FROM ({by_row.query} UNION ALL SELECT value FROM json_each(?)) WHERE true",
            (*by_row.parameters, as_json(hits)),
            by_row.total + len(hits),
            hits=hits,
        )

    def build_found(
        self, connection: sqlite3.Connection, rows: Sequence[sqlite3.Row], matching: Matching
    ) -> tuple[T, ...]:
        items = super().build_found(connection, rows, matching)
        hits = matching.hits or {} if isinstance(matching, SentenceMatching) else {}
        places = {row["seq"]: hits[row["seq"]] for row in rows if row["seq"] in hits}
        if not places:
            return items
        found = connection.execute(
            "SELECT given.value ->> 0, t.id, c.position, c.text FROM json_each(?) AS given"
            " JOIN cues AS c ON c.transcript = given.value ->> 1 AND c.position = given.value ->> 2"
            " JOIN all_transcripts AS t ON t.seq = c.transcript",
            (json.dumps([[seq, *place] for seq, place in places.items()]),),
        )
        said = {row[0]: CueHit(*row[1:]) for row in found}
        return tuple(replace(item, hit=said.get(row["seq"])) for item, row in zip(items, rows, strict=True))


def _first_hits(connection: sqlite3.Connection, profile: int, search: Search) -> dict[int, int]:
    """The first position that matches in each transcript of the profile that has one."""
    conditions, parameters = cue_conditions(search)
    if not search.prefixes:
        conditions.append("cues.spaceless")
    return dict(
        connection.execute(
            "SELECT cues.transcript, min(cues.position)"
            " FROM cues CROSS JOIN transcripts AS t ON t.seq = cues.transcript"
            f" WHERE t.profile = ? AND {' AND '.join(conditions)} GROUP BY 1",
            (profile, *parameters),
        ).fetchall()
    )
