"""The connection to one server, which every profile of its library shares, and addresses and tokens, which people type.

Whether the server can be reached is known here and nowhere else: ``trouble`` says in a few words what keeps it from
answering, and who wants to know is told when that changes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import SplitResult, urlsplit

from tui.errors import InvalidInput, LodeError, RemoteError
from tui.remote.encoding import Params, Pieces, Upload, address, body_of, refusal
from tui.system.net import is_this_machine
from tui.text.sanitize import one_line
from tui.wire import codec

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

UNREACHABLE = RemoteError.code
_CONNECT_SECONDS = 5.0
_READ_SECONDS = 30.0
_PAUSES = (0.2, 0.8)
"""Seconds before the second and the third try."""
_TRIED_SECONDS = 100.0
"""After that long nothing is tried again."""
_LOOK_SECONDS = 2.0
"""Seconds between looks for a server that does not answer."""
_CAUSES = {
    "ConnectError": "no connection",
    "ConnectTimeout": "no connection",
    "ReadTimeout": "too slow",
    "TimeoutError": "too slow",
    "WriteTimeout": "too slow",
    "ProxyError": "the proxy lets nothing through",
    "InvalidURL": "no such address",
    "UnicodeError": "no such address",
    "UnsupportedProtocol": "the settings of the proxy cannot be used",
}
"""Name of an error → what people read of it."""


class Connection:
    """A server's connection; ``token`` is its token ("" for none), which goes to that server and nowhere else.

    Raises ``InvalidInput`` for what is no address and no token. Nothing is connected, nor httpx imported, before the
    first request.
    """

    def __init__(self, url: str, token: str = "") -> None:
        self.url, self.location = (address := parse_address(url)).url, address.location
        self.trouble = ""
        self.told_of_trouble: list[Callable[[], None]] = []
        """Called whenever ``trouble`` has changed."""
        self._headers = {codec.BEGINNINGS_HEADER: "1", "Accept-Encoding": "identity"}
        if token := check_token(token):
            self._headers["Authorization"] = f"Bearer {token}"
        self._opened: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    async def retried(self, work: Callable[[], Awaitable[T]]) -> T:
        """``work``, done anew when the connection breaks, three times at most: for what may be asked for twice."""
        begun = time.monotonic()
        for pause in _PAUSES:
            try:
                return await work()
            except RemoteError as error:
                if error.code != UNREACHABLE or self._closed or time.monotonic() - begun > _TRIED_SECONDS:
                    raise
                await asyncio.sleep(pause)
        return await work()

    async def close(self) -> None:
        self._closed = True
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        if self._opened is not None:
            await self._opened.aclose()

    @asynccontextmanager
    async def response(
        self,
        method: str,
        path: str,
        params: Params | None = None,
        content: bytes | Upload | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        silent: float | None = None,
    ) -> AsyncIterator[tuple[httpx.Response, Pieces]]:
        """An answer with a status below 300, and its body as it comes.

        Raises ``RemoteError`` in place of anything of httpx, also while it is read inside the block, and the error that
        the server answers with.
        """
        client = await self._client()
        import httpx

        sent_headers = {**self._headers, **(headers or {})}
        if content is not None:
            kind = "application/json" if isinstance(content, bytes) else "application/octet-stream"
            sent_headers["Content-Type"] = kind
        silent = silent or _READ_SECONDS
        timeout = httpx.Timeout(silent, connect=_CONNECT_SECONDS, pool=None)
        # A file takes as long as the line needs for it.
        sent, in_all = (content.make(), None) if isinstance(content, Upload) else (content, silent + _READ_SECONDS)
        try:
            with self._translated(httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
                asked = self.url + address(path, params)
                request = client.build_request(method, asked, content=sent, headers=sent_headers, timeout=timeout)
                async with asyncio.timeout(in_all):
                    response = await client.send(request, stream=True)
        finally:
            if not isinstance(sent, bytes | None):
                await sent.aclose()
        try:
            with self._translated(httpx.HTTPError, httpx.StreamError):
                self._check(response)
                # Nothing was to be compressed, so a small answer cannot become a huge one.
                async with aclosing(cast(Pieces, response.aiter_raw())) as pieces:
                    if response.status_code >= 300:
                        raise await refusal(response.status_code, pieces, self.location)
                    yield response, pieces
        finally:
            await response.aclose()

    @contextmanager
    def _translated(self, *kinds: type[Exception]) -> Iterator[None]:
        try:
            yield
        except kinds as error:
            self._note(f"no answer from {self.location}")
            cause = _CAUSES.get(type(error).__name__, "the connection broke")
            raise RemoteError(
                f"the server at {self.location} does not answer ({cause})",
                hint="check that it runs (lode serve) and that this machine can reach it",
            ) from None

    def _check(self, response: httpx.Response) -> None:
        """Raises ``RemoteError`` unless it is a Lode server that answers, of a version that this one understands."""
        given = response.headers.get(codec.INTERFACE_HEADER, "")
        if given == str(codec.INTERFACE):
            self._note("")
            return
        if given:
            version = one_line(response.headers.get(codec.VERSION_HEADER, "?"))[:40]
            self._note(f"{self.location} has Lode {version}: update")
            raise RemoteError(
                f"the server at {self.location} has Lode {version}, which this one cannot work with",
                hint="update the older of the two",
                code="version_mismatch",
            )
        if response.status_code in (502, 503, 504):  # what stands before the server speaks for it
            self._note(f"no answer from {self.location}")
            raise RemoteError(
                f"the server at {self.location} does not answer (status {response.status_code})",
                hint="check that it runs (lode serve)",
            )
        self._note(f"{self.location} is no Lode server")
        raise RemoteError(
            f"what answers at {self.location} is no Lode server",
            hint="check the address that --url names",
            code="not_lode",
        )

    def _note(self, trouble: str) -> None:
        if trouble == self.trouble:
            return
        self.trouble = trouble
        for tell in tuple(self.told_of_trouble):
            tell()
        if trouble and not self._closed and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look(), name="lode-look-for-server")

    async def _look(self) -> None:
        """Until the server answers again."""
        while self.trouble and not self._closed:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                async with self.response("GET", "/health") as (_, pieces):
                    await body_of(pieces)
            except LodeError:
                continue

    async def _client(self) -> httpx.AsyncClient:
        async with self._opening:
            if self._closed:
                raise RemoteError(f"the connection to {self.location} is closed", code="closed")
            if self._opened is None:
                with self._translated(OSError, ValueError):  # certificates or the settings of a proxy
                    self._opened = await asyncio.to_thread(self._make)
            return self._opened

    def _make(self) -> httpx.AsyncClient:
        import httpx

        return httpx.AsyncClient(
            follow_redirects=False,  # the token would travel along
            trust_env=not is_this_machine(self.url),  # no proxy between this machine and itself
            verify=self.url.startswith("https"),
            limits=httpx.Limits(max_connections=64, max_keepalive_connections=8),
        )


@dataclass(frozen=True, slots=True)
class Address:
    """Address of a server; ``url`` has no slash at its end, ``location`` is host and port, as people read them.

    ``origin`` is scheme, host and port, which one server has in common whatever the path.
    """

    url: str
    location: str
    origin: str


def parse_address(given: str) -> Address:
    """Raises ``InvalidInput`` (``invalid_url``) for what is no address of a server."""
    try:
        parts = urlsplit(given.strip())
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    host = parts.hostname or ""
    if (
        parts.scheme not in ("http", "https")
        or not host
        or not (host + parts.path).isprintable()
        or " " in host + parts.path
        or parts.query
        or parts.fragment
        or port == 0
    ):
        raise InvalidInput(
            f"{one_line(given)[:100]!r} is no address of a server",
            hint="as in http://127.0.0.1:8765",
            code="invalid_url",
        )
    if parts.username is not None or parts.password is not None:
        raise InvalidInput(
            "the address of a server holds no password", hint="put its token in LODE_TOKEN", code="invalid_url"
        )
    host = f"[{host}]" if ":" in host else host
    location = host if port is None else f"{host}:{port}"
    origin = f"{parts.scheme}://{location}"
    return Address(origin + parts.path.rstrip("/"), location, origin)


def check_token(given: str) -> str:
    """The token; raises ``InvalidInput`` (``invalid_token``) where it has what no header can carry."""
    token = given.strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise InvalidInput(
            "a token has letters, digits and signs of ASCII only, and no space",
            hint="check LODE_TOKEN: it must be what the server was given",
            code="invalid_token",
        )
    return token
