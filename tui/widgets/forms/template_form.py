"""Form of the prompt template: model, prompt and system message, the same for subtitles; errors at the field."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from tui.errors import LodeError
from tui.records.answers import NewTemplate, ProviderStatus
from tui.text.sanitize import one_line
from tui.widgets.forms.picker import Picker, PickerChoice
from tui.widgets.forms.prompt_editor import PromptEditor
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import FieldError, LineField

Part: TypeAlias = Literal["model", "srt"]
"""Part of the form: the model for breakdowns, or the one for subtitles."""
Field: TypeAlias = Literal["model", "prompt", "srt"]
_PARTS: tuple[Part, ...] = ("model", "srt")
_LOADING = "loading…"


class TemplateForm(Vertical):
    """Form in which ``fill`` and ``values`` are inverses for every template that can be saved.

    Labels stand above their fields: everything begins at the form's left edge and ends at its right one.
    """

    editor = getters.query_one(PromptEditor)
    _sys_msg = getters.query_one("#sys-msg", TextField)
    _srt_sys_msg = getters.query_one("#srt-sys-msg", TextField)

    class Changed(Message):
        """Sent when something in the form changed."""

    @dataclass(eq=False)
    class ModelsWanted(Message):
        """Request for the models of this provider, anew where ``refresh``; "" when none are wanted any more."""

        part: Part
        provider: str
        refresh: bool

    class ProvidersWanted(Message):
        """Request for the list of providers."""

    def __init__(self) -> None:
        super().__init__(classes="-here")  # enter goes to the model as long as nothing has the focus
        self._providers: dict[str, ProviderStatus] = {}
        self._chosen: dict[Part, str] = {"model": "", "srt": ""}
        """Provider whose model stands beside it, or stood before something was typed that is no provider."""
        self._names: dict[tuple[Part, str], str] = {}
        """Model that was chosen of each provider before another provider was."""
        self._faults: dict[Part, str] = {}
        """Reasons why there is no list of models."""
        self._models: dict[Part, frozenset[str]] = {}
        """Models that the provider lists itself, where it does."""
        self._insisted: set[str] = set()
        """Selectors of models that are not listed, which were to be saved once already."""

    def compose(self) -> ComposeResult:
        yield Static(Content("Model"), classes="form-label form-plain")
        with Horizontal(classes="form-row"):
            yield Picker(placeholder="provider", strict=True, id="model-provider")
            yield Picker(placeholder="model", id="model-name")
        yield FieldError(id="model-error")
        yield Static(Content("Prompt"), classes="form-label form-plain")
        yield PromptEditor(id="prompt", classes="-folded")
        yield FieldError(id="prompt-error")
        yield Static(Content("System message"), classes="form-label")
        yield TextField(placeholder="no system message", id="sys-msg", classes="-folded")
        yield Static(Content("Subtitles: the model that corrects them (F), and how"), classes="form-label form-gap")
        with Horizontal(classes="form-row"):
            yield Picker(placeholder="as above", strict=True, id="srt-provider")
            yield Picker(placeholder="as above", id="srt-name")
        yield FieldError(id="srt-error")
        yield TextField(placeholder="the built-in message for subtitles", id="srt-sys-msg", classes="-folded")

    def choose_model(self) -> None:
        """Open the list of models, or that of the providers where there is nothing to choose among: the lexicon's."""
        is_chosen = self._picker("model-provider").value not in ("", "lexicon")
        self._picker("model-name" if is_chosen else "model-provider").open()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Unfold the text that has the focus, and fold the others: each shows its first line then."""
        if not isinstance(event.widget, TextField):
            return
        for field in self.query(TextField):
            is_folded = field is not event.widget
            if field.has_class("-folded") is not is_folded:
                field.set_class(is_folded, "-folded")
                if is_folded:
                    field.scroll_home(animate=False)
                else:
                    field.call_after_refresh(field.scroll_cursor_visible)

    def on_mount(self) -> None:
        for part in _PARTS:
            for of in ("provider", "name"):
                self._picker(f"{part}-{of}").said_below = self.query_one(f"#{part}-error", FieldError)

    @property
    def is_at_subtitles(self) -> bool:
        """Whether the cursor is in a field of the subtitles."""
        focused = self.screen.focused
        return focused is not None and any((node.id or "").startswith("srt-") for node in focused.ancestors_with_self)

    # Values.

    def fill(self, template: NewTemplate) -> None:
        """Show a template, without saying that something changed."""
        with self.prevent(TextArea.Changed):
            for part, selector in (("model", template.model), ("srt", template.srt_model)):
                provider, colon, name = selector.partition(":")
                self._picker(f"{part}-provider").value = provider if colon else ""
                self._picker(f"{part}-name").value = name if colon else selector
            for field, text in self._texts(template):
                field.load_text(text)
        self._names.clear()
        self.clear_errors()
        for part in _PARTS:
            self._chosen[part] = self._picker(f"{part}-provider").value
            self._ask_for_models(part)

    def fill_keeping_typed(self, template: NewTemplate) -> NewTemplate:
        """Show a template that comes late, and keep what was typed into the form meanwhile; the template as shown.

        A text that was typed stands before the template's, where it would stand had that been there. In a line what
        was typed stands alone, and a provider that was typed takes no other one's model.
        """
        ids = [f"{part}-{of}" for part in _PARTS for of in ("provider", "name")]
        fields = {id: self._picker(id).query_one(LineField) for id in ids}
        lines = {id: (field.value, field.cursor_position) for id, field in fields.items()}
        texts = [(field, field.text, field.cursor_location) for field, _ in self._texts(template)]
        self.fill(template)
        shown = self.values()
        for text_field, text, place in texts:
            if text:
                text_field.insert(text, (0, 0))
                text_field.move_cursor(place)
        for part in _PARTS:
            provider, name = f"{part}-provider", f"{part}-name"
            has_provider = bool(lines[provider][0].strip())
            for id in (provider, name):
                typed, place_in_line = lines[id]
                if typed or (id == name and has_provider):
                    self._picker(id).value = typed
                    fields[id].cursor_position = place_in_line
            if has_provider:
                self._chosen[part] = self._picker(provider).value
                self._ask_for_models(part)
        return shown

    def _texts(self, template: NewTemplate) -> list[tuple[TextField, str]]:
        """Fields of several lines, each with the template's text for it."""
        fields = (self.editor, self._sys_msg, self._srt_sys_msg)
        return list(zip(fields, (template.prompt, template.sys_msg, template.srt_sys_msg), strict=True))

    def values(self) -> NewTemplate:
        return NewTemplate(
            model=self._selector("model"),
            prompt=self.editor.text,
            sys_msg=self._sys_msg.text,
            srt_model=self._selector("srt"),
            srt_sys_msg=self._srt_sys_msg.text,
        )

    def _selector(self, part: Part) -> str:
        """Selector of the typed model; a name alone is one of the default provider."""
        provider, name = self._picker(f"{part}-provider").value, self._picker(f"{part}-name").value
        return f"{provider}:{name}" if provider else name

    def _picker(self, id: str) -> Picker:
        return self.query_one(f"#{id}", Picker)

    # What there is to choose from.

    def set_providers(self, providers: Sequence[ProviderStatus]) -> None:
        """List the providers, those that can be used first; ask again for models that can be had only now."""
        self._providers = {status.provider: status for status in providers}
        choices = [
            PickerChoice(status.provider, f"{status.label} · usable")
            if status.available
            else PickerChoice(status.provider, status.reason or "not usable here", quiet=True)
            for status in sorted(providers, key=lambda status: not status.available)
        ]
        for part in _PARTS:
            provider = self._picker(f"{part}-provider")
            provider.set_choices(choices)
            status = self._providers.get(provider.value)
            if status is None or (part in self._faults and status.available):
                self._ask_for_models(part)
            self._note(part)

    def show_loading_providers(self) -> None:
        """Say in the empty list that it is being asked for; one that is there stays until the new one comes."""
        if not self._providers:
            for part in _PARTS:
                self._picker(f"{part}-provider").set_choices((), instead=_LOADING)

    def set_models(self, part: Part, provider: str, models: Sequence[str]) -> None:
        """List the models of the provider, unless another one has been chosen meanwhile."""
        if provider == self._picker(f"{part}-provider").value:
            choices = [PickerChoice(model) for model in models]
            self._models[part] = frozenset(models)
            self._show_models(part, choices, "" if models else "no models", instead="it lists no models: type a name")

    def fail_models(self, part: Part, provider: str, message: str) -> None:
        """Say why the provider gives no list, unless another one has been chosen meanwhile.

        The names that are well known stand in for it, quietly.
        """
        if provider == self._picker(f"{part}-provider").value:
            self._faults[part] = message
            status = self._providers.get(provider)
            choices = [PickerChoice(model, quiet=True) for model in (status.well_known if status else ())]
            heading = f"well-known names ({message})" if message else "well-known names"
            state = "" if choices else "no list"
            self._show_models(part, choices, state, instead="there is no list: type a name", heading=heading)

    def _show_models(
        self, part: Part, choices: Sequence[PickerChoice], state: str, *, instead: str, heading: str = ""
    ) -> None:
        picker = self._picker(f"{part}-name")
        picker.set_choices(choices, instead=instead, heading=heading)
        picker.show_state(state)
        self._note(part)

    def _ask_for_models(self, part: Part, *, refresh: bool = False) -> None:
        """Ask for the provider's models, where it may have some; what is typed on the way to a provider is none."""
        provider = self._picker(f"{part}-provider").value
        status = self._providers.get(provider)
        self._faults.pop(part, None)
        self._models.pop(part, None)
        if not provider or (self._providers and status is None):
            instead = "there is no such provider" if provider else "choose a provider first"
            self._show_models(part, (), "", instead=instead)
            provider = ""
        elif status is not None and not status.available and not refresh:
            self.fail_models(part, provider, status.reason)
            provider = ""
        elif refresh:
            self._picker(f"{part}-name").show_state(_LOADING)
        else:
            self._show_models(part, (), _LOADING, instead=_LOADING)
        self.post_message(self.ModelsWanted(part, provider, refresh=refresh))

    def _note(self, part: Part) -> None:
        """Say quietly why the chosen provider cannot be used, or has no list."""
        status = self._providers.get(self._picker(f"{part}-provider").value)
        lack = status.reason if status is not None and not status.available else ""
        self.query_one(f"#{part}-error", FieldError).note(lack or self._faults.get(part, ""))
        self._make_room(part)

    def _make_room(self, part: Part) -> None:
        """Let the lists of models lie below what is said under their fields, once that has its lines."""
        for of in ("provider", "name"):
            self.call_after_refresh(self._picker(f"{part}-{of}").make_room)

    # Errors.

    def problem(self) -> tuple[Field, str] | None:
        """Find what is wrong without asking: a selector with a part missing, a provider that does not exist."""
        known = self._providers
        for part in _PARTS:
            provider, name = self._picker(f"{part}-provider").value, self._picker(f"{part}-name").value
            if provider and known and provider not in known:
                return part, f"there is no provider {one_line(provider)!r}; there are {', '.join(sorted(known))}"
            if not name and (provider or part == "model"):
                return part, "choose a model, or type its name"
        return None

    def doubt(self, saved: NewTemplate) -> tuple[Field, str] | None:
        """Find what is probably a slip: another model than the saved one, and its provider does not list it.

        It is told once: whoever insists is right, since lists can be incomplete. What is refused in any case is not
        doubted: what the lexicon does not have, and spaces in a name where the provider's models have none.
        """
        for part, kept in zip(_PARTS, (saved.model, saved.srt_model), strict=True):
            selector, listed = self._selector(part), self._models.get(part)
            status = self._providers.get(self._picker(f"{part}-provider").value)
            name = self._picker(f"{part}-name").value
            if not listed or not name or selector == kept or selector in self._insisted:
                continue
            if status is None or status.provider == "lexicon" or not listed.isdisjoint((name, f"{name}:latest")):
                continue
            if status.well_known and any(map(str.isspace, name)):
                continue
            self._insisted.add(selector)
            near = difflib.get_close_matches(name, listed, n=1, cutoff=0.7)
            meant = f"; did you mean {one_line(near[0])}?" if near else ""
            return part, f"{one_line(status.label)} lists no model {one_line(name)}{meant}"
        return None

    def field_of(self, error: LodeError) -> Field:
        """Field at which an error of saving is shown."""
        places: dict[str, Field] = {"prompt": "prompt", "srt_model": "srt"}
        return places.get(error.field, "model")

    def show_error(self, field: Field, message: str, *, line: int = 0, column: int = 0, go: bool = False) -> None:
        """Show at a field what is wrong with it; ``go``: and put the cursor there."""
        self.query_one(f"#{field}-error", FieldError).say(message)
        if field != "prompt":
            self._make_room(field)
        if field == "prompt":
            self.editor.mark(line, column)
        if go and field == "prompt":
            self.editor.focus()
            if line:
                self.editor.move_cursor((line - 1, max(0, column - 1)))
        elif go:
            self._picker(f"{field}-name").focus_field()

    def clear_errors(self, *fields: Field) -> None:
        """Clear the errors at these fields, or at all."""
        for field in fields or ("model", "prompt", "srt"):
            self.show_error(field, "")

    # Changes.

    @on(Picker.Changed)
    def _picked(self, event: Picker.Changed) -> None:
        event.stop()
        part = _part_of(event.picker)
        self.clear_errors(part)
        self._insisted.clear()
        if (event.picker.id or "").endswith("provider"):
            self._provider_changed(part)
        self.post_message(self.Changed())

    @on(Picker.Taken)
    def _taken(self, event: Picker.Taken) -> None:
        """Go on to the models of a provider that was taken."""
        event.stop()
        if (event.picker.id or "").endswith("provider"):
            self._picker(f"{_part_of(event.picker)}-name").open()

    def _provider_changed(self, part: Part) -> None:
        """Show the new provider's models; the model of the one before goes with that, and comes back with it.

        What is typed on the way from one provider to the next changes no model.
        """
        provider, before = self._picker(f"{part}-provider").value, self._chosen[part]
        name = self._picker(f"{part}-name")
        if provider in self._providers and provider != before:
            if before:
                self._names[part, before] = name.value
                name.value = self._names.get((part, provider), "")
            self._chosen[part] = provider
        self._ask_for_models(part)

    @on(Picker.RefreshWanted)
    def _refresh_wanted(self, event: Picker.RefreshWanted) -> None:
        event.stop()
        self.post_message(self.ProvidersWanted())
        self._ask_for_models(_part_of(event.picker), refresh=True)

    @on(TextArea.Changed)
    def _tell_change(self, event: TextArea.Changed) -> None:
        event.stop()
        self.post_message(self.Changed())


def _part_of(picker: Picker) -> Part:
    return "srt" if (picker.id or "").startswith("srt") else "model"
