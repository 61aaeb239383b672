"""Text fields whose text can be shown as it is: control characters fall out of whatever is typed, pasted or loaded.

Each takes so many characters and no more, lest a slip of the clipboard hold up every key: of a paste it takes the
beginning, and says so. What is loaded stands as it is, however long.
"""

from __future__ import annotations

from dataclasses import replace

from textual import events
from textual.widget import Widget
from textual.widgets import Input, TextArea
from textual.widgets.text_area import Edit, EditResult

from tui.text.display import number
from tui.text.sanitize import one_line, without_controls

MAX_LINE = 4_000
"""Characters of a line, in a field of one line and in one of several."""
MAX_PATH = 4_096
"""Characters of a path, as many as Linux takes bytes."""
MAX_TEXT = 20_000
"""Characters of a text of several lines."""


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
    ) -> None:
        super().__init__(value, placeholder=placeholder, id=id, classes=classes, select_on_focus=False)
        self.limit = limit
        self._is_limit_told = False

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
            _tell_limit(self, len(taken), len(text), f"the field takes no more than {number(self.limit)}")

    def on_paste(self, event: events.Paste) -> None:
        event.prevent_default()  # Textual takes the first line only
        event.stop()
        self.replace(event.text, *self.selection)


class TextField(TextArea):
    """Field of several lines without a frame; tab goes on to the next field.

    It takes ``limit`` characters, and ``MAX_LINE`` in a line: with every key the whole line is wrapped.
    """

    DEFAULT_CSS = """
    TextField {
        border: none; padding: 0 1; background: $surface; color: $foreground; scrollbar-size-vertical: 1;
        &:focus { border: none; background: $panel; }
        & .text-area--cursor-line { background: transparent; }
        & .text-area--cursor-gutter { background: transparent; color: $foreground 60%; text-style: none; }
    }
    """

    def __init__(
        self,
        text: str = "",
        *,
        limit: int = MAX_TEXT,
        placeholder: str = "",
        numbered: bool = False,
        id: str | None = None,
    ) -> None:
        super().__init__(
            without_controls(text), id=id, soft_wrap=True, show_line_numbers=numbered, placeholder=placeholder
        )
        self.limit = limit
        self._is_limit_told = False

    def edit(self, edit: Edit) -> EditResult:
        """Do an edit, as every key and paste is one; of its text as much is taken as there is room for."""
        text = without_controls(edit.text)
        first, last = sorted((edit.from_location, edit.to_location))
        room = max(0, self.limit - len(self.text) + len(self.get_text_range(first, last)))
        taken, why = text[:room], f"the field takes no more than {number(self.limit)}"
        begun, behind = first[1], len(self.document.get_line(last[0])) - last[1]
        if (end := _end_of_lines(taken, begun, behind)) < len(taken):
            taken, why = taken[:end], f"a line takes no more than {number(MAX_LINE)}"
        result = super().edit(replace(edit, text=taken))
        if len(taken) == len(text):
            self._is_limit_told = False
        elif not self._is_limit_told:
            self._is_limit_told = True
            _tell_limit(self, len(taken), len(text), why)
        return result

    def load_text(self, text: str) -> None:
        super().load_text(without_controls(text))


def _end_of_lines(text: str, before: int, behind: int) -> int:
    """Find how much of a text may be inserted between ``before`` and ``behind`` characters of its line."""
    place = 0
    for line in text.split("\n"):
        is_last = place + len(line) == len(text)
        if before + len(line) + (behind if is_last else 0) > MAX_LINE and line:
            return place + max(0, MAX_LINE - before - behind)  # what is behind comes onto the line that is cut
        place, before = place + len(line) + 1, 0
    return len(text)


def _tell_limit(field: Widget, taken: int, given: int, why: str) -> None:
    if given == 1:
        field.notify(f"{why} characters", severity="warning", markup=False)
    else:
        field.notify(f"pasted {number(taken)} of {number(given)} characters: {why}", severity="warning", markup=False)
