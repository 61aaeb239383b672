"""Text fields of one line, of text that can be shown: control characters fall out of what is typed, pasted or loaded.

Each takes so many characters and no more, lest a slip of the clipboard hold up every key: of a paste it takes the
beginning, and says so. What is loaded stands as it is, however long.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset, Size
from textual.message import Message
from textual.suggester import Suggester
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from tui.records.pages import MAX_SEARCH_LENGTH
from tui.text.cells import cut
from tui.text.display import number
from tui.text.sanitize import one_line, without_controls
from tui.text.wrapping import wrap
from tui.widgets.forms.search_suggestions import SearchSuggestions

MAX_LINE = 4_000
"""Characters of a line, in a field of one line and in one of several."""
MAX_PATH = 4_096
"""Characters of a path, as many as Linux takes bytes."""


class LineField(Input):
    """Field of one line without a frame; line ends and tabs become spaces. It takes ``limit`` characters."""

    DEFAULT_CSS = """
    LineField {
        height: 1; border: none; padding: 0 1; background: $surface; color: $foreground;
        &:focus { border: none; background: $panel; }
    }
    """

    def __init__(
        self,
        value: str = "",
        *,
        limit: int = MAX_LINE,
        placeholder: str = "",
        id: str | None = None,
        classes: str | None = None,
        suggester: Suggester | None = None,
    ) -> None:
        super().__init__(
            value, placeholder=placeholder, id=id, classes=classes, select_on_focus=False, suggester=suggester
        )
        self.set_reactive(Input.cursor_blink, False)  # it would be drawn twice a second, over any line
        self.limit = limit
        self._is_limit_told = False

    @property
    def cursor_screen_offset(self) -> Offset:
        """Where the cursor is drawn: Textual's own is a cell further at the end of the text."""
        return super().cursor_screen_offset - Offset(self.cursor_at_end, 0)

    def validate_value(self, value: str) -> str:
        clean = without_controls(value).replace("\t", " ")
        return one_line(clean) if "\n" in clean else clean  # what is being typed may well end in a space

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace a part of the text, as every key and paste does, with as much of ``text`` as there is room for."""
        start, end = sorted((start, end))
        room = max(0, self.limit - len(self.value) + end - start)
        text = self.validate_value(text)
        taken = text[:room]
        if taken or end > start:
            super().replace(taken, start, end)
            self._is_limit_told = False
        if len(taken) < len(text) and not self._is_limit_told:
            self._is_limit_told = True
            tell_limit(self, len(taken), len(text), f"the field takes no more than {number(self.limit)}")

    def on_paste(self, event: events.Paste) -> None:
        event.prevent_default()  # Textual takes the first line only
        event.stop()
        self.replace(event.text, *self.selection)


def tell_limit(field: Widget, taken: int, given: int, why: str) -> None:
    """Tell that a field took less than it was given; ``why`` ends in a number."""
    if given == 1:
        field.notify(f"{why} characters", severity="warning", markup=False)
    else:
        field.notify(f"pasted {number(taken)} of {number(given)} characters: {why}", severity="warning", markup=False)


_PAUSE_SECONDS = 0.08
"""Seconds that the typing pauses before the list is searched, so that a fast typist's search runs once."""


