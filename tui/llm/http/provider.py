"""Provider over HTTP, in whatever wire format: status, lists of models, streamed answers with one retry."""

from __future__ import annotations

import asyncio
import difflib
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from tui import bounds
from tui.errors import ProviderError
from tui.llm.http.answer_stream import EventBatch, stream_answer
from tui.llm.http.client import ProviderClient, Timeouts, body_of, timeouts_for
from tui.llm.http.errors import Endpoint, RefusedRequest, TransientError, status_error
from tui.llm.http.refusals import ABOUT_PARAMETER, RefusalMemory, Refusals
from tui.llm.http.structured_output import StructuredOutput
from tui.llm.protocol import ChatRequest, SoundPiece, StreamEvent, TextDelta, Waiting
from tui.llm.wires.wire_format import ApiCall, WireFormat, loads
from tui.records.answers import ProviderStatus
from tui.system.event_loop import in_daemon_thread
from tui.system.net import host_of, is_behind_proxy

if TYPE_CHECKING:
    from http.client import HTTPConnection


T = TypeVar("T")
_MAX_MODELS = bounds.MODEL_LIST.entries
_MAX_PAGES = bounds.MODEL_LIST.depth
_MAX_MODEL_LIST = bounds.MODEL_LIST.bytes_in
"""Maximum bytes of a page; the longest known list, with prices and descriptions, has a fifth of it."""
_MAX_SPEECH = bounds.SPEECH.bytes_in
"""Maximum bytes of a spoken sentence: twenty minutes of the finest MP3."""
_SUGGESTION_SECONDS = 2.0


