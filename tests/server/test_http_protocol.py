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


async def test_a_body_that_is_too_large_is_refused_before_it_is_read(served: Served) -> None:
    head = request("POST", "/profiles/clips", Content_Type="application/json", Content_Length="2000001")
    assert_refused(read(await exchange(served.options.port, head)), 413, "too_large")
    upload = request("POST", "/profiles/files?name=a.srt", Content_Length="999999999999")
    assert_refused(read(await exchange(served.options.port, upload)), 413, "too_large")


@pytest.mark.parametrize("keyed", [False, True])
async def test_a_body_of_unknown_length_is_read_only_so_far(served: Served, keyed: bool) -> None:
    key = {"Idempotency_Key": "k"} if keyed else {}
    head = request("POST", "/profiles/clips", Content_Type="application/json", Transfer_Encoding="chunked", **key)
    chunk = b"186a0\r\n" + b" " * 100_000 + b"\r\n"
    answer = await exchange(served.options.port, head, *[chunk] * 25, b"0\r\n\r\n")
    assert_refused(read(answer), 413, "too_large")


async def test_a_request_whose_headers_do_not_end_is_refused(served: Served) -> None:
    head = request("GET", "/health").removesuffix(b"\r\n\r\n")
    answer = read(await exchange(served.options.port, head + b"\r\nX-Long: ", *[b"x" * 8192] * 40))
    assert_refused(answer, 431, "bad_request")
    for count in (5_000, 20_000):
        small = b"".join(b"X-%d: some value\r\n" % number for number in range(count))
        refused = await exchange(served.options.port, head + b"\r\n" + small + b"\r\n")
        assert_refused(read(refused), 431, "bad_request")
    short = request("GET", "/health", X_Long="x" * 30_000)
    assert read(await exchange(served.options.port, short)).status_code == 200


async def test_a_head_that_does_not_come_is_not_waited_for(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.server.http_protocol.HEAD_SECONDS", 0.5)
    head = request("GET", "/health")
    assert await exchange(served.options.port) == b""
    assert_refused(read(await exchange(served.options.port, head.removesuffix(b"\r\n"))), 408, "bad_request")
    kept_open = head.replace(b"Connection: close\r\n", b"")
    answer = await exchange(served.options.port, kept_open + b"GET /health")
    assert (answer.count(b"HTTP/1.1 200"), answer.count(b"HTTP/1.1 408")) == (1, 1)
    assert read(await exchange(served.options.port, head)).status_code == 200


async def test_blank_lines_are_no_reason_to_keep_a_connection(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.server.http_protocol.HEAD_SECONDS", 0.3)
    reader, writer = await asyncio.open_connection("127.0.0.1", served.options.port)
    writer.write(request("GET", "/health").replace(b"Connection: close\r\n", b""))
    await reader.readuntil(b"}")
    writer.write(b"\r\n")
    assert await reader.read() == b""
    writer.close()


async def test_a_body_that_comes_too_slowly_is_not_waited_for(
    served: Served, client: httpx.AsyncClient, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.server.http_protocol.BODY_SECONDS", 0.3)
    for path in ("/profiles/clips", "/profiles/files?name=a.srt"):
        for more in ({"Content_Length": "1000"}, {"Transfer_Encoding": "chunked"}):
            answer = await exchange(served.options.port, request("POST", path, **more) + b"1\r\n{")
            error = assert_refused(read(answer), 408, "bad_request")
            assert "too slowly" in error["message"]
            assert read(answer).headers["X-Lode-Interface"] == "1", "or Lode's own client would not believe it"
    assert list((home / "uploads").iterdir()) == []
    assert (await client.get("/profiles/jobs")).json() == []


async def test_a_body_may_take_as_long_as_its_bytes_at_the_slowest_rate(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.server.http_protocol.BODY_SECONDS", 0.2)
    monkeypatch.setattr("tui.server.http_protocol.BODY_RATE", 1000)
    begun = time.monotonic()
    head = request("POST", "/profiles/clips", Content_Length="100000")
    answer = await exchange(served.options.port, head + b" " * 1000)
    assert_refused(read(answer), 408, "bad_request")
    assert time.monotonic() - begun >= 1.2


async def test_who_has_no_token_is_answered_before_the_body_and_not_waited_for(
    with_model: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize(
    ("path", "token", "status", "code"),
    [
        ("/profiles/files?name=a.srt", "", 401, "unauthorized"),
        ("/profiles/media?of=x&name=a.mkv", "", 401, "unauthorized"),
        ("/profiles/clips", "", 401, "unauthorized"),
        ("/nowhere", "", 401, "unauthorized"),
        ("/profiles/media?of=x&name=a.mkv", TOKEN, 413, "too_large"),
        ("/profiles/clips", TOKEN, 413, "too_large"),
    ],
)
async def test_a_body_that_is_refused_is_not_read_to_its_end(
    with_model: Settings, path: str, token: str, status: int, code: str, chunked: bool
) -> None:
    framing = {"Transfer_Encoding": "chunked"} if chunked else {"Content_Length": str(MUCH)}
    options = ServerOptions(port=0, token=TOKEN, max_film=20_000_000)
    async with serving(with_model, options) as served:
        _, transcript = await served.engine.database.run(lambda store: add_file(store, cues=[CUE], profile="default"))
        head = request(
            "POST",
            path.replace("of=x", f"of={transcript.id}"),
            Authorization=f"Bearer {token.encode().decode('latin-1')}",
            **framing,
        )
        sent, answer = await sent_until_closed(served, head)
        assert_refused(answer, status, code)
        assert sent < MUCH / 2, "the connection is closed soon after the answer"


async def test_a_small_body_behind_its_answer_leaves_the_connection(with_model: Settings) -> None:
    async with serving(with_model, ServerOptions(port=0, token=TOKEN)) as served:
        head = request("POST", "/profiles/clips", Content_Length="100000").replace(b"Connection: close\r\n", b"")
        again = request("GET", "/health")
        answer = await exchange(served.options.port, head, b"x" * 100_000, again)
        assert answer.startswith(b"HTTP/1.1 401")
        assert b"HTTP/1.1 200" in answer


@pytest.mark.parametrize("trailer", [b"X-T: " + b"a" * 8186 + b"\r\n", b"x" * 8192], ids=["many", "one"])
async def test_headers_behind_a_body_that_do_not_end_are_not_kept(served: Served, trailer: bytes) -> None:
    head = request("POST", "/profiles/clips", Transfer_Encoding="chunked") + b'11\r\n{"sentence": "x"}\r\n0\r\n'
    assert_refused(read(await exchange(served.options.port, head, b"X-First: ", *[trailer] * 400)), 431, "bad_request")
    few = head + b"X-T: " + b"a" * 30_000 + b"\r\n\r\n"
    assert read(await exchange(served.options.port, few)).status_code == 201


async def test_a_large_body_in_one_piece_with_its_headers_is_no_large_header(client: httpx.AsyncClient) -> None:
    made = await client.post("/profiles/clips", json={"sentence": "x" * 150_000})
    assert made.status_code == 201
    again = await client.post("/profiles/clips", json={"sentence": "x" * 150_000})
    assert again.status_code == 201


@pytest.mark.parametrize(
    "garbage", [b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"hello\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"]
)
async def test_what_is_no_http_is_told_so(served: Served, garbage: bytes) -> None:
    assert_refused(read(await exchange(served.options.port, garbage)), 400, "bad_request")
