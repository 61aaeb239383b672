"""Dialog with a text field over a list that it filters: letters are typed, arrows choose, enter takes."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from tui.records.pages import MAX_SEARCH_LENGTH
from tui.screens.dialogs.questions import Dialog
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED
from tui.widgets.forms.text_fields import LineField

AnswerT = TypeVar("AnswerT")
MAX_ENTRIES = 200
"""Entries listed at most at once: every one is made and measured."""


class ListChoice(Dialog[AnswerT | None]):
    """Dialog whose answer is one of those in ``listed``, None after esc."""

    WIDTH: ClassVar[int] = 68
    """Cells of the panel, in a terminal that has as many; ``.dialog-panel`` has the number too."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "dismiss(None)", show=False),
        Binding("down", "highlight(1)", show=False, priority=True),
        Binding("up", "highlight(-1)", show=False, priority=True),
        Binding("pagedown", "highlight(8)", show=False, priority=True),
        Binding("pageup", "highlight(-8)", show=False, priority=True),
    ]

    def __init__(self, title: str, *, placeholder: str = "type to narrow the list", hint: str) -> None:
        super().__init__()
        self._title = title
        self._placeholder = placeholder
        self._hint = hint
        self.answers: Sequence[AnswerT] = ()
        """Answers that the entries of the list stand for, in its order."""

    # Implemented by each list

    @abstractmethod
    def listed(self, typed: str) -> Iterator[tuple[AnswerT, Content]]:
        """Answers that fit what is typed, the best one first, each with its entry in the list.

        An iterator: after each key as many entries are made as are listed, however many fit.
        """

    def read(self) -> object:
        """Begin to read what is listed, where that has to be read."""

    def first(self, typed: str) -> int:
        """Number of the entry to begin with."""
        return 0

    # The dialog

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(Content(one_line(self._title)), classes="dialog-question")
            yield LineField(limit=MAX_SEARCH_LENGTH, placeholder=self._placeholder, classes="dialog-field")
            choices = OptionList(markup=False, compact=True)
            choices.can_focus = False
            yield choices
            yield Static(Content(self._hint), classes="dialog-hint")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(LineField))  # at once: what is typed ahead must find it
        self.query_one(".dialog-panel").styles.width = self.WIDTH
        self.refresh_list()
        self.read()

    def on_resize(self, event: events.Resize) -> None:
        here = self.highlighted
        self.refresh_list()
        if here is not None and self.answers:
            self.query_one(OptionList).highlighted = min(here, len(self.answers) - 1)

    @property
    def typed(self) -> str:
        return self.query_one(LineField).value.strip()

    @property
    def highlighted(self) -> int | None:
        return self.query_one(OptionList).highlighted

    @property
    def entry_width(self) -> int:
        """Cells of an entry: those of the panel without border, padding and scroll bar."""
        return min(self.WIDTH, self.app.size.width) - 7

    def refresh_list(self) -> None:
        """Fill the list with what fits what is typed."""
        typed = self.typed
        found = tuple(islice(self.listed(typed), MAX_ENTRIES + 1))
        self.answers = [answer for answer, _ in found[:MAX_ENTRIES]]
        entries = [entry for _, entry in found[:MAX_ENTRIES]]
        if len(found) > MAX_ENTRIES:
            entries.append(Content.styled("… and more: type to narrow the list", MUTED))
        choices = self.query_one(OptionList)
        choices.set_options(entries)
        choices.highlighted = min(self.first(typed), len(self.answers) - 1) if self.answers else None

    def set_hint(self, hint: str) -> None:
        """Change the hint below the list."""
        self._hint = hint
        self.say("")

    def action_highlight(self, step: int) -> None:
        choices, last = self.query_one(OptionList), len(self.answers) - 1
        if last >= 0:
            here = choices.highlighted or 0
            choices.highlighted = (here + step) % (last + 1) if abs(step) == 1 else min(max(0, here + step), last)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.say("")
        self.refresh_list()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.enter()

    def enter(self) -> None:
        """Take the highlighted entry, if there is one."""
        if (index := self.highlighted) is not None:
            self._take(index)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._take(event.option_index)

    def _take(self, index: int) -> None:
        if index < len(self.answers):  # else it is the line that says that there are more
            self.dismiss(self.answers[index])
