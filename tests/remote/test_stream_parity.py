"""Streams of one library, here and over HTTP: the same events."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

import pytest

from tests.llm.fakes.fake_server import answer, cut, stream
from tests.remote.both import Both
from tui.errors import TemplateError
from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished, FocusReady
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, ExplainRequest
from tui.wire import codec

pytestmark = pytest.mark.exhaustive


async def events_of(events: BreakdownEvents) -> list[object]:
    """Everything of the stream but what differs from one time to the next (a count is only given if it is quick)."""
    async with aclosing(events):
        return [comparable(event) async for event in events]


def comparable(event: BreakdownEvent) -> object:
    match event:
        case Failed(error):
            place = (error.line, error.column) if isinstance(error, TemplateError) else None
            return "failed", codec.error_fields(error)["kind"], error.code, error.message, error.hint, place
        case Finished():
            return replace(event, answer_id="one" if event.answer_id else None, duration_ms=0)
        case FocusReady(focus, input_tokens, output_tokens):
            return "focus", replace(focus, frequency=None), input_tokens, output_tokens
    return event


ASK = BreakdownRequest("Der Zug fährt ab.", "fährt", model="work:m", language="de", fresh=True)


async def test_streams_are_the_same_event_by_event(both: Both) -> None:
    focus = {"surface": "fährt", "lemma": "fahren", "meanings": ["to go"]}
    for _ in (both.here, both.there):
        both.server.enqueue(answer(focus, tokens=(9, 3)), stream("**fährt**\n", " … ", "\u2028ab 🚂", tokens=(7, 5)))
        both.server.enqueue(answer(focus), cut("half"))
        both.server.enqueue(stream("It says", " so."))
    asked: tuple[Callable[[Service], BreakdownEvents], ...] = (
        lambda service: service.llm.breakdown(ASK),
        lambda service: service.llm.breakdown(ASK),
        lambda service: service.llm.explain(ExplainRequest("Der Zug.", model="work:m", fresh=True)),
        lambda service: service.llm.breakdown(replace(ASK, model="lexicon:concordance")),
        lambda service: service.llm.breakdown(replace(ASK, model="")),
        lambda service: service.llm.breakdown(replace(ASK, sentence=" ")),
        lambda service: service.llm.breakdown(replace(ASK, focus="")),
        lambda service: service.llm.breakdown(replace(ASK, model="nobody:m")),
        lambda service: service.llm.breakdown(replace(ASK, model="openai:gpt")),
        lambda service: service.llm.breakdown(replace(ASK, prompt="one\n {{ nope }}")),
        lambda service: service.llm.breakdown(replace(ASK, sentence="x" * 20_000)),
        lambda service: service.llm.explain(ExplainRequest("")),
    )
    here = [await events_of(ask(both.here)) for ask in asked]
    there = [await events_of(ask(both.there)) for ask in asked]
    for one, other in zip(here, there, strict=True):
        assert other == one


async def test_a_kept_answer_is_shown_alike(both: Both) -> None:
    await events_of(both.here.llm.breakdown(ASK))
    again = replace(ASK, fresh=False)
    here, there = await events_of(both.here.llm.breakdown(again)), await events_of(both.there.llm.breakdown(again))
    assert here == there
    end = there[-1]
    assert isinstance(end, Finished)
    assert end.kept
