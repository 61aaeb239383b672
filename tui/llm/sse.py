"""Server-sent events out of bytes that come in any pieces (WHATWG HTML, 9.2.6).

Lines end with CR, LF or CRLF and nothing else: U+2028 and U+0085 are ordinary characters of JSON texts. Beyond the
standard, a last event without its blank line counts, since some servers leave it out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tui.errors import ProviderError

_LINE_END = re.compile(rb"[\r\n]")
_BOM = b"\xef\xbb\xbf"
MAX_EVENT_BYTES = 4 * 1024 * 1024
"""Far above any token, and low enough that a server without line ends cannot fill the memory."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """``event`` is "message" where the server names none; ``data`` holds its lines joined by line feeds."""

    event: str
    data: str


class SseParser:
    """Feed it chunks, take the events that are complete; ``finish`` gives what the end of the stream completes.

    Raises ``ProviderError`` for an event of more than 4 MiB.
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._scanned = 0
        self._first = True
        self._after_cr = False
        self._event = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        events: list[ServerEvent] = []
        self._line += chunk
        start = 0
        if self._after_cr and self._line:
            self._after_cr = False
            if self._line[0] == 0x0A:
                start = self._scanned = 1
        while match := _LINE_END.search(self._line, self._scanned):
            self._take(bytes(self._line[start : match.start()]), events)
            start = self._scanned = match.end()
            if match.group() == b"\r":
                if start == len(self._line):
                    self._after_cr = True
                elif self._line[start] == 0x0A:
                    start = self._scanned = start + 1
        del self._line[:start]
        self._scanned = len(self._line)
        self._check(len(self._line))
        return events

    def finish(self) -> list[ServerEvent]:
        events: list[ServerEvent] = []
        if self._line:
            line, self._line = bytes(self._line), bytearray()
            self._take(line, events)
        self._dispatch(events)
        return events

    def _take(self, line: bytes, events: list[ServerEvent]) -> None:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        if not line:
            self._dispatch(events)
            return
        self._check(len(line))
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._size += len(value)
            self._data.append(value.decode("utf-8", "replace"))
        elif name == b"event":
            self._event = value.decode("utf-8", "replace")

    def _check(self, more: int) -> None:
        if self._size + more > MAX_EVENT_BYTES:
            raise ProviderError("the server sends one event without end", code="provider_protocol")

    def _dispatch(self, events: list[ServerEvent]) -> None:
        if self._data:
            events.append(ServerEvent(self._event or "message", "\n".join(self._data)))
        self._event, self._data, self._size = "", [], 0
