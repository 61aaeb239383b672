"""HTTP client of one profile: reads are retried when the connection breaks, writes with an idempotency key, by which
the server knows what it has done already.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from urllib.parse import quote

from tui import bounds
from tui.errors import InvalidInput, LodeError, ProviderError, RemoteError, no_such
from tui.records.pages import LONGEST_PAGE, MAX_CURSOR, MAX_ID, MAX_OFFSET, MAX_ROWS, Page
from tui.remote import encoding
from tui.remote.connection import UNREACHABLE, Connection
from tui.remote.encoding import Params, Pieces, Upload
from tui.wire import codec
from tui.wire.sse import ServerEvent, SseParser

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

_OTHERS_SECONDS = 150.0
"""Seconds that a provider's key and its list of models may take in ``tui.llm``, and a moment to say so."""
_FILE_SECONDS = bounds.SERVER_PACKAGE.seconds
"""Seconds that a server may take to make a file of a large library, of which nothing can be sent before it is whole."""
_SILENT_SECONDS = bounds.SERVER_STREAM.seconds
"""A stream that is silent for longer has lost its server: it gives a sign of life every 15 seconds at least."""
_FILE_RATE = 16 * 1024
"""Bytes a second at which a file may come, beyond the time that it takes to be made."""
_MOST_OF_A_STREAM = bounds.SERVER_STREAM.bytes_in


class _Write(NamedTuple):
    """Method, path and body: two writes that have the same are one write sent again."""

    method: str
    path: str
    content: bytes | None


