"""A line to type in with a list of what there is: what is typed narrows the list, and may also be something else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from tui.controls import one_line
from tui.widgets.text_fields import LineField

_MOST = 200
"""Entries listed at once: every one is measured when the list opens."""


class Picker(Widget):
    """``options`` are pairs of a value and a remark on it ("" for none). Down opens, enter takes, esc closes."""

    DEFAULT_CSS = """
    Picker {
        height: 1;
        & > Horizontal { height: 1; background: $surface; }
        & > Horizontal:focus-within { background: $panel; }
        & LineField { width: 1fr; }
        & .picker-arrow { width: 2; color: $text-muted; }
        & > OptionList {
            display: none; overlay: screen; constrain: none inside; width: auto; min-width: 24; max-width: 76;
            height: auto; max-height: 10; border: none; padding: 0 1; background: $panel; scrollbar-size-vertical: 1;
        }
        &.-open > OptionList { display: block; }
        & > OptionList > .option-list--option-highlighted {
            color: $background; background: $accent;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "highlight(1)", "what there is", show=False),
        Binding("up", "highlight(-1)", show=False),
        Binding("escape", "close", show=False),
    ]

    class Changed(Message):
        """The value is another one."""

        def __init__(self, picker: Picker) -> None:
            super().__init__()
            self.picker = picker

        @property
        def control(self) -> Picker:
            return self.picker

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(id=id)
        self._placeholder = placeholder
        self._options: tuple[tuple[str, str], ...] = ()
        self._listed: list[str] = []

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield LineField(placeholder=self._placeholder)
            yield Static(Content("▾"), classes="picker-arrow")
        choices = OptionList(markup=False, compact=True)
        choices.can_focus = False
        yield choices

    @property
    def value(self) -> str:
        return self.query_one(LineField).value.strip()

    @value.setter
    def value(self, value: str) -> None:
        with self.prevent(Input.Changed):
            self.query_one(LineField).value = value

    @property
    def is_open(self) -> bool:
        return self.has_class("-open")

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        self._options = tuple(options)
        if self.is_open:
            self._list(self.value)

    def focus_field(self) -> None:
        self.query_one(LineField).focus()

    def _list(self, typed: str) -> None:
        """List what holds ``typed``, and open; nothing to list closes."""
        wanted = typed.casefold()
        found = [option for option in self._options if wanted in option[0].casefold()][:_MOST]
        self._listed = [value for value, _ in found]
        widest = max((cell_len(one_line(value)) for value, _ in found), default=0)
        choices = self.query_one(OptionList)
        choices.set_options(_entry(value, remark, widest) for value, remark in found)
        choices.highlighted = self._listed.index(self.value) if self.value in self._listed else None
        self.set_class(bool(found), "-open")

    def _take(self, index: int) -> None:
        taken = self._listed[index]
        self.action_close()
        if taken != self.value:
            self.value = taken
            self.post_message(self.Changed(self))
        field = self.query_one(LineField)
        field.cursor_position = len(field.value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "close":
            return self.is_open
        return True

    def action_highlight(self, step: int) -> None:
        choices = self.query_one(OptionList)
        if not self.is_open:
            self._list("")
            if choices.highlighted is None and self._listed:
                choices.highlighted = 0
        elif self._listed:
            here = choices.highlighted
            first = 0 if step > 0 else len(self._listed) - 1
            choices.highlighted = first if here is None else (here + step) % len(self._listed)

    def action_close(self) -> None:
        self.remove_class("-open")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.has_focus and event.value.strip() not in (value for value, _ in self._options):
            self._list(event.value.strip())
        else:
            self.action_close()
        self.post_message(self.Changed(self))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        highlighted = self.query_one(OptionList).highlighted
        if self.is_open and highlighted is not None:
            self._take(highlighted)
        elif self.is_open:
            self.action_close()
        else:
            self.screen.focus_next()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._take(event.option_index)
        self.focus_field()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()

    def on_descendant_blur(self) -> None:
        self.action_close()

    def on_click(self, event: events.Click) -> None:
        if event.widget is not None and event.widget.has_class("picker-arrow"):
            self.focus_field()
            if self.is_open:
                self.action_close()
            else:
                self._list("")


def _entry(value: str, remark: str, widest: int) -> Content:
    value = one_line(value)
    if not remark:
        return Content(value)
    padding = " " * (widest - cell_len(value) + 2)
    return Content(value) + Content.styled(padding + one_line(remark), "$text-muted")
