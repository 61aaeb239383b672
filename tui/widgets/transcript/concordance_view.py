"""Concordance view: the sentences with a word, aligned on it, one of them to be chosen; its place stands below."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tui.records.clips import ConcordanceLine
from tui.text.cells import cut, cut_start, direction_mark
from tui.text.display import clock
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import page_keys
from tui.widgets.chrome.targets import Target

_GUTTER = 1
_FAR = 1_000_000_000  # lines, more than any concordance has
_STYLES = ("word", "here", "bar", "cursor")


@dataclass(frozen=True, slots=True)
class KwicLine:
    """Line of a concordance: what stands before the word, the word, and what follows it, fit for a terminal."""

    line: ConcordanceLine
    before: str
    word: str
    after: str

    @classmethod
    def of(cls, line: ConcordanceLine) -> Self:
        whole, word = one_line(line.text), one_line(line.text[line.start : line.end])
        before, after = one_line(line.text[: line.start]), one_line(line.text[line.end :])
        # Each part is cleaned by itself: whether there is a space between them is seen in the whole.
        gap = " " if whole[len(before) :].startswith(" ") else ""
        behind = " " if whole[: len(whole) - len(after)].endswith(" ") else ""
        return cls(line, before + gap if before else "", word, behind + after if after else "")


def sorted_by_what_follows(lines: Iterable[ConcordanceLine]) -> list[KwicLine]:
    """Lines in the order of a concordance: by what follows the word, so that the same turns stand together."""
    return sorted(map(KwicLine.of, lines), key=lambda one: (_folded(one.after), _folded(one.before), one.line.title))


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum() or char == " ").strip()


def word_column(lines: Sequence[KwicLine], width: int) -> int:
    """Cells before the word: what the widest word leaves of ``width`` is shared by the two sides."""
    word = min(max((cell_len(line.word) for line in lines), default=0), width // 2)
    return (width - word) // 2


def aligned(line: KwicLine, column: int, width: int) -> tuple[str, str, str]:
    """The three parts of a line in exactly ``width`` cells, the word at ``column``.

    What stands before the word loses its beginning, what follows its end. Where a script runs from right to left, what
    comes before stands at the right; a mark behind each part keeps a terminal that turns such text from turning it all.
    """
    word = cut(line.word, width - column)
    room = width - column - cell_len(word)
    if direction_mark(line.word):
        left, right = cut(line.after, column), cut_start(line.before, room)
    else:
        left, right = cut_start(line.before, column), cut(line.after, room)
    return (
        " " * (column - cell_len(left)) + left + direction_mark(left),
        word + direction_mark(word),
        right + direction_mark(right) + " " * (room - cell_len(right)),
    )


class ConcordanceView(Widget, can_focus=True):
    """Lines of a concordance with a cursor while it has the focus; ``Chosen`` is sent on enter or a second click.

    The line of the place that one reads at has a bar in the margin.
    """

    ALLOW_SELECT = False
    BINDING_GROUP_TITLE = "In context"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"concordance--{name}" for name in _STYLES}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "open", key_display="⏎", tooltip="open this place", id="concordance.open"),
        Binding("escape", "screen.back", "back", tooltip="back to the text", id="concordance.back"),
        Binding("j,down", "move(1)", "next line", show=False, id="concordance.next"),
        Binding("k,up", "move(-1)", "previous line", show=False, id="concordance.previous"),
        Binding("g,home", f"move(-{_FAR})", "first line", show=False, id="concordance.first"),
        Binding("G,end", f"move({_FAR})", "last line", show=False, id="concordance.last"),
        *page_keys("concordance", "pages"),
    ]

    class Moved(Message):
        """Sent when another line is under the cursor, or none any more."""

    @dataclass(eq=False)
    class Chosen(Message):
        """Sent when a line was chosen."""

        line: ConcordanceLine

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[KwicLine] = []
        self._here: tuple[str, int] | None = None
        self._cursor = self._top = self._column = 0
        self._styles: dict[str, Style] | None = None

    def show(self, lines: Sequence[ConcordanceLine], here: tuple[str, int] | None = None) -> None:
        """Show these lines from the first on; ``here`` is the transcript and cue that one reads at."""
        self._lines, self._here = sorted_by_what_follows(lines), here
        self._cursor = self._top = 0
        self._place_word()
        self.post_message(self.Moved())

    def _place_word(self) -> None:
        """Find the column of the word for these lines in this width."""
        self._column = word_column(self._lines, max(0, self.size.width - _GUTTER))
        self.refresh()

    @property
    def current(self) -> ConcordanceLine | None:
        """Line under the cursor."""
        return self._lines[self._cursor].line if self._lines else None

    # Keys

    def action_choose(self) -> None:
        if (line := self.current) is not None:
            self.post_message(self.Chosen(line))

    def action_move(self, lines: int) -> None:
        self._cursor = max(0, min(self._cursor + lines, len(self._lines) - 1))
        self._follow_cursor()
        self.post_message(self.Moved())

    def action_pages(self, pages: float) -> None:
        self.action_move(round(pages * self.size.height) or (1 if pages > 0 else -1))

    def _follow_cursor(self) -> None:
        lowest = max(0, self._cursor - self.size.height + 1)
        self._top = max(lowest, min(self._top, self._cursor, max(0, len(self._lines) - self.size.height)))
        self.refresh()

    def on_resize(self) -> None:
        self._place_word()
        self._follow_cursor()

    def on_focus(self) -> None:
        self.refresh()
        self.post_message(self.Moved())

    def on_blur(self) -> None:
        self.refresh()

    def targets(self) -> Iterator[Target]:
        """The lines in sight."""
        for y in range(min(self.size.height, len(self._lines) - self._top)):
            yield Target(0, y, partial(self._go_to, self._top + y))

    @property
    def cursor_screen_offset(self) -> Offset:
        return self.content_region.offset + Offset(0, self._cursor - self._top)

    def _go_to(self, number: int) -> None:
        self.focus()
        self.action_move(number - self._cursor)

    # The mouse

    def on_click(self, event: events.Click) -> None:
        number = self._top + event.y
        if number >= len(self._lines):
            return
        again = number == self._cursor and event.chain == 2
        self.action_move(number - self._cursor)
        if again:
            self.action_choose()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_move(-1)

    # Drawing

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles = None

    def render_line(self, y: int) -> Strip:
        if self._styles is None:
            found = {name: self.get_component_rich_style(f"concordance--{name}", partial=True) for name in _STYLES}
            self._styles = {"": self.rich_style, **found}
        styles, width, number = self._styles, self.size.width, self._top + y
        if number >= len(self._lines) or width <= _GUTTER:
            return Strip.blank(width, styles[""])
        line = self._lines[number]
        is_here = (line.line.transcript_id, line.line.cue_index) == self._here
        style = styles[""] + styles["here"] if is_here else styles[""]
        word = styles[""] + styles["word"]
        if self.has_focus and number == self._cursor:
            style, word = style + styles["cursor"], word + styles["cursor"]
        room = width - _GUTTER
        before, kept, after = aligned(line, min(self._column, room), room)
        bar = Segment("▌", style + styles["bar"]) if is_here else Segment(" " * _GUTTER, style)
        return Strip([bar, Segment(before, style), Segment(kept, word), Segment(after, style)])


class Concordance(Vertical):
    """Concordance of a word: the word and its count, the lines, and while one is chosen its sentence and its place."""

    view = getters.query_one(ConcordanceView)

    def compose(self) -> ComposeResult:
        yield Static(classes="concordance-head")
        yield ConcordanceView()
        yield Static(classes="concordance-place")

    def show(self, head: Content, lines: Sequence[ConcordanceLine], here: tuple[str, int] | None = None) -> None:
        """Show a word's lines below its head."""
        # Three lines whatever stands there: a layout of the whole screen would take longer than all else.
        self.query_one(".concordance-head", Static).update(head, layout=False)
        self.view.show(lines, here)

    def on_descendant_focus(self) -> None:
        self.add_class("-choosing")
        self._show_place()

    def on_descendant_blur(self) -> None:
        self.remove_class("-choosing")

    @on(ConcordanceView.Moved)
    def _moved(self, message: ConcordanceView.Moved) -> None:
        message.stop()
        if self.has_class("-choosing"):
            self._show_place()

    def _show_place(self) -> None:
        line = self.view.current
        self.query_one(".concordance-place", Static).update("" if line is None else _place(line))


def _place(line: ConcordanceLine) -> Content:
    """The whole sentence, and where it stands."""
    sentence, title = one_line(line.text), one_line(line.title)
    place = " · ".join(filter(None, (title + direction_mark(title), clock(line.start_ms))))
    return Content("\n").join([Content.styled(sentence, "$foreground"), Content(place)])
