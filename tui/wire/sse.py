"""Server-sent events out of bytes that come in any pieces (WHATWG HTML, 9.2.6).

Lines end with CR, LF or CRLF and nothing else: U+2028 and U+0085 are ordinary characters of JSON texts. Beyond the
standard, a last event without its blank line counts, since some servers leave it out.
"""

from __future__ import annotations

from dataclasses import dataclass

from tui import bounds
from tui.errors import ProviderError
from tui.events import Finished, FocusReady, StateChanged

_BOM = "\ufeff"
MAX_EVENT_BYTES = bounds.LLM_STREAM.entry_bytes
"""Far above any token, and low enough that a server without line ends cannot fill the memory."""


EVENTS = {"focus": FocusReady, "state": StateChanged, "done": Finished}
"""Events of an answer that travel as they are, by the names that they have there."""


@dataclass(slots=True)  # one is made per token, and a frozen one takes three times as long to make
class ServerEvent:
    """An event; ``event`` is "message" where the server names none, ``data`` holds its lines joined by line feeds."""

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
        end = chunk.rfind(b"\n") + 1
        if end:
            lines = bytes(self._rest + chunk[:end]) if self._rest else chunk[:end]
            self._rest.clear()
            self._read(lines, events)
        self._rest += chunk[end:]
        self._check(len(self._rest))
        return events

    def finish(self) -> list[ServerEvent]:
        events: list[ServerEvent] = []
        rest, self._rest = bytes(self._rest), bytearray()
        # The last line's end and the blank line may both be missing.
        self._read(rest + b"\n\n", events)
        return events

    def _read(self, lines: bytes, events: list[ServerEvent]) -> None:
        """Whole lines: no character is cut, and what is undecodable in one does not reach into the next."""
        text = lines.decode("utf-8", "replace")
        if self._first:
            self._first = False
            text = text.removeprefix(_BOM)
        *blocks, begun = text.split("\n\n")
        for block in blocks:
            if block.startswith("data: ") and "\n" not in block and not self._data and not self._event:
                if len(block) > MAX_EVENT_BYTES:
                    self._check(len(block))
                events.append(ServerEvent("message", block[6:]))  # what nearly all of them are
                continue
            self._take(block.split("\n"), events)
            self._dispatch(events)
        self._take(begun.split("\n")[:-1], events)

    def _take(self, lines: list[str], events: list[ServerEvent]) -> None:
        for line in lines:
            if not line:
                self._dispatch(events)
                continue
            name, _, value = line.partition(":")
            if name == "data":
                self._check(len(line))
                self._data.append(value.removeprefix(" "))
                self._size += len(line)
            elif name == "event":
                self._event = value.removeprefix(" ")

    def _dispatch(self, events: list[ServerEvent]) -> None:
        if self._data:
            events.append(ServerEvent(self._event or "message", "\n".join(self._data)))
            self._data.clear()
        self._event, self._size = "", 0

    def _check(self, more: int) -> None:
        if self._size + more > MAX_EVENT_BYTES:
            raise ProviderError("the server sends one event without end", code="provider_protocol")
