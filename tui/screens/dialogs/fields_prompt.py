"""Dialog with a few fields of one line each, and a box; language and encoding as people type them into such."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Input, Static

from tui.screens.dialogs.questions import Dialog
from tui.text.sanitize import one_line
from tui.widgets.forms.text_fields import MAX_LINE, LineField

FORCED = "!"
"""Suffix of an encoding that is to be used in any case, as with ``--force`` on the command line."""


@dataclass(frozen=True, slots=True)
class PromptField:
    """A field: its name in the answer, its label, what stands in it, and what is shown while that is nothing."""

    name: str
    label: str
    value: str = ""
    placeholder: str = ""
    limit: int = MAX_LINE
    """Characters that it takes."""


class TickBox(Static, can_focus=True):
    """A box that space or a click ticks: enter takes the whole dialog, as from every field."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "tick", show=False)]
    value = reactive(False)

    def __init__(self, label: str, *, value: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._label = label
        self.set_reactive(TickBox.value, value)

    def render(self) -> Content:
        return Content(f"{'☑' if self.value else '☐'} {self._label}")

    def action_tick(self) -> None:
        self.value = not self.value

    def on_click(self) -> None:
        self.action_tick()


class FieldsPrompt(Dialog[Mapping[str, str] | None]):
    """Dialog whose answer is what was typed, by the fields' names; None after esc.

    ``box`` is a box below them, whose value is "yes" or "". ``hint`` stands at the end, ``error`` in its place. The
    cursor begins in the field ``begin_in``, else in the first.
    """

    DEFAULT_CSS = """
    FieldsPrompt {
        & .fields-row { height: 1; margin: 1 0 0 0; }
        & .fields-row > Static { width: 11; color: $text-muted; }
        & .fields-row > Input { width: 1fr; }
        & TickBox { width: 1fr; height: 1; margin: 1 0 0 11; padding: 0 1; color: $text-muted; }
        & TickBox:focus { color: $foreground; background: $panel; }
        & .dialog-hint { margin: 1 0 0 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "dismiss(None)", show=False),
        Binding("enter,f2,ctrl+s", "take", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]

    def __init__(
        self,
        title: str,
        fields: Sequence[PromptField],
        *,
        box: PromptField | None = None,
        hint: str = "",
        error: str = "",
        begin_in: str = "",
    ) -> None:
        super().__init__()
        self._begin_in = begin_in
        self._title = one_line(title)
        self._fields = fields
        self._box = box
        self._hint = one_line(hint)
        self._error = one_line(error)
        self._typed: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(Content(self._title), classes="dialog-question")
            for field in self._fields:
                with Horizontal(classes="fields-row"):
                    yield Static(Content(field.label))
                    placeholder = one_line(field.placeholder)
                    yield LineField(one_line(field.value), limit=field.limit, placeholder=placeholder, id=field.name)
            if self._box is not None:
                yield TickBox(self._box.label, value=bool(self._box.value), id=self._box.name)
            yield Static(Content(self._error or self._hint), classes="dialog-hint")

    def on_mount(self) -> None:
        self.query_one(".dialog-hint").set_class(bool(self._error), "-error")
        self._typed = self.typed
        field = self.query(f"#{self._begin_in}" if self._begin_in else "Input").first(Input)
        self.set_focus(field)  # at once: what is typed ahead must find it
        field.cursor_position = len(field.value)

    @property
    def typed(self) -> dict[str, str]:
        """What stands in the fields now, without the space around it."""
        typed = {str(field.id): field.value.strip() for field in self.query(Input)}
        return typed | {str(box.id): "yes" if box.value else "" for box in self.query(TickBox)}

    def refusal(self, typed: Mapping[str, str]) -> tuple[str, str] | None:
        """The name of a field that cannot be taken, and why; None where all can."""
        return None

    @on(Input.Submitted)
    def action_take(self) -> None:
        typed = self.typed
        refusal = self.refusal(typed)
        if refusal is None:
            self.dismiss(typed)
            return
        name, message = refusal
        self._show(message, is_error=True)
        self.query_one(f"#{name}").focus()

    @on(Input.Changed)
    def _changed(self) -> None:
        if self.typed != self._typed:  # what a field begins with is told as a change too
            self._typed = self.typed
            self._show(self._hint, is_error=False)

    def _show(self, message: str, *, is_error: bool) -> None:
        hint = self.query_one(".dialog-hint", Static)
        hint.update(Content(one_line(message)))
        hint.set_class(is_error, "-error")


def reading_refusal(language: str, encoding: str) -> tuple[str, str] | None:
    """Find the field that cannot be meant, "language" or "encoding", and say why; an empty one is none."""
    from tui.importing.encoding.decode import find_text_codec
    from tui.language.tags import language_tags

    if language and language_tags(language) is None:
        return ("language", f"{language[:40]!r} is no language tag: use one such as de or pt-BR, or two: de+en")
    if (named := encoding.removesuffix(FORCED)) and find_text_codec(named) is None:
        return "encoding", f"there is no encoding {named[:40]!r}: use one such as windows-1251 or cp932"
    return None


def named_options(typed: Mapping[str, str]) -> dict[str, Any]:
    """Make options for reading a file of what was typed; what was left empty is not named."""
    encoding = typed.get("encoding", "")
    return {
        "language": typed.get("language") or None,
        "encoding": encoding.removesuffix(FORCED) or None,
        "force": encoding.endswith(FORCED),
    }
