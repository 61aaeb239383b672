"""One server, asked over HTTP: what is read is asked for again when the connection breaks, what is written only with
a key by which the server knows that it has done it already.

Whether the server can be reached is known here and nowhere else: ``trouble`` says in a few words what keeps it from
answering, and who wants to know is told when that changes.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from urllib.parse import quote

from tui import wire
from tui.controls import one_line
from tui.errors import InvalidInput, LodeError, ProviderError, RemoteError, no_such
from tui.records import Page
from tui.remote.address import checked_token, is_this_machine, read_address
from tui.remote.answers import bad_answer, body_of, decoded, next_cursor, pieces_of, refusal, total_of
from tui.remote.sendable import Params, encoded, sendable, sendable_params
from tui.sse import ServerEvent, SseParser

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

Upload = Callable[[], AsyncGenerator[bytes, None]]

UNREACHABLE = RemoteError.code
_CONNECT_SECONDS = 5.0
_READ_SECONDS = 30.0
_OTHERS_SECONDS = 330.0
"""As long as the most patient of ``tui.llm``'s timeouts, and a moment for the server to say so."""
_FILE_SECONDS = 900.0
"""How long a server may take to make a file of a large library, of which nothing can be sent before it is whole."""
_SILENT_SECONDS = 45.0
"""A stream that is silent for longer has lost its server: it gives a sign of life every 15 seconds at least."""
_PAUSES = (0.2, 0.8)
"""Seconds before the second and the third try."""
_TRIED_SECONDS = 100.0
"""After that long nothing is tried again."""
_LOOK_SECONDS = 2.0
"""How often a server that does not answer is looked for."""
_MOST_ROWS = 1000
"""Of a list that a server gives at once."""
_LONGEST_PAGE = 100_000
_LONGEST_ID = 100
"""Anything longer stands for nothing; the server takes no more."""
_PIECE = 256 * 1024


class _Write(NamedTuple):
    """What tells one write from another."""

    method: str
    path: str
    content: bytes | None


