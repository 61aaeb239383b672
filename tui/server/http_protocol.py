"""HTTP protocol of a connection: bounds on the size and time of a request's head, a deadline for its body, and refusals
of what is no HTTP.

The parser keeps a header until its end has come, however long that takes, and asks nobody for a token meanwhile.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tui import __version__
from tui.errors import LodeError
from tui.wire import codec

MAX_HEAD = 64 * 1024
"""Bytes of a request line with its headers."""
HEAD_SECONDS = 30.0
"""Seconds that a head may take, from the connection's or its first byte on."""
BODY_SECONDS = 20.0
BODY_RATE = 16 * 1024
"""A body may take so many seconds, and one more for every so many bytes that have come: 64 MB have an hour on a slow
line, a byte a second has 20 seconds. (As Apache's ``RequestReadTimeout`` does it.)
"""
MAX_UNWANTED = 8 * 1024 * 1024
"""Bytes of a body that are read on after its request was answered, before the connection is closed.

Most senders look for an answer only behind the body, and lose it with the connection; a file is not read on for that.
"""
_ABSOLUTE = re.compile(rb"https?://([^/?#]*)", re.IGNORECASE)


class HttpConnection(HttpToolsProtocol):
    """uvicorn's protocol with bounds on the head and the body of a request, and errors as the service words them."""

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self._in_head = True
        self._in_body = False
        self._begun = False
        """Whether there is something of a request, and not only blank lines."""
        self._head = 0
        self._fields = 0
        """Bytes of the head as they are taken out of it: a read may bring a whole one and more."""
        self._head_due: asyncio.TimerHandle | None = None
        self._body = 0
        self._unwanted = 0
        """Bytes of the body that came after the answer."""
        self._body_began = 0.0
        self._body_due: asyncio.TimerHandle | None = None
        self._refusal = (400, "that is no HTTP request", "ask with http:// and HTTP/1.1")

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows it too
        super().connection_made(cast(asyncio.Transport, _OpenTransport(transport)))
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_arrived()
        self._body_arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
            if self._head_due is None and not self._in_body:
                self._await_head()
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._in_head and self._head > MAX_HEAD:
            self._refuse(*_LONG_HEAD)
        elif self._in_body and self._body_due is None:
            self._await_body()

    def on_message_begin(self) -> None:
        self._begun = True
        self._head = self._head or 1  # it may have come in one piece with the end of the last request
        if self._head_due is None:
            self._await_head()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value) + 4)
        if not self._in_body:  # what stands behind a body is no header of a request that has been looked at already
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._check_target()
        super().on_headers_complete()
        self._in_head = False
        self._in_body = True
        self._fields = 0
        self._head_arrived()

    def on_chunk_header(self) -> None:
        """Behind the last piece of a body there may be headers again, which the parser keeps just so."""
        self._in_head = True
        self._head = 0

    def on_body(self, body: bytes) -> None:
        self._in_head = False
        self._body += len(body)
        super().on_body(body)
        if self.cycle.response_complete:
            self._unwanted += len(body)
            if self._unwanted > MAX_UNWANTED:
                self.transport.close()

    def on_message_complete(self) -> None:
        self._in_head = True
        self._in_body = self._begun = False
        self._head = self._fields = 0
        self._body_arrived()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(*self._refusal)

    def _count(self, size: int) -> None:
        self._fields += size
        if self._fields > MAX_HEAD:
            self._refusal = _LONG_HEAD
            raise ValueError("too many headers")  # it ends the parser, which has the refusal sent

    def _check_target(self) -> None:
        """A target with a host goes before the header (RFC 9112, 3.2.2), which is what the guard looks at."""
        if self.url.startswith((b"/", b"*")):
            return
        absolute = _ABSOLUTE.match(self.url)
        host = next((value for name, value in self.headers if name == b"host"), b"")
        if absolute is None or absolute[1].lower() != host.strip(b" \t").lower():
            self._refusal = (400, "the target of the request and its Host header name two places", "send a path alone")
            raise ValueError("another host")

    def _await_head(self) -> None:
        self._head_due = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._head_timed_out)

    def _head_arrived(self) -> None:
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None

    def _head_timed_out(self) -> None:
        self._head_due = None
        if self._begun:
            self._refuse(408, f"the headers took longer than {HEAD_SECONDS:g} seconds", "send them at once")
        else:
            self.transport.close()

    def _await_body(self) -> None:
        loop = asyncio.get_running_loop()
        self._body_began = loop.time()
        self._body_due = loop.call_later(BODY_SECONDS, self._check_body_rate)

    def _body_arrived(self) -> None:
        self._body = self._unwanted = 0
        if self._body_due is not None:
            self._body_due.cancel()
            self._body_due = None

    def _check_body_rate(self) -> None:
        """Look at how much has come, and again when that much is to be more. Time that we hold it back is not counted.

        What is refused already is not waited for any longer: it was read on so that its sender could read the answer.
        """
        if self.flow.read_paused:
            self._body = 0
            self._await_body()
            return
        due = self._body_began + BODY_SECONDS + self._body / BODY_RATE
        loop = asyncio.get_running_loop()
        is_answered = self.cycle is not None and self.cycle.response_complete
        if loop.time() < due and not is_answered:
            self._body_due = loop.call_at(due, self._check_body_rate)
            return
        self._body_due = None
        self._refuse(408, "the body of the request comes too slowly", "send it at once, or over a better line")

    def _refuse(self, status: int, message: str, hint: str) -> None:
        """Say so where it is this request's turn to be answered, and hang up."""
        cycle = self.cycle
        if self._in_body:
            is_its_turn = not cycle.response_started and not self.pipeline
        else:
            is_its_turn = cycle is None or cycle.response_complete
        if is_its_turn:
            error = LodeError(message, hint=hint, code="bad_request")
            body = codec.encode({"error": codec.error_fields(error)})
            headers = {
                "content-type": "application/json",
                "content-length": len(body),
                "connection": "close",
                codec.INTERFACE_HEADER: codec.INTERFACE,  # by which a client knows that it is a Lode that refuses
                codec.VERSION_HEADER: __version__,
            }
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            self.transport.write(STATUS_LINE[status] + head.encode("ascii") + b"\r\n" + body)
        self.transport.close()
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()


_LONG_HEAD = (431, f"the headers have more than {MAX_HEAD // 1024} kB", "send fewer or shorter ones")


class _OpenTransport:
    """Transport wrapper: ignores writes and pauses once the connection is being closed.

    uvloop raises then, and asyncio warns. Neither is worth a line in a log: a reader has gone, of which the connection
    is told a moment later.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    def pause_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()
