"""Pages of a table in the order of one of its columns, and the cursors of such pages.

The key of a row stands in the cursor, so that the row itself may have gone. Rows without a value come last, rows with
the same one newest first; an order that is turned over is turned over in this too.
"""

import base64
import binascii
import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from tui.errors import InvalidInput
from tui.records.sorting import (
    GROUPS,
    MAX_SORT_NAME,
    MAX_SORTED,
    SORT_COLUMNS,
    RowGroup,
    Sort,
    SortedList,
    goes_at_any_size,
)
from tui.store.rows import MAX_INTEGER, Connection

Key: TypeAlias = str | int | float | None
"""Value that a row is sorted by, None for no value."""
LONGEST_KEY = 200
"""Characters of a text that are sorted by: a cursor has them."""


@dataclass(frozen=True, slots=True)
class SortedRows:
    """Rows of a table, called ``r``, by the SQL of a key: all that meet the ``conditions``, and of them ``among``.

    ``source`` is what stands behind FROM. ``among`` is a query for row numbers, which it gives in ``among_column``, ""
    for all of them; ``total`` is how many rows there are.
    """

    source: str
    key: str
    is_descending: bool
    is_turned: bool
    conditions: str
    parameters: tuple[object, ...]
    among: str
    among_parameters: tuple[object, ...]
    among_column: str
    total: int

    def from_offset(self, connection: Connection, offset: int, limit: int) -> list[tuple[int, Key]]:
        """The numbers and keys of the rows. The last half of a list is reached from its other end."""
        count = max(0, min(limit, self.total - offset))
        if count == 0:
            return []
        if offset <= self.total // 2:
            return self._read(connection, "true", (), count, offset)
        return self._read(connection, "true", (), count, self.total - offset - count, from_end=True)[::-1]

    def groups(self, connection: Connection, name: str) -> list[RowGroup]:
        """The groups of the rows by the SQL of their names, in the order of the rows."""
        rows = self._read(connection, "true", (), self.total, column=f"coalesce({name}, '')")
        return [RowGroup(name, sum(1 for _ in found)) for name, found in groupby(name for _, name in rows)]

    def behind(self, connection: Connection, last: Key, number: int, limit: int) -> list[tuple[int, Key]]:
        """Rows behind the one with this key and number: nothing is skipped."""
        newer = ">" if self.is_turned else "<"
        beyond = "<" if self.is_descending else ">"
        parts: list[tuple[str, tuple[object, ...], bool]]
        if last is None:
            parts = [(f"{self.key} IS NULL AND r.seq {newer} ?", (number,), True)]
        else:
            parts = [
                (f"{self.key} = ? AND r.seq {newer} ?", (last, number), True),
                (f"{self.key} {beyond} ?", (last,), False),
                (f"{self.key} IS NULL", (), True),
            ]
        found: list[tuple[int, Key]] = []
        for condition, parameters, is_alike in parts:
            if len(found) < limit:
                found += self._read(connection, condition, parameters, limit - len(found), is_alike=is_alike)
        return found

    def _read(
        self,
        connection: Connection,
        condition: str,
        parameters: Sequence[object],
        limit: int,
        skipped: int = 0,
        *,
        from_end: bool = False,
        is_alike: bool = False,
        column: str = "",
    ) -> list[tuple[int, Any]]:
        """Row numbers with their keys, or with another ``column``; ``is_alike`` tells that all keys are the same."""
        way = "DESC" if self.is_descending != from_end else "ASC"
        tie = "ASC" if self.is_turned != from_end else "DESC"
        source, conditions, parameters_before = self.source, self.conditions, self.parameters
        if self.among and self.total <= MAX_SORTED:  # few rows are looked up and sorted, whatever has an index
            source = f"({self.among}) AS among CROSS JOIN {source}"
            conditions = f"r.seq = among.{self.among_column} AND {conditions}"
            parameters_before = (*self.among_parameters, *parameters_before)
        elif self.among:  # the index is followed from its beginning: a plus keeps SQLite from looking up each of many
            conditions = f"{conditions} AND +r.seq IN ({self.among})"
            parameters_before = (*parameters_before, *self.among_parameters)
        order = "" if is_alike else f"{self.key} {way} NULLS {'FIRST' if from_end else 'LAST'}, "
        query = (
            f"SELECT r.seq, {column or self.key} FROM {source} WHERE {conditions} AND {condition}"
            f" ORDER BY {order}r.seq {tie} LIMIT ? OFFSET ?"
        )
        given = (*parameters_before, *parameters, limit, skipped)
        return [(seq, key) for seq, key in connection.execute(query, given)]


