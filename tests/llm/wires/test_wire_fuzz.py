"""Broken bytes in every wire format: no crash, no hang, nothing but what was sent, and always the same."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, get_args

import pytest

from tests.llm.fakes.dialects import Dialect, stream
from tests.llm.fakes.fake_anthropic import ANTHROPIC
from tests.llm.fakes.fake_gemini import GEMINI
from tests.llm.fakes.fake_ollama import OLLAMA
from tests.llm.fakes.fake_openai import OPENAI
from tests.llm.fakes.fake_server import Request
from tests.llm.http import test_decoder
from tests.llm.wires import test_anthropic, test_gemini, test_ollama
from tests.llm.wires.decoding import outcome
from tui.llm.http.decoder import LineParser
from tui.llm.protocol import StreamEnd, StreamEvent, TextDelta
from tui.llm.wires.wire_format import AnswerPiece, Framing, loads
from tui.text.sanitize import whole_characters
from tui.wire.sse import ServerEvent, SseParser

pytestmark = pytest.mark.exhaustive

ROUNDS = 150
PIECES = get_args(AnswerPiece)
TABLES = {"openai": test_decoder, "anthropic": test_anthropic, "gemini": test_gemini, "ollama": test_ollama}
BODIES = {name: [body for body, _, _ in table.STREAMS.values() if len(body) < 5000] for name, table in TABLES.items()}
JUNK = (
    *(b"{", b"}", b'"', b"[", b"]", b"<", b"\\", b"\n\n", b"\n", b"\r"),
    *(b"null", b"7", b"-1e400", b"\xef\xbb\xbf", b"data:"),
)
DIALECTS: tuple[Dialect, ...] = (OPENAI, ANTHROPIC, GEMINI, OLLAMA)

each_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=[dialect.name for dialect in DIALECTS])


def mutated(body: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    made = bytearray(body)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(made) + 1)
        match chance.randrange(4):
            case 0:
                made[at:at] = chance.randbytes(3)
            case 1:
                del made[at : at + chance.choice((1, 5, 20, 5000))]
            case 2:
                made[at : at + 1] = chance.choice(JUNK)
            case 3:
                other = chance.choice(others)
                made[at:at] = other[chance.randrange(len(other) + 1) :]
    return bytes(made)


def read_events(body: bytes, framing: Framing) -> list[ServerEvent]:
    parser = SseParser() if framing == "events" else LineParser()
    return [*parser.feed(body), *parser.finish()]


def read_values(texts: Iterable[str | bytes]) -> Iterator[Any]:
    for text in texts:
        with suppress(ValueError):
            yield loads(text)


def strings(body: bytes, framing: Framing) -> str:
    """All the JSON strings of the body in their order, found without the decoder: what may be said is among them."""
    start = body.lstrip(b" \t\r\n").removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    events = [event for each in dict.fromkeys((body, start)) for event in read_events(each, framing)]
    values = read_values([*(event.data.strip() for event in events), start])
    return whole_characters("".join(leaf for value in values for leaf in _leaves(value)))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)


def message_in(events: list[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def is_in_order(text: str, within: str) -> bool:
    """Whether the characters of the text stand in the other one in this order; half characters may have been mended."""
    at = 0
    for character in text:
        if character == "\ufffd":
            continue
        at = within.find(character, at) + 1
        if at == 0:
            return False
    return True


@each_dialect
def test_broken_bytes_never_crash_or_say_what_was_not_sent(dialect: Dialect) -> None:
    chance = random.Random(f"{dialect.name} 11")
    wire, bodies = dialect.wire(), BODIES[dialect.name]
    foreign = [body for name, others in BODIES.items() if name != dialect.name for body in others]
    ends = 0
    for _ in range(ROUNDS):
        body = mutated(chance.choice(bodies), chance, bodies if chance.random() < 0.8 else foreign)
        events, error = outcome(wire, body)
        first, second = sorted(chance.choices(range(len(body) + 1), k=2))
        assert outcome(wire, body[:first], body[first:second], body[second:]) == (events, error), body
        assert is_in_order(message_in(events), strings(body, wire.framing)), body
        assert bool(error) != (bool(events) and isinstance(events[-1], StreamEnd)), body
        ends += not error
    assert 0.01 * ROUNDS < ends < 0.9 * ROUNDS  # both good and bad ones came by


@each_dialect
def test_a_stream_cut_anywhere_says_the_beginning_and_never_that_it_is_whole(dialect: Dialect) -> None:
    whole = stream(dialect, "Häl", "食べ", "👍🏽 gut", thoughts=("hm", "so")).body
    events, error = outcome(dialect.wire(), whole)
    assert (message_in(events), error) == ("Häl食べ👍🏽 gut", "")
    said = ""
    for length in range(0, len(whole), 3):
        events, error = outcome(dialect.wire(), whole[:length])
        text = message_in(events)
        assert text.startswith(said) and "Häl食べ👍🏽 gut".startswith(text), length
        said = text
        if not error:
            # All that is missing are counts, a mark of the end or its line end.
            assert text == "Häl食べ👍🏽 gut", length


@each_dialect
def test_thoughts_are_never_said_however_the_events_are_mixed(dialect: Dialect) -> None:
    chance = random.Random(f"{dialect.name} 7")
    one = stream(dialect, "AB", "CD", thoughts=("xy", "zw")).body
    gap = b"\n" if dialect.wire().framing == "lines" else (b"\r\n\r\n" if b"\r\n\r\n" in one else b"\n\n")
    pieces = [piece + gap for piece in one.split(gap) if piece] * 2
    for _ in range(60):
        chance.shuffle(pieces)
        events, _ = outcome(dialect.wire(), b"".join(pieces))
        assert set(message_in(events)) <= set("ABCD")


ODD: tuple[Any, ...] = (None, True, 7, -1.5, 10**400, "", "x", "\ud83d", [], [7], [[]], {}, {"x": 7}, [None, "x", {}])


def altered(value: Any) -> Iterator[Any]:
    """The value with every part of it, and itself, replaced by what nobody expects there."""
    yield from ODD
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in altered(each))
    elif isinstance(value, dict):
        for name, each in value.items():
            yield {other: part for other, part in value.items() if other != name}
            yield from ({**value, name: other} for other in altered(each))


@each_dialect
def test_values_of_unexpected_types_are_no_surprise(dialect: Dialect) -> None:
    wire = dialect.wire()
    bodies = [stream(dialect, "Hal", thoughts=("hm",)).body, *BODIES[dialect.name]]
    events = [event for body in bodies for event in read_events(body, wire.framing)]
    sent = [(value, event.event) for event in events for value in read_values([event.data])]
    seen = set()
    for value, event in ((dialect.whole("Hal", ("hm",), "stop", (1, 2)), "message"), *sent):
        if (shape := repr(_shape(value))) in seen:
            continue
        seen.add(shape)
        for odd in altered(value):
            assert all(isinstance(piece, PIECES) for piece in wire.read(odd, event))
    page = loads(dialect.model_page(Request("GET", "/", {}, None)).body)
    for odd in altered(page):
        try:
            found = wire.models(odd)
        except ValueError:
            continue
        assert all(isinstance(name, str) and name for name in found.models)
        wire.model_list(found.following)


def _shape(value: Any) -> Any:
    """The shape of a value, its texts and numbers left out, so that each is tried once."""
    if isinstance(value, dict):
        return {name: value[name] if name == "type" else _shape(value[name]) for name in value}
    return [_shape(each) for each in value] if isinstance(value, list) else type(value).__name__