class Client:
    """``url`` is where the server is, ``token`` its token ("" for none), which goes to that server and nowhere else.

    Raises ``InvalidInput`` for what is no address and no token. Every request may raise ``RemoteError`` and what the
    server's service raises. Nothing is connected, nor httpx imported, before the first request.
    """

    def __init__(self, url: str, profile: str, token: str = "") -> None:
        self.url, self.location = (address := read_address(url)).url, address.location
        self.profile = profile
        self.trouble = ""
        self._headers = {wire.PROFILE_HEADER: profile, wire.BEGINNINGS_HEADER: "1", "Accept-Encoding": "identity"}
        if token := checked_token(token):
            self._headers["Authorization"] = f"Bearer {token}"
        self._tell: list[Callable[[], None]] = []
        self._opened: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._closed = False
        self._unsure: dict[_Write, tuple[str, float]] = {}
        """Writes of which it is not known whether they were done: their key, and since when."""

    def on_trouble(self, tell: Callable[[], None]) -> None:
        """Have ``tell`` called whenever ``trouble`` has changed."""
        self._tell.append(tell)

    def segment(self, table: str, given: str) -> str:
        """An id as a part of a path. Raises ``NotFound``, as the server would, for what no path can hold.

        ``table`` is the plural of what the id names.
        """
        try:
            part = quote(given[:_LONGEST_ID], safe="").replace(".", "%2E")  # dots alone would lead elsewhere
        except UnicodeEncodeError:
            part = ""
        if not part or "/" in given:
            raise no_such(table, given, self.profile)
        return part

    def ids(self, given: Sequence[str]) -> dict[str, list[str]]:
        """Ids as a body."""
        return {"ids": [sendable(each)[:_LONGEST_ID] for each in given]}

    # What is asked

    async def get(self, kind: type[T], path: str, params: Params | None = None) -> T:
        """A record, or whatever of that type is at the path."""
        return decoded(kind, (await self._asked("GET", path, params))[1])

    async def get_from_afar(self, kind: type[T], path: str, params: Params) -> T:
        """As ``get``, where the server asks others in its turn: it has as long as they may take, which is minutes."""
        return decoded(kind, (await self._asked("GET", path, params, silent=_OTHERS_SECONDS))[1])

    async def page(
        self,
        kind: type[T],
        path: str,
        *,
        offset: int = 0,
        limit: int = 100,
        q: str = "",
        after: str | None = None,
    ) -> Page[T]:
        """As many rows as the service gives at once, whatever the server does."""
        wanted = min(max(0, limit), _LONGEST_PAGE)
        asked = {"q": q} if q else {}
        first = {"after": after[:_LONGEST_ID]} if after is not None else {"offset": str(min(max(0, offset), 10**12))}
        page = await self._page(kind, path, {**asked, **first}, wanted)
        items, total = page.items[:wanted], page.total
        while page.next is not None and len(items) < wanted:
            page = await self._page(kind, path, {**asked, "after": page.next}, wanted - len(items))
            if not page.items:
                break
            items += page.items
        return Page(items, total, max(0, offset) if after is None else 0, page.next if wanted else None)

    async def _page(self, kind: type[T], path: str, params: Params, limit: int) -> Page[T]:
        response, body = await self._asked("GET", path, {**params, "limit": str(min(max(1, limit), _MOST_ROWS))})
        items = decoded(cast("type[tuple[T, ...]]", tuple[kind, ...]), body)  # type: ignore[valid-type]
        return Page(items, total_of(response, len(items)), 0, next_cursor(response))

    async def write(self, kind: type[T], method: str, path: str, body: Any = None) -> T:
        """Have something done once, and give the answer: asked again after a broken connection, with the same key.

        That also holds for a caller who tries the same again, since it may have been done when the connection broke.
        """
        asked = _Write(method, path, encoded(body))
        begun = time.monotonic()
        key, _ = self._unsure.pop(asked, (uuid.uuid4().hex, 0.0))
        try:
            _, answer = await self._asked(method, path, None, asked.content, key=key)
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
        return decoded(kind, answer)

    async def send(self, kind: type[T], path: str, params: Params, content: Upload) -> T:
        """Upload; ``content`` gives the bytes anew for every try."""
        return decoded(kind, (await self._asked("POST", path, params, content, key=uuid.uuid4().hex))[1])

    async def read(self, kind: type[T], path: str, body: Any) -> T:
        """A question that is too long for an address: nothing is changed by it, so it can be asked again."""
        return decoded(kind, (await self._asked("POST", path, None, encoded(body)))[1])

    async def events(
        self, method: str, path: str, params: Params | None = None, body: Any = None
    ) -> AsyncGenerator[ServerEvent, None]:
        """An event stream, which is never asked for again here: what had come of it has been shown."""
        content = encoded(body)
        parser = SseParser()
        async with (
            self._response(method, path, params, content, silent=_SILENT_SECONDS) as response,
            aclosing(pieces_of(response)) as pieces,
        ):
            async for piece in pieces:
                for each in _fed(parser, piece):
                    yield each
            for each in parser.finish():
                yield each

    @asynccontextmanager
    async def download(self, path: str, params: Params | None = None) -> AsyncIterator[AsyncIterator[bytes]]:
        """The pieces of a file."""
        async with (
            self._response("GET", path, params, None, silent=_FILE_SECONDS) as response,
            aclosing(pieces_of(response, _PIECE)) as pieces,
        ):
            yield pieces

    async def tried(self, work: Callable[[], Awaitable[T]]) -> T:
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

    # How it is asked

    async def _asked(
        self,
        method: str,
        path: str,
        params: Params | None = None,
        content: bytes | Upload | None = None,
        *,
        key: str = "",
        silent: float | None = None,
    ) -> tuple[httpx.Response, bytes]:
        """The whole answer."""

        async def once() -> tuple[httpx.Response, bytes]:
            async with self._response(method, path, params, content, key=key, silent=silent) as response:
                return response, await body_of(response)

        return await self.tried(once)

    @asynccontextmanager
    async def _response(
        self,
        method: str,
        path: str,
        params: Params | None,
        content: bytes | Upload | None,
        *,
        key: str = "",
        silent: float | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """An answer with a status below 300. Raises ``RemoteError`` in place of anything of httpx, also while it is
        read inside the block, and the error that the server answers with.
        """
        client = await self._client()
        import httpx

        headers = dict(self._headers)
        if content is not None:
            headers["Content-Type"] = "application/json" if isinstance(content, bytes) else "application/octet-stream"
        if key:
            headers[wire.IDEMPOTENCY_HEADER] = key
        timeout = httpx.Timeout(silent or _READ_SECONDS, connect=_CONNECT_SECONDS, pool=None)
        sent = content() if callable(content) else content
        try:
            with self._translated(httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
                request = client.build_request(
                    method,
                    self.url + path,
                    params=sendable_params(params),
                    content=sent,
                    headers=headers,
                    timeout=timeout,
                )
                response = await client.send(request, stream=True)
        finally:
            if not isinstance(sent, bytes | None):
                await sent.aclose()
        try:
            with self._translated(httpx.HTTPError, httpx.StreamError):
                self._check(response)
                if response.status_code >= 300:
                    raise await refusal(response, self.location)
                yield response
        finally:
            await response.aclose()

    @contextmanager
    def _translated(self, *kinds: type[Exception]) -> Iterator[None]:
        try:
            yield
        except kinds as error:
            self._note(f"no answer from {self.location}")
            raise RemoteError(
                f"the server at {self.location} does not answer ({_cause(error)})",
                hint="check that it runs (lode serve) and that this machine can reach it",
            ) from None

    def _check(self, response: httpx.Response) -> None:
        """Raises ``RemoteError`` unless it is a Lode server that answers, of a version that this one understands."""
        given = response.headers.get(wire.INTERFACE_HEADER, "")
        if given == str(wire.INTERFACE):
            self._note("")
            return
        if given:
            version = one_line(response.headers.get(wire.VERSION_HEADER, "?"))[:40]
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
        for tell in tuple(self._tell):
            tell()
        if trouble and not self._closed and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look(), name="lode-look-for-server")

    async def _look(self) -> None:
        """Until the server answers again."""
        while self.trouble and not self._closed:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                async with self._response("GET", "/health", None, None) as response:
                    await body_of(response)
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


def _fed(parser: SseParser, piece: bytes) -> list[ServerEvent]:
    try:
        return parser.feed(piece)
    except ProviderError as error:  # an event without end
        raise bad_answer(error.message) from None


def _cause(error: Exception) -> str:
    words = {
        "ConnectError": "no connection",
        "ConnectTimeout": "no connection",
        "ReadTimeout": "too slow",
        "WriteTimeout": "too slow",
        "ProxyError": "the proxy lets nothing through",
        "InvalidURL": "no such address",
        "UnicodeError": "no such address",
        "UnsupportedProtocol": "the settings of the proxy cannot be used",
    }
    return words.get(type(error).__name__, "the connection broke")
