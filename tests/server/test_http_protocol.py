"""Requests as bytes: bodies and heads that are too large, too slow, or no HTTP."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.server.conftest import assert_refused
from tests.server.raw import exchange, read, request
from tests.server.serving import Served, serving
from tests.server.test_middleware import TOKEN
from tests.store.adding_files import add_file
from tui.config import Settings
from tui.records.transcripts import Cue
from tui.server.options import ServerOptions

pytestmark = pytest.mark.exhaustive


async def test_too_large_a_body_is_refused_before_it_is_read_or_once_it_turns_out_so(served: Served) -> None:
    for path, length in {
        "/profiles/clips": 2_000_001,
        "/profiles/files?name=a.srt": 10**12,
        "/dictionaries?name=a": 10**9 + 1,
    }.items():
        head = request("POST", path, Content_Length=str(length))
        assert_refused(read(await exchange(served.options.port, head)), 413, "too_large")
    chunk = b"186a0\r\n" + b" " * 100_000 + b"\r\n"
    for key in ({}, {"Idempotency_Key": "k"}):
        head = request("POST", "/profiles/clips", Transfer_Encoding="chunked", **key)
        answer = await exchange(served.options.port, head, *[chunk] * 25, b"0\r\n\r\n")
        assert_refused(read(answer), 413, "too_large")


async def test_a_request_whose_headers_do_not_end_is_refused(served: Served) -> None:
    head = request("GET", "/health").removesuffix(b"\r\n\r\n")
    answer = read(await exchange(served.options.port, head + b"\r\nX-Long: ", *[b"x" * 8192] * 40))
    assert_refused(answer, 431, "bad_request")
    small = b"".join(b"X-%d: some value\r\n" % number for number in range(5_000))
    refused = await exchange(served.options.port, head + b"\r\n" + small + b"\r\n")
    assert_refused(read(refused), 431, "bad_request")
    short = request("GET", "/health", X_Long="x" * 30_000)
    assert read(await exchange(served.options.port, short)).status_code == 200


async def test_a_head_that_does_not_come_is_not_waited_for(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.server.http_protocol.HEAD_SECONDS", 0.3)
    monkeypatch.setattr(served.server.config, "timeout_keep_alive", 1)
    head = request("GET", "/health")
    kept_open = head.replace(b"Connection: close\r\n", b"")
    nothing, half, behind, blank = await asyncio.gather(
        exchange(served.options.port),
        exchange(served.options.port, head.removesuffix(b"\r\n")),
        exchange(served.options.port, kept_open + b"GET /health"),
        exchange(served.options.port, kept_open + b"\r\n"),
    )
    assert nothing == b""
    assert_refused(read(half), 408, "bad_request")
    assert (behind.count(b"HTTP/1.1 200"), behind.count(b"HTTP/1.1 408")) == (1, 1)
    assert blank.count(b"HTTP/1.1") == 1, "blank lines are no reason to keep a connection"
    assert read(await exchange(served.options.port, head)).status_code == 200


async def test_a_body_that_comes_too_slowly_is_not_waited_for(
    served: Served, client: httpx.AsyncClient, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.server.http_protocol.BODY_SECONDS", 0.2)
    asked = [
        request("POST", path, **more) + b"1\r\n{"
        for path in ("/profiles/clips", "/profiles/files?name=a.srt")
        for more in ({"Content_Length": "1000"}, {"Transfer_Encoding": "chunked"})
    ]
    for answer in await asyncio.gather(*(exchange(served.options.port, each) for each in asked)):
        error = assert_refused(read(answer), 408, "bad_request")
        assert "too slowly" in error["message"]
        assert read(answer).headers["X-Lode-Interface"] == "1", "or Lode's own client would not believe it"
    assert list((home / "uploads").iterdir()) == []
    assert (await client.get("/profiles/jobs")).json() == []


async def test_a_body_may_take_as_long_as_the_slowest_rate(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.server.http_protocol.BODY_SECONDS", 0.2)
    monkeypatch.setattr("tui.server.http_protocol.BODY_RATE", 2000)
    begun = time.monotonic()
    head = request("POST", "/profiles/clips", Content_Length="100000")
    answer = await exchange(served.options.port, head + b" " * 1000)
    assert_refused(read(answer), 408, "bad_request")
    assert time.monotonic() - begun >= 0.7


async def test_who_has_no_token_is_not_waited_for(with_model: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.server.http_protocol.BODY_SECONDS", 0.5)
    async with serving(with_model, ServerOptions(port=0, token=TOKEN)) as served:
        head = request("POST", "/profiles/clips", Content_Length="1000").replace(b"Connection: close\r\n", b"")
        reader, writer = await asyncio.open_connection("127.0.0.1", served.options.port)
        writer.write(head + b"{")
        assert (await reader.readline()).startswith(b"HTTP/1.1 401")  # waited for, it would be 408
        rest = await reader.read()
        assert b"HTTP/1.1" not in rest
        writer.close()


CUE = Cue(0, 0, 900, "Der Zug kommt.")
MUCH = 100_000_000
"""Bytes that no system holds between two ends of a connection."""


async def sent_until_closed(served: Served, head: bytes) -> tuple[int, httpx.Response]:
    """Send a request and then a body without end, as far as it is taken; gives its bytes and the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.options.port)
    piece = b"x" * 100_000
    if b"chunked" in head:
        piece = b"%x\r\n%s\r\n" % (len(piece), piece)
    answer = asyncio.create_task(reader.readuntil(b"}}"))  # behind the body it would be lost with the connection
    sent = 0
    writer.write(head)
    with suppress(ConnectionError):
        while sent < MUCH:
            writer.write(piece)
            await writer.drain()
            sent += len(piece)
    answered = await answer
    writer.close()
    return sent, read(answered)


