"""Question dialogs of every screen: yes or no, one of several, a line of text.

All words are taken literally. Keys: those shown before each answer, arrows or tab with enter, esc for no answer.
"""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static
from textual.worker import Worker

from tui.errors import LodeError, in_one_line
from tui.screens.input_queue import AnswersOnce
from tui.text.sanitize import one_line, without_controls
from tui.widgets.chrome.notice import show_worker_error
from tui.widgets.forms.text_fields import MAX_LINE, LineField

T = TypeVar("T")
AnswerT = TypeVar("AnswerT")

_SHORT = 20
"""Lines below which a question in the middle reaches down to where notifications lie."""


class Dialog(ModalScreen[AnswerT], AnswersOnce[AnswerT]):
    """Base class of the dialogs: a quiet panel in the middle of the screen it was asked from."""

    CSS_PATH = Path(__file__).with_name("questions.tcss")  # absolute: subclasses stand in other folders
    _hint = ""

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        show_worker_error(self, event)

    def say(self, message: str, *, error: bool = False) -> None:
        """Show a message in place of the hint, in a dialog that has one; "" for the usual hint."""
        hint = self.query_one(".dialog-hint", Static)
        hint.update(Content(one_line(message or self._hint)))
        hint.set_class(error, "-error")


class _Question(Dialog[AnswerT]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up,h,k", "app.focus_previous", show=False),
        Binding("right,down,l,j", "app.focus_next", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("escape,ctrl+c", "no_answer", show=False),
    ]

    def __init__(self, question: str, details: Sequence[str], answers: Sequence[tuple[str, str]], focused: int) -> None:
        super().__init__()
        self._question = one_line(question)
        self._details = [without_controls(line) for line in details]
        self._answers = [(key, one_line(label)) for key, label in answers]
        self._focused = focused

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(Content(self._question), classes="dialog-question")
            if self._details:
                with VerticalScroll(classes="dialog-details", can_focus=False):
                    yield Static(Content("\n".join(self._details)))
            with Horizontal(classes="dialog-answers"):
                for key, label in self._answers:
                    yield Button(Content(f"{key}  {label}"), compact=True)

    def on_mount(self) -> None:
        self._buttons()[self._focused].focus()
        if self.app.size.height < _SHORT:
            self.app.clear_notifications()  # they would lie over the question

    def _buttons(self) -> list[Button]:
        return list(self.query(Button))

    def on_key(self, event: events.Key) -> None:
        for key, _ in self._answers:
            if event.character == key:
                event.stop()
                event.prevent_default()
                self.choose(key)
                return

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.choose(self._answers[self._buttons().index(event.button)][0])

    def choose(self, key: str) -> None:
        raise NotImplementedError

    def action_page(self, step: int) -> None:
        for details in self.query(VerticalScroll):
            details.scroll_relative(y=step * max(1, details.size.height - 1), animate=False)

    def action_no_answer(self) -> None:
        self.choose("")


class Confirm(_Question[bool]):
    """Question before something goes; ``details`` say what goes with it. The safe answer has the focus; esc is no."""

    def __init__(self, question: str, details: Sequence[str] = (), *, yes: str = "Delete", no: str = "Keep") -> None:
        super().__init__(question, details, (("y", yes), ("n", no)), focused=1)

    def choose(self, key: str) -> None:
        self.dismiss(key == "y")


def confirm_replacing(*paths: str) -> Confirm:
    """Question before files that are there already are written anew."""
    names = [one_line(path) for path in paths]
    question = f"{names[0]} is there already." if len(names) == 1 else f"{len(names)} of these files are there already."
    return Confirm(question, names if len(names) > 1 else (), yes="Replace", no="Keep")


class Choice(_Question[str]):
    """Question with several answers, each with its key; the first has the focus. The result is the key.

    After esc it is "": an answer that means that can be listed with the key "esc".
    """

    def __init__(self, question: str, options: Sequence[tuple[str, str]], details: Sequence[str] = ()) -> None:
        super().__init__(question, details, options, focused=0)

    def choose(self, key: str) -> None:
        self.dismiss("" if key == "esc" else key)


class Prompt(Dialog[AnswerT | None]):
    """Base class of the dialogs with fields, None after esc; ``compose_fields`` makes these.

    ``hint`` stands below them, in its place the ``error`` for which the last answer was refused. The cursor begins in
    the field that ``begin_in`` is the id of, else in the first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "dismiss(None)", show=False)]

    def __init__(self, title: str, *, hint: str, error: LodeError | None, begin_in: str = "") -> None:
        super().__init__()
        self._title = one_line(title)
        self._hint = one_line(hint)
        self._error = "" if error is None else in_one_line(error)
        self._begin_in = begin_in
        self._values: dict[Input, str] = {}

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(Content(self._title), classes="dialog-question")
            yield from self.compose_fields()
            yield Static(Content(self._error or self._hint), classes="dialog-hint")
            yield from self.compose_below()

    def compose_fields(self) -> ComposeResult:
        raise NotImplementedError

    def compose_below(self) -> ComposeResult:
        """Compose what stands below the hint."""
        return ()

    def on_mount(self) -> None:
        self.query_one(".dialog-hint").set_class(bool(self._error), "-error")
        self._values = {field: field.value for field in self.query(Input)}
        field = self.query(f"#{self._begin_in}" if self._begin_in else "Input").first(Input)
        self.set_focus(field)  # at once: what is typed ahead must find it
        field.cursor_position = len(field.value)

    def refuse(self, message: str) -> None:
        """Show below the fields why this can't be taken; what was typed stays."""
        self.say(message, error=bool(message))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        if self._values.get(event.input) != event.value:  # what a field begins with is told as a change too
            self._values[event.input] = event.value
            if self.query_one(".dialog-hint").has_class("-error"):
                self.refuse("")


class TextPrompt(Prompt[str]):
    """Dialog for a line of text; an empty line is no answer."""

    LIMIT: ClassVar[int] = MAX_LINE
    """Characters of the line at most."""

    def __init__(self, title: str, *, value: str = "", hint: str = "", error: LodeError | None = None) -> None:
        super().__init__(title, hint=hint, error=error)
        self._value = one_line(value)

    def compose_fields(self) -> ComposeResult:
        yield LineField(self._value, limit=self.LIMIT, classes="dialog-field")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if line := self.query(Input).first().value.strip():
            self.accept(line)

    def accept(self, line: str) -> None:
        self.dismiss(line)


class MakePrompt(Protocol[AnswerT]):
    """Maker of a dialog in which an answer stands, and why that was refused."""

    def __call__(self, *, value: AnswerT, error: LodeError | None) -> Prompt[AnswerT]: ...


async def ask_until_taken(
    app: App[Any],
    prompt: MakePrompt[AnswerT],
    value: AnswerT,
    take: Callable[[AnswerT], Awaitable[T | None]],
    error: LodeError | None = None,
) -> T | None:
    """Ask until ``take`` gives something for an answer, and return that; None where the dialog was closed.

    What was typed stays; why ``take`` refuses it, with a ``LodeError``, stands in the dialog that comes again.
    """
    while (answer := await app.push_screen_wait(prompt(value=value, error=error))) is not None:
        value, error = answer, None
        try:
            if (taken := await take(answer)) is not None:
                return taken
        except LodeError as refusal:
            error = refusal
    return None
