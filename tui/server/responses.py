"""Responses: records as JSON, pages with a link to the next one, whole lists, and files made for one request."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tui.errors import StoreError
from tui.importing.file_name import make_safe_name
from tui.records.pages import Page
from tui.server.dependencies import PageQuery
from tui.system.temporary import TemporaryDirectory
from tui.wire import codec

T = TypeVar("T")

_AT_ONCE = 500
"""Rows of a whole list that are read, written and forgotten at a time."""


def json(value: Any, status: int = 200) -> Response:
    return Response(codec.encode(value), status, media_type="application/json")


ReadPage = Callable[..., Awaitable[Page[T]]]
"""``page`` of a resource of the service."""


async def listed(
    request: Request, read: ReadPage[T], query: PageQuery, more: Mapping[str, Any], *, is_searched: bool = True
) -> Response:
    """A page with its ``Link`` and the number of all that match or, without a limit, the whole list as one array.

    ``more`` is what the next page has to be asked with besides. A list that is not searched takes no ``q``.
    """
    if is_searched:
        read = partial(read, q=query.q)
    if query.limit is not None:
        page = await read(offset=query.offset, limit=query.limit, after=query.after)
        answer = json(page.items)
        answer.headers[codec.TOTAL_HEADER] = str(page.total)
        if page.next is not None:
            asked = {name: value for name, value in {"limit": query.limit, "q": query.q, **more}.items() if value}
            answer.headers["Link"] = codec.link_to_next(request.url.path, page.next, asked)
        return answer
    first = await read(offset=query.offset, limit=_AT_ONCE, after=query.after)
    headers = {codec.TOTAL_HEADER: str(first.total)}
    return StreamingResponse(_whole(read, first), 200, headers, media_type="application/json")


async def _whole(read: ReadPage[T], page: Page[T]) -> AsyncGenerator[bytes, None]:
    yield b"[" + codec.encode(page.items)[1:-1]
    while page.next is not None:
        page = await read(limit=_AT_ONCE, after=page.next)
        if page.items:
            yield b"," + codec.encode(page.items)[1:-1]
    yield b"]"


_PIECE = 256 * 1024


def deck_directory() -> TemporaryDirectory:
    """A new directory for a deck. Raises ``StoreError`` where there is no room for one."""
    return _place(Path(tempfile.gettempdir()))


def backup_directory(home: Path, needed: int) -> TemporaryDirectory:
    """A new directory for a copy of the library of ``needed`` bytes. Raises ``StoreError`` where there is no room.

    It is beside the library, since the place for temporary files is often small, unless only that one has the room.
    """
    places = (home, Path(tempfile.gettempdir()))
    return _place(next((place for place in places if shutil.disk_usage(place).free > needed), home))


def _place(directory: Path) -> TemporaryDirectory:
    try:
        return TemporaryDirectory(directory)
    except OSError as error:
        raise StoreError(
            f"the server cannot write to {directory}: {error.strerror or error}", hint="make room on the server's disk"
        ) from error


def attachment(name: str, otherwise: str = "") -> str:
    """The header of a file to be saved: its name plainly and, where it is not ASCII, as RFC 6266 wants it."""
    safe = make_safe_name(name.replace(":", "-")) or otherwise
    plain = "".join(char if char.isascii() and char not in '"\\' else "_" for char in safe)
    return f'attachment; filename="{plain}"' + ("" if plain == safe else f"; filename*=UTF-8''{quote(safe)}")


async def streamed(pieces: AsyncGenerator[bytes, None], disposition: str, media_type: str) -> Response:
    """Stream a file while it is made; an error before its first piece is the answer, with a status of its own."""
    first = await anext(pieces)
    headers = {"Content-Disposition": disposition}
    return StreamingResponse(_with_first(first, pieces), 200, headers, media_type=media_type)


async def _with_first(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


class Download(Response):
    """Response with a file; the directory that it lies in is removed in any case, also when the reader leaves.

    ``taken`` is called when all but the last piece has been taken and the reader is still there: what it does is done
    before the reader can have the whole. There is no answering with a part of the file (``Range``): the next request
    would find another one. ``before`` is what comes before the file.
    """

    media_type = "application/octet-stream"

    def __init__(
        self,
        place: TemporaryDirectory,
        file: Path,
        disposition: str,
        taken: Callable[[], Awaitable[None]] | None = None,
        media_type: str | None = None,
        before: bytes = b"",
    ) -> None:
        headers = {
            "Content-Disposition": disposition,
            "Content-Length": str(len(before) + file.stat().st_size),
            "Cache-Control": "no-store",
        }
        super().__init__(None, 200, headers, media_type)
        self._place = place
        self._file = file
        self._taken = taken
        self._before = before

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        leaving = asyncio.create_task(disconnected(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            with await asyncio.to_thread(self._file.open, "rb") as file:
                piece = self._before + await asyncio.to_thread(file.read, _PIECE)
                more = True
                while more and not leaving.done():
                    following = await asyncio.to_thread(file.read, _PIECE)
                    more = following != b""
                    if not more and self._taken is not None:
                        await self._taken()
                    await send({"type": "http.response.body", "body": piece, "more_body": more})
                    piece = following
        finally:
            leaving.cancel()
            await asyncio.shield(asyncio.to_thread(self._place.remove))


async def unless_disconnected(request: Request, making: Coroutine[Any, Any, T]) -> T:
    """Await ``making``; it is cancelled, and ``ClientDisconnect`` raised, when the reader goes."""
    work = asyncio.ensure_future(making)
    leaving = asyncio.ensure_future(disconnected(request.receive))
    try:
        await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise ClientDisconnect
        return work.result()
    finally:
        for task in (work, leaving):
            task.cancel()
        await asyncio.gather(work, leaving, return_exceptions=True)


async def disconnected(receive: Receive) -> None:
    """Wait until the reader of an answer has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
