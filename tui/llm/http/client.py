"""HTTP client of a provider: httpx with every failure as a ``ProviderError``, and bodies with bounds.

HTTP/1.1 only and no redirects (a key would travel along); no compression, which would hold tokens back; no proxy to
this machine. httpx is imported, and the certificates are read, in a thread at the first request.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit, urlunsplit

from tui import bounds
from tui.errors import ProviderError
from tui.llm.http.errors import MAX_ERROR_BYTES, Endpoint, TransientError, status_error
from tui.llm.wires.wire_format import ApiCall, WireFormat
from tui.system.net import is_behind_proxy, is_this_machine

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts in seconds. ``read`` is between the bytes of an answer that comes whole.

    In a stream keep-alives would reset it, so texts have deadlines of their own.

    ``first_text`` runs until the first text or sign of thinking, ``between_texts`` from one to the next. ``answer`` is
    how long a whole streamed one is waited for, the time that its reader takes apart, ``models`` a list of models,
    ``speech`` a spoken sentence and ``transcription`` what is heard in minutes of sound: a server that sends a byte now
    and then would be waited for without end.
    ``after_finish`` is how long usage may come late, ``status`` how long a local server has to say that it is there.
    """

    connect: float = 5.0
    read: float = 120.0
    first_text: float = 120.0
    between_texts: float = 60.0
    answer: float = 3600.0
    models: float = 60.0
    speech: float = 120.0
    transcription: float = 600.0
    after_finish: float = 3.0
    status: float = 0.9


LOCAL = Timeouts(read=300.0, first_text=300.0, between_texts=120.0, speech=300.0, transcription=3600.0)
"""Timeouts of a local server: a model that is not loaded yet may take minutes to its first token."""


def timeouts_for(*, local: bool, silent: float | None = None) -> Timeouts:
    """The timeouts of a provider whose model may be ``silent`` for so many seconds, None for as long as is usual."""
    usual = LOCAL if local else Timeouts()
    if silent is None:
        return usual
    between, models = min(usual.between_texts, silent), min(usual.models, silent)
    return replace(usual, read=silent, first_text=silent, between_texts=between, models=models, speech=silent)


MAX_STREAMED_BYTES = bounds.LLM_STREAM.bytes_in
"""Maximum bytes of a streamed answer, with what is wrapped around its texts: three times what the longest answer that a
reasoning model is sold with takes (128 000 tokens of 350 bytes). Nothing of it is held.
"""
_MAX_OVER_HTTPX = 64
"""Maximum connections over httpx's own transport; only ``lode serve`` asks for more."""
_HEADERS = {"Accept": "text/event-stream, application/x-ndjson, application/json", "Accept-Encoding": "identity"}


