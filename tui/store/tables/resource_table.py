"""Tables of resources: single ones by id, and lists in pages, newest first, filtered by what somebody types.

A page begins so many rows from the top, or behind a row that was read before, which a cursor names. Rows that come or
go meanwhile move nothing: the numbers that the lists are ordered by never change and are never used twice. Other orders
are in ``sorting.py``.
"""

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, TypeVar

from tui.errors import InvalidInput, NotFound
from tui.records.deletion import Deletion
from tui.records.pages import LONGEST_PAGE, Page
from tui.records.sorting import COUNT_COLUMNS, GROUPS, RowGroup, Sort, SortedList
from tui.store.database import Connections, Table
from tui.store.rows import AMONG, MAX_INTEGER, Connection, as_json, record, word_key
from tui.store.search import Facet, Field, Search, folded_part
from tui.store.tables.sorting import (
    CountedRows,
    Key,
    SortedRows,
    check_groups,
    check_size,
    read_place,
    read_sort,
    write_place,
)
from tui.store.trash_entry import TrashEntry
from tui.text.display import title_with_series
from tui.text.sanitize import is_blank

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
    hits: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Transcript and position of the cue that a row is found by, where it is found by one."""
    first: Sequence[int] = ()
    """The first numbers, where counting gave them."""


class ResourceTable(Table, Generic[T]):
    """Base class of the tables of files, transcripts, clips, answers and jobs.

    A filter looks for each word in what is ``searched``, and by the ``facets``; for ``field:value`` in the ``fields``.
    """

    name: ClassVar[SortedList]
    """Name of the table, and the plural of what it has."""
    select: ClassVar[str]
    """Query that reads whole rows; the table is called ``r``."""
    listed: ClassVar[str] = "true"
    """Condition of the rows that lists have; the others belong to one of these."""
    searched: ClassVar[str] = "folded"
    """Expression of the folded words in which a filter looks."""
    facets: ClassVar[Sequence[Facet]] = ()
    fields: Mapping[str, Field] = {}
    """Fields of a query, each with what it asks of a row."""
    sort_keys: ClassVar[Mapping[str, str]] = {}
    """Columns that the list can be sorted by but for its age, each with the SQL of its key; the row is called ``r``."""
    group_names: ClassVar[Mapping[str, str]] = {}
    """SQL of the names of groups, but for days."""
    counted_row: ClassVar[str] = ""
    """SQL of the transcript whose counts a row can be sorted by."""
    names: ClassVar[str] = ""
    """Query for what a name can mean, of one profile: the columns of ``find_numbers``. "" where there are no names."""
    gone_hint: ClassVar[str] = ""
    """Hint why one may be gone that was there before."""
    kind: type[T]

    def __init__(self, connections: Connections) -> None:
        super().__init__(connections)
        self._kept_order: tuple[Mapping[int, float], tuple[object, ...], CountedRows] | None = None

    def page(
        self,
        profile: str,
        offset: int = 0,
        limit: int = 100,
        q: str = "",
        after: str | None = None,
        sort: str = "",
        counts: Mapping[int, float] | None = None,
    ) -> Page[T]:
        """A page of those that have all words of ``q``, newest first unless ``sort`` names another order.

        ``after`` is the cursor of another page, ``counts`` are those of transcripts, for an order by these.
        """
        order = read_sort(self.name, sort)
        if order not in (Sort(), Sort("age")):
            return self._page_sorted(profile, offset, limit, q, after, order, counts or {})
        last = None if after is None else cursor_numbers(self.name, after, 1)[0]
        offset, limit = (max(0, offset) if last is None else 0), page_limit(limit)
        with self._connections.read() as connection:
            matching = self.matching(connection, profile, q)
            if matching is None:
                return Page((), 0, offset)
            if last is None:
                seqs, more = _from_offset(connection, matching, offset, limit)
            else:
                seqs, more = _behind(connection, matching, limit, last)
            rows = connection.rows(f"{self.select} WHERE r.seq {AMONG} ORDER BY r.seq DESC", as_json(seqs))
            items = self.build_found(connection, rows, matching)
            return Page(items, matching.total, offset, cursor(self.name, min(seqs)) if more and seqs else None)

    def _page_sorted(
        self, profile: str, offset: int, limit: int, q: str, after: str | None, order: Sort, counts: Mapping[int, float]
    ) -> Page[T]:
        """A page in another order; a row whose key changes between two pages may come twice or not at all."""
        last = None if after is None else cursor_place(self.name, order, after)
        offset, limit = (max(0, offset) if last is None else 0), page_limit(limit)
        with self._connections.read() as connection:
            matching = self.matching(connection, profile, q)
            if matching is None:
                return Page((), 0, offset)
            check_size(self.name, order.column, matching.total)
            ordered: SortedRows | CountedRows
            if order.column in COUNT_COLUMNS:
                ordered = self._by_counts(connection, matching, order, counts, is_all=is_blank(q))
            else:
                ordered = self._ordered(connection.profile_seq(profile), matching, order, is_all=is_blank(q))
            found: Sequence[tuple[int, Key]]
            if last is None:
                found = ordered.from_offset(connection, offset, limit + 1)
            else:
                found = ordered.behind(connection, *last, limit + 1)
            places = {seq: place for place, (seq, _) in enumerate(found[:limit])}
            rows = connection.rows(f"{self.select} WHERE r.seq {AMONG}", as_json(places))
            rows.sort(key=lambda row: places[row["seq"]])
            following = None
            if len(found) > limit > 0:
                seq, key = found[limit - 1]
                following = sorted_cursor(self.name, order, key, seq)
            return Page(self.build_found(connection, rows, matching), matching.total, offset, following)

    def _by_counts(
        self, connection: Connection, matching: Matching, order: Sort, counts: Mapping[int, float], *, is_all: bool
    ) -> CountedRows:
        """The rows of a list in the order of these counts of their transcripts.

        That of the whole list is kept as long as the counts are the same ones: it takes as long as ten pages of it.
        """
        revisions = "SELECT profile, kind, revision FROM totals WHERE kind IN ('files', 'transcripts')"
        asked = (matching.parameters, str(order), *map(tuple, connection.rows(revisions)))
        if is_all and (kept := self._kept_order) is not None and kept[0] is counts and kept[1] == asked:
            return kept[2]
        query = f"SELECT r.seq, {self.counted_row} FROM {self.name} AS r WHERE r.seq IN ({matching.query})"
        rows = [(seq, counts.get(transcript)) for seq, transcript in connection.execute(query, matching.parameters)]
        ordered = CountedRows(rows, is_descending=order.is_descending(self.name), is_turned=order.is_turned)
        if is_all:
            self._kept_order = counts, asked, ordered
        return ordered

    def _ordered(self, profile: int | None, matching: Matching, order: Sort, *, is_all: bool) -> SortedRows:
        """The rows of a list in the order of a column of its own."""
        return SortedRows(
            f"{self.name} AS r",
            "r.seq" if order.column == "age" else self.sort_keys[order.column],
            order.is_descending(self.name),
            order.is_turned,
            f"r.profile = ? AND {self.listed}",
            (profile,),
            "" if is_all else matching.query,
            matching.parameters,
            matching.column,
            matching.total,
        )

    def groups(self, profile: str, sort: str, q: str = "") -> tuple[RowGroup, ...]:
        """The groups of a list that is sorted so; days are those of the clock on the wall."""
        order = read_sort(self.name, sort)
        with self._connections.read() as connection:
            matching = self.matching(connection, profile, q)
            check_groups(self.name, order.column, 0 if matching is None else matching.total)
            if matching is None:
                return ()
            name = self.group_names.get(GROUPS[self.name][order.column], "date(r.created_at, 'localtime')")
            rows = self._ordered(connection.profile_seq(profile), matching, order, is_all=is_blank(q))
            return tuple(rows.groups(connection, name))

    def uncounted_ids(self, profile: str, q: str, column: str) -> list[str]:
        """The ids of the transcripts by whose counts a list is to be sorted that were not cut for good.

        Raises ``InvalidInput`` for a list that is too long for it.
        """
        with self._connections.read() as connection:
            matching = self.matching(connection, profile, q)
            if matching is None:
                return []
            check_size(self.name, column, matching.total)
            numbers = f"SELECT {self.counted_row} FROM {self.name} AS r WHERE r.seq IN ({matching.query})"
            cut = "SELECT transcript FROM transcript_words WHERE cut_by <> ''"
            query = f"SELECT id FROM transcripts WHERE seq IN ({numbers}) AND seq NOT IN ({cut})"
            return connection.column(query, *matching.parameters)

    def get(self, profile: str, given: str) -> T:
        """The one with this id, or an unambiguous beginning of it."""
        with self._connections.read() as connection:
            return self.build(self.find_row(connection, profile, given))

    def by_name(self, profile: str, name: str) -> tuple[T, ...]:
        """Those that ``name`` means as well as possible (``find_numbers``), newest first, at most ``MAX_NAMED``."""
        with self._connections.read() as connection:
            seqs = find_numbers(connection.execute(self.names, (connection.profile_seq(profile),)), name)
            query = f"{self.select} WHERE r.seq {AMONG} ORDER BY r.seq DESC LIMIT ?"
            return tuple(map(self.build, connection.execute(query, (as_json(seqs), MAX_NAMED))))

    def delete(self, profile: str, given: Sequence[str]) -> Deletion:
        """Move those with these ids, or unambiguous beginnings of them, to the trash."""
        with self._connections.write() as connection:
            seqs = connection.row_numbers(self.name, profile, given)
            return self._delete(connection, seqs) if seqs else Deletion(0)

    def _delete(self, connection: Connection, seqs: Sequence[int]) -> Deletion:
        """Delete rows that have a sentence and that nothing else refers to."""
        entry = self.take_out(connection, seqs)
        profile, sentence = (entry.column(self.name, name)[0] for name in ("profile", "sentence"))
        return entry.save(connection, profile, self.name, sentence, len(seqs))

    def take_out(self, connection: Connection, seqs: Sequence[int]) -> TrashEntry:
        """Delete rows with all that goes with them; gives the entry of the trash that brings them back."""
        entry = TrashEntry()
        entry.delete(connection, self.name, "seq", seqs)
        return entry

    def find_row(self, connection: Connection, profile: str, given: str) -> sqlite3.Row:
        """The row with this id, or an unambiguous beginning of it."""
        return self.row(connection, connection.full_id(self.name, profile, given))

    def row(self, connection: Connection, row_id: str) -> sqlite3.Row:
        """The row with this whole id; raises ``NotFound`` where it has gone."""
        row = connection.row(f"{self.select} WHERE r.id = ?", row_id)
        if row is None:
            kind = self.name.removesuffix("s")
            raise NotFound(
                f"there is no {kind} {row_id[:40]!r} any more", hint=self.gone_hint, code=f"{kind}_not_found"
            )
        return row

    def build(self, row: sqlite3.Row) -> T:
        """The record of a row."""
        return record(self.kind, row)

    def build_found(self, connection: Connection, rows: Sequence[sqlite3.Row], matching: Matching) -> tuple[T, ...]:
        """The records of the rows of a list."""
        return tuple(map(self.build, rows))

    def matching(self, connection: Connection, profile: str, q: str) -> Matching | None:
        """The rows that a list with this filter has; None where it has none for sure."""
        seq, search = connection.profile_seq(profile), Search.parse(q, self.fields)
        if seq is None or search.matches_nothing:
            return None
        if search.given:
            return self._found(connection, seq, search.with_forms(connection))
        query = "SELECT n FROM totals WHERE profile = ? AND kind = ?"  # triggers keep the count
        listed = f"SELECT seq FROM {self.name} WHERE profile = ? AND {self.listed}"
        return Matching(listed, (seq,), connection.value(query, seq, self.name) or 0)

    def _found(self, connection: Connection, profile: int, search: Search) -> Matching:
        """The rows that have every term; this looks at all of them."""
        conditions, parameters = self._conditions(search)
        query = f"SELECT seq FROM {self.name} WHERE {' AND '.join(('profile = ?', self.listed, *conditions))}"
        total = connection.value(f"SELECT count(*) FROM ({query})", profile, *parameters)
        return Matching(query, (profile, *parameters), total)

    def _conditions(self, search: Search) -> tuple[list[str], list[object]]:
        """Conditions for the rows that have all of a search in their own columns, and their parameters."""
        conditions, parameters = field_conditions(search, self.fields)
        for term in search.terms:
            parts = [folded_part(text, is_finished=True) for text in search.forms_of(term)]
            parts.append(folded_part(term.text, is_finished=term.is_finished))
            facets = () if term.is_exact or len(term.words) > 1 else self.facets
            either = [*[f"instr({self.searched} || ' ', ?)"] * len(parts), *(facet.condition for facet in facets)]
            conditions.append(f"{'NOT ' if term.is_negated else ''}({' OR '.join(either)})")
            parameters += [*parts, *(facet.parameter(term.text) for facet in facets)]
        return conditions, parameters


def field_conditions(search: Search, fields: Mapping[str, Field]) -> tuple[list[str], list[object]]:
    """Conditions for the rows that have what a search names in these fields, and their parameters."""
    conditions, parameters = list[str](), list[object]()
    for term in search.fields:
        if term.field in fields:
            condition, given = fields[term.field](term)
            conditions.append(f"NOT coalesce({condition}, false)" if term.is_negated else condition)
            parameters += given
    return conditions, parameters


def _from_offset(connection: Connection, matching: Matching, offset: int, limit: int) -> tuple[list[int], bool]:
    """The numbers of the rows, and whether more follow.

    Skipping costs a step in an index per row, so the last half of a list is reached from its other end.
    """
    following = matching.total - offset
    count = max(0, min(limit, following))
    if count == 0:
        return [], following > 0
    if offset + count <= len(matching.first):
        return list(matching.first[offset : offset + count]), following > count
    skipped, order = (offset, "DESC") if offset <= matching.total // 2 else (following - count, "ASC")
    query = f"{matching.query} ORDER BY {matching.column} {order} LIMIT ? OFFSET ?"
    return connection.column(query, *matching.parameters, count, skipped), following > count


def _behind(connection: Connection, matching: Matching, limit: int, after: int) -> tuple[list[int], bool]:
    """Row numbers by the key: nothing is skipped, so that the last page costs as little as the first."""
    column = matching.column
    query = f"{matching.query} AND {column} < ? ORDER BY {column} DESC LIMIT ?"
    seqs = connection.column(query, *matching.parameters, after, limit + 1)
    return seqs[:limit], len(seqs) > limit


MAX_NAMED = 20
"""Records that one name gives at most: enough to choose from."""


def find_numbers(
    rows: Iterable[tuple[int, str, str, int | None, int | None, str | None, str | None]], name: str
) -> list[int]:
    """The numbers of the rows that ``name`` fits best; of these kinds, those of the first that there are:

    the whole title, alone or behind its series as lists show it; the path of the film; the name of the file, or a path
    that ends in it; a beginning of the title. Case is nothing, but in the paths of films.

    A row is its number, title, series, season, episode, the name of its file and the path of its film.
    """
    wanted, file_name = _folded(name), _folded(name.rsplit("/", 1)[-1])
    by_title, by_film, by_file, by_beginning = list[int](), list[int](), list[int](), list[int]()
    for number, title, series, season, episode, file, film in rows if wanted else ():
        titles = {_folded(title), _folded(title_with_series(title, series, season, episode))}
        if wanted in titles:
            by_title.append(number)
        elif film == name:
            by_film.append(number)
        elif file is not None and _folded(file) == file_name:
            by_file.append(number)
        elif any(each.startswith(wanted) for each in titles):
            by_beginning.append(number)
    return by_title or by_film or by_file or by_beginning


def _folded(text: str) -> str:
    """A name without its case, and composed: a keyboard and a disk may write the same letter in two ways."""
    return unicodedata.normalize("NFC", text.strip().casefold())


_MARKS = {
    "answers": "a",
    "bookmarks": "b",
    "clips": "c",
    "changes": "h",
    "cues": "u",
    "files": "f",
    "jobs": "j",
    "review_items": "i",
    "reviews": "r",
    "sentences": "s",
    "transcripts": "t",
    "words": "w",
}
"""First letters of each list's cursors, so that none is taken for another list's."""
_NUMBER = "(0|[1-9][0-9]{0,18})"


def page_limit(limit: int) -> int:
    return min(max(0, limit), LONGEST_PAGE)


def cursor(table: str, *numbers: int) -> str:
    """The cursor behind the row that these numbers name."""
    return _MARKS[table] + "-".join(map(str, numbers))


def cursor_numbers(table: str, given: str, count: int) -> tuple[int, ...]:
    """The ``count`` numbers in a cursor of this list; raises ``InvalidInput`` for what is none."""
    match = re.fullmatch(_MARKS[table] + "-".join([_NUMBER] * count), given)
    numbers = tuple(map(int, match.groups())) if match else ()
    if not numbers or max(numbers) > MAX_INTEGER:
        raise invalid_cursor(table, given)
    return numbers


def sorted_cursor(table: SortedList, order: Sort, key: Key, seq: int) -> str:
    """The cursor behind a row in a sorted list."""
    return f"{_MARKS[table]}.{write_place(order, key, seq)}"


def cursor_place(table: SortedList, order: Sort, given: str) -> tuple[Key, int]:
    """The key and the number in a cursor of a list in this order; raises ``InvalidInput`` for what is none."""
    mark, _, place = given.partition(".")
    last = read_place(order, place) if mark == _MARKS[table] else None
    if last is None:
        raise invalid_cursor(table, given)
    return last


def invalid_cursor(table: str, given: str) -> InvalidInput:
    return InvalidInput(
        f"{given[:40]!r} is no place in this list of {table}",
        hint="give the cursor that came with the page before, unchanged, or none to begin at the top",
        code="invalid_cursor",
    )


def count_with_word(connections: Connections, table: str, profile: str, word: str, condition: str = "true") -> int:
    """Count the rows with this word, or another form of this lemma, as their focus."""
    mine = f"SELECT count(*) FROM {table} WHERE profile = (SELECT seq FROM profiles WHERE name = ?1) AND {condition}"
    query = (
        f"SELECT ({mine} AND surface = ?2 AND surface <> '')"
        f" + ({mine} AND lemma = ?2 AND lemma <> '' AND surface <> ?2)"
    )
    return int(connections.value(query, profile, word_key(word)))
