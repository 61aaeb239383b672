"""Which model answers beside the first: one of what the usable providers list, or any other that is typed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from tui.controls import one_line
from tui.errors import LodeError
from tui.formats import number
from tui.records import ProviderStatus
from tui.screens.dialogs import Dialog
from tui.service.protocol import Llm
from tui.widgets.text_fields import LineField
from tui.widgets.themes import MUTED

_MOST = 200
"""Entries listed at once: every one is measured."""


class ModelChoice(Dialog[str | None]):
    """A selector (``provider:model``), None after esc. ``last`` is preselected, ``first`` the one that answers already.

    The list fills while the providers say what they have; enter never waits for it.
    """

    DEFAULT_CSS = """
    ModelChoice OptionList {
        height: 40vh; max-height: 14; margin: 1 0; padding: 0; border: none; background: $surface;
        scrollbar-size-vertical: 1;
        & > .option-list--option-highlighted { color: $background; background: $accent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "dismiss(None)", show=False),
        Binding("down", "highlight(1)", show=False, priority=True),
        Binding("up", "highlight(-1)", show=False, priority=True),
        Binding("pagedown", "highlight(8)", show=False, priority=True),
        Binding("pageup", "highlight(-8)", show=False, priority=True),
        Binding("f5", "list_again", show=False, priority=True),
    ]

    def __init__(self, llm: Llm, *, last: str = "", first: str = "") -> None:
        super().__init__()
        self._llm = llm
        self._last = last
        self._first = first
        self._models: dict[str, list[str]] = {}
        self._silent: list[str] = []
        self._listed: list[str] = []
        self._moved = False
        """The cursor was moved: it stays on its model when more of them come."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(Content("Ask a second model the same"), classes="dialog-question")
            yield LineField(placeholder="type to narrow the list, or any provider:model", classes="dialog-field")
            choices = OptionList(markup=False, compact=True)
            choices.can_focus = False
            yield choices
            yield Static(classes="dialog-hint")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(LineField))  # at once: what is typed ahead must find it
        self._list()
        self.list_models()

    @work(exclusive=True, group="models", exit_on_error=False)
    async def list_models(self, *, refresh: bool = False) -> None:
        """Ask every usable provider at once; what each says is listed when it comes."""
        self._say("the providers are asked what they have …")
        try:
            # those that look up instead of answering come last
            usable = sorted(await self._llm.providers(), key=lambda one: one.provider == "lexicon")
            usable = [provider for provider in usable if provider.available]
        except LodeError as error:
            self._say(f"{error.message} · {error.hint}" if error.hint else error.message)
            return
        self._models = {provider.provider: self._models.get(provider.provider, []) for provider in usable}
        self._silent.clear()
        await asyncio.gather(*(self._ask(provider, refresh) for provider in usable))
        count = sum(map(len, self._models.values()))
        listed = f"{number(count)} model{'' if count == 1 else 's'}"
        silent = f" · no list from {', '.join(self._silent)}" if self._silent else ""
        self._say(f"{listed}{silent} · enter asks · F5 lists anew")

    async def _ask(self, provider: ProviderStatus, refresh: bool) -> None:
        try:
            models = await self._llm.models(provider.provider, refresh=refresh)
        except LodeError:
            self._silent.append(provider.label)
            return
        self._models[provider.provider] = [f"{provider.provider}:{model}" for model in models]
        self._list()

    def _say(self, text: str) -> None:
        self.query_one(".dialog-hint", Static).update(Content(one_line(text)))

    # The list

    def _choices(self) -> Sequence[tuple[str, str]]:
        """Selectors with a remark each, narrowed by what is typed; that itself comes last, or alone."""
        typed = self.query_one(LineField).value.strip()
        last = [self._last] if self._last else []
        known = list(dict.fromkeys([*last, *(model for models in self._models.values() for model in models)]))
        terms = typed.casefold().split()
        found = [model for model in known if all(term in model.casefold() for term in terms)][:_MOST]
        remarks = {self._first: "answers already", self._last: "as last time"}
        choices = [(model, remarks.get(model, "")) for model in found]
        return choices if not typed or typed in found else [*choices, (typed, "as it is typed")]

    def _list(self, *, typed: bool = False) -> None:
        self._moved = self._moved and not typed
        choices = self.query_one(OptionList)
        before = choices.highlighted
        chosen = self._listed[before] if before is not None and self._moved else ""
        found = self._choices()
        self._listed = [model for model, _ in found]
        widest = max((cell_len(one_line(model)) for model in self._listed), default=0)
        choices.set_options(_entry(model, remark, widest) for model, remark in found)
        if self._listed:
            others = (number for number, model in enumerate(self._listed) if model != self._first)
            choices.highlighted = self._listed.index(chosen) if chosen in self._listed else next(others, 0)

    def action_highlight(self, step: int) -> None:
        choices = self.query_one(OptionList)
        if self._listed and choices.highlighted is not None:
            self._moved = True
            choices.highlighted = min(max(0, choices.highlighted + step), len(self._listed) - 1)

    def action_list_again(self) -> None:
        self.list_models(refresh=True)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._list(typed=True)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        highlighted = self.query_one(OptionList).highlighted
        if highlighted is not None:
            self.dismiss(self._listed[highlighted])

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._listed[event.option_index])


def _entry(model: str, remark: str, widest: int) -> Content:
    model = one_line(model)
    padding = " " * (widest - cell_len(model) + 2)
    return Content(model) + Content.styled(padding + remark, MUTED) if remark else Content(model)
