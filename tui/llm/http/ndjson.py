"""NDJSON parser: splits bytes that come in any pieces into lines, which end with LF and nothing else."""

from __future__ import annotations

from tui.errors import ProviderError
from tui.wire.sse import MAX_EVENT_BYTES, ServerEvent


class LineParser:
    """Line parser with the interface of ``SseParser``: feed it chunks, take the lines that are complete.

    Raises ``ProviderError`` for a line of more than 4 MiB.
    """

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        if b"\n" not in chunk:
            self._rest += chunk
            if len(self._rest) > MAX_EVENT_BYTES:
                raise ProviderError("the server sends one line without end", code="provider_protocol")
            return []
        *lines, rest = (bytes(self._rest) + chunk).split(b"\n")
        self._rest = bytearray(rest)
        return [_event(line) for line in lines]

    def finish(self) -> list[ServerEvent]:
        rest, self._rest = bytes(self._rest), bytearray()
        return [_event(rest)] if rest.strip() else []


def _event(line: bytes) -> ServerEvent:
    return ServerEvent("message", line.decode("utf-8", "replace").removeprefix("\ufeff"))