class HttpProvider:
    """Provider over HTTP. ``parallel`` is whether it takes two requests at once; it gets ``connections`` at most.

    ``well_known`` names some of its models; () where nothing is known of them, as with a server of the user's own.
    """

    def __init__(
        self,
        wire: WireFormat,
        endpoint: Endpoint,
        base_url: str,
        *,
        parallel: bool,
        timeouts: Timeouts | None = None,
        connections: int = 16,
        well_known: tuple[str, ...] = (),
        refusals: RefusalMemory | None = None,
    ) -> None:
        self.name, self.label, self.local = endpoint.name, endpoint.label, endpoint.local
        self.parallel = parallel
        self.well_known = well_known
        self._wire = wire
        self._endpoint = endpoint
        self._key = endpoint.key
        self._timeouts = timeouts or timeouts_for(local=endpoint.local)
        base_url = base_url.rstrip("/")
        base_url = base_url.removesuffix(next(filter(base_url.endswith, wire.redundant_endings), ""))
        self._http = ProviderClient(base_url, endpoint, self._timeouts, wire, connections=connections)
        self._refusals = Refusals(refusals or RefusalMemory(), f"{endpoint.name} {endpoint.url}")
        self.structured = StructuredOutput(self._http, self._refusals).ask
        self._models: tuple[str, ...] | None = None
        self._listing = asyncio.Lock()
        self._listings = 0

    @property
    def has_key(self) -> bool:
        """Whether it has the key that it needs, as far as is known without asking for it."""
        return self._key.problem() is None

    async def status(self) -> ProviderStatus:
        lack = self._key.problem()
        if lack is None and self.local:
            lack = await self._silence()
        reason, code, hint = (lack.message, lack.code, lack.hint) if lack is not None else ("", "", "")
        return ProviderStatus(self.name, self.label, lack is None, reason, self.local, self.well_known, code, hint)

    async def _silence(self) -> ProviderError | None:
        """Probe a local server; gives why it cannot be used. One without a list of models is one all the same.

        A command that prints the key is not run for this, since it may ask its user.
        """
        try:
            url = self._http.url(self._wire.model_list(None).path)
            if is_behind_proxy(url):
                return None
            came = await probe(url, self._wire.headers(self._key.text), seconds=self._timeouts.status)
        except ProviderError as error:
            return error
        if isinstance(came, NoResponse):
            how = f" {came.why}" if came.why else ""
            what = f"does not answer at {self._endpoint.url}{how}"
            return self._endpoint.error(what, "start the server, or correct its address", "unreachable")
        if came.status in (0, 200) or (came.status in (401, 403) and self._key.is_pending):
            return None
        refusal = status_error(came.status, came.headers, came.body, self._endpoint, "")
        return None if refusal.code in ("no_model_list", "request_refused") else refusal

    async def models(self, *, refresh: bool = False) -> tuple[str, ...]:
        """List the models, see ``Provider.models``; those who ask while it is being asked for share the answer."""
        before = self._listings
        async with self._listing:
            if self._models is None or (refresh and self._listings == before):
                what, hint = "has given no list of models for", "ask again, or type the model's name"
                async with self._within(self._timeouts.models, what, hint):
                    self._models = await self._all_pages()
                self._listings += 1
            return self._models

    @asynccontextmanager
    async def _within(self, seconds: float, what: str, hint: str) -> AsyncIterator[None]:
        """Context of requests that have so many seconds in all; ``what`` says what they have not brought until then."""
        await self._key.get()  # which may be asked of the user, and has a deadline of its own
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            raise self._endpoint.error(f"{what} {seconds:g} s", hint, "timeout") from None

    async def _all_pages(self) -> tuple[str, ...]:
        found: set[str] = set()
        following: str | None = None
        for _ in range(_MAX_PAGES):
            body = await self._fetched(self._wire.model_list(following))
            try:
                page = self._wire.models(loads(body))
            except ValueError:
                hint = f"check that {self._endpoint.url} is the address of a chat API ({self._wire.address_hint})"
                raise self._endpoint.error("gives no list of models", hint, "provider_protocol") from None
            found.update(page.models)
            if page.following is None or page.following == following or len(found) >= _MAX_MODELS:
                break
            following = page.following
        return tuple(sorted(found)[:_MAX_MODELS])

    async def speech(self, model: str, voice: str, text: str) -> bytes:
        """Have a text spoken; gives what the server says is an MP3.

        Raises ``ProviderError``, with the code ``no_speech`` where the provider's protocol has no such request.
        """
        call = self._wire.speech(model, voice, text)
        if call is None:
            hint = 'name one with protocol = "openai" under [speech] in config.toml, or with = "espeak-ng"'
            what = "cannot be asked to speak: its protocol has no request for that"
            raise self._endpoint.error(what, hint, "no_speech")
        what, hint = "has not spoken a sentence within", "ask again, or try another model"
        async with self._within(self._timeouts.speech, what, hint):
            return await self._fetched(call, _MAX_SPEECH, model)

    async def transcribe(self, model: str, piece: SoundPiece) -> Any:
        """Have a piece of sound transcribed; gives the answer as ``transcribing.heard`` reads it.

        Raises ``ProviderError``, with the code ``no_transcription`` where the provider's protocol has no such request.
        """
        from tui.llm.http.transcription import Transcriber

        what, hint = "has not transcribed a piece of sound within", "try it again, or another model"
        async with self._within(self._timeouts.transcription, what, hint):
            return await Transcriber(self._wire, self._refusals, self._fetch_timed, local=self.local).ask(model, piece)

    async def _fetch_timed(self, call: ApiCall, most: int, model: str) -> bytes:
        async with self._key.forget_if_refused(), self._http.request(call, model=model, is_timed=True) as response:
            return await body_of(response, most)

    async def _fetched(self, call: ApiCall, most: int = _MAX_MODEL_LIST, model: str = "") -> bytes:
        for attempt in (0, 1):
            try:
                async with self._key.forget_if_refused(), self._http.request(call, model=model) as response:
                    return await body_of(response, most)
            except TransientError as error:
                if attempt:
                    raise
                await asyncio.sleep(error.pause)
        raise AssertionError("the second attempt returns or raises")

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """Stream an answer, see ``Provider.stream``; a failure before the first text may be retried once."""
        text = False
        for attempt in (0, 1):
            try:
                async with aclosing(self._streamed(request)) as batches:
                    async for batch in batches:
                        for event in batch:
                            if not text and isinstance(event, TextDelta):
                                text = True
                                await self._refusals.answered(request.model)
                            yield event
                return
            except TransientError as error:
                if attempt or text:
                    raise
                if error.pause >= 1:
                    yield Waiting(error.pause, error.message)
                await asyncio.sleep(error.pause)
            except ProviderError as error:
                if error.code == "model_not_found":
                    raise await self._with_suggestion(error, request.model) from None
                raise

    async def close(self) -> None:
        await self._http.close()

    async def _with_suggestion(self, error: ProviderError, model: str) -> ProviderError:
        """Add the models that were probably meant to an error, where the provider lists such in time."""
        try:
            async with asyncio.timeout(_SUGGESTION_SECONDS):
                known = await self.models()
        except (TimeoutError, ProviderError):
            return error
        near = difflib.get_close_matches(model, known, n=3, cutoff=0.5)
        near = near or [name for name in known if model.lower() in name.lower()][:3]
        if not near:
            return error
        meant = " or ".join(f"{self.name}:{name}" for name in near)
        return ProviderError(error.message, hint=f"did you mean {meant}? {error.hint}", code=error.code)

    async def _streamed(self, request: ChatRequest) -> AsyncGenerator[EventBatch, None]:
        while True:
            call, model = self._wire.chat(request, streamed=True), request.model
            call, fields = await self._refusals.add_allowed(call, self._wire.stream_fields, model)
            try:
                answer = stream_answer(self._http, call, model)
                async with self._key.forget_if_refused(), aclosing(answer) as batches:
                    async for batch in batches:
                        yield batch
                return
            except RefusedRequest as error:
                if not await self._refusals.drop(fields, model, error, ABOUT_PARAMETER):
                    raise


