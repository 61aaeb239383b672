"""One line of a cue as the reader draws it: signs at the left, time, speaker, text with its marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui.text.cells import direction_mark, fit
from tui.widgets.transcript.cue_layout import CueLayout

GUTTER = 3
BEHIND_TIME = 2
_KEPT = "•"

Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Code point offsets in the cue's text."""


@dataclass(frozen=True, slots=True)
class RowMark:
    """How a row is marked: a bar at the left, whether its cue has the focus, the focused spans in it, a kept clip.

    ``anchor`` is the span from which the focus is being extended.
    """

    bar: str = " "
    is_here: bool = False
    spans: Spans = ()
    is_kept: bool = False
    anchor: Spans = ()


@dataclass(frozen=True, slots=True)
class CueStyles:
    """``hit`` is laid over the others."""

    plain: Style
    bar: Style
    context: Style
    kept: Style
    time: Style
    speaker: Style
    here: Style
    word: Style
    anchor: Style
    hit: Style


def text_column(time_cells: int) -> int:
    """Where the text begins; ``time_cells`` 0: there are no times."""
    return GUTTER + (time_cells + BEHIND_TIME if time_cells else 0)


def cue_strip(
    layout: CueLayout,
    line: int,
    time: str,
    time_cells: int,
    mark: RowMark,
    hits: Iterable[tuple[int, int]],
    styles: CueStyles,
    width: int,
) -> Strip:
    """The line in exactly ``width`` cells; marks change colours only, so that nothing is shifted."""
    plain = styles.plain
    bar = Segment(mark.bar, styles.bar if mark.is_here else styles.context)
    segments = [Segment(_KEPT, styles.kept) if mark.is_kept else Segment(" ", plain), bar, Segment(" ", plain)]
    if time_cells:
        segments.append(Segment(fit(time, time_cells, "right"), styles.time))
        segments.append(Segment(" " * BEHIND_TIME, plain))
    place = layout.lines[line]
    if place.indent:
        segments.append(Segment(layout.speaker, styles.speaker))
    hits = tuple(hits)
    edges = {place.start, place.end}
    edges.update(edge for span in (*mark.spans, *mark.anchor, *hits) for edge in span if place.start < edge < place.end)
    for start, end in pairwise(sorted(edges)):
        style = styles.here if mark.is_here else plain
        if any(low <= start < high for low, high in mark.spans):
            style = styles.word
        if any(low <= start < high for low, high in mark.anchor):
            style = styles.anchor
        if any(low <= start < high for low, high in hits):
            style = style + styles.hit
        segments.append(Segment(layout.text[start:end], style))
    if sign := direction_mark(layout.text):
        segments.append(Segment(sign, plain))
    return Strip(segments).adjust_cell_length(width, plain)
