"""Text field of several lines, apart from the others: the first list need not wait for Textual's ``TextArea``."""

from dataclasses import replace

from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from tui.text.display import number
from tui.text.sanitize import without_controls
from tui.widgets.forms.text_fields import MAX_LINE, tell_limit

MAX_TEXT = 20_000
"""Characters of a text of several lines."""


class TextField(TextArea):
    """Field of several lines without a frame; tab goes on to the next field.

    It takes ``limit`` characters, and ``MAX_LINE`` in a line: with every key the whole line is wrapped.
    """

    def __init__(
        self,
        text: str = "",
        *,
        limit: int = MAX_TEXT,
        placeholder: str = "",
        numbered: bool = False,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(
            without_controls(text),
            id=id,
            classes=classes,
            soft_wrap=True,
            show_line_numbers=numbered,
            placeholder=placeholder,
        )
        self.set_reactive(TextArea.cursor_blink, False)  # as in a ``LineField``
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
            tell_limit(self, len(taken), len(text), why)
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
