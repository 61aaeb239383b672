"""Filter bar: the line in which a list is filtered while you type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from tui.records.pages import MAX_SEARCH_LENGTH
from tui.widgets.forms.text_fields import LineField

_PAUSE_SECONDS = 0.08
"""Seconds that the typing pauses before the list is searched, so that a fast typist's search runs once."""


class FilterBar(LineField):
    """Field that filters while it is typed into; enter (or down) keeps the filter and goes to the list, esc clears it.

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
        Binding("enter,down", "keep", "to the list", key_display="⏎", id="filter.keep"),
        Binding("escape", "clear", "clear", id="filter.clear"),
    ]

    @dataclass(eq=False)
    class Filtered(Message):
        """Sent when the typing paused; ``q`` is the filter now."""

        q: str

    @dataclass(eq=False)
    class Closed(Message):
        """Sent when the focus is to go back to the list; ``kept``: there is a filter still."""

        kept: bool

    def __init__(self) -> None:
        super().__init__(limit=MAX_SEARCH_LENGTH, placeholder="type to filter")
        self._pause: Timer | None = None

    @property
    def q(self) -> str:
        return self.value.strip()

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
        self.post_message(self.Closed(kept=bool(self.q)))

    def action_clear(self) -> None:
        self.value = ""
        self._tell()
        self.post_message(self.Closed(kept=False))
