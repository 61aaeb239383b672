"""httpx over aiohttp, for a server that asks for hundreds of streams at once.

aiohttp's parser is C, and chunks that came together are one piece: what httpx's own transport does in Python for each
chunk takes more than all the rest. It comes with the extra ``lode[server]``; the app and the command line, which ask
for a stream or two, do without.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from functools import partial
from typing import Any, cast

import aiohttp
import httpx
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError
from httpx_aiohttp import AiohttpTransport
from httpx_aiohttp.transport import AiohttpResponseStream

from tui.llm.http_stream import HOLD

_MOST_HEAD = 100 * 1024
"""Bytes of an answer's head, as for httpx's own transport; aiohttp alone takes lines of 8 kB and 128 of them."""


class ManyStreams(AiohttpTransport):
    """At most ``connections`` at once, of which ``idle`` may wait for the next request.

    Raises what httpx's own transport raises: httpx-aiohttp takes every lost connection for one that never was.
    """

    def __init__(self, *, secure: bool, connections: int, idle: int) -> None:
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=idle)
        super().__init__(verify=secure, limits=limits)
        self._slots = asyncio.Semaphore(connections)

    def get_client(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            keepalive_timeout=self.limits.keepalive_expiry,
            ssl=self.ssl_context,
            limit=self.limits.max_connections or 0,
        )
        handler = partial(_Handler, loop=asyncio.get_running_loop())
        connector._factory = cast("partial[ResponseHandler]", handler)
        return aiohttp.ClientSession(
            connector=connector,
            response_class=_Response,
            cookie_jar=aiohttp.DummyCookieJar(),  # httpx has a jar
            max_line_size=_MOST_HEAD,
            max_field_size=_MOST_HEAD,
            max_headers=_MOST_HEAD,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            async with asyncio.timeout(request.extensions.get("timeout", {}).get("pool")):
                await self._slots.acquire()
        except TimeoutError:
            raise httpx.PoolTimeout("") from None
        try:
            # httpx has made a header of a password in the address; aiohttp would not have both.
            request.url = request.url.copy_with(username=None, password=None)
            with _errors_of_httpx():
                response = await super().handle_async_request(request)
        except BaseException as error:
            self._slots.release()
            if isinstance(error, ValueError):  # also what cannot be encoded
                raise httpx.UnsupportedProtocol("no address") from error
            raise
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


class _Handler(ResponseHandler):
    """What came before something that is not HTTP is given all the same.

    aiohttp parses at once what came together: a bad chunk would take along the head and the text before it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._head_bytes = 0

    def set_response_params(self, **params: Any) -> None:
        self._head_bytes = 0
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        begin = 0
        while self._is_in_head() and (end := data.find(b"\n", begin) + 1):
            super().data_received(data[begin:end])
            self._head_bytes += end - begin
            begin = end
        if self._is_in_head():
            self._head_bytes += len(data) - begin
            if self._head_bytes > _MOST_HEAD and self.transport is not None:
                self.transport.close()
                self.set_exception(HttpProcessingError(message="a head without end"))
                return
        super().data_received(data[begin:] if begin else data)
        if (error := self.exception()) is not None and (body := self._payload) is not None and not body.is_eof():
            body.set_exception(aiohttp.ClientPayloadError(str(error)))

    def _is_in_head(self) -> bool:
        return (self._payload is None or self._payload.is_eof()) and self.exception() is None


class _Response(aiohttp.ClientResponse):
    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        await super().start(connection)
        # Bytes that are no UTF-8 are in it as surrogates, which httpx-aiohttp cannot encode; nobody reads it.
        self.reason = (self.reason or "").encode("ascii", "ignore").decode()
        return self


@contextmanager
def _errors_of_httpx() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if (translated := _translated(error)) is None:
            raise
        raise translated from error


def _translated(error: Exception) -> httpx.HTTPError | None:
    """What httpx's own transport would raise; None where it is no error of aiohttp."""
    cause = error.__cause__ if isinstance(error, httpx.HTTPError) else error
    match cause:
        case aiohttp.SocketTimeoutError():
            return httpx.ReadTimeout(str(cause))
        case aiohttp.ServerTimeoutError():
            return httpx.ConnectTimeout(str(cause))
        case aiohttp.ClientConnectorError():
            return httpx.ConnectError(str(cause))
        case aiohttp.InvalidURL() | aiohttp.NonHttpUrlClientError():
            return httpx.UnsupportedProtocol("no address")
        case aiohttp.ClientResponseError() | aiohttp.ClientPayloadError() | aiohttp.ServerDisconnectedError():
            return httpx.RemoteProtocolError(str(cause))
        case HttpProcessingError() | aiohttp.EofStream():
            return httpx.RemoteProtocolError(str(cause))
        case aiohttp.ClientError():
            return httpx.ReadError(str(cause))
    return None


class _Body(httpx.AsyncByteStream):
    """Gives its place back when it is closed."""

    def __init__(self, stream: AiohttpResponseStream, slots: asyncio.Semaphore) -> None:
        self._stream = stream
        self._slots: asyncio.Semaphore | None = slots

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        with _errors_of_httpx():
            try:
                async with aclosing(cast("AsyncGenerator[bytes, None]", aiter(self._stream))) as chunks:
                    async for chunk in chunks:
                        yield chunk
            except httpx.HTTPError:
                # aiohttp raises before it has given all that came before the error.
                if left := self._stream._aiohttp_response.content._read_nowait(-1):
                    yield left
                raise

    async def aclose(self) -> None:
        slots, self._slots = self._slots, None
        if slots is not None:
            slots.release()
            with _errors_of_httpx():
                await self._stream.aclose()
