"""Search bar of the reader: a field, and how many cues match."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from tui.text.display import count_of, number
from tui.widgets.forms.text_fields import LineField


class FindBar(Horizontal):
    """Search bar; its field sends Textual's messages of an ``Input``."""

    def compose(self) -> ComposeResult:
        yield Static(Content("/"), id="find-mark")
        yield LineField(id="find-field")
        yield Static(id="find-count")

    @property
    def is_open(self) -> bool:
        return self.has_class("-open")

    @property
    def _field(self) -> Input:
        return self.query_one("#find-field", Input)

    def open(self) -> None:
        self.add_class("-open")
        self._field.focus()

    def close(self) -> None:
        """Close the bar and forget what was typed, without a message."""
        self.remove_class("-open")
        with self.prevent(Input.Changed):
            self._field.value = ""
        self.query_one("#find-count", Static).update()

    def show_count(self, hits: int, place: int) -> None:
        """Say how many cues match, and which of them has the focus (0: none)."""
        if not self._field.value.strip():
            said = ""
        elif not hits:
            said = "nothing found"
        elif place:
            said = f"{number(place)}/{number(hits)}"
        else:
            said = count_of(hits, "hit")
        self.query_one("#find-count", Static).update(Content(said))
