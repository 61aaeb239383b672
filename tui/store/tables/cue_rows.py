"""Cues as rows for the database: texts of JSON, which SQLite itself takes apart; and the search in them.

So a process can hand cues to the one that writes them without that making an object of each, which would hold up what
else it does: an import of a directory has hundreds of thousands.
"""

import json
import sqlite3
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar, get_args, overload

from tui.language.scripts import is_spaceless
from tui.records.files import ProfileFile
from tui.records.search import CueHit
from tui.records.transcripts import Cue, CueDoubt, Ruby, Transcript, WordTime
from tui.store.rows import AMONG, Connection, as_json, json_value
from tui.store.search import Search
from tui.store.tables.resource_table import Matching, ResourceTable, field_conditions

ROWS = 256
"""Number of rows in one text."""
COLUMNS = ("position", "start_ms", "end_ms", "text", "speaker", "ruby", "sounds", "words", "doubt", "spaceless")
CUE_COLUMNS = ", ".join(COLUMNS[:-1])
"""Columns that ``cue_of`` makes a cue of."""
_DOUBTS = get_args(CueDoubt)


class CueRows(Sequence[Cue]):
    """Cues that are kept as rows and made anew whenever they are read; ``last_end_ms`` is the latest of their ends."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self.parts = tuple(row_texts(cues))
        self.last_end_ms = last_end_ms(cues)
        self._count = len(cues)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Cue]:
        for part in self.parts:
            for *columns, _ in json_value(part):
                yield cue_of(columns)

    @overload
    def __getitem__(self, index: int) -> Cue: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cue]: ...
    def __getitem__(self, index: int | slice) -> Cue | Sequence[Cue]:
        return tuple(self)[index]


def row_texts(cues: Iterable[Cue], first: int = 0) -> Iterator[str]:
    """Write cues as rows of ``COLUMNS``, ``ROWS`` in each text; ``first`` is the position of the first one."""
    rest, written = iter(cues), first
    while some := list(islice(rest, ROWS)):
        rows = [_row(position, cue) for position, cue in enumerate(some, written)]
        yield json.dumps(rows, ensure_ascii=False)  # what is no Unicode is refused when it is written
        written += len(some)


def last_end_ms(cues: Iterable[Cue]) -> int | None:
    """The latest end of the cues, None where none has times."""
    return max((cue.end_ms for cue in cues if cue.end_ms is not None), default=None)


def cue_of(columns: Sequence[Any]) -> Cue:
    """Make a cue of the values of ``COLUMNS`` but the last."""
    index, start, end, text, speaker, ruby, sounds, words, doubt = columns
    return Cue(
        *(index, start, end, text, speaker),
        ruby=tuple(Ruby(*each) for each in json_value(ruby)) if ruby else (),
        sounds=tuple(json_value(sounds)) if sounds else (),
        words=tuple(WordTime(*each) for each in json_value(words)) if words else (),
        doubt=doubt if doubt in _DOUBTS else None,
    )


def spoken_cues(connection: Connection, transcript: int, first: int = 0) -> Iterator[Cue]:
    """The cues of a transcript from one on, as much of them as sentences need."""
    query = "SELECT position, start_ms, end_ms, text, speaker FROM cues WHERE transcript = ? AND position >= ?"
    return (Cue(*row) for row in connection.execute(f"{query} ORDER BY position", (transcript, first)))


def _row(position: int, cue: Cue) -> tuple[object, ...]:
    ruby = as_json([[each.start, each.end, each.text] for each in cue.ruby]) if cue.ruby else None
    sounds = as_json(cue.sounds) if cue.sounds else None
    # SQLite ends a text of JSON at a NUL, which no import leaves in one.
    text, speaker = cue.text.replace("\0", ""), cue.speaker and cue.speaker.replace("\0", "")
    words = as_json([[each.start, each.end, each.start_ms, each.end_ms] for each in cue.words]) if cue.words else None
    return position, cue.start_ms, cue.end_ms, text, speaker, ruby, sounds, words, cue.doubt, is_spaceless(text)


T = TypeVar("T", bound=Transcript | ProfileFile)


def cue_conditions(search: Search, rows: Sequence[int] | None = None) -> tuple[list[str], list[object]]:
    """Conditions on ``cues`` for those that match, with their parameters; ``rows`` as for ``Search.conditions``."""
    conditions, parameters = search.conditions("cues", search.match("text"), r"cues.text LIKE ? ESCAPE '\'", rows)
    return (conditions if search.has_spaced else [*conditions, "cues.spaceless"]), parameters


class SentenceSearchTable(ResourceTable[T]):
    """Base class of the tables of transcripts and files, which are found by what their rows have or by one cue.

    A record that only a cue finds says which, the first one.
    """

    @abstractmethod
    def _rows_with(self, connection: Connection, hits: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        """The rows of this table that have transcripts with these first hits, each with one of them and its hit."""

    def find_by_row(self, profile: str, q: str, limit: int) -> tuple[T, ...]:
        """The newest that a search finds by what their rows have, whatever is in the cues."""
        with self._connections.read() as connection:
            seq, search = connection.profile_seq(profile), Search.parse(q, self.fields).with_forms(connection)
            if seq is None or not search.given or search.matches_nothing:
                return ()
            found: Matching = super()._found(connection, seq, search)
            query = f"{self.select} WHERE r.seq IN ({found.query}) ORDER BY r.seq DESC LIMIT ?"
            return tuple(map(self.build, connection.rows(query, *found.parameters, limit)))

    def _found(self, connection: Connection, profile: int, search: Search) -> Matching:
        by_row: Matching = super()._found(connection, profile, search)
        hits = self._rows_with(connection, _first_hits(connection, profile, search))
        if search.fields and hits:
            conditions, parameters = field_conditions(search, self.fields)
            among = f"SELECT seq FROM {self.name} WHERE seq {AMONG} AND {' AND '.join(conditions)}"
            hits = {seq: hits[seq] for seq in connection.column(among, as_json(hits), *parameters)}
        for seq in connection.column(f"{by_row.query} AND seq {AMONG}", *by_row.parameters, as_json(hits)):
            del hits[seq]
        if not hits:
            return by_row
        return Matching(
            f"SELECT seq FROM ({by_row.query} UNION ALL SELECT value FROM json_each(?)) WHERE true",
            (*by_row.parameters, as_json(hits)),
            by_row.total + len(hits),
            hits=hits,
        )

    def build_found(self, connection: Connection, rows: Sequence[sqlite3.Row], matching: Matching) -> tuple[T, ...]:
        items = super().build_found(connection, rows, matching)
        places = {row["seq"]: matching.hits[row["seq"]] for row in rows if row["seq"] in matching.hits}
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


def _first_hits(connection: Connection, profile: int, search: Search) -> dict[int, int]:
    """The first position that matches in each transcript of the profile that has one."""
    if not search.has_spaced and not search.has_spaceless:
        return {}  # nothing that a cue is to have
    conditions, parameters = cue_conditions(search)
    rows = connection.rows(
        "SELECT cues.transcript, min(cues.position) FROM cues CROSS JOIN transcripts AS t ON t.seq = cues.transcript"
        f" WHERE t.profile = ? AND {' AND '.join(conditions)} GROUP BY 1",
        *(profile, *parameters),
    )
    return dict(map(tuple, rows))
