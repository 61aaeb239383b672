"""A model server that finds no end, for who has to end it, and how many bytes of it were read meanwhile."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from tests.llm.fakes.fake_server import RawServer, delta, raw_server, sse

SPOKEN = sse(delta("x" * 1000), done=False) * 60
THOUGHT = sse(delta(reasoning_content="x" * 1000), done=False) * 60


def endless(piece: bytes, first: bytes = b"") -> AbstractAsyncContextManager[RawServer]:
    """A server that repeats a piece for as long as it is read."""
    return raw_server(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + first, forever=piece)
