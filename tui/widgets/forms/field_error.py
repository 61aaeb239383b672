"""Error or note below a form field, hanging from its corner over as many lines as it needs."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.text.cells import cut
from tui.text.sanitize import one_line
from tui.text.wrapping import wrap

_CORNER = "╰ "


class FieldError(Widget):
    """Line below a field: ``say`` what is wrong, ``note`` what is worth knowing while nothing is wrong.

    With a height of its own in CSS it keeps its place, and ends with "…" where that is too small.
    """

    DEFAULT_CSS = """
    FieldError { height: auto; color: $text-error; padding: 0 1; }
    FieldError.-note { color: $text-muted; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.error = ""
        self.noted = ""

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
