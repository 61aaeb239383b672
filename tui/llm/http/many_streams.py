"""httpx over aiohttp, for a server that asks for hundreds of streams at once.

aiohttp's parser is C, and chunks that came together are one piece: what httpx's own transport does in Python for each
chunk takes more than all the rest. It comes with the extra ``lode[server]``; the app and the command line, which ask
for a stream or two, do without.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
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

from tui.llm.http.client import READER

_MOST_HEAD = 100 * 1024
"""Bytes of an answer's head, as for httpx's own transport; aiohttp alone takes lines of 8 kB and 128 of them."""

_MOST_READ = 16 * 1024
"""Bytes of a body that are decoded at once, as httpx does it: the others wait meanwhile."""

_CLOSING = (AttributeError, NotImplementedError, RuntimeError)
"""What a transport that is being closed raises when it is told to pause or to resume, TLS of asyncio's the first."""
_A_MOMENT = 0.001


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
            if request.url.userinfo:  # httpx has made a header of it; aiohttp would not have both
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
        response.extensions[READER] = partial(_Reader, stream._aiohttp_response)
        return response


class WithoutCookies(httpx.AsyncClient):
    """A seventh of a request is spent on looking for cookies, which no model server needs."""

    @property
    def cookies(self) -> httpx.Cookies:
        return _NO_COOKIES

    @cookies.setter
    def cookies(self, cookies: object) -> None:
        pass


class _NoCookies(httpx.Cookies):
    def extract_cookies(self, response: httpx.Response) -> None:
        pass


_NO_COOKIES = _NoCookies()


class _Reader:
    """A ``BodyReader`` without a task and the generators between: aiohttp reads ahead itself.

    What comes during a pause is left in the system's buffers, since aiohttp would handle every piece of it at once.
    """

    def __init__(self, response: aiohttp.ClientResponse, pause: Callable[[], float]) -> None:
        self._content = response.content
        self._transport = None if response.connection is None else response.connection.transport
        self._pause = pause
        self._loop = asyncio.get_running_loop()
        self._holding: asyncio.TimerHandle | None = None
        self._passing: asyncio.TimerHandle | None = None
        self._deadline: float | None = None
        """The loop's time, while a piece is waited for; None while the reader is busy."""

    async def next(self, seconds: float | None = None) -> bytes | None:
        content = self._content
        if seconds is not None:
            self._wait_until(self._loop.time() + seconds)
        try:
            came = await content.read(_MOST_READ)
        except Exception as error:
            if left := content._read_nowait(-1):  # it raises before it has given all that came before the error
                return left
            if isinstance(error, _Silent):
                raise TimeoutError from None
            if not content._protocol.connected and isinstance(error, RuntimeError):
                raise httpx.ReadError(str(error)) from error  # it was closed while nobody was reading
            if (translated := _translated(error)) is None:
                raise
            raise translated from error
        finally:
            self._deadline = None
        if content.is_eof():
            self._let_go()  # the connection may be another's already
        elif came and (pause := self._pause()) > 0:
            self._hold(pause)
        return came or None

    async def drain(self, seconds: float) -> None:
        self._let_go()
        with suppress(Exception):
            async with asyncio.timeout(seconds):
                while await self._content.readany():
                    pass

    def close(self) -> None:
        self._let_go()
        if self._passing is not None:
            self._passing.cancel()

    def _hold(self, seconds: float) -> None:
        if self._holding is None and self._transport is not None:
            with suppress(*_CLOSING):
                self._transport.pause_reading()
            self._holding = self._loop.call_later(seconds, self._let_go)

    def _let_go(self) -> None:
        if self._holding is None or self._transport is None:
            return
        self._holding.cancel()
        self._holding = None
        if not self._content._protocol._reading_paused:  # else aiohttp has enough for now, and goes on by itself
            with suppress(*_CLOSING):
                self._transport.resume_reading()

    def _wait_until(self, deadline: float) -> None:
        """One timer for a whole stream, as a rule: one for every piece would cost as much as to read it."""
        self._deadline = deadline
        if self._passing is not None and deadline < self._passing.when():
            self._passing.cancel()
            self._passing = None
        if self._passing is None:
            self._passing = self._loop.call_at(deadline, self._look_at_deadline)

    def _look_at_deadline(self) -> None:
        self._passing = None
        if self._deadline is None:
            return  # nobody waits
        again = self._deadline
        if again <= (now := self._loop.time()):
            if self._content._waiter is not None:
                self._content.set_exception(_Silent())
                return
            again = now + _A_MOMENT  # it is being woken, perhaps by a chunk's end that brings nothing
        self._passing = self._loop.call_at(again, self._look_at_deadline)


class _Silent(Exception):
    """Nothing has come for too long."""


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

    def resume_reading(self, resume_parser: bool = True) -> None:
        if self._reading_paused:  # aiohttp asks for every piece that is taken, and would parse nothing each time
            super().resume_reading(resume_parser)

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
