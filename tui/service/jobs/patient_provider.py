"""Patient provider: asks a model as a job does, some requests at once, and again where that may help."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeVar

from tui.errors import ProviderError
from tui.llm.protocol import ChatRequest, OnWait, StreamEnd, StreamEvent, StructuredAnswer, ignore_wait
from tui.service.jobs.patience import ask_patiently

if TYPE_CHECKING:
    from tui.llm.protocol import Provider
    from tui.records.answers import ProviderStatus

T = TypeVar("T")


class PatientProvider:
    """The provider with ``slots`` for the requests that it takes at once, and the patience of ``ask_patiently``.

    A stream comes once it is whole, so that one that is cut can be asked for again: nobody reads along.
    """

    def __init__(
        self, provider: Provider, slots: asyncio.Semaphore, on_pause: Callable[[str], Awaitable[None]]
    ) -> None:
        self._provider = provider
        self._slots = slots
        self._on_pause = on_pause
        self.name, self.label = provider.name, provider.label
        self.local, self.parallel = provider.local, provider.parallel

    async def status(self) -> ProviderStatus:
        return await self._provider.status()

    async def models(self, *, refresh: bool = False) -> tuple[str, ...]:
        return await self._provider.models(refresh=refresh)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        async def read() -> list[StreamEvent]:
            async with self._slots, aclosing(self._provider.stream(request)) as events:
                read = [event async for event in events]
            if not any(isinstance(event, StreamEnd) for event in read):
                raise ProviderError(f"{self.label} broke off in the middle of its answer", code="stream_cut")
            return read

        for event in await ask_patiently(read, self.label, self._on_pause):
            yield event

    async def structured(
        self, request: ChatRequest, form: type[T], *, on_wait: OnWait = ignore_wait
    ) -> StructuredAnswer[T]:
        async def ask() -> StructuredAnswer[T]:
            async with self._slots:
                return await self._provider.structured(request, form, on_wait=on_wait)

        return await ask_patiently(ask, self.label, self._on_pause)

    async def close(self) -> None:
        """Leave the provider open: others ask it too."""
