"""The form of the prompt template: model, prompt and system message, the same for subtitles; errors at the field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from tui.controls import one_line
from tui.errors import LodeError, TemplateError
from tui.records import NewTemplate, ProviderStatus
from tui.widgets.field_error import FieldError
from tui.widgets.picker import Picker
from tui.widgets.prompt_editor import PromptEditor
from tui.widgets.text_fields import TextField

Part: TypeAlias = Literal["model", "srt"]
"""Which of the two models: the one that breaks down, or the one for subtitles."""
Field: TypeAlias = Literal["model", "prompt", "srt"]


class TemplateForm(Vertical):
    """``fill`` and ``values`` are inverses for every template that can be saved."""

    DEFAULT_CSS = """
    TemplateForm {
        & .form-row { height: auto; }
        & .form-row > Static { width: 11; color: $text-muted; padding: 0 1; }
        & .form-label { height: 1; color: $text-muted; padding: 0 1; }
        & #prompt-error { height: 2; }
        & #model-provider, & #srt-provider { width: 16; margin: 0 1 0 0; }
        & #model-name, & #srt-name { width: 1fr; }
        & PromptEditor { height: 1fr; min-height: 6; }
        & #sys-msg { height: 4; width: 1fr; }
        & #srt-sys-msg { height: 3; width: 1fr; }
        & .form-gap { margin: 1 0 0 0; }
    }
    """

    class Changed(Message):
        """Something in the form changed."""

    class ProviderChosen(Message):
        """The models of another provider are wanted."""

        def __init__(self, part: Part, provider: str) -> None:
            super().__init__()
            self.part = part
            self.provider = provider

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._providers: tuple[ProviderStatus, ...] = ()

    def compose(self) -> ComposeResult:
        with Horizontal(classes="form-row"):
            yield Static(Content("Model"))
            yield Picker(placeholder="provider", id="model-provider")
            yield Picker(placeholder="model", id="model-name")
        yield FieldError(id="model-error")
        yield Static(Content("Prompt"), classes="form-label form-gap")
        yield PromptEditor(id="prompt")
        yield FieldError(id="prompt-error")
        with Horizontal(classes="form-row"):
            yield Static(Content("System"))
            yield TextField(placeholder="no system message", id="sys-msg")
        with Horizontal(classes="form-row form-gap"):
            yield Static(Content("Subtitles"))
            yield Picker(placeholder="as above", id="srt-provider")
            yield Picker(placeholder="as above", id="srt-name")
        yield FieldError(id="srt-error")
        with Horizontal(classes="form-row"):
            yield Static(Content(""))
            yield TextField(placeholder="the built-in message for subtitles", id="srt-sys-msg")

    # Values.

    def fill(self, template: NewTemplate) -> None:
        """Show a template, without saying that something changed."""
        with self.prevent(TextArea.Changed):
            for part, selector in (("model", template.model), ("srt", template.srt_model)):
                provider, colon, name = selector.partition(":")
                self._picker(f"{part}-provider").value = provider if colon else ""
                self._picker(f"{part}-name").value = name if colon else selector
            self.editor.load_text(template.prompt)
            self.query_one("#sys-msg", TextField).load_text(template.sys_msg)
            self.query_one("#srt-sys-msg", TextField).load_text(template.srt_sys_msg)
        self.clear_errors()
        self._ask_for_models("model")
        self._ask_for_models("srt")

    def values(self) -> NewTemplate:
        return NewTemplate(
            model=self._selector("model"),
            prompt=self.editor.text,
            sys_msg=self.query_one("#sys-msg", TextField).text,
            srt_model=self._selector("srt"),
            srt_sys_msg=self.query_one("#srt-sys-msg", TextField).text,
        )

    @property
    def editor(self) -> PromptEditor:
        return self.query_one(PromptEditor)

    def _selector(self, part: Part) -> str:
        """A name alone is a model of the default provider."""
        provider, name = self._picker(f"{part}-provider").value, self._picker(f"{part}-name").value
        return f"{provider}:{name}" if provider else name

    def _picker(self, id: str) -> Picker:
        return self.query_one(f"#{id}", Picker)

    # What there is to choose from.

    def set_providers(self, providers: Sequence[ProviderStatus]) -> None:
        self._providers = tuple(providers)
        options = [
            (status.provider, status.label if status.available else status.reason or "not usable here")
            for status in providers
        ]
        self._picker("model-provider").set_options(options)
        self._picker("srt-provider").set_options(options)

    def set_models(self, part: Part, models: Sequence[str]) -> None:
        self._picker(f"{part}-name").set_options([(model, "") for model in models])

    def _ask_for_models(self, part: Part) -> None:
        self.set_models(part, ())
        if provider := self._picker(f"{part}-provider").value:
            self.post_message(self.ProviderChosen(part, provider))

    # Errors.

    def problem(self) -> tuple[Field, str] | None:
        """What can be told without asking: a selector with a part missing, a provider that does not exist."""
        known = {status.provider for status in self._providers}
        for part in ("model", "srt"):
            provider, name = self._picker(f"{part}-provider").value, self._picker(f"{part}-name").value
            if provider and known and provider not in known:
                return part, f"there is no provider {one_line(provider)!r}; there are {', '.join(sorted(known))}"
            if not name and (provider or part == "model"):
                return part, "choose a model, or type its name"
        return None

    def field_of(self, error: LodeError) -> Field:
        """Where an error of saving belongs: the selector it quotes, or the prompt."""
        if isinstance(error, TemplateError) or not self.editor.text.strip():
            return "prompt"
        srt = self._selector("srt")
        return "srt" if srt and repr(srt)[:-1] in error.message and srt != self._selector("model") else "model"

    def show_error(self, field: Field, message: str, *, line: int = 0, column: int = 0, go: bool = False) -> None:
        """Say at a field what is wrong with it; ``go``: and put the cursor there."""
        self.query_one(f"#{field}-error", FieldError).say(message)
        if field == "prompt":
            self.editor.mark(line, column)
        if not go:
            return
        if field == "prompt":
            self.editor.focus()
            if line:
                self.editor.move_cursor((line - 1, max(0, column - 1)))
        else:
            self._picker(f"{field}-name").focus_field()

    def clear_error(self, field: Field) -> None:
        self.query_one(f"#{field}-error", FieldError).say("")
        if field == "prompt":
            self.editor.mark(0, 0)

    def clear_errors(self) -> None:
        for field in ("model", "prompt", "srt"):
            self.clear_error(field)

    # Changes.

    @on(Picker.Changed)
    def _picked(self, event: Picker.Changed) -> None:
        event.stop()
        part: Part = "srt" if (event.picker.id or "").startswith("srt") else "model"
        self.clear_error(part)
        if (event.picker.id or "").endswith("provider"):
            self._ask_for_models(part)
        self.post_message(self.Changed())

    @on(TextArea.Changed)
    def _written(self, event: TextArea.Changed) -> None:
        event.stop()
        self.post_message(self.Changed())
