"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

What a stream gives is sent as the reader takes it: one piece at a time at leisure, many together when there is much
to do, and none is fetched while too much waits for a reader that is slow.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished, FocusReady, StateChanged, Token
from tui.records.pages import to_json
from tui.server.errors import internal_error, log_fault, server_stopping
from tui.server.responses import disconnected
from tui.wire import codec
from tui.wire.sse import EVENTS

_WAITING_BYTES = 64 * 1024
"""Bytes that may wait for a slow reader here; as many again wait in the server's and the system's own buffers."""
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_BREAKS = tuple((char.encode(), f"\\u{ord(char):04x}".encode()) for char in "\x85\u2028\u2029")
"""No end of a line in a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream),
but to ``str.splitlines`` and who reads with it.
"""
_HEARTBEAT = b": still here\n\n"
_DONE = b"event: done\n"


def event(data: bytes, name: str = "") -> bytes:
    """One event; ``data`` is JSON, in which what some clients take for line breaks is escaped."""
    if not data.isascii():
        for raw, escaped in _BREAKS:
            data = data.replace(raw, escaped)
    return (b"event: " + name.encode() + b"\n" if name else b"") + b"data: " + data + b"\n\n"


STOPPING = event(codec.encode(codec.error_fields(server_stopping())), "error") + event(b'{"state":"aborted"}', "done")
"""Last event of every stream when the server ends."""
_BROKEN = event(codec.encode(codec.error_fields(internal_error())), "error") + event(b'{"state":"failed"}', "done")
"""Last event of a stream that broke for a fault of ours."""


class Streams:
    """The streams that are being sent, so that all can be ended when the server stops."""

    def __init__(self) -> None:
        self._open: set[EventStream] = set()
        self._stopping = False

    def stop(self) -> None:
        """End them all, each with its farewell; streams that begin from now on end at once."""
        self._stopping = True
        for stream in self._open:
            stream.stop()

    def opened(self, stream: EventStream) -> None:
        self._open.add(stream)
        if self._stopping:
            stream.stop()

    def closed(self, stream: EventStream) -> None:
        self._open.discard(stream)


class EventStream(Response):
    """Response of ``pieces``, which are whole events; they are closed when their reader has gone.

    ``STOPPING`` is sent in place of the rest when the server stops. After ``heartbeat`` seconds of silence a comment
    says that the stream is still there.
    """

    media_type = "text/event-stream"

    def __init__(self, pieces: AsyncGenerator[bytes, None], streams: Streams, *, heartbeat: float) -> None:
        super().__init__(None, 200, _HEADERS)
        self._pieces = pieces
        self._streams = streams
        self._heartbeat = heartbeat
        self._waiting: list[bytes] = []
        self._size = 0
        self._ended = False
        self._is_done = False
        """Whether the last event has been said, behind which nothing else may come."""
        self._came = asyncio.Event()
        self._room = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None
        self._spoke = 0.0
        self._beating: asyncio.TimerHandle | None = None

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        super().init_headers(headers)
        self.raw_headers = [pair for pair in self.raw_headers if pair[0] != b"content-length"]

    def stop(self) -> None:
        if not self._ended:
            if not self._is_done:
                self._put(STOPPING)
            self._end()
            if self._reading is not None:
                self._reading.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._reading = asyncio.create_task(self._read())
        self._streams.opened(self)
        self._spoke = asyncio.get_running_loop().time()
        self._beat()
        sending = asyncio.create_task(self._send(send))
        going = asyncio.create_task(disconnected(receive))
        tasks = (self._reading, sending, going)
        try:
            await asyncio.wait((sending, going), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._streams.closed(self)
            if self._beating is not None:
                self._beating.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._pieces.aclose()
        with suppress(OSError):  # the reader has gone
            if sending.done() and not sending.cancelled():
                sending.result()

    async def _read(self) -> None:
        try:
            async for piece in self._pieces:
                if self._ended:
                    return
                self._put(piece)
                self._is_done = piece.startswith(_DONE)
                if self._size >= _WAITING_BYTES:
                    self._room.clear()
                    await self._room.wait()
        except Exception as error:  # noqa: BLE001 - the edge of a stream: its reader is told, whatever broke
            log_fault("a stream", error)
            if not self._ended and not self._is_done:
                self._put(_BROKEN)
        finally:
            self._end()

    async def _send(self, send: Send) -> None:
        now = asyncio.get_running_loop().time
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        while True:
            if not self._waiting and not self._ended:
                self._came.clear()
                await self._came.wait()
            self._spoke = now()
            body, last = b"".join(self._waiting), self._ended
            self._waiting.clear()
            self._size = 0
            self._room.set()
            await send({"type": "http.response.body", "body": body, "more_body": not last})
            if last:
                return

    def _beat(self) -> None:
        """Say that the stream is still there, if nothing else was said for so long, and look again later.

        One timer for a whole stream: a deadline for every event would cost as much as to send it.
        """
        loop = asyncio.get_running_loop()
        silent = loop.time() - self._spoke
        if silent >= self._heartbeat:
            silent, self._spoke = 0.0, loop.time()
            if not self._waiting and not self._ended:
                self._put(_HEARTBEAT)
        self._beating = loop.call_later(self._heartbeat - silent, self._beat)

    def _put(self, piece: bytes) -> None:
        self._waiting.append(piece)
        self._size += len(piece)
        self._came.set()

    def _end(self) -> None:
        self._ended = True
        self._came.set()


async def stream_answer(request: Request, events: BreakdownEvents, *, everything: bool) -> Response:
    """Stream an answer; a refusal before any model was asked has a status of its own, a later failure is an event."""
    first = await anext(events)
    if isinstance(first, Failed):
        await events.aclose()
        raise first.error
    return stream_events(request, _pieces(first, events, everything=everything))


def stream_events(request: Request, pieces: AsyncGenerator[bytes, None]) -> EventStream:
    """Stream whole events, with what the application has for all streams."""
    state = request.app.state
    return EventStream(pieces, state.streams, heartbeat=state.options.heartbeat_seconds)


async def _pieces(first: BreakdownEvent, events: BreakdownEvents, *, everything: bool) -> AsyncGenerator[bytes, None]:
    async with aclosing(events):
        if everything or not isinstance(first, StateChanged):
            yield _write_event(first, with_counts=everything)
        async for each in events:
            if everything or not isinstance(each, StateChanged):
                yield _write_event(each, with_counts=everything)


def _write_event(each: BreakdownEvent, *, with_counts: bool = False) -> bytes:
    match each:
        case Token(text):
            return event(codec.encode(text))
        case FocusReady(focus, translation=translation, sentence_reading=reading, other=other) if not with_counts:
            # Its fields beside those of the word: the word itself is what was published.
            of_sentence = {"translation": translation, "sentence_reading": reading}
            or_other = None if other is None else to_json(other)
            return event(codec.encode({**to_json(focus), **of_sentence, "other": or_other}), "focus")
        case Failed(error):
            return event(codec.encode(codec.error_fields(error)), "error")
        case FocusReady() | StateChanged() | Finished():
            return event(codec.encode(each), next(name for name, kind in EVENTS.items() if isinstance(each, kind)))
