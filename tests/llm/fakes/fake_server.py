"""A model server that misbehaves on demand: real HTTP on loopback.

It speaks the OpenAI chat protocol, whose replies are made here, or the ``Dialect`` that it is given. ``enqueue`` what
the next requests get; without that every chat request is answered with "Hello world". Each ``Reply`` is sent as HTTP
chunks exactly as its ``pieces`` are cut, which is also how httpx hands them on. While it is there, local servers have
time to say so: on a busy machine a second is none.

    async with FakeModelServer() as server:
        server.enqueue(stream("Hal", "lo"), status(429, {"error": "slow down"}, {"retry-after": "1"}))
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self
from unittest.mock import patch

from tests.llm.fakes.forms import is_form, read_form
from tests.waiting import HANGS
from tui.llm.http import client

if TYPE_CHECKING:
    from tests.llm.fakes.dialects import Dialect


class Cut:
    """Break the connection here, without ending the body."""


@dataclass(frozen=True)
class Gate:
    """Wait here until ``opened`` is set; ``reached`` tells that the server waits."""

    opened: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)


Piece = bytes | Cut | Gate


@dataclass(frozen=True)
class Reply:
    """``before_head`` holds back everything, the status line included."""

    pieces: Sequence[Piece] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    before_head: Gate | None = None

    @property
    def body(self) -> bytes:
        return b"".join(piece for piece in self.pieces if isinstance(piece, bytes))


@dataclass
class Request:
    """Request that came, with its JSON or its form as ``body``.

    ``disconnected`` is set when the client closes before the reply was sent whole.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    disconnected: asyncio.Event = field(default_factory=asyncio.Event)
    answered: bool = False


Answering = Callable[[Request], Reply]


def sse(*values: Any, done: bool = True, line_end: str = "\n") -> bytes:
    """Values as ``data:`` events; texts go as they are, everything else as JSON."""
    texts = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values]
    if done:
        texts.append("[DONE]")
    return "".join(f"data: {text}{line_end}{line_end}" for text in texts).encode()


_CHUNK = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_790_000_000, "model": "fake-large"}


