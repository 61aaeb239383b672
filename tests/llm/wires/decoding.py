"""Events that the bytes of an answer become, cut in one way or in all of them."""

from __future__ import annotations

import json
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
_LONGEST_CUT = 5000
"""Bytes; longer bodies are not cut at every place."""


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


def good(text: str, finish: str = "stop", tokens: tuple[int | None, int | None] = (None, None)) -> list[StreamEvent]:
    return [TextDelta(text), StreamEnd("length" if finish == "length" else "stop", *tokens)]


def usual(dialect: Dialect) -> dict[str, Case]:
    """Cases that every format has: an answer with thoughts, streamed and whole, and no answer at all."""
    whole = json.dumps(dialect.whole("Hällo", ("hm",), "stop", (9, 3)), ensure_ascii=False).encode()
    streamed = stream(dialect, "Häl", "食べ👍🏽", thoughts=("hm, ", "so")).body
    return {
        "as it is sent": (streamed, [Thinking(), *good("Häl食べ👍🏽", tokens=(7, 5))], ""),
        "whole answer": (whole, [Thinking(), *good("Hällo", tokens=(9, 3))], ""),
        "nothing": (b"", [], CUT),
    }


def assert_same_however_cut(wire: WireFormat, case: Case) -> None:
    """Whole, in two pieces at every byte, and byte by byte."""
    body, events, error = case
    assert outcome(wire, body) == (events, error)
    if len(body) > _LONGEST_CUT:
        return
    for at in range(len(body) + 1):
        assert outcome(wire, body[:at], body[at:]) == (events, error), at
    assert outcome(wire, *(body[at : at + 1] for at in range(len(body)))) == (events, error)
