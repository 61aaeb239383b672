"""Protocols of what asks a model: the template, and the streams of its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tui.errors import TemplateError
from tui.records.answers import LlmTemplate, NewTemplate, ProviderStatus
from tui.records.library import Deletion
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest

if TYPE_CHECKING:  # dataclasses take a while to make, and nothing before the first frame needs these
    from tui.events import BreakdownEvents


class Template(Protocol):
    async def get(self) -> LlmTemplate | None: ...

    async def save(self, template: NewTemplate) -> LlmTemplate:
        """Create or update; raises ``TemplateError`` or ``InvalidInput`` and keeps the old one when it is not valid."""

    async def delete(self) -> Deletion: ...

    async def effective(self) -> NewTemplate:
        """The template in force: the saved one, else the built-in default."""


class Llm(Protocol):
    async def providers(self) -> tuple[ProviderStatus, ...]: ...

    async def models(self, provider: str, *, refresh: bool = False) -> tuple[str, ...]:
        """The ids of its chat models, asked for once and anew with ``refresh``."""

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
