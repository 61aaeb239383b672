"""Plots as widgets: each is a heading and a drawing that is made anew for the width that there is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widgets import Static

from tui.text.cells import cut
from tui.text.display import number
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED
from tui.widgets.plots.blocks import DAY, NO_DAY, bar, calendar, curve

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


class Plot(Static):
    """Plot with a heading; what is drawn has as many lines at every width."""

    DEFAULT_CSS = """
    Plot { width: 1fr; height: auto; margin-bottom: 1; color: $text-muted; }
    """

    @abstractmethod
    def drawn(self, width: int) -> Content:
        """Draw it for a width."""

    def draw(self) -> None:
        """Show it as it is now."""
        self.update(self.drawn(max(1, self.content_size.width or 60)))

    def on_resize(self, event: events.Resize) -> None:
        self.draw()


class GrowthPlot(Plot):
    """Curve of a number that grows from day to day, up to today."""

    def __init__(self, heading: str, *, empty: str) -> None:
        super().__init__()
        self._heading, self._empty = heading, empty
        self._points: Sequence[tuple[date, int]] = ()
        self._today = date.min

    def show(self, points: Sequence[tuple[date, int]], today: date) -> None:
        self._points, self._today = points, today
        self.draw()

    def drawn(self, width: int) -> Content:
        heading = Content.styled(self._heading, _HEADING)
        plot = curve(self._points, self._today, min(width, _WIDEST_CURVE), _CURVE_LINES)
        if plot is None:
            return Content("\n").join([heading, Content(self._empty)])
        lines = [Content.styled(line, _LINE) for line in plot.lines]
        first, last = _day(plot.first), "today"
        between = min(width, _WIDEST_CURVE) - cell_len(first) - cell_len(last)
        now = number(self._points[-1][1])
        return Content("\n").join(
            [heading + Content(f"  {now}"), *lines, Content(first + " " * max(1, between) + last)]
        )


class CalendarPlot(Plot):
    """Calendar of the last weeks, a cell for each day, the darker the more there was on it."""

    def __init__(self, heading: str, *, noun: str, empty: str) -> None:
        super().__init__()
        self._heading, self._noun, self._empty = heading, noun, empty
        self._counts: Mapping[date, int] = {}
        self._today = date.min

    def show(self, counts: Mapping[date, int], today: date) -> None:
        self._counts, self._today = counts, today
        self.draw()

    def drawn(self, width: int) -> Content:
        heading = Content.styled(self._heading, _HEADING)
        if not self._counts:
            return Content("\n").join([heading, Content(self._empty)])
        weeks = max(1, min(_MOST_WEEKS, (width - _LABEL) // 2))
        made = calendar(self._counts, self._today, weeks)
        names = [" "] * (2 * weeks + 3)
        for column, name in made.months:
            names[2 * column : 2 * column + len(name)] = name
        lines = [Content(" " * _LABEL + "".join(names[: 2 * weeks]).rstrip())]
        for weekday, label in enumerate(_WEEKDAYS):
            cells = [_cell(week[weekday]) for week in made.weeks]
            lines.append(Content(label.ljust(_LABEL)) + Content("").join(cells))
        total = sum(self._counts.values())
        return Content("\n").join([heading + Content(f"  {number(total)}"), *lines])


@dataclass(frozen=True, slots=True)
class Share:
    """Share of a whole (0 to 1) with a title before it and a note behind it."""

    title: str
    share: float
    note: str = ""


class SharesPlot(Plot):
    """Bars of shares, each in a line with its title."""

    def __init__(self, heading: str, *, empty: str) -> None:
        super().__init__()
        self._heading, self._empty = heading, empty
        self._shares: Sequence[Share] = ()

    def show(self, shares: Sequence[Share]) -> None:
        self._shares = shares
        self.draw()

    def drawn(self, width: int) -> Content:
        lines = [Content.styled(self._heading, _HEADING)]
        if not self._shares:
            return Content("\n").join([*lines, Content(self._empty)])
        width = min(width, _WIDEST_BARS)
        titles = min(max(cell_len(one_line(each.title)) for each in self._shares), _WIDEST_TITLE, width // 3)
        notes = max(cell_len(each.note) for each in self._shares)
        room = max(4, width - titles - notes - _PERCENT - 4)
        for each in self._shares:
            title = cut(one_line(each.title), titles, inside=True)
            blocks = bar(each.share, room)
            lines.append(
                Content(title + " " * (titles - cell_len(title) + 2))
                + Content.styled(blocks, _LINE)
                + Content.styled("─" * (room - cell_len(blocks)), "$border-blurred")
                + Content(f"{each.share:>{_PERCENT}.0%}  {each.note}")
            )
        return Content("\n").join(lines)


def _cell(shade: int | None) -> Content:
    if shade is None:
        return Content("  ")
    if not shade:
        return Content.styled(f"{NO_DAY} ", MUTED)
    return Content.styled(f"{DAY} ", _SHADES[shade - 1])


def _day(day: date) -> str:
    return f"{day.day} {day.strftime('%b %Y')}"
