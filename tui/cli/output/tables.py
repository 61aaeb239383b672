"""Rows for people and for programs: aligned and fitted on a terminal, whole and tab-separated in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tui.text.display import UNKNOWN, number
from tui.text.sanitize import one_line

T = TypeVar("T")
_GAP = 2
_LEAST = 6
"""A column that gives way keeps at least this many cells."""


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """A column of a list; ``cell`` is what a person sees, ``raw`` what a program gets (None: the same).

    A ``wide`` column gives way when the row is wider than the terminal, at the end of its texts or, where they are
    names, ``inside`` of them; widths are cells. What is unknown ("") a person sees as ``–``. One that is not ``usual``
    is there for those who ask for it: ``--columns``.
    """

    title: str
    cell: Callable[[T], str]
    raw: Callable[[T], str] | None = None
    right: bool = False
    wide: bool = False
    inside: bool = False
    usual: bool = True

    def exact(self, item: T) -> str:
        """The cell as programs get it."""
        return (self.raw or self.cell)(item)


def number_column(title: str, count: Callable[[T], int]) -> Column[T]:
    """A column of counts, which people read in groups of three digits."""
    return Column(title, lambda item: number(count(item)), lambda item: str(count(item)), right=True)


def tab_separated(columns: Sequence[Column[T]], item: T) -> str:
    """The whole row in one line, for ``cut`` and its like."""
    return "\t".join(one_line(column.exact(item)) for column in columns)


class Alignment(Generic[T]):
    """Columns of a table: as wide as the first rows need, and the terminal has room for; later rows go by these."""

    def __init__(self, columns: Sequence[Column[T]], first: Sequence[T], width: int) -> None:
        from rich.cells import cell_len

        from tui.text.cells import shared_widths

        self._columns = columns
        self._width = width
        rows = [self._titles(), *map(self._cells, first)]
        needed = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
        wide = [size for size, column in zip(needed, columns, strict=True) if column.wide]
        room = width - _GAP * (len(columns) - 1) - sum(needed) + sum(wide)
        given = iter(shared_widths(wide, room, least=_LEAST))
        self._widths = [next(given) if column.wide else size for size, column in zip(needed, columns, strict=True)]

    def _titles(self) -> list[str]:
        return [column.title for column in self._columns]

    def _cells(self, item: T) -> list[str]:
        return [one_line(column.cell(item)) or UNKNOWN for column in self._columns]

    def titles(self) -> str:
        return self._line(self._titles())

    def row(self, item: T) -> str:
        return self._line(self._cells(item))

    def _line(self, row: Sequence[str]) -> str:
        from rich.cells import cell_len

        from tui.text.cells import cut, fit

        cells = [
            fit(
                cell,
                size if column.wide else max(size, cell_len(cell)),
                "right" if column.right else "left",
                inside=column.inside,
            )
            for cell, size, column in zip(row, self._widths, self._columns, strict=True)
            if size
        ]
        return cut((" " * _GAP).join(cells).rstrip(), self._width)


def short(record_id: str) -> str:
    """Enough of an id for a person: any prefix that no other id shares is taken wherever an id is."""
    return record_id[:8]
