"""Encoding of requests as HTTP can carry them, and reading of responses within bounds.

The server may be another program, or send more than anyone can hold.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from tui import bounds
from tui.errors import InvalidInput, LodeError, RemoteError, search_too_long
from tui.records.pages import MAX_ID, MAX_SEARCH_LENGTH
from tui.text.sanitize import one_line
from tui.wire import codec

T = TypeVar("T")
Params = Mapping[str, Any]
Pieces = AsyncGenerator[bytes, None]

MOST_BYTES = bounds.SERVER_ANSWER.bytes_in
"""Of an answer that is no file: a thousand rows of 64 kB."""
ANSWER_SECONDS = bounds.SERVER_ANSWER.seconds
"""Seconds that its body may take in all, from its first byte on."""
_MOST_OF_AN_ERROR = bounds.SERVER_ERROR.bytes_in


@dataclass(frozen=True, slots=True)
class Upload:
    """Bytes to send; ``make`` gives them anew for every try."""

    make: Callable[[], Pieces]

    def __aiter__(self) -> Pieces:
        return self.make()


def address(path: str, params: Params | None) -> str:
    """The path with its parameters; half a character becomes a question mark."""
    return f"{path}?{urlencode(params, doseq=True, errors='replace')}" if params else path


def encoded(body: Any) -> bytes | None:
    """Raises ``InvalidInput`` for a text with half a character, which JSON cannot hold."""
    try:
        return None if body is None else codec.encode(body)
    except UnicodeEncodeError:
        raise InvalidInput("a text has bytes in it that are no characters", hint="write it as UTF-8") from None


def sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def sendable_ids(given: Sequence[str]) -> list[str]:
    return [sendable(each)[:MAX_ID] for each in given]


def searchable(q: str) -> str:
    """Check a search that goes into an address. Raises ``InvalidInput`` for one that is too long, as the store does."""
    if len(q) > MAX_SEARCH_LENGTH:
        raise search_too_long(f"{MAX_SEARCH_LENGTH} characters")
    return q


def decoded(kind: type[T], data: bytes | bytearray | str) -> T:
    """The record or whatever else of that type; raises ``RemoteError`` (``bad_answer``) for what is none."""
    try:
        return codec.decode(kind, data)
    except (ValueError, RecursionError) as error:
        raise bad_answer(one_line(str(error))[:200]) from None


def bad_answer(what: str) -> RemoteError:
    return RemoteError(
        f"the server's answer cannot be read ({what})",
        hint="update the older of the two, Lode here and on the server",
        code="bad_answer",
    )


def too_slow() -> RemoteError:
    return RemoteError("the server's answer comes too slowly", hint="ask again, or over a better line", code="too_slow")


async def body_of(pieces: Pieces, most: int | None = None) -> bytearray:
    """The whole body, held once, of at most so many bytes, else ``MOST_BYTES``.

    Raises ``RemoteError`` for more (``bad_answer``), and where it takes too long (``too_slow``).
    """
    most = most or MOST_BYTES
    body = bytearray()
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            async for piece in pieces:
                body += piece
                if len(body) > most:
                    raise bad_answer(f"more than {most / 1e6:.0f} MB")
    except TimeoutError:
        raise too_slow() from None
    return body


async def refusal(status: int, pieces: Pieces, location: str) -> LodeError:
    """The error that the server answered with."""
    try:
        return error_in(decoded(dict[str, Any], await body_of(pieces, _MOST_OF_AN_ERROR)).get("error"))
    except RemoteError:
        return RemoteError(
            f"the server at {location} refused with the status {status}", hint="its log may say more", code="bad_answer"
        )


def error_in(fields: object) -> LodeError:
    """The error with these fields; raises ``RemoteError`` (``bad_answer``) where they are none of an error."""
    try:
        error = codec.error_from(fields)
    except ValueError as bad:
        raise bad_answer(one_line(str(bad))[:200]) from None
    if error.code == "server_stopping":
        return RemoteError(error.message, hint=error.hint, code=error.code)
    return error
