"""Cell of a record table: a text in one line, cut to its width, with styles for its parts."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from tui.text.cells import cut_points, direction_mark
from tui.text.display import UNKNOWN
from tui.text.sanitize import one_line
from tui.widgets.table.columns import Cell

Span: TypeAlias = tuple[int, int, str]
"""Start and end in code points, and the name of a style."""


@dataclass(frozen=True, slots=True)
class CellText:
    """Text of a cell in one line, with the styles of its parts; ``is_cut_at_end`` wins over what its column says."""

    text: str
    spans: tuple[Span, ...] = ()
    is_cut_at_end: bool = False

    @classmethod
    def of(cls, cell: Cell) -> CellText:
        """Text of a cell, a sign for an empty one. Spans of a text that had to be cleaned are left out.

        A ``Text`` whose ``overflow`` is "ellipsis" is cut at its end.
        """
        plain = cell.plain if isinstance(cell, Text) else cell
        clean = one_line(plain)
        if not clean:
            return cls(UNKNOWN, ((0, len(UNKNOWN), "muted"),))
        if isinstance(cell, str) or clean != plain:
            return cls(clean)
        spans = tuple((span.start, span.end, str(span.style)) for span in cell.spans)
        return cls(clean, spans, cell.overflow == "ellipsis")

    def with_style(self, style: str, places: Sequence[tuple[int, int]]) -> CellText:
        """Copy with one more style at these places."""
        return replace(self, spans=(*self.spans, *((start, end, style) for start, end in places)))

    def shows(self, span: tuple[int, int], width: int, *, inside: bool) -> bool:
        """Whether all of this part is seen in so many cells."""
        parts = cut_points(self.text, width, inside=inside and not self.is_cut_at_end)
        return parts is None or span[1] <= parts[0] or span[0] >= parts[1]

    def segments(
        self,
        width: int,
        base: Style,
        styles: Mapping[str, Style],
        *,
        align: Literal["left", "right"] = "left",
        inside: bool = False,
    ) -> list[Segment]:
        """Segments of exactly ``width`` cells."""
        inside = inside and not self.is_cut_at_end
        parts = cut_points(self.text, width, inside=inside) if width > 0 else (0, len(self.text))
        if parts is None:
            segments = self._styled(0, len(self.text), base, styles)
        else:
            ellipsis = [Segment("…", base)] if width > 0 else []
            segments = [
                *self._styled(0, parts[0], base, styles),
                *ellipsis,
                *self._styled(parts[1], len(self.text), base, styles),
            ]
        text = "".join(segment.text for segment in segments)
        padding = [Segment(" " * (width - cell_len(text)), base)]
        sign = direction_mark(text)
        mark = [Segment(sign, base)] if sign else []
        return [*padding, *segments, *mark] if align == "right" else [*segments, *mark, *padding]

    def _styled(self, start: int, end: int, base: Style, styles: Mapping[str, Style]) -> list[Segment]:
        edges = {start, end, *(edge for first, last, _ in self.spans for edge in (first, last) if start < edge < end)}
        places = sorted(edges)
        segments = []
        for first, last in itertools.pairwise(places):
            style = base
            for span_first, span_last, name in self.spans:
                if span_first <= first and last <= span_last:
                    style = style + styles.get(name, Style.null())
            segments.append(Segment(self.text[first:last], style))
        return segments