class FilterBar(LineField):
    """Field that filters while it is typed into; enter (or down) keeps the filter and goes to the list, esc clears it.

    Up and down go through the ``earlier`` filters, the last one last; tab completes as ``suggester`` says.

    A single widget without children: it can be given the focus in the moment in which it is mounted, so that nothing
    typed right after the key that opens it goes astray.
    """

    BINDING_GROUP_TITLE = "Filter"
    DEFAULT_CSS = """
    FilterBar {
        height: 1; max-width: 140; margin: 0 0 1 0; padding: 0 1 0 2; background: $background; color: $text-muted;
        border: none; border-left: outer $background;
        &:focus { border: none; border-left: outer $accent; background: $background; color: $foreground; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "keep", "to the list", key_display="⏎", id="filter.keep"),
        Binding("up", "earlier(1)", "an earlier filter", show=False, id="filter.earlier"),
        Binding("down", "earlier(-1)", "a later filter, then to the list", show=False, id="filter.later"),
        Binding("tab", "complete", "complete a field or its value", show=False, id="filter.complete"),
        Binding("escape", "clear", "clear", id="filter.clear"),
    ]

    @dataclass(eq=False)
    class Filtered(Message):
        """Sent when the typing paused; ``q`` is the filter now."""

        q: str

    @dataclass(eq=False)
    class Kept(Message):
        """Sent when the list of a filter is gone to."""

        q: str

    class Closed(Message):
        """Sent, after the last ``Filtered``, when the focus is to go back to the list."""

    def __init__(self, suggester: SearchSuggestions | None = None, earlier: Sequence[str] = ()) -> None:
        super().__init__(limit=MAX_SEARCH_LENGTH, placeholder="type to filter", suggester=suggester)
        self._pause: Timer | None = None
        self._earlier = earlier
        self._back = 0
        """How many filters it has gone back; 0 is what was typed."""
        self._typed_before = ""

    @property
    def q(self) -> str:
        return self.value.strip()

    async def on_key(self, event: events.Key) -> None:
        if (
            event.key == "slash" and not self.value and not self.screen.is_modal
        ):  # twice the key that filters here: everything is meant
            event.stop()
            event.prevent_default()
            await self.app.run_action("find_anything")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(_PAUSE_SECONDS, self._tell)

    def _tell(self) -> None:
        self.post_message(self.Filtered(self.q))

    def action_keep(self) -> None:
        self._tell()
        if self.q:
            self.post_message(self.Kept(self.q))
        self.post_message(self.Closed())

    def action_clear(self) -> None:
        self.value = ""
        self._tell()
        self.post_message(self.Closed())

    def action_earlier(self, step: int) -> None:
        """Show the filter before or after the one that stands here; after what was typed there is the list."""
        if step < 0 and not self._back:
            self.action_keep()
            return
        if not self._back:
            self._typed_before = self.value
        self._back = min(self._back + step, len(self._earlier))
        self._write(self._earlier[-self._back] if self._back else self._typed_before)

    async def action_complete(self) -> None:
        """Complete what stands before the cursor; where nothing is known of it, go on to the next widget."""
        suggester = self.suggester
        whole = await suggester.complete(self.value) if isinstance(suggester, SearchSuggestions) else None
        if whole is not None:
            self._write(whole)
        elif not self.value or self.value.endswith(" "):
            self.screen.focus_next()

    def _write(self, text: str) -> None:
        self.value = text
        self.cursor_position = len(self.value)


_CORNER = "╰ "


class FieldError(Widget):
    """Line below a field: ``say`` what is wrong, ``note`` what is worth knowing while nothing is wrong.

    With a height of its own in CSS it keeps its place, and ends with "…" where that is too small.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.error = self.noted = ""

    @property
    def message(self) -> str:
        """Text that is shown: the error, else the note."""
        return self.error or self.noted

    def say(self, message: str) -> None:
        """Show an error; "" for none."""
        self._show(one_line(message), self.noted)

    def note(self, message: str) -> None:
        """Show a note while there is no error; "" for none."""
        self._show(self.error, one_line(message))

    def _show(self, error: str, noted: str) -> None:
        before = self.message
        self.error, self.noted = error, noted
        self.set_class(not error, "-note")
        if self.message != before:
            height = self.styles.height
            self.refresh(layout=height is None or height.is_auto)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        width, height = self.content_size
        lines = self._lines(width)
        if len(lines) > height > 0:
            lines[height - 1 :] = [cut(lines[height - 1] + "…", width)]
        return Content("\n".join(lines))

    def _lines(self, width: int) -> list[str]:
        if not self.message:
            return []
        indent = " " * len(_CORNER)
        pieces = [self.message[start:end] for start, end in wrap(self.message, width - len(_CORNER))]
        return [(indent if number else _CORNER) + piece for number, piece in enumerate(pieces)]
