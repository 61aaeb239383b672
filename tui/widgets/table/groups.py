"""Headings of groups between the rows of a table: on which line a row stands, and what stands on a line."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from tui.records.sorting import RowGroup


class GroupHeadings:
    """Lines of a table with these groups, counted from 0 below the header; without groups each row is its line."""

    def __init__(self, groups: Sequence[RowGroup] = ()) -> None:
        self.groups = tuple(groups)
        self._first_rows = [0, *accumulate(group.count for group in groups)][: len(self.groups)]

    def __len__(self) -> int:
        return len(self.groups)

    def line(self, row: int) -> int:
        """The line of a row."""
        return row + bisect_right(self._first_rows, row)

    def row(self, line: int) -> int:
        """The row on a line; of a heading the row below it."""
        number = self._number(line)
        return line - number - (0 if self._is_heading(line, number) else 1)

    def heading(self, line: int) -> RowGroup | None:
        """The group whose heading stands on a line, None where a row does."""
        number = self._number(line)
        return self.groups[number] if self._is_heading(line, number) else None

    def _number(self, line: int) -> int:
        """Number of the group that a line is in, -1 where there are none."""
        return bisect_right(self._first_rows, line, key=lambda row: self.line(row) - 1) - 1

    def _is_heading(self, line: int, number: int) -> bool:
        return number >= 0 and self.line(self._first_rows[number]) - 1 == line
