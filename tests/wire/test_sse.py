"""Server-sent events, however the bytes are cut."""

from __future__ import annotations

import random

import pytest

from tui.errors import ProviderError
from tui.wire.sse import ServerEvent, SseParser

STREAMS: dict[str, tuple[bytes, list[tuple[str, str]]]] = {
    "line feeds": (b"data: a\n\ndata: b\n\n", [("message", "a"), ("message", "b")]),
    "carriage returns": (b"data: a\r\rdata: b\r\r", [("message", "a"), ("message", "b")]),
    "both": (b"data: a\r\n\r\ndata: b\r\n\r\n", [("message", "a"), ("message", "b")]),
    "mixed": (b"data: a\r\ndata: b\rdata: c\n\r\n", [("message", "a\nb\nc")]),
    "no space": (b"data:a\n\ndata:  b\n\n", [("message", "a"), ("message", " b")]),
    "byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [("message", "a")]),
    "comments": (b": ping\n\n:\n\ndata: a\n: between\ndata: b\n\n", [("message", "a\nb")]),
    "named": (b"event: error\ndata: a\n\ndata: b\n\n", [("error", "a"), ("message", "b")]),
    "no blank line at the end": (b"data: a\n\ndata: b\n", [("message", "a"), ("message", "b")]),
    "no line end at the end": (b"data: a\n\ndata: b", [("message", "a"), ("message", "b")]),
    "other fields": (b"id: 7\nretry: 10\nfoo\ndata: a\n\n", [("message", "a")]),
    "empty data": (b"data\n\ndata:\n\n", [("message", ""), ("message", "")]),
    "event without data": (b"event: x\n\ndata: a\n\n", [("message", "a")]),
    "unicode": ("data: 食べる \u2028 \u0085 \x0c 👍🏽\n\n".encode(), [("message", "食べる \u2028 \u0085 \x0c 👍🏽")]),
}


def events_of(*chunks: bytes) -> list[tuple[str, str]]:
    parser = SseParser()
    found: list[ServerEvent] = []
    for chunk in chunks:
        found += parser.feed(chunk)
    found += parser.finish()
    return [(event.event, event.data) for event in found]


def test_events_are_the_same_however_the_bytes_are_cut() -> None:
    for name, (body, expected) in STREAMS.items():
        assert events_of(body) == expected, name
        for at in range(len(body) + 1):
            assert events_of(body[:at], body[at:]) == expected, (name, at)
            assert events_of(body[:at], body[at : at + 1], body[at + 1 :]) == expected, (name, at)
        assert events_of(*(body[at : at + 1] for at in range(len(body)))) == expected, name


def test_a_stream_without_line_ends_or_an_event_without_end_is_refused_before_it_fills_the_memory() -> None:
    for piece in (b"x" * 1_000_000, b"data: " + b"x" * 1_000_000 + b"\n"):
        parser = SseParser()
        with pytest.raises(ProviderError):
            for _ in range(100):
                parser.feed(piece)


def test_many_small_pieces_of_a_long_line_are_not_searched_again_and_again() -> None:
    parser = SseParser()
    for _ in range(20_000):
        assert parser.feed(b"data: abcd") == []
    assert len(parser.finish()) == 1


def test_random_bytes_neither_crash_nor_depend_on_the_cuts() -> None:
    chance = random.Random(7)
    alphabet = [b"\r", b"\n", b"data:", b"event:", b":", b" ", b"x", b"\xef\xbb\xbf", b"\xe9", "é".encode(), b"\x00"]
    for _ in range(400):
        body = b"".join(chance.choices(alphabet, k=chance.randrange(40)))
        cuts = sorted(chance.choices(range(len(body) + 1), k=5))
        chunks = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
        assert events_of(*chunks) == events_of(body), body
