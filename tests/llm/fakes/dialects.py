"""Replies of the fake server in each wire format, for tests that ask all four the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from tests.llm.fakes.fake_server import Cut, Gate, Reply, Request, json_reply
from tui.llm.wires.wire_format import WireFormat

Why = Literal["stop", "length"]
MODELS = ("fake-large", "fake-medium", "fake-small")


class Dialect(Protocol):
    """One format. The bytes are pieces of a stream in the order of the methods; ``thoughts`` tells ``said`` and
    ``ended`` whether there were any, where pieces are numbered.

    ``base_path`` is the end of the base URL that its own client is given. ``denial`` is the code of the error that a
    refused question becomes, "" where the format has no refusals.
    """

    name: str
    base_path: str
    content_type: str
    denial: str

    def wire(self) -> WireFormat: ...
    def knows(self, request: Request) -> bool:
        """Whether the format has such a request: method, path, query and the headers it cannot do without."""

    def wants_stream(self, request: Request) -> bool:
        return bool(request.body.get("stream"))

    def key(self, request: Request) -> str:
        """The key, from where the format has it."""
        return request.headers.get("authorization", "").removeprefix("Bearer ")

    def rung(self, request: Request) -> str:
        """The way in which a structured answer is asked for, in the words of ``Wire.rungs``."""

    def begun(self, thoughts: Sequence[str], tokens: tuple[int, int]) -> bytes: ...
    def said(self, text: str, *, thoughts: bool) -> bytes: ...
    def ended(self, why: Why, tokens: tuple[int, int], *, thoughts: bool) -> bytes: ...
    def denied(self, said: str) -> bytes:
        """A whole stream in which the model or its guard refuses; ``said`` is the reason it gives."""

    def broke(self, said: str, status: int) -> bytes:
        """An error in the midst of a stream."""

    def whole(self, text: str, thoughts: Sequence[str], why: Why, tokens: tuple[int, int]) -> Any:
        """The answer that is not streamed."""

    def fault(self, status: int, said: str) -> Any:
        """The body of an error that comes as a status."""

    def model_page(self, request: Request) -> Reply:
        """``MODELS``, in pages of two where the format has pages."""

    def hello(self, request: Request) -> Reply:
        """The reply when nothing was enqueued."""
        return stream(self, "Hello", " world") if self.wants_stream(request) else answer(self, "{}")


def stream(
    dialect: Dialect, *texts: str, thoughts: Sequence[str] = (), why: Why = "stop", tokens: tuple[int, int] = (7, 5)
) -> Reply:
    """A good streamed answer, one piece per text."""
    return _reply(
        dialect,
        dialect.begun(thoughts, tokens),
        *(dialect.said(text, thoughts=bool(thoughts)) for text in texts),
        dialect.ended(why, tokens, thoughts=bool(thoughts)),
    )


def slow(dialect: Dialect, before: Sequence[str], gate: Gate) -> Reply:
    """An answer that stops at the gate."""
    texts = (dialect.said(text, thoughts=False) for text in before)
    return _reply(dialect, dialect.begun((), (7, 5)), *texts, gate, dialect.ended("stop", (7, 5), thoughts=False))


def cut(dialect: Dialect, *texts: str) -> Reply:
    """An answer whose connection breaks after the texts."""
    return _reply(dialect, dialect.begun((), (7, 5)), *(dialect.said(text, thoughts=False) for text in texts), Cut())


def unfinished(dialect: Dialect, *texts: str) -> Reply:
    """An answer that stops after the texts as if that were its end."""
    return _reply(dialect, dialect.begun((), (7, 5)), *(dialect.said(text, thoughts=False) for text in texts))


def error_mid_stream(dialect: Dialect, *texts: str, said: str = "the engine fell over", status: int = 500) -> Reply:
    pieces = (dialect.said(text, thoughts=False) for text in texts)
    return _reply(dialect, dialect.begun((), (7, 5)), *pieces, dialect.broke(said, status))


def denial(dialect: Dialect, said: str) -> Reply:
    return _reply(dialect, dialect.denied(said))


def answer(
    dialect: Dialect, content: Any, *, thoughts: Sequence[str] = (), why: Why = "stop", tokens: tuple[int, int] = (9, 3)
) -> Reply:
    """A whole answer, as it comes without streaming; what is no text is sent as JSON text."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return json_reply(dialect.whole(text, thoughts, why, tokens))


def fault(dialect: Dialect, status: int, said: str, headers: Mapping[str, str] | None = None) -> Reply:
    return json_reply(dialect.fault(status, said), status, headers)


def _reply(dialect: Dialect, *pieces: bytes | Cut | Gate) -> Reply:
    return Reply(pieces, headers={"content-type": dialect.content_type})