def delta(content: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """One chunk of a streamed answer."""
    fields = dict(more) if content is None else {"content": content, **more}
    return {**_CHUNK, "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def usage(prompt: int, completion: int) -> dict[str, Any]:
    """The chunk with the token counts, which has no choices."""
    return {**_CHUNK, "choices": [], "usage": _counts(prompt, completion)}


def _counts(prompt: int, completion: int) -> dict[str, int]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def event_stream(*pieces: Piece) -> Reply:
    return Reply(pieces, headers={"content-type": "text/event-stream"})


def stream(*texts: str, finish: str = "stop", tokens: tuple[int, int] | None = (7, 5)) -> Reply:
    """A good streamed answer, one piece per text."""
    pieces = [sse(delta("", role="assistant"), done=False), *(sse(delta(text), done=False) for text in texts)]
    pieces.append(sse(delta(finish=finish), done=False))
    if tokens is not None:
        pieces.append(sse(usage(*tokens), done=False))
    return event_stream(*pieces, sse())


def slow(before: Sequence[str], gate: Gate, after: Sequence[str] = ()) -> Reply:
    """An answer that stops at the gate."""
    return event_stream(
        *(sse(delta(text), done=False) for text in before),
        gate,
        *(sse(delta(text), done=False) for text in after),
        sse(delta(finish="stop")),
    )


def cut(*texts: str) -> Reply:
    """An answer whose connection breaks after the texts."""
    return event_stream(*(sse(delta(text), done=False) for text in texts), Cut())


def error_mid_stream(*texts: str, error: Any = "the engine fell over") -> Reply:
    return event_stream(*(sse(delta(text), done=False) for text in texts), sse({"error": error}, done=False))


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(
        (json.dumps(value, ensure_ascii=False).encode(),),
        status,
        {"content-type": "application/json", **(headers or {})},
    )


def answer(content: Any, finish: str = "stop", tokens: tuple[int, int] = (9, 3)) -> Reply:
    """A whole answer, as it comes without streaming; what is no text is sent as JSON text."""
    text = content if isinstance(content, str) or content is None else json.dumps(content, ensure_ascii=False)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return json_reply({**_CHUNK, "object": "chat.completion", "choices": [choice], "usage": _counts(*tokens)})


def status(code: int, body: Any = None, headers: Mapping[str, str] | None = None) -> Reply:
    return json_reply({"error": {"message": f"status {code}"}} if body is None else body, code, headers)


def html(title: str = "It works!", code: int = 200) -> Reply:
    page = f"<!doctype html><html><head><title>{title}</title></head><body>…</body></html>"
    return Reply((page.encode(),), code, {"content-type": "text/html"})


def split(reply: Reply, positions: Iterable[int]) -> Reply:
    """The same body, cut at these byte positions instead."""
    body, at = reply.body, sorted({0, *positions, len(reply.body)})
    return replace(reply, pieces=tuple(body[a:b] for a, b in pairwise(at)))


class FakeModelServer:
    """``requests`` are all that came; ``enqueue`` serves chat requests in order, ``on_chat`` those that find none.

    ``connections`` is how many were ever made; ``models`` is the list of models, or what makes it of a request (for
    one page).
    """

    def __init__(self, dialect: Dialect | None = None) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        self.models: Reply | Answering = json_reply(
            {"object": "list", "data": [{"id": "fake-large"}, {"id": "fake-small"}]}
        )
        self.on_chat: Answering = lambda request: stream("Hello", " world") if is_stream(request) else answer("{}")
        self._dialect = dialect
        if dialect is not None:
            self.models = dialect.model_page
            self.on_chat = dialect.hello
        self.gates: list[Gate] = []
        self._queue: deque[Reply] = deque()
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()
        self._arrived = asyncio.Condition()

    async def __aenter__(self) -> Self:
        self._patience = patch.object(client, "LOCAL", replace(client.LOCAL, status=HANGS))
        self._patience.start()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._patience.stop()
        assert self._server is not None
        self._server.close()
        for talk in tuple(self._talks):
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    @property
    def base_url(self) -> str:
        assert self._server is not None
        path = "/v1" if self._dialect is None else self._dialect.base_path
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}{path}"

    @property
    def chats(self) -> list[Request]:
        return [request for request in self.requests if request.method == "POST"]

    def enqueue(self, *replies: Reply) -> None:
        self._queue.extend(replies)

    async def arrived(self, count: int) -> list[Request]:
        """Wait until so many requests have come."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= count)
        return self.requests

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        self.connections += 1
        try:
            ahead = b""
            while (request := await _read(reader, ahead)) is not None:
                async with self._arrived:
                    self.requests.append(request)
                    self._arrived.notify_all()
                ahead = await self._serve(request, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client or the test is done
        finally:
            self._talks.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """Send the reply; gives what was read meanwhile of the next request."""
        reply = self._reply(request)
        sending = asyncio.create_task(self._send(reply, writer))
        leaving = asyncio.create_task(reader.read(1))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
                request.answered = True
            else:
                request.disconnected.set()
                raise ConnectionResetError
        except ConnectionError:
            request.disconnected.set()
            raise
        finally:
            sending.cancel()
            leaving.cancel()
            _, ahead = await asyncio.gather(sending, leaving, return_exceptions=True)
        return ahead if isinstance(ahead, bytes) else b""

    def _reply(self, request: Request) -> Reply:
        if self._dialect is not None and not self._dialect.knows(request):
            return status(404, {"error": {"message": f"there is no {request.method} {request.path}"}})
        if request.method == "GET":
            return self.models if isinstance(self.models, Reply) else self.models(request)
        return self._queue.popleft() if self._queue else self.on_chat(request)

    async def _send(self, reply: Reply, writer: asyncio.StreamWriter) -> None:
        if reply.before_head is not None:
            await self._wait(reply.before_head)
        phrase = HTTPStatus(reply.status).phrase if reply.status in set(HTTPStatus) else "Odd"
        headers = {"transfer-encoding": "chunked", **reply.headers}
        head = [f"HTTP/1.1 {reply.status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        writer.write(("\r\n".join(head) + "\r\n\r\n").encode())
        for piece in reply.pieces:
            if isinstance(piece, Cut):
                await writer.drain()
                writer.close()
                raise ConnectionAbortedError
            if isinstance(piece, Gate):
                await writer.drain()
                await self._wait(piece)
            elif piece:
                writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    async def _wait(self, gate: Gate) -> None:
        self.gates.append(gate)
        gate.reached.set()
        await gate.opened.wait()


@dataclass
class RawServer:
    """A server of bytes; ``sent`` is how many of those without end it could write, ``left`` that somebody has gone."""

    url: str
    sent: int = 0
    left: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def raw_server(*pieces: bytes | Gate, forever: bytes = b"", pause: float = 0.0) -> AsyncIterator[RawServer]:
    """Answers every request with these bytes, and with ``forever`` again and again, then closes the connection."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _read(reader, b"")
            for piece in pieces:
                if isinstance(piece, Gate):
                    await piece.opened.wait()
                else:
                    writer.write(piece)
            await writer.drain()
            while forever:
                writer.write(forever)
                await writer.drain()
                raw.sent += len(forever)
                await asyncio.sleep(pause)
        except (ConnectionError, asyncio.IncompleteReadError):
            raw.left.set()
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    raw = RawServer(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    try:
        yield raw
    finally:
        server.close()


@asynccontextmanager
async def dripping_head() -> AsyncIterator[str]:
    """Sends a piece of a header now and then, for ever: sooner than any wait for silence."""
    async with raw_server(b"HTTP/1.1 200 OK\r\nX-Long: ", forever=b"x", pause=0.05) as server:
        yield server.url


def is_stream(request: Request) -> bool:
    return isinstance(request.body, dict) and bool(request.body.get("stream"))


async def _read(reader: asyncio.StreamReader, ahead: bytes) -> Request | None:
    try:
        head = (ahead + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    kind = headers.get("content-type", "")
    return Request(
        method, path, headers, read_form(kind, body) if is_form(kind) else json.loads(body) if body else None
    )
