"""Protocols of what asks a model: the template, and the streams of its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Protocol

from tui.errors import TemplateError
from tui.records.answers import LlmTemplate, NewTemplate, ProviderStatus
from tui.records.library import Deletion
from tui.service.protocol.operation import Operation
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest

if TYPE_CHECKING:  # dataclasses take a while to make, and nothing before the first frame needs these
    from tui.events import BreakdownEvents
    from tui.service.protocol.arguments import Bound


class Template(Protocol):
    async def get(self) -> LlmTemplate | None: ...

    @Operation("POST", "/profiles/template", "save_template")
    async def save(self, template: NewTemplate) -> LlmTemplate:
        """Create or update; raises ``TemplateError`` or ``InvalidInput`` and keeps the old one when it is not valid."""

    @Operation("DELETE", "/profiles/template", "delete_template", 204)
    @Operation("POST", "/profiles/template/delete", "delete_template_counted")
    async def delete(self) -> Deletion:
        """Delete it: the built-in one is in force then. Undo brings it back; a count of 0 says that there was none."""

    @Operation("GET", "/profiles/template/effective", "effective_template")
    async def effective(self) -> NewTemplate:
        """The template in force: the saved one, else the built-in default."""


class Llm(Protocol):
    @Operation("GET", "/llm/providers", "list_providers")
    async def providers(self) -> tuple[ProviderStatus, ...]:
        """Every provider, whether it can be used here, and what is missing where it can't."""

    @Operation("GET", "/llm/models", "list_models", is_slow=True)
    async def models(
        self,
        provider: Annotated[str, Bound(100, about="Its id, as in the list of providers.")],
        *,
        refresh: Annotated[bool, Bound(about="Ask the provider although the list is known.")] = False,
    ) -> tuple[str, ...]:
        """The ids of its chat models, asked for once and anew with ``refresh``."""

    @Operation("POST", "/llm/breakdown/preview", "preview_breakdown", asks=True)
    async def preview(self, request: PreviewRequest) -> str:
        """The rendered prompt, without asking any model; raises ``TemplateError``."""

    async def preview_lenient(self, request: PreviewRequest) -> tuple[str, TemplateError | None]:
        """The prompt as far as it can be rendered, and its first error: one that is being written often has one."""

    def breakdown(self, request: BreakdownRequest) -> BreakdownEvents: ...

    def explain(self, request: ExplainRequest) -> BreakdownEvents: ...

    def ask_on(self, request: FollowUpRequest) -> BreakdownEvents:
        """Ask a model about an answer, with what was asked and answered so far; there is no ``FocusReady``.

        The answer is kept below the first one (``Answer.follow_ups``), and always asked for anew.
        """
