"""Log of a streamed explanation: Markdown that arrives in tokens, drawn a bounded number of times a second."""

from time import monotonic
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer

from tui.text.sanitize import ControlFilter, without_controls
from tui.widgets.chrome.key_line import page_keys
from tui.widgets.markdown.lines import Line, Look, StreamedMarkdown, line_cells, line_text, wrapped

_INTERVAL = 1 / 12
"""Seconds between two drawings while text comes in; more where a drawing takes long."""
_SOON = 0.005
"""Seconds until a drawing that is overdue; Textual's timers fail with 0."""
_SHARE = 8
"""Share of the time that drawing takes at most: one part in this many."""
_TAIL = "▌"
_MORE = " ↓ more below "
_COMPONENTS = {Look.MUTED: "muted", Look.CODE: "code", Look.LINK: "link", Look.ERROR: "error", Look.TAIL: "tail"}


class TokenLog(ScrollView, can_focus=True, inherit_bindings=False):
    """Log that follows its tail in steps of a third of the height, unless the reader scrolled up."""

    BINDING_GROUP_TITLE = "Explanation"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"token-log--{name}" for name in (*_COMPONENTS.values(), "more")}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_lines(1)", "down", show=False, id="log.down"),
        Binding("k,up", "scroll_lines(-1)", "up", show=False, id="log.up"),
        Binding("g,home", "scroll_lines(-1000000000)", "to the beginning", show=False, id="log.first"),
        Binding("G,end", "scroll_lines(1000000000)", "to the end", show=False, id="log.last"),
        *page_keys("log", "scroll_pages"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._timer: Timer | None = None
        self._drawn_at = 0.0
        self._looks: dict[Look, Style] = {}
        self._begin(width=80)

    def _begin(self, width: int) -> None:
        self._markdown = StreamedMarkdown(width)
        self._notes: list[list[tuple[str, Look]]] = []
        self._remark = ""
        self._lines: list[Line] = []
        self._controls = ControlFilter()
        self._buffer: list[str] = []
        self._pause = _INTERVAL
        self._streaming = False
        self._follows = True
        self._hint = False
        """True while the line is shown that says that there is more below."""

    # What a screen says and reads

    @property
    def text(self) -> str:
        """Markdown so far, also what has not been drawn yet; without the notes."""
        return self._markdown.text + "".join(self._buffer)

    @property
    def lines(self) -> list[str]:
        """Lines as they are drawn, without their styles."""
        return [line_text(line) for line in self._lines]

    def feed(self, text: str) -> None:
        """Take in a piece of a stream; it is drawn with the next repaint."""
        safe = self._controls.feed(text).replace("\u2028", "\n").replace("\u2029", "\n")
        self._streaming = True
        if safe:
            self._buffer.append(safe)
            self._draw_soon()

    def finish(self) -> None:
        """End the stream: draw what is left, and take the cursor at its tail away."""
        self._streaming = False
        self._remark = ""
        self._draw()

    def show(self, text: str) -> None:
        """Show a whole text at once, in place of what was there, from its beginning."""
        self.clear()
        self.feed(text)
        self._follows = False
        self.finish()

    def go_on(self, text: str) -> None:
        """Let another stream, which begins with ``text``, follow what is there; the notes go, the tail is shown."""
        self._notes.clear()
        self._controls = ControlFilter()
        self._follows = True
        self.feed(text)

    def go_to_beginning(self) -> None:
        """Show the text from its beginning, and stay there whatever still comes."""
        self._draw()
        self.scroll_to(y=0, animate=False, force=True)
        self._follows = False

    def note(self, text: str, *, error: bool = False, more: str = "") -> None:
        """Add a quiet line below the text: that it was stopped, or why it broke off; ``more`` stands right below it."""
        note = [(without_controls(text), Look.ERROR if error else Look.MUTED)]
        self._notes.append(note + [(line, Look.MUTED) for line in without_controls(more).splitlines()])
        self._draw()

    def remark(self, text: str) -> None:
        """Show a remark while nothing has come; the first text or note takes its place. "" for none."""
        if (said := without_controls(text)) != self._remark:
            self._remark = said
            self._draw_soon()

    def clear(self) -> None:
        """Clear the log for another stream."""
        self._begin(self._room)
        self._stop_timer()
        self.virtual_size = Size(0, 0)
        self.scroll_to(y=0, animate=False, force=True)
        self.refresh()

    # Drawing in time

    def _draw_soon(self) -> None:
        if self._timer is None and self.is_mounted:
            due = self._drawn_at + self._pause - monotonic()
            self._timer = self.set_timer(max(_SOON, due), self._draw)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _draw(self) -> None:
        """Take the buffer into the lines, and draw the lines that changed."""
        self._stop_timer()
        if not self.is_mounted:
            return
        began = monotonic()
        text = "".join(self._buffer)
        self._buffer.clear()
        before = self._lines
        unchanged = self._markdown.append(text) if text else 0
        self._lines = self._with_notes()
        self._refresh_changes(before, unchanged)
        self._follow()
        self._drawn_at = monotonic()
        self._pause = max(_INTERVAL, (self._drawn_at - began) * _SHARE)

    def _with_notes(self) -> list[Line]:
        lines = list(self._markdown.lines)
        if self._streaming and lines and line_cells(lines[-1]) < self._room:
            lines[-1] = (*lines[-1], (_TAIL, Look.TAIL))  # more will come
        if self._remark and not lines and not self._notes:
            return wrapped([(self._remark, Look.MUTED)], self._room)
        for note in self._notes:
            if lines:
                lines.append(())
            for part in note:
                lines += wrapped([part], self._room)
        return lines

    def _refresh_changes(self, before: list[Line], first: int) -> None:
        top = self.scroll_offset.y
        for number in range(max(first - 1, top, 0), min(max(len(before), len(self._lines)), top + self.size.height)):
            old = before[number] if number < len(before) else ()
            new = self._lines[number] if number < len(self._lines) else ()
            if old != new:
                self.refresh(Region(0, number - top, min(max(line_cells(old), line_cells(new)), self._room), 1))

    # Following the tail

    @property
    def _room(self) -> int:
        """Cells beside the scrollbar, which is always there, so that text never wraps anew when it comes."""
        return max(1, self.scrollable_content_region.width)

    def _follow(self) -> None:
        """Make room for the tail; where it left the view, jump so far that the next third of a page is free."""
        height = self.size.height
        step = max(1, height // 3) if self._streaming else 0
        count = len(self._lines)
        leaves = self._follows and count > self.scroll_offset.y + height
        if count > height and (leaves or count > self.virtual_size.height):
            self.virtual_size = Size(0, max(self.virtual_size.height, count + step))
        if leaves:
            self.scroll_to(y=count + step - height, animate=False, force=True)
        hint = self._streaming and not self._tail_is_visible
        if hint != self._hint:
            self._hint = hint
            self.refresh(Region(0, height - 1, self._room, 1))

    @property
    def _tail_is_visible(self) -> bool:
        return len(self._lines) <= self.scroll_offset.y + self.size.height

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if new_value > old_value:
            self._follows = self._follows or self._tail_is_visible
        elif new_value < old_value and round(new_value) < self.max_scroll_y:
            self._follows = False

    def action_scroll_lines(self, count: int) -> None:
        top = self.scroll_offset.y
        if count < 0:
            self.scroll_to(y=max(0, top + count), animate=False, force=True)
        elif self._tail_is_visible:
            self._follows = True
        else:
            self.scroll_to(y=min(top + count, len(self._lines) - self.size.height), animate=False, force=True)

    def action_scroll_pages(self, pages: float) -> None:
        self.action_scroll_lines(round(pages * self.size.height))

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        """Wrap to the new width; the tail stays in view if it was, else the same part of the text."""
        place, follows = self.scroll_offset.y / max(1, len(self._lines)), self._follows
        self._markdown.wrap_to(self._room)
        self._lines = self._with_notes()
        count, height = len(self._lines), self.size.height
        self.virtual_size = Size(0, count if count > height else 0)
        self.scroll_to(y=count - height if follows else round(place * count), animate=False, force=True)
        self._follows = follows
        self._draw()
        self.refresh()

    # Lines on the screen

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks.clear()

    def render_line(self, y: int) -> Strip:
        number = y + self.scroll_offset.y
        width = self._room
        plain = self.rich_style
        line = self._lines[number] if number < len(self._lines) else ()
        strip = Strip([Segment(text, self._style(look)) for text, look in line])
        strip = strip.adjust_cell_length(width, plain).simplify()
        if (selection := self.text_selection) is not None:
            strip = self._selected(strip, selection, number)
        if y == self.size.height - 1 and self._hint:
            more = Strip([Segment(_MORE, self.get_component_rich_style("token-log--more"))])
            strip = Strip.join([strip.crop(0, width - more.cell_length), more])
        return strip.apply_offsets(0, number) if number < len(self._lines) else strip

    def _style(self, look: Look) -> Style:
        if (style := self._looks.get(look)) is None:
            style = self.rich_style + Style(
                bold=Look.STRONG in look or None,
                italic=Look.EMPHASIS in look or None,
                strike=Look.STRUCK in look or None,
            )
            for part, name in _COMPONENTS.items():
                if part in look:
                    own = self.get_component_rich_style(f"token-log--{name}")
                    style += own if part is Look.CODE else own.without_color + Style(color=own.color)
            self._looks[look] = style
        return style

    def _selected(self, strip: Strip, selection: Selection, number: int) -> Strip:
        if (span := selection.get_span(number)) is None:
            return strip
        start, end = (strip.index_to_cell_position(len(strip.text) if place == -1 else place) for place in span)
        selected = strip.crop(start, end).apply_style(self.screen.get_component_rich_style("screen--selection"))
        return Strip.join([strip.crop(0, start), selected, strip.crop(end, strip.cell_length)])

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract("\n".join(self.lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()
