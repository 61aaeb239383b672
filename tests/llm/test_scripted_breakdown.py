"""Breakdowns by a provider that does what no server can do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, TypeVar

import pytest

from tests.llm.asking import question
from tests.llm.breaking_down import LEXICON, SOON, breakdown, checked, end_of, failure_of, listen, text_of
from tui.events import BreakdownEvent, Failed, StateChanged
from tui.llm.breakdown import Deadlines
from tui.llm.protocol import (
    ChatRequest,
    Preparing,
    Provider,
    StreamEnd,
    StreamEvent,
    StructuredAnswer,
    TextDelta,
    Thinking,
    Waiting,
    ignore_wait,
)
from tui.records.answers import ProviderStatus

T = TypeVar("T")


class Scripted:
    """A provider out of a list of events."""

    name = label = "scripted"
    local = False
    parallel = True

    def __init__(
        self, *events: StreamEvent | Exception, focus: StructuredAnswer[Any] | Exception | None = None
    ) -> None:
        self._events = events
        self._focus = focus

    async def status(self) -> ProviderStatus:
        return ProviderStatus(self.name, self.label, True, "", False)

    async def models(self, *, refresh: bool = False) -> tuple[str, ...]:
        return ("m",)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        for event in self._events:
            if isinstance(event, Exception):
                raise event
            yield event

    async def structured(
        self, request: ChatRequest, form: type[T], *, on_wait: Callable[[Waiting], None] = ignore_wait
    ) -> StructuredAnswer[T]:
        if isinstance(self._focus, StructuredAnswer):
            return self._focus
        if self._focus is not None:
            raise self._focus
        await asyncio.Event().wait()
        raise AssertionError

    async def close(self) -> None:
        pass


async def scripted(*events: StreamEvent | Exception, deadlines: Deadlines = SOON) -> list[BreakdownEvent]:
    provider: Provider = Scripted(*events)
    return await listen(breakdown(question(), provider, LEXICON, deadlines=deadlines))


async def test_what_waits_for_the_focus_is_bounded() -> None:
    flood = [TextDelta("x" * 1000)] * 100
    events = checked(await scripted(*flood, StreamEnd("stop"), deadlines=Deadlines(cloud=3600)))
    assert len(text_of(events)) == 100_000


async def test_an_answer_without_end_is_cut() -> None:
    events = checked(await scripted(*[TextDelta("x" * 10_000)] * 1000, StreamEnd("stop")))
    assert end_of(events).cut and len(text_of(events)) == 400_000
    assert [event.error.code for event in events if isinstance(event, Failed)] == ["answer_without_end"]


async def test_states_pass_while_the_focus_is_awaited() -> None:
    events = checked(await scripted(Thinking(), Preparing("loading"), TextDelta("a"), StreamEnd("stop")))
    kinds = [event.state if isinstance(event, StateChanged) else type(event).__name__ for event in events]
    assert kinds.index("thinking") < kinds.index("preparing") < kinds.index("FocusReady")


async def test_a_stream_without_an_end_has_failed() -> None:
    events = checked(await scripted(TextDelta("a")))
    assert (text_of(events), failure_of(events)) == ("a", "stream_cut")


async def test_a_defect_of_a_provider_is_raised_and_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError):
        await scripted(TextDelta("a"), ZeroDivisionError())
