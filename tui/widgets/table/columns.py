"""Columns of a record table, and the widths that they get."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from rich.cells import cell_len
from rich.text import Text

from tui.text.sanitize import one_line

T = TypeVar("T")
Cell: TypeAlias = str | Text
"""Plain text, or one whose spans have the names of the table's styles; either is taken literally, in one line."""

GAP = 2
_WIDEST_GAP = 10
LEAD = 3
"""Cells before the first column: the cursor's bar, the mark, and a space."""
SIGN = 2
"""Cells of the sign behind the title of the column that a list is sorted by, and of the space before it."""
_NARROWEST = 4
_LONGEST = 1000
"""Code points that are measured: no terminal is wider."""


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """Column; it takes the cells that its contents need, from ``least`` to ``most`` (0: no bound), none while it is
    empty.

    Columns with a ``share`` give way where the width is short, in proportion to it. ``cut`` says what goes of a text
    that is too long: the end of a sentence, the inside of a name. ``keywords`` has more words by which the cell is
    found. ``sort`` is its name among those that the list is sorted by, "" for one that it is not. ``ages`` tells that
    the text changes as time goes by. Below a table of ``minimum_table_width`` the column is left out. One that
    ``is_of_search`` says what a search found, and needs other widths with another search. One that is not ``usual`` is
    there only where it was chosen.
    """

    title: str
    value: Callable[[T], Cell]
    share: int = 0
    least: int = 1
    most: int = 0
    align: Literal["left", "right"] = "left"
    style: Literal["", "muted", "strong"] = ""
    cut: Literal["end", "inside"] = "end"
    keywords: Callable[[T], str] | None = None
    ages: bool = False
    minimum_table_width: int = 0
    is_of_search: bool = False
    sort: str = ""
    usual: bool = True

    def text(self, record: T) -> str:
        """Text of the record's cell, "" where nothing is known."""
        value = self.value(record)
        return one_line(value.plain if isinstance(value, Text) else value)


class ColumnWidths(Generic[T]):
    """Widths of the columns for the records that were looked at: they grow with these, so that nothing jumps about."""

    def __init__(self, columns: Sequence[Column[T]]) -> None:
        self._columns = tuple(columns)
        self._needed = [0] * len(columns)
        self.hidden: frozenset[str] = frozenset()
        """Titles of the columns that are not wanted."""
        self.sorted_by = ""
        """Name of the column that the list is sorted by, which has a sign behind its title."""

    def measure(self, records: Iterable[T], *, shared: bool = True) -> bool:
        """Measure records; return whether a column needs more now. Without ``shared`` those that give way are left."""
        before = list(self._needed)
        for record in records:
            for place, column in enumerate(self._columns):
                if shared or not column.share or not self._needed[place]:
                    self._needed[place] = max(self._needed[place], self._need(column, column.text(record)))
        return self._needed != before

    def forget_search(self) -> None:
        """Forget what the columns needed that say what a search found."""
        for place, column in enumerate(self._columns):
            if column.is_of_search:
                self._needed[place] = 0

    def _has_place(self, column: Column[T], table_width: int) -> bool:
        """Whether a column is shown in a table of this width; that which sorts the list always is."""
        is_wanted = column.title not in self.hidden and column.minimum_table_width <= table_width
        return is_wanted or self._is_sorted_by(column)

    def _is_sorted_by(self, column: Column[T]) -> bool:
        return bool(column.sort) and column.sort == self.sorted_by

    def _need(self, column: Column[T], text: str) -> int:
        if not text:
            return 0
        need = max(cell_len(text[:_LONGEST]), cell_len(column.title), column.least)
        return min(need, column.most) if column.most else need

    def fitted(self, table_width: int) -> list[tuple[Column[T], int, int]]:
        """Columns that are shown in a table of this width, each with its cells and those of the gap behind it.

        Before any record was looked at that is all of them, as wide as their titles.
        """
        titles = [max(cell_len(column.title), column.least) for column in self._columns]
        shown = [
            (column, max(need, cell_len(column.title) + SIGN) if self._is_sorted_by(column) else need)
            for column, need in zip(self._columns, self._needed if any(self._needed) else titles, strict=True)
            if need and self._has_place(column, table_width)
        ]
        if not shown:
            return []
        room = table_width - LEAD - GAP * len(shown)
        widths = _shared([need for _, need in shown], [column.share for column, _ in shown], room)
        slack = max(0, room - sum(widths))
        gaps = len(shown) - 1
        wider = min(_WIDEST_GAP - GAP, slack // gaps) if gaps else 0
        widths[_widest(shown)] += slack - wider * gaps
        return [
            (column, width, GAP + (wider if place < gaps else 0))
            for place, ((column, _), width) in enumerate(zip(shown, widths, strict=True))
        ]


def _shared(needs: list[int], shares: Sequence[int], room: int) -> list[int]:
    """Widths that go into ``room``: the needs, those with a share cut down; none below the narrowest."""
    widths = list(needs)
    giving = [place for place, share in enumerate(shares) if share]
    left = room - sum(need for need, share in zip(needs, shares, strict=True) if not share)
    whole = sum(shares)
    while content := [place for place in giving if needs[place] * whole <= left * shares[place]]:
        for place in content:  # they need less than their share: the others get the rest
            giving.remove(place)
            left, whole = left - needs[place], whole - shares[place]
    for place in giving:
        widths[place] = max(_NARROWEST, left * shares[place] // whole)
        left, whole = left - widths[place], whole - shares[place]
    return widths


def _widest(shown: Sequence[tuple[Column[T], int]]) -> int:
    """Index of the column that takes spare cells: the first that would give way, else the first of all."""
    return next((place for place, (column, _) in enumerate(shown) if column.share), 0)
