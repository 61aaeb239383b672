"""Responses: records as JSON, pages with a link to the next one, whole lists as they are read."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from fastapi import Request
from starlette.responses import Response, StreamingResponse

from tui.records.pages import Page
from tui.server.dependencies import PageQuery
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
