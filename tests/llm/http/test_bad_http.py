"""Answers that are no good HTTP: what came before is shown and what went wrong is said, whoever reads the HTTP."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from tests.llm.asking import ASK, asked, collect, peer, provider_at, text_of
from tests.llm.fakes.fake_server import Gate, delta, event_stream, raw_server, sse, status, stream
from tui.errors import ProviderError
from tui.llm.http.client import ProviderClient, Timeouts, chunks_of
from tui.llm.protocol import StreamEvent, TextDelta
from tui.llm.wires.openai_chat import OpenAiChat

pytestmark = pytest.mark.usefixtures("transport")

PATIENT = Timeouts(connect=10, read=10, first_text=10, between_texts=10)
LOST = ("connection_lost", "the connection to Fake was lost")


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n"
HAL = chunk(sse(delta("Hal"), done=False))
HALLO = b"".join(chunk(piece) for piece in stream("Hal", "lo").pieces if isinstance(piece, bytes)) + b"0\r\n\r\n"


async def answer_of(*pieces: bytes | Gate) -> tuple[str, tuple[str, str] | None]:
    """The text that came and how the error is called that ended it."""
    async with raw_server(*pieces) as raw, provider_at(raw.url, timeouts=PATIENT) as provider:
        events, error = await collect(provider)
        return text_of(events), (error.code, error.message) if error is not None else None


NO_HTTP = (
    *(b"SSH-2.0-OpenSSH_9.6\r\n", b"\x15\x03\x01\x00\x02\x02\x46", b""),
    *(b"HTTP/1.1 abc OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-", OK + b"no colon\r\n\r\n"),
    *(OK + b"Content-Length: many\r\n\r\n", OK + b"X-Nul: \0\r\n\r\n"),
    OK + b"Content-Length: 7\r\nContent-Length: 8\r\n\r\ndata: x\n",
)
ODD = (
    CHUNKED + b"X-Long: " + b"a" * 90_000 + b"\r\n",
    CHUNKED + b"X" * 12_000 + b": long\r\n",
    CHUNKED + b"".join(b"X-%d: one of many\r\n" % number for number in range(200)),
    CHUNKED.replace(b"OK", b"K" * 12_000),
    CHUNKED.replace(b"OK", "größer".encode("latin-1")),
    CHUNKED.replace(b" OK", b""),
    CHUNKED.replace(b"\r\n", b"\n"),
    b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n" + CHUNKED,
    CHUNKED + b'Set-Cookie: \xff="; expires=never; domain=..\r\nSet-Cookie:\r\n',
)


async def test_what_is_no_http_is_a_lost_connection_and_a_head_that_is_long_or_odd_is_taken() -> None:
    for head in NO_HTTP:
        assert await answer_of(head) == ("", LOST), head
    for head in ODD:
        assert await answer_of(head + b"\r\n" + HALLO) == ("Hallo", None), head


async def test_a_head_without_end_is_given_up() -> None:
    for endless in (b"X-Long: " + b"a" * 1_000_000, b"X-More: yes\r\n" * 100_000):
        assert await answer_of(CHUNKED, endless, Gate()) == ("", LOST)


BAD_CHUNKS = {
    "no number": b"zz\r\nlo\r\n",
    "negative": b"-5\r\nlo\r\n",
    "huge": b"f" * 25 + b"\r\n",
    "longer than it says": b"2\r\nlonger\r\n",
    "cut": b"ff\r\ncut",
    "no last one": b"",
}


@pytest.mark.parametrize("together", [True, False])
async def test_what_came_before_a_bad_chunk_is_shown_and_then_the_connection_is_lost(together: bool) -> None:
    for name, bad in BAD_CHUNKS.items():
        gate = Gate()
        pieces = (CHUNKED + b"\r\n" + HAL + bad,) if together else (CHUNKED + b"\r\n" + HAL, gate, bad)
        events: list[StreamEvent] = []
        async with raw_server(*pieces) as raw, provider_at(raw.url, timeouts=PATIENT) as provider:
            with pytest.raises(ProviderError) as raised:
                async with aclosing(provider.stream(ASK)) as answer:
                    async for event in answer:
                        events.append(event)
                        gate.opened.set()
        assert events == [TextDelta("Hal")], name
        assert (raised.value.code, raised.value.message) == LOST


async def test_a_head_that_comes_in_pieces_loses_nothing_either() -> None:
    whole = CHUNKED + b"\r\n" + HAL + b"zz\r\n"
    for at in (len(CHUNKED) - 1, len(CHUNKED) + 1, len(CHUNKED) + 3):  # in the midst of both line ends, and behind
        gates = [Gate(), Gate()]
        asking = asyncio.create_task(answer_of(whole[: at - 20], gates[0], whole[at - 20 : at], gates[1], whole[at:]))
        for gate in gates:
            for _ in range(20):  # so that the other side has read what was written
                await asyncio.sleep(0)
            gate.opened.set()
        assert await asking == ("Hal", LOST), at


async def test_what_had_come_unread_when_a_body_broke_is_read_before_the_error() -> None:
    gate = Gate()
    pieces = (CHUNKED + b"\r\n" + HAL, gate, HAL + b"zz\r\n")
    async with raw_server(*pieces) as raw:
        http = ProviderClient(raw.url, peer(raw.url), PATIENT, OpenAiChat(), connections=16)
        came = b""
        with pytest.raises(ProviderError) as raised:
            async with (
                http.request(OpenAiChat().chat(ASK, streamed=True)) as response,
                aclosing(chunks_of(response)) as chunks,
            ):
                came += await anext(chunks)
                gate.opened.set()
                for _ in range(50):  # the rest and its end come meanwhile
                    await asyncio.sleep(0)
                async for more in chunks:
                    came += more
        await http.close()
    assert came.count(b'"Hal"') == 2
    assert raised.value.code == "connection_lost"


async def test_an_error_whose_body_breaks_is_said_with_what_came_of_it() -> None:
    head = b"HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n"
    said = status(400, {"error": {"message": "no such flavour"}}).body
    text, error = await answer_of(head + chunk(said) + b"zz\r\n")
    assert (text, error) == ("", ("request_refused", "Fake refuses the request (400): no such flavour"))


async def test_what_follows_the_end_of_an_answer_does_no_harm() -> None:
    assert await answer_of(CHUNKED + b"\r\n" + HALLO + b"garbage\r\n\r\n") == ("Hallo", None)
    assert await answer_of(CHUNKED + b"\r\n" + HALLO[:-2] + b"a bad trailer\r\n\r\n") == ("Hallo", None)


async def test_a_long_answer_that_comes_at_once_leaves_its_connection_to_the_next() -> None:
    text = "Hallo " * 40_000
    async with asked(timeouts=PATIENT) as (server, provider):
        for _ in range(2):
            server.enqueue(event_stream(stream(text).body))
            events, error = await collect(provider)
            assert (text_of(events), error) == (text, None)
        assert server.connections == 1
