"""Tables as aligned columns: a strong header, a thin rule, cells that wrap where the terminal is narrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tui.text.cells import shared_widths
from tui.widgets.markdown.styled_lines import Line, Look, Piece, line_cells, wrapped

_GAP = 2
_NARROWEST = 3

TableCell: TypeAlias = tuple[list[Piece], str]
"""Pieces of a cell, and its style as markdown-it writes it: "", "text-align:left", "…:center" or "…:right"."""


def table_lines(rows: Sequence[Sequence[TableCell]], width: int) -> list[Line]:
    """Lines of a table whose first row is the header, in ``width`` cells."""
    count = max((len(row) for row in rows), default=0)
    if not count:
        return []
    natural = [
        max((line_cells(line) for row in rows if at < len(row) for line in wrapped(row[at][0], 1 << 16)), default=0)
        for at in range(count)
    ]
    widths = [max(1, cells) for cells in shared_widths(natural, width - _GAP * (count - 1), least=_NARROWEST)]
    if sum(widths) + _GAP * (count - 1) > width:
        return [line for row in rows for line in wrapped(_joined(row), width)]
    lines: list[Line] = []
    for number, row in enumerate(rows):
        lines += _row_lines(row, widths, Look.STRONG if number == 0 else Look.PLAIN)
        if number == 0:
            lines.append((("  ".join("─" * cells for cells in widths), Look.MUTED),))
    return lines


def _row_lines(row: Sequence[TableCell], widths: Sequence[int], look: Look) -> list[Line]:
    columns = list(zip(row, widths, strict=False))  # a row may end before the header does
    cells = [wrapped([(text, own | look) for text, own in pieces], width) for (pieces, _), width in columns]
    lines: list[Line] = []
    for at in range(max((len(cell) for cell in cells), default=0)):
        line: list[Piece] = []
        due = 0
        for cell, ((_, style), width) in zip(cells, columns, strict=True):
            content = cell[at] if at < len(cell) else ()
            free = width - line_cells(content)
            before = free if style.endswith("right") else free // 2 if style.endswith("center") else 0
            if due + before:
                line.append((" " * (due + before), Look.PLAIN))
            line += content
            due = free - before + _GAP
        lines.append(tuple(line))
    return lines


def _joined(row: Sequence[TableCell]) -> list[Piece]:
    """Cells of a row one after the other, for a terminal too narrow for columns."""
    pieces: list[Piece] = []
    for cell, _ in row:
        if pieces:
            pieces.append((" · ", Look.MUTED))
        pieces += cell
    return pieces
