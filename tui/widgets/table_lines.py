"""The lines of a record table as strips: the header, and a row with its cursor bar and mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui.widgets.table_columns import GAP, Column, cell_segments, shared_widths

T = TypeVar("T")

LOOKS = ("header", "bar", "mark", "muted", "strong")
"""Styles without a background, laid over the table's own ("") or the cursor's ("cursor")."""
_MARK = "✓"
_NOT_YET = "·"


class TableLines(Generic[T]):
    """Draws lines of ``width`` cells; ``looks`` are styles by the names in ``LOOKS``, "" and "cursor"."""

    def __init__(self, columns: Sequence[Column[T]], width: int, looks: Mapping[str, Style]) -> None:
        self._columns = shared_widths(columns, width)
        self._width = width
        self._looks = looks

    def header(self) -> Strip:
        look = self._looks[""] + self._looks["header"]
        segments = [Segment("   ", look)]
        for column, width in self._columns:
            segments += cell_segments(column.title, width, column.align, look)
            segments.append(Segment(" " * GAP, look))
        return Strip(segments).adjust_cell_length(self._width, look)

    def row(self, record: T | None, *, has_cursor: bool, marked: bool) -> Strip:
        """One row; a record that has not been read yet (None) is a quiet dot."""
        looks = self._looks
        look = looks["cursor" if has_cursor else ""]
        segments = [
            Segment("▌", look + looks["bar"]) if has_cursor else Segment(" ", look),
            Segment(_MARK, look + looks["mark"]) if marked else Segment(" ", look),
            Segment(" ", look),
        ]
        if record is None:
            segments.append(Segment(_NOT_YET, look + looks["muted"]))
        else:
            for column, width in self._columns:
                column_look = look + looks[column.style] if column.style else look
                segments += cell_segments(column.value(record), width, column.align, column_look)
                segments.append(Segment(" " * GAP, column_look))
        return Strip(segments).simplify().adjust_cell_length(self._width, look)

    def blank(self) -> Strip:
        return Strip.blank(self._width, self._looks[""])
