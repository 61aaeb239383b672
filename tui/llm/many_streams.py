"""httpx over aiohttp, for a server that asks for hundreds of streams at once.

aiohttp's parser is C, and chunks that came together are one piece: what httpx's own transport does in Python for each
chunk takes more than all the rest. It comes with the extra ``lode[server]``; the app and the command line, which ask
for a stream or two, do without.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from functools import partial
from typing import cast

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport
from httpx_aiohttp.transport import AiohttpResponseStream

from tui.llm.http_stream import HOLD


class ManyStreams(AiohttpTransport):
    """At most ``connections`` at once, of which ``idle`` may wait for the next request.

    Raises what httpx's own transport raises: httpx-aiohttp takes every lost connection for one that never was.
    """

    def __init__(self, *, secure: bool, connections: int, idle: int) -> None:
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=idle)
        super().__init__(verify=secure, limits=limits)
        self._slots = asyncio.Semaphore(connections)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            async with asyncio.timeout(request.extensions.get("timeout", {}).get("pool")):
                await self._slots.acquire()
        except TimeoutError:
            raise httpx.PoolTimeout("") from None
        try:
            # httpx has made a header of a password in the address; aiohttp would not have both.
            request.url = request.url.copy_with(username=None, password=None)
            response = await super().handle_async_request(request)
        except BaseException as error:
            self._slots.release()
            raise _translated(error) from error
        stream = cast(AiohttpResponseStream, response.stream)
        response.stream = _Body(stream, self._slots)
        response.extensions[HOLD] = partial(_hold, stream._aiohttp_response)
        return response


def _hold(response: aiohttp.ClientResponse, held: bool) -> None:
    """Leave what comes in the system's buffers, or take it from there: aiohttp reads every piece at once otherwise."""
    connection = response.connection
    if connection is not None and (transport := connection.transport) is not None:
        with suppress(RuntimeError):  # it is being closed
            transport.pause_reading() if held else transport.resume_reading()


def _translated(error: BaseException) -> BaseException:
    if isinstance(error, (UnicodeError, ValueError)) and not isinstance(error, httpx.HTTPError):
        return httpx.UnsupportedProtocol("no address")
    cause = error.__cause__
    if isinstance(cause, aiohttp.ClientConnectorError):
        return httpx.ConnectError(str(cause))
    if isinstance(cause, aiohttp.ClientConnectionError) and not isinstance(cause, aiohttp.ServerTimeoutError):
        return httpx.ReadError(str(cause))
    return error


class _Body(httpx.AsyncByteStream):
    """Gives its place back when it is closed."""

    def __init__(self, stream: httpx.AsyncByteStream, slots: asyncio.Semaphore) -> None:
        self._stream = stream
        self._slots: asyncio.Semaphore | None = slots

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        try:
            async with aclosing(cast("AsyncGenerator[bytes, None]", aiter(self._stream))) as chunks:
                async for chunk in chunks:
                    yield chunk
        except httpx.HTTPError as error:
            raise _translated(error) from error

    async def aclose(self) -> None:
        slots, self._slots = self._slots, None
        if slots is not None:
            slots.release()
            await self._stream.aclose()