class ProviderClient:
    """The server of one provider. Nothing is connected, nor httpx imported, before the first request.

    The headers with the key go to the host of ``base_url`` and to no other. At most ``connections`` are open at once,
    and a quarter of them is kept for the next request.
    """

    def __init__(
        self, base_url: str, endpoint: Endpoint, timeouts: Timeouts, wire: WireFormat, *, connections: int
    ) -> None:
        self._base_url = base_url
        self.endpoint = endpoint
        self.timeouts = timeouts
        self.wire = wire
        self._connections = connections
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()
        self._closed = False
        self.streams = 0

    @property
    def is_for_many(self) -> bool:
        """Whether so many streams may come over it that they have a transport, and a pace, of their own."""
        return self._connections > _MAX_OVER_HTTPX

    @asynccontextmanager
    async def request(self, call: ApiCall, *, model: str = "", is_timed: bool = False) -> AsyncIterator[httpx.Response]:
        """Send a request; gives an answer with status 200, its body unread. Leaving the block closes the connection.

        Who asks ``is_timed`` has deadlines of its own for what is read: a timer for every piece is not cheap.
        Raises ``ProviderError`` (``TransientError`` where one more try may help) instead of anything of httpx, also
        for what goes wrong inside the block.
        """
        client, request = await self._authorised(call, is_timed)
        import httpx

        self.streams += 1
        try:
            response = await client.send(request, stream=True)
            try:
                if response.status_code != 200:
                    body = b"" if is_compressed(response) else await _error_body(response)
                    raise status_error(response.status_code, response.headers, body, self.endpoint, model)
                if is_compressed(response):
                    what = "sends its answer compressed, which was not asked for"
                    hint = "turn that off where the server, or the proxy before it, is set up"
                    raise self.endpoint.error(what, hint, "provider_protocol")
                yield response
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise self._translated(error) from None
        except OSError as error:
            raise self._connection_lost(error.strerror or type(error).__name__) from None
        finally:
            self.streams -= 1

    async def _authorised(self, call: ApiCall, is_timed: bool) -> tuple[httpx.AsyncClient, httpx.Request]:
        """Build the request, with the key, and the client that is to send it.

        The key is in no variable of ``request``: a crash in its block is shown with the values of all of them.
        """
        headers = {**_HEADERS, **self.wire.headers(await self.endpoint.key.get())}
        client = await self.ready()
        import httpx

        try:
            read, connect = None if is_timed else self.timeouts.read, self.timeouts.connect
            timeout = httpx.Timeout(read, connect=connect, write=30.0, pool=connect)
            url = self.url(call.path, has_version=call.has_version)
            if call.file is not None:
                file = call.file.name, call.file.content, call.file.media_type
                return client, client.build_request(
                    "POST", url, data=dict(call.body or {}), files={"file": file}, headers=headers, timeout=timeout
                )
            return client, client.build_request(
                "GET" if call.body is None else "POST", url, json=call.body, headers=headers, timeout=timeout
            )
        except httpx.InvalidURL as error:
            raise self._translated(error) from None

    async def close(self) -> None:
        self._closed = True
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def url(self, path: str, *, has_version: bool = True) -> str:
        """The whole URL of a path, with what is secret in it. Raises ``ProviderError`` where there can be none."""
        try:
            parts = urlsplit(self._base_url)
            _ = parts.port  # out of range, it would only be noticed by the socket
        except ValueError:
            raise self._no_address() from None
        # A key in the header and a password in the URL cannot both be meant: httpx would let the password win.
        netloc = parts.netloc.rpartition("@")[2] if self.endpoint.key.text else parts.netloc
        path, _, query = path.partition("?")
        query = "&".join(filter(None, (parts.query, query)))
        base = parts.path.rstrip("/")
        return urlunsplit((parts.scheme, netloc, (base if has_version else base.removesuffix("/v1")) + path, query, ""))

    async def ready(self) -> httpx.AsyncClient:
        """The client, made at the first call; raises ``ProviderError`` where its settings cannot be used."""
        async with self._opening:
            if self._closed:
                raise ProviderError(f"the connection to {self.endpoint.label} is closed", code="provider_closed")
            if self._client is None:
                try:
                    self._client = await asyncio.to_thread(self._make_client)
                except OSError as error:
                    cause = f"the certificates cannot be read ({error.strerror or error})"
                    raise self._connection_lost(cause) from None
                except ValueError as error:
                    # httpx refuses a malformed proxy address with a bare ValueError.
                    raise self._connection_lost(f"the proxy settings cannot be used ({type(error).__name__})") from None
            return self._client

    def _make_client(self) -> httpx.AsyncClient:
        import httpx

        secure = self._base_url.startswith("https")
        idle = max(1, self._connections // 4)
        transport = None
        if self.is_for_many and not is_behind_proxy(self._base_url):
            from tui.llm.http.httptools_transport import HttptoolsTransport

            transport = HttptoolsTransport(verify=secure, connections=self._connections, idle=idle)
        return httpx.AsyncClient(
            http2=False,
            follow_redirects=False,
            trust_env=not is_this_machine(self._base_url),
            verify=secure,
            # As many are kept as there may be: httpcore counts those in use among the idle ones, and closes them all.
            limits=httpx.Limits(max_connections=self._connections, max_keepalive_connections=self._connections),
            transport=transport,
        )

    def _translated(self, error: Exception) -> ProviderError:
        """Translate an error of httpx; its own text may quote headers and is never passed on."""
        import httpx

        server = self.endpoint
        if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
            hint = "start the server, or correct its address" if server.local else "check the network connection"
            return server.error(f"does not answer at {server.url}", hint, "unreachable")
        if isinstance(error, httpx.ProxyError):
            message = f"the proxy lets nothing through to {server.label}"
            return ProviderError(message, hint="check HTTPS_PROXY and NO_PROXY", code="unreachable")
        if isinstance(error, (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError)):
            return self._no_address()
        if isinstance(error, httpx.PoolTimeout):
            message = f"all connections to {server.label} are in use ({self._connections})"
            return TransientError(message, hint="ask again in a moment", code="busy")
        if isinstance(error, httpx.TimeoutException):
            what = f"has sent nothing for {self.timeouts.read:g} s"
            return server.error(what, "ask again, or try another model", "timeout")
        return self._connection_lost("")

    def _no_address(self) -> ProviderError:
        return ProviderError(f"{self.endpoint.url!r} is no address to ask", hint="correct base_url", code="unreachable")

    def _connection_lost(self, cause: str) -> TransientError:
        tail = f": {cause}" if cause else ""
        return TransientError(
            f"the connection to {self.endpoint.label} was lost{tail}", hint="ask again", code="connection_lost"
        )


def import_transport(connections: int) -> None:
    """Import, which takes a while, what requests over so many connections need. Blocks."""
    import httpx  # noqa: F401 - the import is what is asked for

    if connections > _MAX_OVER_HTTPX:
        import tui.llm.http.httptools_transport  # noqa: F401 - as above


def is_compressed(response: httpx.Response) -> bool:
    """Whether the body is compressed, though ``identity`` was asked for: a few bytes could become any number."""
    return response.headers.get("content-encoding", "").strip().lower() not in ("", "identity")


def chunks_of(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body as it comes, never unpacked; httpx says iterator, but it is a generator and wants to be closed."""
    return cast("AsyncGenerator[bytes, None]", response.aiter_raw())


async def body_of(response: httpx.Response, most: int) -> bytes:
    """The whole body. Raises ``ProviderError`` when it is longer than ``most`` bytes."""
    body = bytearray()
    async with aclosing(chunks_of(response)) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) > most:
                raise ProviderError("the server's answer has no end", code="provider_protocol")
    return bytes(body)


async def _error_body(response: httpx.Response) -> bytes:
    """The beginning of an error's body, whatever happens to the rest; two seconds at most."""
    import httpx

    body = bytearray()
    with suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(2.0), aclosing(chunks_of(response)) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) >= MAX_ERROR_BYTES:
                    break
    return bytes(body[:MAX_ERROR_BYTES])
