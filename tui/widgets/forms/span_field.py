"""Field of a span of time: keys move its start and its end, against a waveform of the sound around it."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from tui.records.media import Span
from tui.text.display import clock_with_tenths
from tui.widgets.chrome.themes import MUTED
from tui.widgets.plots import Neighbours, Peaks, chosen_columns, time_line, waveform

STEP_MS = 100
LEAST_MS = 200
"""Milliseconds of the shortest span."""
_AROUND_MS = 2000
"""Milliseconds that are shown before and after the span at first."""
_MARGIN_MS = 500
"""Milliseconds around the span below which more is shown."""
_ROWS, _ROWS_WHERE_SHORT = 3, 1
_CHOSEN = "$accent on $accent 12%"
_AROUND = "$secondary 60%"


def _does(edge: str, where: str) -> str:
    return f"move the {edge} of the sound {STEP_MS} ms {where}"


class SpanField(Vertical, can_focus=True):
    """Field of a span; until ``show_peaks`` or ``expect_peaks`` there is no room for a waveform.

    ``window`` is the span that is shown, and whose peaks are wanted.
    """

    BINDING_GROUP_TITLE = "Times"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("[", f"move_start({-STEP_MS})", "start ←", tooltip=_does("start", "earlier"), id="times.start_earlier"),
        Binding("]", f"move_start({STEP_MS})", "→", tooltip=_does("start", "later"), id="times.start_later"),
        Binding("{", f"move_end({-STEP_MS})", "end ←", tooltip=_does("end", "earlier"), id="times.end_earlier"),
        Binding("}", f"move_end({STEP_MS})", "→", tooltip=_does("end", "later"), id="times.end_later"),
        Binding("p", "play", "play", tooltip="play the sound as it would be cut", id="times.play"),
    ]

    class Moved(Message):
        """Sent when the user moved the start or the end."""

    class PlayWanted(Message):
        """Request to play the span."""

    def __init__(self, span: Span, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.span = span
        self.window = _around(span)
        self._peaks: Peaks | None = None
        self.neighbours = Neighbours()

    def compose(self) -> ComposeResult:
        yield Static(classes="span-field--drawing")
        yield Static(classes="span-field--times")
        yield Static(classes="span-field--reason")

    def on_mount(self) -> None:
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    # Drawing.

    def expect_peaks(self) -> None:
        """Make room for the waveform that is being read."""
        self.show_peaks(self._peaks or Peaks())

    def show_peaks(self, peaks: Peaks) -> None:
        self._peaks = peaks
        self.remove_class("-without")
        self.draw()

    def show_without(self, reason: str) -> None:
        """Show in one line why there is no waveform."""
        self._peaks = None
        self.query_one(".span-field--reason", Static).update(Content(reason))
        self.add_class("-without")
        self.draw()

    def show_neighbours(self, neighbours: Neighbours) -> None:
        self.neighbours = neighbours
        self.draw()

    def draw(self) -> None:
        """Show it as it is now, as wide as there is room."""
        drawing = self.query_one(".span-field--drawing", Static)
        width = max(1, self.content_size.width or 60)
        first, last = chosen_columns(self.span, self.window, width)
        lines = [time_line(self.span, self.window, width, self.neighbours)]
        if self._peaks is not None:
            rows = _ROWS_WHERE_SHORT if self.screen.has_class("-short") else _ROWS
            lines[:0] = waveform(self._peaks, self.window, width, rows)
        drawing.update(Content("\n").join(_styled(line, first, last) for line in lines))
        start, end = clock_with_tenths(self.span.start_ms), clock_with_tenths(self.span.end_ms)
        seconds = max(0, self.span.end_ms - self.span.start_ms) / 1000
        times = Content(f"{start} – {end}") + Content.styled(f" · {seconds:.1f} s", MUTED)
        self.query_one(".span-field--times", Static).update(times)

    # Moving.

    def action_move_start(self, by: int) -> None:
        latest = max(0, self.span.end_ms - LEAST_MS)
        self._move(Span(min(max(0, self.span.start_ms + by), latest), self.span.end_ms))

    def action_move_end(self, by: int) -> None:
        earliest = self.span.start_ms + LEAST_MS
        self._move(Span(self.span.start_ms, max(earliest, self.span.end_ms + by)))

    def action_play(self) -> None:
        self.post_message(self.PlayWanted())

    def _move(self, span: Span) -> None:
        if span == self.span:
            return
        self.span = span
        begin, until = self.window.start_ms, self.window.end_ms
        if span.start_ms < begin + _MARGIN_MS * (begin > 0) or span.end_ms > until - _MARGIN_MS:
            self.window = _around(span)
        self.draw()
        self.post_message(self.Moved())


def _around(span: Span) -> Span:
    """The span with some seconds around it; a span whose end comes before its start has them as well."""
    return Span(max(0, span.start_ms - _AROUND_MS), max(span.start_ms, span.end_ms) + _AROUND_MS)


def _styled(line: str, first: int, last: int) -> Content:
    """The line with its chosen columns, ``first`` to ``last``, apart from the rest."""
    return Content.assemble((line[:first], _AROUND), (line[first : last + 1], _CHOSEN), (line[last + 1 :], _AROUND))
