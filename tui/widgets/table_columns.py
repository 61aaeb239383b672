"""The columns of a record table: what stands in them, how wide they are, and how a cell is cut to its width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, TypeAlias, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from tui.controls import one_line
from tui.widgets.cells import fit

T = TypeVar("T")
Cell: TypeAlias = str | Text
"""A plain text, or one with styled spans; either is taken literally and written in one line."""

GAP = 2
_LEAD = 3
"""The cursor's bar, the mark, and a space."""
_NARROWEST = 4


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """One column; widths are cells.

    ``width`` 0 shares what the other columns leave, in proportion to ``flex``. Below a table of ``minimum_table_width``
    the column is left out.
    """

    title: str
    value: Callable[[T], Cell]
    width: int = 0
    flex: int = 1
    align: Literal["left", "right"] = "left"
    style: Literal["", "muted", "strong"] = ""
    minimum_table_width: int = 0


def shared_widths(columns: Sequence[Column[T]], table_width: int) -> list[tuple[Column[T], int]]:
    """The columns that are shown in a table of this width, each with its cells."""
    shown = [column for column in columns if column.minimum_table_width <= table_width]
    flexible = sum(column.flex for column in shown if not column.width)
    rest = table_width - _LEAD - GAP * len(shown) - sum(column.width for column in shown)
    widths: list[tuple[Column[T], int]] = []
    for column in shown:
        width = column.width
        if not width:
            width = rest * column.flex // flexible if rest > 0 else 0
            rest -= width
            flexible -= column.flex
        widths.append((column, max(width, _NARROWEST)))
    return widths


def cell_segments(cell: Cell, width: int, align: Literal["left", "right"], look: Style) -> list[Segment]:
    """One cell in exactly ``width`` cells."""
    plain = cell.plain if isinstance(cell, Text) else cell
    clean = one_line(plain)
    if isinstance(cell, str) or clean != plain:
        return [Segment(fit(clean, width, align), look)]
    fitted = fit(clean, width, align)
    start = cell_len(fitted) - cell_len(fitted.lstrip(" ")) if align == "right" else 0
    return _styled(cell, fitted, start, look)


def _styled(cell: Text, fitted: str, start: int, look: Style) -> list[Segment]:
    """The fitted text with the cell's spans, which begin ``start`` code points further in it."""
    edges = {0, len(fitted)}
    spans = [(span.start + start, span.end + start, span.style) for span in cell.spans]
    for first, last, _ in spans:
        edges |= {min(first, len(fitted)), min(last, len(fitted))}
    places = sorted(edges)
    segments = []
    for first, last in pairwise(places):
        style = look
        for span_first, span_last, span_style in spans:
            if span_first <= first and last <= span_last:
                style = style + (Style.parse(span_style) if isinstance(span_style, str) else span_style)
        segments.append(Segment(fitted[first:last], style))
    return segments
