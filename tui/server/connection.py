"""What comes before there is a request: its head, which is bounded, and what is no HTTP at all.

The parser keeps a header until its end has come, however long that takes, and asks nobody for a token meanwhile.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tui import wire
from tui.errors import LodeError

MAX_HEAD = 64 * 1024
"""Bytes of a request line with its headers."""


class Connection(HttpToolsProtocol):
    """As uvicorn's, with a bound to the head of a request, and with errors as the service words them."""

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self._in_head = True
        self._head = 0

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > MAX_HEAD and not self.transport.is_closing():
            self._refuse(431, f"the headers have more than {MAX_HEAD // 1024} kB", "send fewer or shorter ones")

    def on_headers_complete(self) -> None:
        self._in_head = False
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

    def _refuse(self, status: int, message: str, hint: str) -> None:
        if self.cycle is None or self.cycle.response_complete:  # else it would stand in the middle of an answer
            error = LodeError(message, hint=hint, code="bad_request")
            body = wire.encode({"error": wire.error_fields(error)})
            head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head.encode("ascii") + body)
        self.transport.close()
