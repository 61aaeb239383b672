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
from tui.text.display import bar, number
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED
from tui.widgets.plots.blocks import DAY, NO_DAY, calendar, curve

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
    """Plot with a heading; ``empty`` says why there is none. What is drawn has as many lines at every width."""

    DEFAULT_CSS = """
    Plot {
        width: 1fr; height: auto; margin-bottom: 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis;
    }
    """

    def __init__(self, heading: str, *, empty: str) -> None:
        super().__init__()
        self._heading, self._empty = heading, empty

    @abstractmethod
    def drawn(self, width: int) -> Content:
        """Draw it for a width."""

    def headed(self, lines: Sequence[Content], count: str = "") -> Content:
        """The lines below the heading, with a count behind it; without lines what stands in their place."""
        heading = Content.styled(self._heading, _HEADING) + Content(f"  {count}" if count else "")
        return Content("\n").join([heading, *(lines or [Content(self._empty)])])

    def draw(self) -> None:
        """Show it as it is now."""
        self.update(self.drawn(max(1, self.content_size.width or 60)))

    def on_resize(self, event: events.Resize) -> None:
        self.draw()


class GrowthPlot(Plot):
    """Curve of a number that grows from day to day, up to today."""

    _points: Sequence[tuple[date, int]] = ()
    _today = date.min

    def show(self, points: Sequence[tuple[date, int]], today: date) -> None:
        self._points, self._today = points, today
        self.draw()

    def drawn(self, width: int) -> Content:
        width = min(width, _WIDEST_CURVE)
        plot = curve(self._points, self._today, width, _CURVE_LINES)
        if plot is None:
            return self.headed(())
        first, last = _day(plot.first), "today"
        ends = first + " " * max(1, width - cell_len(first) - cell_len(last)) + last
        lines = [Content.styled(line, _LINE) for line in plot.lines]
        return self.headed([*lines, Content(ends)], number(self._points[-1][1]))


class CalendarPlot(Plot):
    """Calendar of the last weeks, a cell for each day, the darker the more there was on it."""

    _counts: Mapping[date, int] = {}
    _today = date.min

    def show(self, counts: Mapping[date, int], today: date) -> None:
        self._counts, self._today = counts, today
        self.draw()

    def drawn(self, width: int) -> Content:
        if not self._counts:
            return self.headed(())
        weeks = max(1, min(_MOST_WEEKS, (width - _LABEL) // 2))
        made = calendar(self._counts, self._today, weeks)
        names = [" "] * (2 * weeks + 3)
        for column, name in made.months:
            names[2 * column : 2 * column + len(name)] = name
        lines = [Content(" " * _LABEL + "".join(names[: 2 * weeks]).rstrip())]
        for weekday, label in enumerate(_WEEKDAYS):
            cells = [_cell(week[weekday]) for week in made.weeks]
            lines.append(Content(label.ljust(_LABEL)) + Content("").join(cells))
        return self.headed(lines, number(sum(self._counts.values())))


@dataclass(frozen=True, slots=True)
class Share:
    """Share of a whole (0 to 1) with a title before it and a note behind it."""

    title: str
    share: float
    note: str = ""


class SharesPlot(Plot):
    """Bars of shares, each in a line with its title."""

    _shares: Sequence[Share] = ()

    def show(self, shares: Sequence[Share]) -> None:
        self._shares = shares
        self.draw()

    def drawn(self, width: int) -> Content:
        if not self._shares:
            return self.headed(())
        lines = []
        width = min(width, _WIDEST_BARS)
        titles = min(max(cell_len(one_line(each.title)) for each in self._shares), _WIDEST_TITLE, width // 3)
        notes = max(cell_len(each.note) for each in self._shares)
        room = max(4, width - titles - notes - _PERCENT - 4)
        for each in self._shares:
            title = cut(one_line(each.title), titles, inside=True)
            blocks = bar(each.share, room).rstrip()
            lines.append(
                Content(title + " " * (titles - cell_len(title) + 2))
                + Content.styled(blocks, _LINE)
                + Content.styled("─" * (room - cell_len(blocks)), "$border-blurred")
                + Content(f"{each.share:>{_PERCENT}.0%}  {each.note}")
            )
        return self.headed(lines)


def _cell(shade: int | None) -> Content:
    if shade is None:
        return Content("  ")
    if not shade:
        return Content.styled(f"{NO_DAY} ", MUTED)
    return Content.styled(f"{DAY} ", _SHADES[shade - 1])


def _day(day: date) -> str:
    return f"{day.day} {day.strftime('%b %Y')}"
