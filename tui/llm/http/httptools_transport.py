"""Transport for httpx over httptools, for a server that asks for hundreds of streams at once.

httpx's own transport parses HTTP in Python, which takes more for each chunk of a stream than all the rest; httptools
is the parser in C that uvicorn has, and comes with the extra ``lode[server]``. The app and the command line, which ask
for a stream or two, do without. It speaks HTTP/1.1 to one server, without proxies and redirects.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

import httptools
import httpx

_MAX_HEAD = 100 * 1024
"""Maximum bytes of an answer's head, and below the seconds that a connection waits for a request: as httpx's own."""
_IDLE_SECONDS = 5.0


class HttptoolsTransport(httpx.AsyncBaseTransport):
    """Transport over at most ``connections`` at once, of which ``idle`` wait for the next request."""

    def __init__(self, *, verify: bool, connections: int, idle: int) -> None:
        self._ssl = httpx.create_ssl_context(verify=verify)
        self._free = asyncio.Semaphore(connections)
        self._most_idle = idle
        self._idle: list[_Connection] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        seconds = request.extensions["timeout"]
        try:
            async with asyncio.timeout(seconds["pool"]):
                await self._free.acquire()
        except TimeoutError:
            raise httpx.PoolTimeout("no connection is free") from None
        connection = None
        try:
            connection = self._kept() or await self._connected(request.url, seconds["connect"])
            connection.ask(request, seconds["read"])
            while not connection.has_head:
                await connection.read_on()
        except BaseException:
            self.give_back(connection)
            raise
        return httpx.Response(connection.status, headers=connection.headers, stream=_Body(connection, self))

    def give_back(self, connection: _Connection | None) -> None:
        self._free.release()
        if connection is not None:
            if connection.is_reusable and len(self._idle) < self._most_idle:
                connection.wait_for_next()
                self._idle.append(connection)
            else:
                connection.network.abort()

    def _kept(self) -> _Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_reusable and connection.idle_since + _IDLE_SECONDS > asyncio.get_running_loop().time():
                return connection
            connection.network.abort()
        return None

    async def _connected(self, url: httpx.URL, seconds: float | None) -> _Connection:
        tls, port = (self._ssl, 443) if url.scheme == "https" else (None, 80)
        connect = asyncio.get_running_loop().create_connection
        try:
            async with asyncio.timeout(seconds):
                return (await connect(_Connection, url.raw_host.decode("ascii"), url.port or port, ssl=tls))[1]
        except TimeoutError:
            raise httpx.ConnectTimeout("no connection in time") from None
        except OSError as error:
            raise httpx.ConnectError(str(error)) from error
        except UnicodeError as error:
            raise httpx.UnsupportedProtocol("no name of a host") from error

    async def aclose(self) -> None:
        while self._idle:
            self._idle.pop().network.abort()


class _Body(httpx.AsyncByteStream):
    def __init__(self, connection: _Connection, transport: HttptoolsTransport) -> None:
        self._connection = connection
        self._transport: HttptoolsTransport | None = transport

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        while True:
            if piece := self._connection.take():
                yield piece
            if self._connection.is_whole:
                return
            await self._connection.read_on()

    async def aclose(self) -> None:
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.give_back(self._connection)


class _Connection(asyncio.Protocol):
    """A connection and the answer that comes over it; httptools calls its ``on_…`` methods.

    It is read from the network only while something is waited for. Else the process would wake up for every token; what
    comes meanwhile is left in the system's buffers, which hold the server back when they are full.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.network = cast(asyncio.Transport, transport)
        self.idle_since = 0.0
        self._came = asyncio.Event()

    def ask(self, request: httpx.Request, read_seconds: float | None) -> None:
        self.headers: list[tuple[bytes, bytes]] = []
        self.status = 0
        self.has_head = self.is_whole = self._keeps_alive = False
        self._pieces: list[bytes] = []
        self._head_bytes = 0
        self._failure: Exception | None = None
        self._read_seconds = read_seconds
        self._parser = httptools.HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True)
        lines = [b"%b %b HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path)]
        lines += [b"%b: %b" % header for header in request.headers.raw]
        self.network.write(b"\r\n".join(lines) + b"\r\n\r\n" + request.content)

    async def read_on(self) -> None:
        """Read what comes next; raises ``httpx.TransportError`` when that is nothing, or no HTTP."""
        if self._failure is not None:
            raise httpx.RemoteProtocolError(str(self._failure)) from self._failure
        self._came.clear()
        self.network.resume_reading()
        try:
            async with asyncio.timeout(self._read_seconds):
                await self._came.wait()
        except TimeoutError:
            raise httpx.ReadTimeout("nothing comes") from None

    def take(self) -> bytes:
        """Take the bytes of the body that have come since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)

    @property
    def is_reusable(self) -> bool:
        return self.is_whole and self._keeps_alive and self._failure is None

    def wait_for_next(self) -> None:
        """Read on, so that it is noticed when the server closes the connection."""
        self.idle_since = asyncio.get_running_loop().time()
        self.network.resume_reading()

    def data_received(self, data: bytes) -> None:
        self.network.pause_reading()
        self._came.set()
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._failure = error  # raised after what came before it
        if not self.has_head:
            self._head_bytes += len(data)
            if self._head_bytes > _MAX_HEAD:
                self._failure = ValueError("a head without end")

    def connection_lost(self, error: Exception | None) -> None:
        length_is_known = {b"content-length", b"transfer-encoding"} & {name.lower() for name, _ in self.headers}
        self.is_whole = self.is_whole or (self.has_head and error is None and not length_is_known)
        self._failure = self._failure or error or EOFError("the connection was closed")
        self._came.set()

    def on_message_begin(self) -> None:
        if self.is_whole:
            self._failure = ValueError("more than was asked for")

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.has_head:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        self.status = self._parser.get_status_code()
        if self.status >= 200:
            self.has_head = True
        else:
            self.headers.clear()  # of early hints and the like, which the answer follows

    def on_body(self, piece: bytes) -> None:
        if not self.is_whole:
            self._pieces.append(piece)

    def on_message_complete(self) -> None:
        self.is_whole = self.has_head
        self._keeps_alive = self._parser.should_keep_alive()
