"""Waveform of block characters with a span of it chosen, and below it a line of time. Pure: texts of equal width."""

from __future__ import annotations

from dataclasses import dataclass

from tui.records.media import PEAKS_A_SECOND, Span
from tui.widgets.plots.blocks import columns

_QUIET = 24
"""Peak that is drawn as the highest at least: the noise of a silent room is no speech."""


@dataclass(frozen=True, slots=True)
class Peaks:
    """Peaks of a film's sound from ``start_ms`` on, a byte each (``media/waveform.py``)."""

    start_ms: int = 0
    values: bytes = b""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Limits of the neighbouring cues, in milliseconds: where the one before ends, where the one after begins."""

    previous_end: int | None = None
    next_start: int | None = None


def chosen_columns(span: Span, window: Span, width: int) -> tuple[int, int]:
    """The first and the last column of a span, one at least, where ``width`` columns show ``window``."""
    first = min(max(0, _column(span.start_ms, window, width)), width - 1)
    last = min(_column(span.end_ms - 1, window, width), width - 1)
    return first, max(first, last)


def waveform(peaks: Peaks, window: Span, width: int, rows: int) -> tuple[str, ...]:
    """Draw ``window`` from the top down, relative to the loudest peak; what no peaks are known of is free."""
    highest = max(_QUIET, max(peaks.values, default=0))
    length = window.end_ms - window.start_ms
    heights = []
    for column in range(width):
        begin = window.start_ms + length * column // width - peaks.start_ms
        until = window.start_ms + length * (column + 1) // width - peaks.start_ms
        first = begin * PEAKS_A_SECOND // 1000
        found = peaks.values[max(0, first) : max(0, first + 1, until * PEAKS_A_SECOND // 1000)]
        heights.append(round(max(found, default=0) / highest * rows * 8))
    return columns(heights, rows)


def time_line(span: Span, window: Span, width: int, neighbours: Neighbours) -> str:
    """Draw the span as a bracket, and up to their limits the cues before and after it."""
    first, last = chosen_columns(span, window, width)
    line = [" "] * width
    if neighbours.previous_end is not None:
        limit = min(_column(neighbours.previous_end - 1, window, width), first - 1)
        if limit >= 0:
            line[: limit + 1] = "─" * limit + "┤"
    if neighbours.next_start is not None:
        limit = max(_column(neighbours.next_start, window, width), last + 1)
        if limit < width:
            line[limit:] = "├" + "─" * (width - limit - 1)
    line[first : last + 1] = "┗" + "━" * (last - first - 1) + "┛" if last > first else "┃"
    return "".join(line)


def _column(milliseconds: int, window: Span, width: int) -> int:
    """The column of a moment, outside of 0 to ``width`` where the window does not show it."""
    return (milliseconds - window.start_ms) * width // (window.end_ms - window.start_ms)
