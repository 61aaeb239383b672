"""Events that the bytes of an answer become, cut in one way or in many."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from itertools import chain

from tests.llm.asking import peer
from tests.llm.fakes.dialects import Dialect, stream
from tui.errors import ProviderError
from tui.llm.http.decoder import AnswerDecoder
from tui.llm.protocol import StreamEnd, StreamEvent, TextDelta, Thinking
from tui.llm.wires.wire_format import WireFormat

Outcome = tuple[list[StreamEvent], str]
Case = tuple[bytes, list[StreamEvent], str]
"""A body, the events that it holds, and the error that it ends with ("" for none)."""

CUT = "stream_cut: Fake broke off in the middle of its answer"
NO_JSON = "provider_protocol: Fake sends something that is no JSON"
ALIEN = "provider_protocol: Fake sends something that is no chat answer"
BOOM = "provider_failed: Fake broke off with an error: boom"
NOTHING = "empty_answer: Fake answered nothing"
ONLY_THOUGHTS = "answer_cut: Fake ran into its length limit before it said anything"
_LONGEST_CUT = 5000
"""Bytes; longer bodies are not cut."""
_PLACES = 20


def outcome(wire: WireFormat, *chunks: bytes) -> Outcome:
    """The events, with neighbouring texts joined, and the error's code and message."""
    decoder = AnswerDecoder(wire, peer())
    events: list[StreamEvent] = []
    try:
        for chunk in chunks:
            events.extend(chain.from_iterable(decoder.batches(chunk)))
        events.extend(chain.from_iterable(decoder.batches(None)))
    except ProviderError as error:
        return joined(events), f"{error.code}: {error.message}"
    return joined(events), ""


def joined(events: list[StreamEvent]) -> list[StreamEvent]:
    found: list[StreamEvent] = []
    for event in events:
        last = found[-1] if found else None
        if isinstance(event, TextDelta) and isinstance(last, TextDelta):
            found[-1] = TextDelta(last.text + event.text)
        else:
            found.append(event)
    return found


def ok(body: bytes, text: str, finish: str = "stop", tokens: tuple[int | None, int | None] = (None, None)) -> Case:
    """A body that holds a whole answer."""
    return body, [TextDelta(text), StreamEnd("length" if finish == "length" else "stop", *tokens)], ""


def bad(body: bytes, error: str, text: str = "") -> Case:
    """A body that ends with an error after the text."""
    return body, [TextDelta(text)] if text else [], error


def after_thought(case: Case) -> Case:
    body, events, error = case
    return body, [Thinking(), *events], error


def usual(dialect: Dialect) -> dict[str, Case]:
    """Cases that every format has: an answer with thoughts, streamed and whole, and no answer at all."""
    whole = json.dumps(dialect.whole("Hällo", ("hm",), "stop", (9, 3)), ensure_ascii=False).encode()
    streamed = stream(dialect, "Häl", "食べ👍🏽", thoughts=("hm, ", "so")).body
    return {
        "as it is sent": after_thought(ok(streamed, "Häl食べ👍🏽", tokens=(7, 5))),
        "whole answer": after_thought(ok(whole, "Hällo", tokens=(9, 3))),
        "nothing": bad(b"", CUT),
    }


def assert_same_however_cut(wire: WireFormat, cases: Mapping[str, Case]) -> None:
    """Each body whole, in two pieces at some places, and byte by byte."""
    for name, (body, events, error) in cases.items():
        cuts = [[body]]
        if len(body) <= _LONGEST_CUT:
            places = random.Random(name).sample(range(len(body) + 1), min(_PLACES, len(body) + 1))
            cuts += [[body[:at], body[at:]] for at in places]
            cuts.append([body[at : at + 1] for at in range(len(body))])
        for chunks in cuts:
            assert outcome(wire, *chunks) == (events, error), (name, chunks)