class CountedRows:
    """Rows of a table in the order of numbers that no table has: row numbers, each with its own or None."""

    def __init__(self, rows: Iterable[tuple[int, float | None]], *, is_descending: bool, is_turned: bool) -> None:
        self._sign, self._tie = -1 if is_descending else 1, 1 if is_turned else -1
        self._rows = sorted(rows, key=self._place)

    def _place(self, row: tuple[int, float | None]) -> tuple[bool, float, int]:
        seq, count = row
        return count is None, self._sign * (count or 0), self._tie * seq

    def from_offset(self, connection: Connection, offset: int, limit: int) -> Sequence[tuple[int, Key]]:
        return self._rows[offset : offset + limit]

    def behind(self, connection: Connection, last: Key, number: int, limit: int) -> Sequence[tuple[int, Key]]:
        here = self._place((number, None if isinstance(last, str) else last))
        return self.from_offset(connection, bisect_right(self._rows, here, key=self._place), limit)


def read_sort(listed: SortedList, text: str) -> Sort:
    """Read a name of a column, ``-`` before it turns it over; raises ``InvalidInput`` for no column of the list."""
    sort = Sort(text.removeprefix("-"), text.startswith("-"))
    if text and sort.column not in SORT_COLUMNS[listed]:
        raise InvalidInput(
            f"these {listed} cannot be sorted by {text[:MAX_SORT_NAME]!r}",
            hint=f"by {', '.join(SORT_COLUMNS[listed])}; - before it turns it over",
            code="unknown_sort",
            field="sort",
        )
    return sort


def check_size(listed: SortedList, column: str, total: int) -> None:
    """Raise ``InvalidInput`` where so many rows cannot be sorted by a column."""
    if total <= MAX_SORTED or goes_at_any_size(listed, column):
        return
    columns = [name for name in SORT_COLUMNS[listed] if goes_at_any_size(listed, name)]
    raise InvalidInput(
        f"more than {MAX_SORTED} {listed} cannot be sorted by {column}",
        hint=f"search for fewer, or sort them by {', '.join(columns)}",
        code="too_many_to_sort",
        field="sort",
    )


def check_groups(listed: SortedList, column: str, total: int) -> None:
    """Raise ``InvalidInput`` where a list that is sorted by a column has no groups, or too many rows for some."""
    groups = GROUPS.get(listed, {})
    if column not in groups:
        raise InvalidInput(
            f"{listed} that are sorted by {column or 'nothing'} have no groups",
            hint=f"sort them by {' or '.join(groups)}" if groups else "",
            code="no_groups",
            field="sort",
        )
    if total > MAX_SORTED:
        raise InvalidInput(
            f"more than {MAX_SORTED} {listed} have no groups", hint="search for fewer", code="too_many_to_sort"
        )


def text_key(expression: str) -> str:
    """Key of a text that may be long or empty."""
    return f"nullif(substr({expression}, 1, {LONGEST_KEY}), '')"


def write_place(sort: Sort, key: Key, number: int) -> str:
    """The place behind a row of a sorted list, as it stands in a cursor."""
    text = json.dumps([str(sort), key, number], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode("ascii").rstrip("=")


def read_place(sort: Sort, text: str) -> tuple[Key, int] | None:
    """The key and the number of a row; None for what is no place in a list that is sorted so."""
    try:
        name, key, number = json.loads(base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True))
        if isinstance(key, str):
            key.encode()
    except (binascii.Error, ValueError, TypeError, RecursionError):
        return None
    is_key = key is None or isinstance(key, (str, float)) or _is_integer(key)
    return (key, number) if name == str(sort) and is_key and _is_integer(number) else None


def _is_integer(value: object) -> bool:
    return type(value) is int and abs(value) <= MAX_INTEGER
