"""What comes before there is a request: its head, which is bounded in size and time, and what is no HTTP at all.

The parser keeps a header until its end has come, however long that takes, and asks nobody for a token meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tui import wire
from tui.errors import LodeError

MAX_HEAD = 64 * 1024
"""Bytes of a request line with its headers."""
HEAD_SECONDS = 30.0
"""How long a head may take, from the connection's or its first byte on."""


class Connection(HttpToolsProtocol):
    """As uvicorn's, with a bound to the head of a request, and with errors as the service words them."""

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self._in_head = True
        self._head = 0
        self._head_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._have_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > MAX_HEAD and not self.transport.is_closing():
            self._refuse(431, f"the headers have more than {MAX_HEAD // 1024} kB", "send fewer or shorter ones")

    def on_message_begin(self) -> None:
        self._head = self._head or 1  # it may have come in one piece with the end of the last request
        if self._head_due is None:
            self._await_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._have_head()
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        """Behind the last piece of a body there may be headers again, which the parser keeps just so."""
        self._in_head = True
        self._head = 0

    def on_body(self, body: bytes) -> None:
        self._in_head = False
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_head = True
        self._head = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, "that is no HTTP request", "ask with http:// and HTTP/1.1")

    def _await_head(self) -> None:
        self._head_due = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._lose_patience)

    def _have_head(self) -> None:
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None

    def _lose_patience(self) -> None:
        self._head_due = None
        if self._head:
            self._refuse(408, f"the headers took longer than {HEAD_SECONDS:g} seconds", "send them at once")
        else:
            self.transport.close()

    def _refuse(self, status: int, message: str, hint: str) -> None:
        if self.cycle is None or self.cycle.response_complete:  # else it would stand in the middle of an answer
            error = LodeError(message, hint=hint, code="bad_request")
            body = wire.encode({"error": wire.error_fields(error)})
            head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head.encode("ascii") + body)
        self.transport.close()
