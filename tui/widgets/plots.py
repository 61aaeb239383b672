"""Plots of block characters: curves, calendars, shares and waveforms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeAlias

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from tui.records.media import PEAKS_A_SECOND, Span
from tui.text.cells import cut
from tui.text.display import bar, number
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_MAX_SHADE = 4
DAYS_A_WEEK = 7
_LEAST = timedelta(weeks=4)
DAY = "■"
NO_DAY = "·"

_HEADING = "bold $foreground"
_LINE = "$secondary"
_SHADES = ("$success 35%", "$success 55%", "$success 75%", "$success")
_WEEKDAYS = ("Mon", "", "Wed", "", "Fri", "", "")
_LABEL = 4
_MOST_WEEKS = 53
_CURVE_LINES = 6
_WIDEST_CURVE = 66
_WIDEST_BARS = 134
_WIDEST_TITLE = 44
_PERCENT = 6
_QUIET = 24
"""Peak that is drawn as the highest at least: the noise of a silent room is no speech."""


Lines: TypeAlias = tuple[str, ...]
"""Lines of text from the top down."""


def curve(points: Sequence[tuple[date, int]], today: date, width: int, height: int) -> tuple[Lines, date] | None:
    """Draw numbers that hold from their day to that of the next one, up to today, and give the day at which it begins.

    None where there are none.

    It begins with nothing, on the day before the first one, and shows some weeks at least.
    Columns go from nothing at the bottom to the highest number at the top, in eighths of a cell.
    """
    if not points or width < 1 or height < 1:
        return None
    last = max(today, points[-1][0])
    first = min(points[0][0] - timedelta(days=1), last - _LEAST)
    points = [(first, 0), *points]
    days = (last - first).days
    highest = max(number for _, number in points)
    heights, at = [], 0
    for column in range(width):
        day = first + timedelta(days=round(days * column / max(width - 1, 1)))
        while at + 1 < len(points) and points[at + 1][0] <= day:
            at += 1
        heights.append(round(points[at][1] / highest * height * 8) if highest else 0)
    return columns(heights, height), first


def columns(heights: Sequence[int], rows: int) -> Lines:
    """Draw columns of these heights, in eighths of a cell, as so many lines of text from the top down."""
    return tuple(
        "".join(_EIGHTHS[min(8, max(0, eighths - 8 * row))] for eighths in heights) for row in reversed(range(rows))
    )


def calendar(
    counts: Mapping[date, int], today: date, weeks: int
) -> tuple[list[tuple[int | None, ...]], list[tuple[int, str]]]:
    """Lay out the last weeks as columns, that of today last; and names of months over the columns in which they begin.

    A weekday has a shade from 0 (nothing) to 4, its share of the busiest day among them; a day after today is None.
    """
    monday = today - timedelta(days=today.weekday() + DAYS_A_WEEK * (weeks - 1))
    busiest = max((count for day, count in counts.items() if monday <= day <= today), default=0)
    columns, months = [], []
    for week in range(weeks):
        days = [monday + timedelta(weeks=week, days=weekday) for weekday in range(DAYS_A_WEEK)]
        columns.append(tuple(None if day > today else _shade(counts.get(day, 0), busiest) for day in days))
        if (starting := next((day for day in days if day.day == 1), None)) is not None and starting <= today:
            months.append((week, starting.strftime("%b")))
    return columns, months


def _shade(count: int, busiest: int) -> int:
    return 0 if not count or not busiest else max(1, -(-_MAX_SHADE * count // busiest))


Drawn: TypeAlias = tuple[Sequence[Content], str]
"""Lines of a plot, none where there is nothing to draw, and the count that stands behind its heading."""
_NOTHING: Drawn = (), ""


class Plot(Static):
    """Plot with a heading; ``empty`` says why there is none. What is drawn has as many lines at every width."""

    def __init__(self, heading: str, *, empty: str, id: str) -> None:
        super().__init__(id=id)
        self._heading, self._empty = heading, empty
        self._drawing: Callable[[int], Drawn] | None = None

    def show(self, drawing: Callable[[int], Drawn]) -> None:
        """Show what is drawn for the width that there is, now and whenever that changes."""
        self._drawing = drawing
        self.draw()

    def draw(self) -> None:
        """Show it as it is now."""
        width = max(1, self.content_size.width or 60)
        lines, count = self._drawing(width) if self._drawing is not None else _NOTHING
        heading = Content.styled(self._heading, _HEADING) + Content(f"  {count}" if count else "")
        self.update(Content("\n").join([heading, *(lines or [Content(self._empty)])]))

    def on_resize(self) -> None:
        self.draw()


def draw_growth(points: Sequence[tuple[date, int]], today: date, width: int) -> Drawn:
    """Draw the curve of a number that grows from day to day, up to today."""
    width = min(width, _WIDEST_CURVE)
    if (plot := curve(points, today, width, _CURVE_LINES)) is None:
        return _NOTHING
    (drawn, day), last = plot, "today"
    first = f"{day.day} {day.strftime('%b %Y')}"
    ends = first + " " * max(1, width - cell_len(first) - cell_len(last)) + last
    return [*(Content.styled(line, _LINE) for line in drawn), Content(ends)], number(points[-1][1])


def draw_calendar(counts: Mapping[date, int], today: date, width: int) -> Drawn:
    """Draw a calendar of the last weeks, a cell for each day, the darker the more there was on it."""
    if not counts:
        return _NOTHING
    weeks = max(1, min(_MOST_WEEKS, (width - _LABEL) // 2))
    columns, months = calendar(counts, today, weeks)
    names = [" "] * (2 * weeks + 3)
    for column, name in months:
        names[2 * column : 2 * column + len(name)] = name
    lines = [Content(" " * _LABEL + "".join(names[: 2 * weeks]).rstrip())]
    for weekday, label in enumerate(_WEEKDAYS):
        lines.append(Content(label.ljust(_LABEL)) + Content("").join([_cell(week[weekday]) for week in columns]))
    return lines, number(sum(counts.values()))


@dataclass(frozen=True, slots=True)
class Share:
    """Share of a whole (0 to 1) with a title before it and a note behind it."""

    title: str
    share: float
    note: str = ""


def draw_shares(shares: Sequence[Share], width: int) -> Drawn:
    """Draw bars of shares, each in a line with its title."""
    if not shares:
        return _NOTHING
    width = min(width, _WIDEST_BARS)
    titles = min(max(cell_len(one_line(each.title)) for each in shares), _WIDEST_TITLE, width // 3)
    notes = max(cell_len(each.note) for each in shares)
    room = max(4, width - titles - notes - _PERCENT - 4)
    lines = []
    for each in shares:
        title = cut(one_line(each.title), titles, inside=True)
        blocks = bar(each.share, room).rstrip()
        lines.append(
            Content(title + " " * (titles - cell_len(title) + 2))
            + Content.styled(blocks, _LINE)
            + Content.styled("─" * (room - cell_len(blocks)), "$border-blurred")
            + Content(f"{each.share:>{_PERCENT}.0%}  {each.note}")
        )
    return lines, ""


def _cell(shade: int | None) -> Content:
    if shade is None:
        return Content("  ")
    if not shade:
        return Content.styled(f"{NO_DAY} ", MUTED)
    return Content.styled(f"{DAY} ", _SHADES[shade - 1])


@dataclass(frozen=True, slots=True)
class Peaks:
    """Peaks of a film's sound from ``start_ms`` on, a byte each (``media/sound.py``)."""

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


def waveform(peaks: Peaks, window: Span, width: int, rows: int) -> Lines:
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
