"""Breakdowns and explanations by a provider that does what no server can do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from tests.llm.asking import question
from tests.llm.breaking_down import LEXICON, SOON, breakdown, checked, end_of, explain, failure_of, listen, text_of
from tui.errors import ProviderError
from tui.events import BreakdownEvent, Failed, StateChanged
from tui.llm.breakdown import Deadlines
from tui.llm.explanation import AskedAgain, explanation
from tui.llm.protocol import (
    ChatRequest,
    Preparing,
    Provider,
    Question,
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


# Explanations: what comes in a wrong language is asked for once more, before anybody has seen any of it.

ENGLISH = (
    "**fährt … ab** is a separable verb: the prefix stands at the end of the sentence, and together they mean that the "
    "train leaves. The speaker hopes that it is going to leave at all, which is what *überhaupt noch* says here. "
)
SPANISH = (
    "**fährt … ab** es un verbo separable: el prefijo está al final de la frase, y juntos quieren decir que el tren "
    "sale. La persona que habla espera que salga todavía, y eso es lo que dice aquí *überhaupt noch*. "
)
IN_SPANISH = replace(question(), explain_in="Spanish", answer_in="es")


class Answering(Scripted):
    """A provider with one list of events for each time that it is asked."""

    def __init__(self, *answers: list[StreamEvent | Exception]) -> None:
        super().__init__(focus=ProviderError("it has no forms"))
        self._answers = list(answers)
        self.asked: list[ChatRequest] = []
        self.closed = 0

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        self.asked.append(request)
        try:
            for event in self._answers.pop(0):
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            self.closed += 1


def pieces(text: str, *, of: int = 7) -> list[StreamEvent | Exception]:
    return [TextDelta(text[at : at + of]) for at in range(0, len(text), of)]


async def events_of(provider: Answering, asked: Question) -> list[StreamEvent | AskedAgain]:
    async with aclosing(explanation(asked, provider)) as events:
        return [event async for event in events]


async def test_an_answer_in_the_language_that_was_asked_for_comes_whole() -> None:
    provider = Answering([Thinking(), *pieces(SPANISH), StreamEnd("stop", 3, 9)])
    events = checked(await listen(explain(IN_SPANISH, provider)), focus=False)
    assert text_of(events) == SPANISH
    assert (len(provider.asked), end_of(events).output_tokens) == (1, 9)
    assert not any(isinstance(event, StateChanged) and event.message for event in events)


async def test_one_in_another_language_is_asked_for_once_more_and_nothing_of_it_is_seen() -> None:
    provider = Answering([*pieces(ENGLISH * 20), StreamEnd("stop", 5, 7)], [*pieces(SPANISH), StreamEnd("stop", 3, 9)])
    events = checked(await listen(breakdown(IN_SPANISH, provider, LEXICON)))
    assert text_of(events) == SPANISH
    messages = [event.message for event in events if isinstance(event, StateChanged)]
    assert "it answered in English: asked once more" in messages
    first, second = provider.asked
    assert second.prompt == first.prompt
    assert second.system == f"{first.system}\n\nWrite the whole answer in Spanish, and in no other language."
    assert provider.closed == 2


async def test_it_is_asked_no_third_time() -> None:
    provider = Answering([*pieces(ENGLISH), StreamEnd("stop")], [*pieces(ENGLISH), StreamEnd("stop")])
    assert text_of(await listen(explain(IN_SPANISH, provider))) == ENGLISH
    assert len(provider.asked) == 2


async def test_what_is_short_or_unclear_is_taken_as_it_is() -> None:
    mixed = "Der Zug fährt heute nicht mehr ab, das sagt er: el tren ya no sale hoy, eso es lo que dice. "
    for text in ("Ja.", "It means to leave.", "ok " * 30, "1. 2. 3. " * 60, mixed):
        provider = Answering([*pieces(text), StreamEnd("stop")])
        assert text_of(await listen(explain(IN_SPANISH, provider))) == text
        assert len(provider.asked) == 1, text


async def test_where_english_or_no_language_was_asked_for_nothing_waits() -> None:
    came: list[StreamEvent | Exception] = [TextDelta("Der "), TextDelta("Zug "), StreamEnd("stop")]
    assert await events_of(Answering(came), question()) == came
    assert await events_of(Answering(came), IN_SPANISH) == [TextDelta("Der Zug "), StreamEnd("stop")]


async def test_a_language_that_cannot_be_guessed_is_never_missed() -> None:
    provider = Answering([*pieces(ENGLISH), StreamEnd("stop")])
    assert text_of(await listen(explain(replace(IN_SPANISH, answer_in="rw"), provider))) == ENGLISH


async def test_what_waited_is_there_when_the_answer_breaks() -> None:
    provider = Answering([TextDelta("El tren "), ProviderError("gone", code="stream_cut")])
    events = checked(await listen(explain(IN_SPANISH, provider)), focus=False)
    assert (text_of(events), failure_of(events)) == ("El tren ", "stream_cut")
