"""Rows for people and for programs: aligned and fitted on a terminal, whole and tab-separated in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    names, ``inside`` of them; widths are cells. What is unknown ("") a person sees as ``–``.
    """

    title: str
    cell: Callable[[T], str]
    raw: Callable[[T], str] | None = None
    right: bool = False
    wide: bool = False
    inside: bool = False


def number_column(title: str, count: Callable[[T], int]) -> Column[T]:
    """A column of counts, which people read in groups of three digits."""
    return Column(title, lambda item: number(count(item)), lambda item: str(count(item)), right=True)


def tab_separated(columns: Sequence[Column[T]], item: T) -> str:
    """The whole row in one line, for ``cut`` and its like."""
    return "\t".join(one_line((column.raw or column.cell)(item)) for column in columns)


def align_rows(columns: Sequence[Column[T]], items: Sequence[T], width: int) -> Iterator[str]:
    """A line of titles and a line per item, none wider than ``width`` cells."""
    from rich.cells import cell_len

    from tui.text.cells import cut, fit, shared_widths

    titles = [column.title for column in columns]
    rows = [titles, *([one_line(column.cell(item)) or UNKNOWN for column in columns] for item in items)]
    widths = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
    wide = [size for size, column in zip(widths, columns, strict=True) if column.wide]
    room = width - _GAP * (len(columns) - 1) - sum(widths) + sum(wide)
    given = iter(shared_widths(wide, room, least=_LEAST))
    widths = [next(given) if column.wide else size for size, column in zip(widths, columns, strict=True)]
    for row in rows:
        cells = [
            fit(cell, size, "right" if column.right else "left", inside=column.inside)
            for cell, size, column in zip(row, widths, columns, strict=True)
            if size
        ]
        yield cut((" " * _GAP).join(cells).rstrip(), width)


def short(record_id: str) -> str:
    """Enough of an id for a person: any prefix that no other id shares is taken wherever an id is."""
    return record_id[:8]