LENGTH, CHUNKED = {"Content_Length": str(MUCH)}, {"Transfer_Encoding": "chunked"}
REFUSED = (
    ("/profiles/files?name=a.srt", "", LENGTH, 401, "unauthorized"),
    ("/profiles/media?of=x&name=a.mkv", "", CHUNKED, 401, "unauthorized"),
    ("/profiles/clips", "", CHUNKED, 401, "unauthorized"),
    ("/nowhere", "", LENGTH, 401, "unauthorized"),
    ("/profiles/media?of=x&name=a.mkv", TOKEN, LENGTH, 413, "too_large"),
    ("/profiles/media?of=x&name=a.mkv", TOKEN, CHUNKED, 413, "too_large"),
    ("/profiles/clips", TOKEN, CHUNKED, 413, "too_large"),
)


async def test_a_body_that_is_refused_is_not_read_to_its_end(with_model: Settings) -> None:
    async with serving(with_model, ServerOptions(port=0, token=TOKEN, max_film=5_000_000)) as served:
        _, transcript = await served.engine.database.run(lambda store: add_file(store, cues=[CUE], profile="default"))
        for path, token, framing, status, code in REFUSED:
            given = f"Bearer {token.encode().decode('latin-1')}"
            path = path.replace("of=x", f"of={transcript.id}")
            sent, answer = await sent_until_closed(served, request("POST", path, Authorization=given, **framing))
            assert_refused(answer, status, code)
            assert sent < MUCH / 2, "the connection is closed soon after the answer"


async def test_a_small_body_behind_its_answer_leaves_the_connection(with_model: Settings) -> None:
    async with serving(with_model, ServerOptions(port=0, token=TOKEN)) as served:
        head = request("POST", "/profiles/clips", Content_Length="100000").replace(b"Connection: close\r\n", b"")
        again = request("GET", "/health")
        answer = await exchange(served.options.port, head, b"x" * 100_000, again)
        assert answer.startswith(b"HTTP/1.1 401")
        assert b"HTTP/1.1 200" in answer


async def test_headers_behind_a_body_that_do_not_end_are_not_kept(served: Served) -> None:
    head = request("POST", "/profiles/clips", Transfer_Encoding="chunked") + b'11\r\n{"sentence": "x"}\r\n0\r\n'
    for trailer in (b"X-T: " + b"a" * 8186 + b"\r\n", b"x" * 8192):  # many, and one
        answer = await exchange(served.options.port, head, b"X-First: ", *[trailer] * 400)
        assert_refused(read(answer), 431, "bad_request")
    few = head + b"X-T: " + b"a" * 30_000 + b"\r\n\r\n"
    assert read(await exchange(served.options.port, few)).status_code == 201


async def test_a_large_body_in_one_piece_with_its_headers_is_no_large_header(client: httpx.AsyncClient) -> None:
    for _ in range(2):
        assert (await client.post("/profiles/clips", json={"sentence": "x" * 150_000})).status_code == 201


async def test_what_is_no_http_is_told_so(served: Served) -> None:
    for garbage in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"hello\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
        assert_refused(read(await exchange(served.options.port, garbage)), 400, "bad_request")