_MAX_BODY = 16 * 1024


@dataclass(frozen=True, slots=True)
class ProbeResponse:
    """Response to a probe; ``status`` is 0 where the server speaks TLS, which is not begun here: it connects."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class NoResponse:
    """Failed probe; ``why`` nothing came back is the end of a sentence about the server."""

    why: str


async def probe(url: str, headers: Mapping[str, str], *, seconds: float) -> ProbeResponse | NoResponse:
    """Probe ``url`` in a thread of its own; over TLS only connect. Never raises, and takes no longer than ``seconds``.

    Not by httpx, which takes a third of the second to be imported. And not in the threads that the event loop lends: a
    name that does not resolve may hold one for half a minute, and whoever ends the loop would wait for it.
    """
    opened: list[socket.socket] = []
    try:
        async with asyncio.timeout(seconds):
            return await in_daemon_thread(lambda: _asked(url, headers, seconds, opened), name="probe")
    except TimeoutError:
        return NoResponse("within a second")
    finally:
        for each in opened:  # a server that sends a byte now and then would keep the thread for ever
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def _asked(
    url: str, headers: Mapping[str, str], seconds: float, opened: list[socket.socket]
) -> ProbeResponse | NoResponse:
    """Send the probe; ``opened`` is given the connection."""
    from http.client import HTTPConnection, HTTPException

    parts = urlsplit(url)
    tls = parts.scheme == "https"
    try:
        port = parts.port or (443 if tls else 80)
        with closing(HTTPConnection(parts.hostname or "", port, timeout=seconds)) as connection:
            connection.connect()
            opened.append(connection.sock)
            return ProbeResponse() if tls else _answer(connection, url, headers)
    except socket.gaierror:
        return NoResponse(f"since the name {host_of(url)} does not resolve")
    except TimeoutError:
        return NoResponse("within a second")
    except OSError:
        return NoResponse("")
    except (HTTPException, ValueError):
        return NoResponse("in HTTP")


def _answer(connection: HTTPConnection, url: str, headers: Mapping[str, str]) -> ProbeResponse:
    parts = urlsplit(url)
    headers = {"Accept": "application/json", "Accept-Encoding": "identity", "Connection": "close", **headers}
    if parts.username and "Authorization" not in headers:
        from base64 import b64encode
        from urllib.parse import unquote

        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    connection.request("GET", parts.path + (f"?{parts.query}" if parts.query else ""), headers=headers)
    response = connection.getresponse()
    # A list of models may be long, and is not wanted; what an error says is.
    body = b"" if response.status == 200 else response.read(_MAX_BODY)
    return ProbeResponse(response.status, {name.lower(): value for name, value in response.getheaders()}, body)
