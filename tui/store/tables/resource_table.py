"""Tables of resources: single ones by id, and lists in pages, newest first, filtered by what somebody types."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from tui.errors import NotFound
from tui.records.library import Deletion
from tui.records.pages import Page
from tui.store.database import Table
from tui.store.rows import as_json, full_id, profile_seq, record, row_numbers
from tui.store.search import Facet, Search, folded_pattern
from tui.store.tables.page_cursors import PageRequest, cursor
from tui.store.tables.record_names import MAX_NAMED, numbers_named
from tui.store.trash_entry import delete_sentences

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Matching:
    """The rows of a list: a query for their numbers (in a column named ``column``), and how many there are.

    The query ends in conditions, so that more can follow.
    """

    query: str
    parameters: tuple[object, ...]
    total: int
    column: str = "seq"


class ResourceTable(Table, Generic[T]):
    """Base class of the tables of files, transcripts, clips, answers and jobs.

    A filter looks for each word in the column ``folded``, and by the ``facets``.
    """

    name: ClassVar[str]
    """Name of the table, and the plural of what it has."""
    select: ClassVar[str]
    """Query that reads whole rows; the table is called ``r``."""
    listed: ClassVar[str] = "true"
    """Condition of the rows that lists have; the others belong to one of these."""
    facets: ClassVar[Sequence[Facet]] = ()
    names: ClassVar[str] = ""
    """Query for what a name can mean, of one profile: the columns of ``numbers_named``. "" where there are no names."""
    gone_hint: ClassVar[str] = ""
    """Hint why one may be gone that was there before."""
    kind: type[T]

    def page(self, profile: str, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None) -> Page[T]:
        """A page, newest first, of those that have all words of ``q``; ``after`` is the cursor of another page."""
        request = PageRequest.of(self.name, offset, limit, after)
        with self._connections.read() as connection:
            matching = self.matching(connection, profile, q)
            if matching is None:
                return Page((), 0, request.offset)
            if request.after is None:
                seqs, more = _from_offset(connection, matching, request)
            else:
                seqs, more = _behind(connection, matching, request.limit, request.after)
            if not seqs:
                return Page((), matching.total, request.offset)
            query = f"{self.select} WHERE r.seq IN (SELECT value FROM json_each(?)) ORDER BY r.seq DESC"
            items = self.build_found(connection, connection.execute(query, (as_json(seqs),)).fetchall(), matching)
            following = cursor(request.table, min(seqs)) if more else None
            return Page(items, matching.total, request.offset, following)

    def get(self, profile: str, given: str) -> T:
        """The one with this id, or an unambiguous beginning of it."""
        with self._connections.read() as connection:
            return self.build(self.row(connection, full_id(connection, self.name, profile, given)))

    def by_name(self, profile: str, name: str) -> tuple[T, ...]:
        """Those that ``name`` means as well as possible (``numbers_named``), newest first, at most ``MAX_NAMED``."""
        with self._connections.read() as connection:
            seqs = numbers_named(connection.execute(self.names, (profile_seq(connection, profile),)), name)
            query = f"{self.select} WHERE r.seq IN (SELECT value FROM json_each(?)) ORDER BY r.seq DESC LIMIT ?"
            return tuple(map(self.build, connection.execute(query, (as_json(seqs), MAX_NAMED))))

    def delete(self, profile: str, given: Sequence[str]) -> Deletion:
        """Move those with these ids, or unambiguous beginnings of them, to the trash."""
        with self._connections.write() as connection:
            seqs = row_numbers(connection, self.name, profile, given)
            return self._delete(connection, seqs) if seqs else Deletion(0)

    def _delete(self, connection: sqlite3.Connection, seqs: Sequence[int]) -> Deletion:
        return delete_sentences(connection, self.name, seqs)

    def row(self, connection: sqlite3.Connection, row_id: str) -> sqlite3.Row:
        """The row with this whole id; raises ``NotFound`` where it has gone."""
        row: sqlite3.Row | None = connection.execute(f"{self.select} WHERE r.id = ?", (row_id,)).fetchone()
        if row is None:
            kind = self.name.removesuffix("s")
            raise NotFound(
                f"there is no {kind} {row_id[:40]!r} any more", hint=self.gone_hint, code=f"{kind}_not_found"
            )
        return row

    def build(self, row: sqlite3.Row) -> T:
        """The record of a row."""
        return record(self.kind, row)

    def build_found(
        self, connection: sqlite3.Connection, rows: Sequence[sqlite3.Row], matching: Matching
    ) -> tuple[T, ...]:
        """The records of the rows of a list."""
        return tuple(map(self.build, rows))

    def matching(self, connection: sqlite3.Connection, profile: str, q: str) -> Matching | None:
        """The rows that a list with this filter has; None where it has none for sure."""
        seq, search = profile_seq(connection, profile), Search.parse(q)
        if seq is None or search.matches_nothing:
            return None
        if search.given:
            return self._found(connection, seq, search)
        query = "SELECT n FROM totals WHERE profile = ? AND kind = ?"  # triggers keep the count
        row = connection.execute(query, (seq, self.name)).fetchone()
        listed = f"SELECT seq FROM {self.name} WHERE profile = ? AND {self.listed}"
        return Matching(listed, (seq,), 0 if row is None else int(row[0]))

    def _found(self, connection: sqlite3.Connection, profile: int, search: Search) -> Matching:
        """The rows that have every word; this looks at all of them."""
        conditions = ["profile = ?", self.listed]
        parameters: list[object] = [profile]
        for word in search.words:
            either = [(r"folded LIKE ? ESCAPE '\'", folded_pattern(word))]
            given = [(facet.condition, facet.parameter(word)) for facet in self.facets]
            either += [(condition, parameter) for condition, parameter in given if parameter is not None]
            conditions.append(f"({' OR '.join(condition for condition, _ in either)})")
            parameters += [parameter for _, parameter in either]
        condition = " AND ".join(conditions)
        row = connection.execute(f"SELECT count(*) FROM {self.name} WHERE {condition}", parameters).fetchone()
        return Matching(f"SELECT seq FROM {self.name} WHERE {condition}", tuple(parameters), int(row[0]))


def _from_offset(connection: sqlite3.Connection, matching: Matching, request: PageRequest) -> tuple[list[int], bool]:
    """The numbers of the rows, and whether more follow.

    Skipping costs a step in an index per row, so the last half of a list is reached from its other end.
    """
    following = matching.total - request.offset
    count = max(0, min(request.limit, following))
    if count == 0:
        return [], following > 0
    skipped, order = request.offset, "DESC"
    if request.offset > matching.total // 2:
        skipped, order = following - count, "ASC"
    query = f"{matching.query} ORDER BY {matching.column} {order} LIMIT ? OFFSET ?"
    seqs = [row[0] for row in connection.execute(query, (*matching.parameters, count, skipped))]
    return seqs, following > count


def _behind(connection: sqlite3.Connection, matching: Matching, limit: int, after: int) -> tuple[list[int], bool]:
    """Row numbers by the key: nothing is skipped, so that the last page costs as little as the first."""
    column = matching.column
    query = f"{matching.query} AND {column} < ? ORDER BY {column} DESC LIMIT ?"
    seqs = [row[0] for row in connection.execute(query, (*matching.parameters, after, limit + 1))]
    return seqs[:limit], len(seqs) > limit
