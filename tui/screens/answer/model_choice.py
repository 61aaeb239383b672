"""Dialog to choose a second model: from the lists of the usable providers, or any other that is typed."""

import asyncio
from collections.abc import Iterator
from itertools import chain
from typing import ClassVar

from rich.cells import cell_len
from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content

from tui.errors import LodeError, in_one_line
from tui.records.answers import ProviderStatus
from tui.screens.dialogs.list_choice import MAX_ENTRIES, ListChoice
from tui.service.protocol import Llm
from tui.text.display import count_of
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

_READING = "the providers are asked what they have …"


class ModelChoice(ListChoice[str]):
    """Dialog whose answer is a selector (``provider:model``), None after esc.

    ``last`` is preselected, ``first`` is the one that answers already.

    The list fills while the providers say what they have; enter never waits for it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f5", "list_again", show=False, priority=True)]

    def __init__(self, llm: Llm, *, last: str = "", first: str = "") -> None:
        placeholder = "type to narrow the list, or any provider:model"
        super().__init__("Ask a second model the same", placeholder=placeholder, hint=_READING)
        self._llm = llm
        self._last = last
        self._first = first
        self._models: dict[str, list[str]] = {}
        self._silent: list[str] = []
        self._narrowed = ""
        self._kept = ""
        """Selector that the cursor was moved to: it stays there when more of them come."""

    @work(exclusive=True, group="models", exit_on_error=False)
    async def read(self, *, refresh: bool = False) -> None:
        """Ask every usable provider at once; the models of each are listed as they come."""
        self.set_hint(_READING)
        try:
            # those that look up instead of answering come last
            usable = sorted(await self._llm.providers(), key=lambda one: one.provider == "lexicon")
            usable = [provider for provider in usable if provider.available]
        except LodeError as error:
            self.set_hint(in_one_line(error))
            return
        self._models = {provider.provider: self._models.get(provider.provider, []) for provider in usable}
        self._silent.clear()
        await asyncio.gather(*(self._ask(provider, refresh) for provider in usable))
        listed = count_of(sum(map(len, self._models.values())), "model")
        silent = f" · no list from {', '.join(self._silent)}" if self._silent else ""
        self.set_hint(f"{listed}{silent} · enter asks · F5 lists anew")

    async def _ask(self, provider: ProviderStatus, refresh: bool) -> None:
        try:
            models = await self._llm.models(provider.provider, refresh=refresh)
        except LodeError:
            self._silent.append(provider.label)
            return
        self._models[provider.provider] = [f"{provider.provider}:{model}" for model in models]
        self.refresh_list()

    def listed(self, typed: str) -> Iterator[tuple[str, Content]]:
        """Models that have all typed words; the text itself comes last, or alone."""
        if typed != self._narrowed:
            self._narrowed, self._kept = typed, ""
        known = dict.fromkeys(filter(None, (self._last, *chain(*self._models.values()))))
        words = typed.casefold().split()
        found = [model for model in known if all(word in model.casefold() for word in words)][: MAX_ENTRIES - 1]
        remarks = {self._first: "answers already", self._last: "as last time"}
        if typed and typed not in found:
            found.append(typed)
            remarks[typed] = "as it is typed"
        widest = max((cell_len(one_line(model)) for model in found), default=0)
        return ((model, _entry(model, remarks.get(model, ""), widest)) for model in found)

    def first(self, typed: str) -> int:
        if self._kept in self.answers:
            return self.answers.index(self._kept)
        return next((number for number, model in enumerate(self.answers) if model != self._first), 0)

    def action_highlight(self, step: int) -> None:
        super().action_highlight(step)
        if (index := self.highlighted) is not None:
            self._kept = self.answers[index]

    def action_list_again(self) -> None:
        self.read(refresh=True)


def _entry(model: str, remark: str, widest: int) -> Content:
    model = one_line(model)
    padding = " " * (widest - cell_len(model) + 2)
    return Content(model) + Content.styled(padding + remark, MUTED) if remark else Content(model)
