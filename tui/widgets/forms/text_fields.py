"""Text fields whose text can be shown as it is: control characters fall out of whatever is typed, pasted or loaded."""

from __future__ import annotations

from dataclasses import replace

from textual.widgets import Input, TextArea
from textual.widgets.text_area import Edit, EditResult

from tui.text.sanitize import one_line, without_controls


class LineField(Input):
    """Field of one line without a frame; line ends and tabs become spaces."""

    DEFAULT_CSS = """
    LineField {
        height: 1; border: none; padding: 0 1; background: $surface; color: $foreground;
        &:focus { border: none; background: $panel; }
    }
    """

    def __init__(
        self, value: str = "", *, placeholder: str = "", id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(value, placeholder=placeholder, id=id, classes=classes, select_on_focus=False)

    def validate_value(self, value: str) -> str:
        clean = without_controls(value).replace("\t", " ")
        return one_line(clean) if "\n" in clean else clean  # what is being typed may well end in a space


class TextField(TextArea):
    """Field of several lines without a frame; tab goes on to the next field."""

    DEFAULT_CSS = """
    TextField {
        border: none; padding: 0 1; background: $surface; color: $foreground; scrollbar-size-vertical: 1;
        &:focus { border: none; background: $panel; }
        & .text-area--cursor-line { background: transparent; }
        & .text-area--cursor-gutter { background: transparent; color: $foreground 60%; text-style: none; }
    }
    """

    def __init__(self, text: str = "", *, placeholder: str = "", numbered: bool = False, id: str | None = None) -> None:
        super().__init__(
            without_controls(text), id=id, soft_wrap=True, show_line_numbers=numbered, placeholder=placeholder
        )

    def edit(self, edit: Edit) -> EditResult:
        return super().edit(replace(edit, text=without_controls(edit.text)))

    def load_text(self, text: str) -> None:
        super().load_text(without_controls(text))