class Client:
    """Asks for ``profile`` over a connection that others may share.

    Every request may raise ``RemoteError`` and what the server's service raises.
    """

    def __init__(self, connection: Connection, profile: str) -> None:
        self.location = connection.location
        self.profile = profile
        self.connection = connection
        self._unsure: dict[_Write, tuple[str, float]] = {}
        """Writes of which it is not known whether they were done: their key, and since when."""

    def segment(self, table: str, given: str) -> str:
        """An id as a part of a path. Raises ``NotFound``, as the server would, for what no path can hold.

        ``table`` is the plural of what the id names.
        """
        try:
            part = quote(given[:MAX_ID], safe="").replace(".", "%2E")  # dots alone would lead elsewhere
        except UnicodeEncodeError:
            part = ""
        if not part or "/" in given:
            raise no_such(table, given, self.profile)
        return part

    # What is asked

    async def read(
        self, kind: type[T], path: str, params: Params | None = None, body: Any = None, *, is_slow: bool = False
    ) -> T:
        """Read the answer at a path; a question that is too long for an address has a body, and can be asked again too.

        What the server asks others for in its turn ``is_slow``: it has as long as they may take, which is minutes.
        """
        silent = _OTHERS_SECONDS if is_slow else None
        method = "GET" if body is None else "POST"
        return encoding.decoded(kind, (await self.ask(method, path, params, encoding.encoded(body), silent=silent))[1])

    async def page(
        self,
        kind: type[T],
        path: str,
        *,
        offset: int = 0,
        limit: int = 100,
        q: str = "",
        after: str | None = None,
        more: Params,
    ) -> Page[T]:
        """Get as many rows as the service gives at once, whatever the server does; ``more`` is asked with each page."""
        wanted = min(max(0, limit), LONGEST_PAGE)
        asked = {**more, **({"q": encoding.searchable(q)} if q else {})}
        first = {"after": after[:MAX_CURSOR]} if after is not None else {"offset": str(min(max(0, offset), MAX_OFFSET))}
        page = await self._page(kind, path, {**asked, **first}, wanted)
        items, total = page.items[:wanted], page.total
        while page.next is not None and len(items) < wanted:
            page = await self._page(kind, path, {**asked, "after": page.next}, wanted - len(items))
            if not page.items:
                break
            items += page.items
        return Page(items, total, max(0, offset) if after is None else 0, page.next if wanted else None)

    async def _page(self, kind: type[T], path: str, params: Params, limit: int) -> Page[T]:
        response, body = await self.ask("GET", path, {**params, "limit": str(min(max(1, limit), MAX_ROWS))})
        items = encoding.decoded(cast("type[tuple[T, ...]]", tuple[kind, ...]), body)  # type: ignore[valid-type]  # a variable
        total = response.headers.get(codec.TOTAL_HEADER, "")
        is_told = total.isascii() and total.isdigit() and len(total) < 20
        return Page(items, int(total) if is_told else len(items), 0, codec.cursor_in(response.headers.get("Link", "")))

    async def write(self, kind: type[T], method: str, path: str, body: Any = None, params: Params | None = None) -> T:
        """Have something done once, and give the answer: asked again after a broken connection, with the same key.

        That also holds for a caller who tries the same again, since it may have been done when the connection broke.
        """
        asked = _Write(method, encoding.address(path, params), encoding.encoded(body))
        begun = time.monotonic()
        key, _ = self._unsure.pop(asked, (uuid.uuid4().hex, 0.0))
        try:
            _, answer = await self.ask(method, asked.path, None, asked.content, key=key)
        except (RemoteError, asyncio.CancelledError) as error:
            if not isinstance(error, RemoteError) or error.code == UNREACHABLE:
                self._unsure[asked] = key, time.monotonic()
            raise
        except InvalidInput as error:
            if error.code != "already_done":
                raise
            raise RemoteError(
                f"the server at {self.location} has done this, but was stopped before it could answer",
                hint="look whether it is there before you try again",
                code="answer_lost",
            ) from None
        # What was tried before this is a matter of the past: the same again is meant anew.
        self._unsure = {write: unsure for write, unsure in self._unsure.items() if unsure[1] > begun}
        return encoding.decoded(kind, answer)

    async def send(self, kind: type[T], path: str, params: Params, content: Upload, *, asks: bool = False) -> T:
        """Upload; ``content`` gives the bytes anew for every try.

        What only ``asks`` about them may take long, and needs no key.
        """
        key, silent = ("", _FILE_SECONDS) if asks else (uuid.uuid4().hex, None)
        try:
            return encoding.decoded(kind, (await self.ask("POST", path, params, content, key=key, silent=silent))[1])
        except RemoteError as error:
            if error.code != UNREACHABLE:
                raise
            # The server hangs up in the middle of an upload that it refuses. Where its answer came before the end of
            # the body it is lost then, so it is asked for again without one.
            try:
                await self.ask("POST", path, params, b"")
            except LodeError as refused:
                if refused.code not in (UNREACHABLE, InvalidInput.code):  # that there is no file in it
                    raise refused from None
            raise

    async def events(
        self,
        method: str,
        path: str,
        params: Params | None = None,
        body: Any = None,
        *,
        most: int = _MOST_OF_A_STREAM,
        seconds: float | None = None,
    ) -> AsyncGenerator[ServerEvent, None]:
        """An event stream, which is never asked for again here: what had come of it has been shown.

        Raises ``RemoteError`` for more than so many bytes (``bad_answer``) and seconds (``too_slow``).
        """
        content = encoding.encoded(body)
        parser = SseParser()
        ends = time.monotonic() + (seconds or inf)
        async with (
            self._response(method, path, params, content, silent=_SILENT_SECONDS) as (_, pieces),
            aclosing(_in_time(pieces, ends)) as timely,
        ):
            async for piece in timely:
                if (most := most - len(piece)) < 0:
                    raise encoding.bad_answer("it has no end")
                try:
                    come = parser.feed(piece)
                except ProviderError as error:  # an event without end
                    raise encoding.bad_answer(error.message) from None
                for each in come:
                    yield each
            for each in parser.finish():
                yield each

    @asynccontextmanager
    async def download(
        self, path: str, params: Params | None = None, body: Any = None, *, content: Upload | None = None
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The pieces of a file, which may take as long as its bytes at the slowest rate.

        With a ``body`` it is asked for as ``read`` does, with ``content`` as ``send`` does.
        """
        sent = content or encoding.encoded(body)
        method = "GET" if sent is None else "POST"
        async with (
            self._response(method, path, params, sent, silent=_FILE_SECONDS) as (_, pieces),
            aclosing(_in_time(pieces, time.monotonic() + _FILE_SECONDS, _FILE_RATE)) as timely,
        ):
            yield timely

    async def content(self, path: str, params: Params | None = None) -> bytes:
        """A file, whole."""

        async def read() -> bytes:
            async with self.download(path, params) as pieces:
                return b"".join([piece async for piece in pieces])

        return await self.connection.retried(read)

    async def ask(
        self,
        method: str,
        path: str,
        params: Params | None = None,
        content: bytes | Upload | None = None,
        *,
        key: str = "",
        silent: float | None = None,
    ) -> tuple[httpx.Response, bytearray]:
        """The whole answer; what does nothing more when it is asked again needs no ``key``."""

        async def once() -> tuple[httpx.Response, bytearray]:
            async with self._response(method, path, params, content, key=key, silent=silent) as (response, pieces):
                return response, await encoding.body_of(pieces)

        return await self.connection.retried(once)

    def _response(
        self,
        method: str,
        path: str,
        params: Params | None,
        content: bytes | Upload | None,
        *,
        key: str = "",
        silent: float | None = None,
    ) -> AbstractAsyncContextManager[tuple[httpx.Response, Pieces]]:
        headers = {codec.PROFILE_HEADER: self.profile}
        if key:
            headers[codec.IDEMPOTENCY_HEADER] = key
        return self.connection.response(method, path, params, content, headers=headers, silent=silent)


async def _in_time(pieces: Pieces, ends: float, rate: float = inf) -> Pieces:
    """The pieces, which may come until a moment, and for as long as their bytes take at a rate. Raises ``too_slow``."""
    async for piece in pieces:
        ends += len(piece) / rate
        if time.monotonic() > ends:
            raise encoding.too_slow()
        yield piece
