"""The strips of a record table's rows, kept until they change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip

from tui.widgets.table.columns import Column, ColumnWidths
from tui.widgets.table.lines import Elsewhere, TableLines
from tui.widgets.table.matches import Matches

T = TypeVar("T")
_ROWS = 512


class TableDrawing(Generic[T]):
    """Draws rows by number, with the ``lines`` that all of them share; both are kept until ``forget``."""

    def __init__(self, columns: Sequence[Column[T]], elsewhere: Elsewhere[T] | None) -> None:
        self._widths = ColumnWidths(columns)
        self._ageing = tuple(column for column in columns if column.ages)
        self._elsewhere = elsewhere
        self._lines: TableLines[T] | None = None
        self._strips: LRUCache[tuple[int, bool], Strip] = LRUCache(_ROWS)
        self._ages: LRUCache[int, tuple[str, ...]] = LRUCache(_ROWS)
        """What the drawn rows say of their age; on the screen they do so until they are drawn again."""

    def measure(self, records: Iterable[T], *, shared: bool = True) -> bool:
        """Make the columns as wide as these records need; see ``ColumnWidths.measure``."""
        return self._widths.measure(records, shared=shared)

    def lines(self, width: int, looks: Callable[[], Mapping[str, Style]], q: str) -> TableLines[T]:
        """What draws single lines, made when it is needed."""
        if self._lines is None:
            self._lines = TableLines(self._widths.fitted(width), width, looks(), Matches(q), self._elsewhere)
        return self._lines

    def row(self, lines: TableLines[T], row: int, record: T | None, *, has_cursor: bool, marked: bool) -> Strip:
        strip = self._strips.get((row, has_cursor))
        if strip is None:
            strip = self._strips[row, has_cursor] = lines.row(record, has_cursor=has_cursor, marked=marked)
            if record is not None:
                self._ages[row] = self._ages_in(record)
        return strip

    def aged(self, rows: Iterable[tuple[int, T | None]]) -> Iterator[int]:
        """Those of these rows whose age reads otherwise than when they were drawn."""
        for row, record in rows:
            if record is not None and self._ages.get(row) != self._ages_in(record):
                yield row

    def _ages_in(self, record: T) -> tuple[str, ...]:
        return tuple(column.text(record) for column in self._ageing)

    def forget(self) -> None:
        """Everything looks otherwise now."""
        self._lines = None
        self._strips.clear()

    def forget_row(self, row: int) -> None:
        self._strips.discard((row, True))
        self._strips.discard((row, False))
