"""Dialog with a few fields of one line each, and a box; language and encoding as people type them into such."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Input, Static

from tui.errors import InvalidInput, LodeError
from tui.screens.dialogs.questions import Prompt
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import in_editor
from tui.widgets.forms.text_fields import MAX_LINE, LineField

FORCED = "!"
"""Suffix of an encoding that is to be used in any case, as with ``--force`` on the command line."""


@dataclass(frozen=True, slots=True)
class PromptField:
    """A field: its name in the answer, its label, and what is shown while nothing stands in it."""

    name: str
    label: str
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


class FieldsPrompt(Prompt[Mapping[str, str]]):
    """Dialog whose answer is what was typed, by the fields' names; ``value`` is what they begin with.

    ``box`` is a box below them, whose value is "yes" or "". The cursor begins in the field that ``error`` is about,
    else in ``begin_in``, else in the first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,f2,ctrl+s", "take", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        in_editor(),
    ]

    def __init__(
        self,
        title: str,
        fields: Sequence[PromptField],
        *,
        value: Mapping[str, str],
        box: PromptField | None = None,
        hint: str = "",
        error: LodeError | None = None,
        begin_in: str = "",
    ) -> None:
        wrong = error.field if error is not None and error.field in value else begin_in
        super().__init__(title, hint=hint, error=error, begin_in=wrong)
        self._fields = fields
        self._value = value
        self._box = box

    def compose_fields(self) -> ComposeResult:
        for field in self._fields:
            with Horizontal(classes="fields-row"):
                yield Static(Content(field.label))
                value, placeholder = one_line(self._value.get(field.name, "")), one_line(field.placeholder)
                yield LineField(value, limit=field.limit, placeholder=placeholder, id=field.name)
        if self._box is not None:
            yield TickBox(self._box.label, value=bool(self._value.get(self._box.name)), id=self._box.name)

    @on(Input.Submitted)
    def action_take(self) -> None:
        """Take what stands in the fields, without the space around it."""
        typed = {str(field.id): field.value.strip() for field in self.query(Input)}
        typed |= {str(box.id): "yes" if box.value else "" for box in self.query(TickBox)}
        self.dismiss(typed)


def named_options(typed: Mapping[str, str]) -> dict[str, Any]:
    """Make options for reading a file of the language and the encoding that were typed; an empty one is not named.

    Raises ``InvalidInput``, with the name of the field, where that cannot be meant.
    """
    from tui.importing.encoding.decode import find_text_codec
    from tui.language.tags import language_tags

    language, encoding = typed.get("language", ""), typed.get("encoding", "")
    if language and language_tags(language) is None:
        said = f"{language[:40]!r} is no language tag: use one such as de or pt-BR, or two: de+en"
        raise InvalidInput(said, field="language")
    if (named := encoding.removesuffix(FORCED)) and find_text_codec(named) is None:
        said = f"there is no encoding {named[:40]!r}: use one such as windows-1251 or cp932"
        raise InvalidInput(said, field="encoding")
    return {"language": language or None, "encoding": named or None, "force": encoding.endswith(FORCED)}
