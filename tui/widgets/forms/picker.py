"""Combo box: a text field with a drop-down list that typing narrows; other text is taken too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED
from tui.widgets.forms.text_fields import FieldError, LineField

_MOST = 100
"""Entries listed at most at once: every one is measured when the list opens."""
_PAGE = 8
_ARROW = "▾"


@dataclass(frozen=True, slots=True)
class PickerChoice:
    """Entry of the list: the ``value`` to choose and a ``remark`` on it ("" for none); a ``quiet`` one is muted."""

    value: str
    remark: str = ""
    quiet: bool = False


class Picker(Widget):
    """Combo box: down opens the list, enter takes, esc closes. What is typed counts, whether it is listed or not.

    ``strict``: only what is listed makes sense, so enter takes the first that fits what is typed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "highlight(1)", "choose", tooltip="what there is to choose from"),
        Binding("f5,ctrl+r", "refresh", "list anew", tooltip="ask again what there is"),
        Binding("up", "highlight(-1)", show=False),
        Binding("pagedown", f"highlight({_PAGE})", show=False),
        Binding("pageup", f"highlight(-{_PAGE})", show=False),
        Binding("escape", "close", show=False),
    ]

    @dataclass(eq=False)
    class _FromPicker(Message):
        picker: "Picker"

    class Changed(_FromPicker):
        """Sent when the value changed."""

    class Taken(_FromPicker):
        """Sent when an entry of the list was taken, the one that stood there already among them."""

    class RefreshWanted(_FromPicker):
        """Sent on F5: the choices are to be asked for again."""

    def __init__(self, *, placeholder: str = "", strict: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._placeholder = placeholder
        self._strict = strict
        self._choices: Sequence[PickerChoice] = ()
        self._instead = self._heading = self._narrowed = ""
        self._listed: list[str] = []
        self._list_widget: OptionList | None = None
        self._arrow = _ARROW
        self.said_below: FieldError | None = None
        """Text under the field, which the list leaves in sight."""
        self._above = 0
        """Number of entries above the first choice: the heading."""

    def compose(self) -> ComposeResult:
        field = _Line(placeholder=self._placeholder)
        field.select_on_focus = True  # what is typed takes the place of what stands there
        yield field

    def render(self) -> Content:
        return Content(f"{self._arrow} ")  # right of the field

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

    def set_choices(self, choices: Sequence[PickerChoice], *, instead: str = "", heading: str = "") -> None:
        """List these, under ``heading``; where there are none, ``instead`` stands in their place.

        An open list stays where it is.
        """
        came_late = self.is_open and not self._listed
        self._choices, self._instead, self._heading = choices, instead, heading
        if self.is_open:
            self._list(self._narrowed)
            if came_late:
                self._highlight_first()

    def show_state(self, state: str) -> None:
        """Show the state of the list beside the arrow ("" for nothing)."""
        self._arrow = f"{one_line(state)} {_ARROW}".lstrip()
        self.query_one(LineField).styles.margin = (0, cell_len(self._arrow) + 1, 0, 0)
        self.refresh()

    def focus_field(self) -> None:
        self.query_one(LineField).focus()

    def open(self) -> None:
        """Go to the field and open the list."""
        self.focus_field()
        if not self.is_open:
            self.action_highlight(1)

    def make_room(self) -> None:
        """Let the list begin below what is said under the field, however many lines that has; above, too."""
        if self._list_widget is not None:
            said = 0 if self.said_below is None or not self.said_below.message else self.said_below.size.height
            self._list_widget.styles.margin = (said, 0, said + 1, 0)

    # The list.

    @property
    def _options(self) -> OptionList:
        """Widget of the list; it is made when it opens for the first time."""
        if self._list_widget is None:
            self._list_widget = OptionList(markup=False, compact=True)
            self._list_widget.can_focus = False
            self.mount(self._list_widget)
        return self._list_widget

    def _list(self, typed: str) -> None:
        """List the choices that have all words of ``typed``, and open; nothing to list closes."""
        listed = self._options
        here = self._highlighted_value() or self.value
        self._narrowed = typed
        found = self._found(typed, here)
        more = len(found) - _MOST
        found = found[:_MOST]
        self._listed = [choice.value for choice in found]
        widest = max((cell_len(one_line(choice.value)) for choice in found), default=0)
        entries = [Option(_entry(choice, widest)) for choice in found]
        self._above = 1 if self._heading and entries else 0
        if self._above:
            entries.insert(0, Option(Content(one_line(self._heading)), disabled=True))
        if more > 0:
            entries.append(Option(Content(f"… and {more} more: type to narrow the list"), disabled=True))
        elif not found and not typed and self._instead:
            entries.append(Option(Content(one_line(self._instead)), disabled=True))
        listed.set_options(entries)
        first = 0 if typed and self._strict and self._listed else None
        self._highlight(self._listed.index(here) if here in self._listed else first)
        self.make_room()
        self.set_class(bool(entries), "-open")

    def _highlight(self, index: int | None) -> None:
        """Move the cursor to an entry of ``_listed``."""
        self._options.highlighted = None if index is None else index + self._above

    def _highlight_first(self) -> None:
        """Move the cursor to the first entry where it is on none, so that enter takes it."""
        if self._highlighted is None and self._listed and not self._narrowed:
            self._highlight(0)

    @property
    def _highlighted(self) -> int | None:
        """Index in ``_listed`` of the entry under the cursor."""
        highlighted = self._options.highlighted
        return None if highlighted is None else highlighted - self._above

    def _highlighted_value(self) -> str:
        return "" if not self.is_open or (here := self._highlighted) is None else self._listed[here]

    def _found(self, typed: str, here: str) -> list[PickerChoice]:
        if not (words := typed.casefold().split()):
            # The one that is chosen is always among those that are shown.
            chosen = [choice for choice in self._choices[_MOST:] if choice.value == here]
            return chosen + [choice for choice in self._choices if choice not in chosen]
        found = [choice for choice in self._choices if all(word in choice.value.casefold() for word in words)]
        return sorted(found, key=lambda choice: not choice.value.casefold().startswith(words[0]))

    def _take(self, index: int) -> None:
        taken = self._listed[index]
        self.action_close()
        if taken != self.value:
            self.value = taken
            self.post_message(self.Changed(self))
        field = self.query_one(LineField)
        field.cursor_position = len(field.value)
        self.post_message(self.Taken(self))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.is_open if action == "close" else True

    def action_highlight(self, step: int) -> None:
        if not self.is_open:
            self._list("")
            self._highlight_first()
        elif self._listed:
            last, here = len(self._listed) - 1, self._highlighted
            if here is None:
                self._highlight(0 if step > 0 else last)
            else:
                self._highlight((here + step) % (last + 1) if abs(step) == 1 else min(max(0, here + step), last))

    def action_close(self) -> None:
        self.remove_class("-open")

    def action_refresh(self) -> None:
        self.post_message(self.RefreshWanted(self))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        typed = event.value.strip()
        if event.input.has_focus and typed:
            self._list(typed)
            if self._listed == [typed]:
                self.action_close()
        else:
            self.action_close()
        self.post_message(self.Changed(self))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.is_open and self._highlighted is not None:
            self._take(self._highlighted)
        elif self.is_open:
            self.action_close()
        else:
            self.screen.focus_next()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.focus_field()
        self._take(event.option_index - self._above)

    def on_descendant_blur(self) -> None:
        self.action_close()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:  # its arrow: the field and the list lie over the rest
            self.focus_field()
            if self.is_open:
                self.action_close()
            else:
                self._list("")


class _Line(LineField):
    async def on_key(self, event: events.Key) -> None:
        if event.character == "?":  # it stands in no name of a provider or a model: the keys are asked for
            event.prevent_default()
            event.stop()
            await self.run_action("app.show_keys")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return not action.startswith("scroll_")  # a line has nothing to scroll: up and down are the picker's


def _entry(choice: PickerChoice, widest: int) -> Content:
    value = one_line(choice.value)
    content = Content.styled(value, MUTED) if choice.quiet else Content(value)
    if not choice.remark:
        return content
    return content + Content.styled(" " * (widest - cell_len(value) + 2) + one_line(choice.remark), MUTED)
