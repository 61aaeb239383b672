"""Server-sent events out of bytes that come in any pieces (WHATWG HTML, 9.2.6).

Lines end with CR, LF or CRLF and nothing else: U+2028 and U+0085 are ordinary characters of JSON texts. Beyond the
standard, a last event without its blank line counts, since some servers leave it out.
"""

from __future__ import annotations

from dataclasses import dataclass

from tui.errors import ProviderError

_BOM = "\ufeff"
MAX_EVENT_BYTES = 4 * 1024 * 1024
"""Far above any token, and low enough that a server without line ends cannot fill the memory."""


@dataclass(slots=True)  # one is made per token, and a frozen one takes three times as long to make
class ServerEvent:
    """``event`` is "message" where the server names none; ``data`` holds its lines joined by line feeds."""

    event: str
    data: str


class SseParser:
    """Feed it chunks, take the events that are complete; ``finish`` gives what the end of the stream completes.

    Raises ``ProviderError`` for an event of more than 4 MiB.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._first = True
        self._after_cr = False
        self._event = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        if b"\r" in chunk:
            self._after_cr = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        events: list[ServerEvent] = []
        whole, line_end, rest = chunk.rpartition(b"\n")
        if line_end:
            if self._rest:
                whole = bytes(self._rest + whole)
                self._rest.clear()
            self._read(whole, events)
        self._rest += rest
        self._check()
        return events

    def finish(self) -> list[ServerEvent]:
        events: list[ServerEvent] = []
        # The last line's end and the blank line may both be missing.
        rest, self._rest = bytes(self._rest), bytearray()
        self._read(rest + b"\n", events)
        return events

    def _read(self, lines: bytes, events: list[ServerEvent]) -> None:
        """Whole lines: no character is cut, and what is undecodable in one does not reach into the next."""
        text = lines.decode("utf-8", "replace")
        if self._first:
            self._first = False
            text = text.removeprefix(_BOM)
        data = self._data
        for line in text.split("\n"):
            if line.startswith("data: "):
                data.append(line[6:])
                self._size += len(line)
            elif line:
                self._take(line)
            elif data:
                self._check()
                events.append(ServerEvent(self._event or "message", data[0] if len(data) == 1 else "\n".join(data)))
                data.clear()
                self._event, self._size = "", 0
            else:
                self._event = ""

    def _take(self, line: str) -> None:
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
            self._size += len(line)
        elif name == "event":
            self._event = value.removeprefix(" ")

    def _check(self) -> None:
        if self._size + len(self._rest) > MAX_EVENT_BYTES:
            raise ProviderError("the server sends one event without end", code="provider_protocol")
