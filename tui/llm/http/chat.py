"""A provider over HTTP, whatever it speaks: one more try, the ladder of structured output, lists of models."""

from __future__ import annotations

import asyncio
import difflib
import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from tui.errors import ProviderError
from tui.llm.http.client import HttpPeer, Timeouts, body_of, patience
from tui.llm.http.errors import Peer, RefusedRequest, TransientError, loads, refused
from tui.llm.http.exchange import Batch, Exchange
from tui.llm.http.probe import Silent, probe
from tui.llm.protocol import (
    ChatRequest,
    Preparing,
    StreamEnd,
    StreamEvent,
    StructuredAnswer,
    TextDelta,
    Waiting,
    silently,
)
from tui.llm.structured import SchemaMismatch, conform, first_object, strict_schema
from tui.llm.wires.wire_format import Call, Extra, Rung, Wire, merged
from tui.net import is_behind_proxy
from tui.records import ProviderStatus

if TYPE_CHECKING:
    from tui.llm.http.api_key import ApiKey

T = TypeVar("T")

_ABOUT_FORMAT = re.compile(
    r"response_?format|response_?(?:json_?)?schema|response_?mime|output_config|json|schema|structured|grammar"
    r"|\bstrict\b|\bformat\b",
    re.IGNORECASE,
)
_ABOUT_PARAMETER = re.compile(
    r"(?:unknown|unsupported|unrecogni[sz]ed|unexpected|invalid|extra|additional|not (?:supported|permitted|allowed))"
    r".{0,60}(?:field|parameter|argument|input|propert|key|name)"
    r"|(?:field|parameter|argument|input|propert).{0,60}(?:unknown|unsupported|not (?:supported|permitted|allowed))",
    re.IGNORECASE | re.DOTALL,
)
_MAX_MODELS = 5000
_MAX_PAGES = 20
_MAX_MODEL_LIST = 4 * 1024 * 1024
"""Bytes of a page; the longest known list, with prices and descriptions, has a fifth of it."""
_SUGGESTION_SECONDS = 2.0


class HttpChat:
    """One provider. ``parallel`` is whether it takes two requests at once; it gets ``connections`` at most.

    ``well_known`` names some of its models; () where nothing is known of them, as with a server of the user's own.
    """

    def __init__(
        self,
        wire: Wire,
        peer: Peer,
        base_url: str,
        key: ApiKey,
        *,
        parallel: bool,
        timeouts: Timeouts | None = None,
        connections: int = 16,
        well_known: tuple[str, ...] = (),
    ) -> None:
        self.well_known = well_known
        self._wire = wire
        self._peer = peer
        self._key = key
        self._parallel = parallel
        self._timeouts = timeouts or patience(local=peer.local)
        address = _without(wire.needless_endings, base_url)
        self._http = HttpPeer(address, peer, self._timeouts, self._headers, connections=connections)
        self._exchange = Exchange(wire, peer, self._http, self._timeouts)
        self._rungs: dict[str, int] = {}
        self._refused_extras: set[tuple[str, str]] = set()
        self._models: tuple[str, ...] | None = None
        self._listing = asyncio.Lock()
        self._listings = 0

    @property
    def name(self) -> str:
        return self._peer.name

    @property
    def label(self) -> str:
        return self._peer.label

    @property
    def local(self) -> bool:
        return self._peer.local

    @property
    def parallel(self) -> bool:
        return self._parallel

    async def status(self) -> ProviderStatus:
        lack = self._key.lack()
        if lack is None and self._peer.local:
            lack = await self._silence()
        if lack is None:
            return ProviderStatus(self.name, self.label, True, "", self.local, self.well_known)
        return ProviderStatus(
            self.name, self.label, False, lack.message, self.local, self.well_known, lack.code, lack.hint
        )

    async def _silence(self) -> ProviderError | None:
        """Why a local server cannot be used; a server without a list of models is one all the same.

        A command that prints the key is not run for this, since it may ask its user.
        """
        try:
            url = self._http.url(self._wire.model_list(None).path)
            if is_behind_proxy(url):
                return None
            came = await probe(url, self._wire.headers(self._key.known), seconds=self._timeouts.status)
        except ProviderError as error:
            return error
        if isinstance(came, Silent):
            how = f" {came.why}" if came.why else ""
            return ProviderError(
                f"{self.label} does not answer at {self._peer.url}{how}",
                hint="start the server, or correct its address",
                code="unreachable",
            )
        if came.status in (0, 200) or (came.status in (401, 403) and self._key.is_to_come):
            return None
        refusal = refused(came.status, came.headers, came.body, self._peer, "")
        return None if refusal.code in ("model_not_found", "request_refused") else refusal

    async def models(self, *, refresh: bool = False) -> tuple[str, ...]:
        """As ``Provider.models``; those who ask while it is being asked for share the answer."""
        before = self._listings
        async with self._listing:
            if self._models is None or (refresh and self._listings == before):
                self._models = await self._listed()
                self._listings += 1
            return self._models

    async def _listed(self) -> tuple[str, ...]:
        await self._key.get()  # which may be asked of the user, and has a deadline of its own
        try:
            async with asyncio.timeout(self._timeouts.models):
                return await self._all_pages()
        except TimeoutError:
            raise ProviderError(
                f"{self.label} has given no list of models for {self._timeouts.models:g} s",
                hint="ask again, or type the model's name",
                code="timeout",
            ) from None

    async def _all_pages(self) -> tuple[str, ...]:
        found: set[str] = set()
        following: str | None = None
        for _ in range(_MAX_PAGES):
            body = await self._fetched(self._wire.model_list(following))
            try:
                page = self._wire.models(loads(body))
            except ValueError:
                raise ProviderError(
                    f"{self.label} gives no list of models",
                    hint=f"check that {self._peer.url} is the address of a chat API ({self._wire.address_hint})",
                    code="provider_protocol",
                ) from None
            found.update(page.models)
            if page.following is None or page.following == following or len(found) >= _MAX_MODELS:
                break
            following = page.following
        return tuple(sorted(found)[:_MAX_MODELS])

    async def _fetched(self, call: Call) -> bytes:
        for attempt in (0, 1):
            try:
                async with self._key.on_trial(), self._http.request(call) as response:
                    return await body_of(response, _MAX_MODEL_LIST)
            except TransientError as error:
                if attempt:
                    raise
                await asyncio.sleep(error.pause)
        raise AssertionError("the second attempt returns or raises")

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """As ``Provider.stream``; a failure before the first text is tried once more where that may help."""
        text = False
        for attempt in (0, 1):
            try:
                async with aclosing(self._streamed(request)) as batches:
                    async for batch in batches:
                        for event in batch:
                            text = text or isinstance(event, TextDelta)
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

    async def structured(
        self,
        request: ChatRequest,
        form: type[T],
        *,
        tell: Callable[[Waiting | Preparing], None] = silently,
    ) -> StructuredAnswer[T]:
        """As ``Provider.structured``, by the strictest means that the model is known to understand.

        The ladder of the wire is stepped down only when the server refuses the format or the answer is blank or
        invalid, and the rung that held is remembered per model.
        """
        rungs = self._wire.rungs(strict_schema(form))
        problem: Exception | None = None
        for number in range(self._rungs.get(request.model, 0), len(rungs)):
            try:
                is_last = number == len(rungs) - 1
                answer = await self._on_rung(request, form, rungs[number], is_last=is_last, tell=tell)
            except _FormatRefused as error:
                problem = error.refusal
                continue
            except SchemaMismatch as error:
                problem = error
                continue
            self._rungs[request.model] = number
            return answer
        if isinstance(problem, ProviderError):
            raise problem
        raise ProviderError(
            f"{self.label} gave no structured answer: {problem}",
            hint="try a model that can answer in JSON",
            code="invalid_structured",
        )

    async def close(self) -> None:
        await self._http.close()

    async def _with_suggestion(self, error: ProviderError, model: str) -> ProviderError:
        """The error with the models that were probably meant, where the provider lists such in time."""
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

    async def _headers(self) -> dict[str, str]:
        return self._wire.headers(await self._key.get())

    # Streams

    async def _streamed(self, request: ChatRequest) -> AsyncGenerator[Batch, None]:
        while True:
            call, extras = self._with_extras(
                self._wire.chat(request, streamed=True), self._wire.stream_extras, request.model
            )
            try:
                async with self._key.on_trial(), aclosing(self._exchange.patient(call, request.model)) as batches:
                    async for batch in batches:
                        yield batch
                return
            except RefusedRequest as error:
                if not self._drop(extras, request.model, error, _ABOUT_PARAMETER):
                    raise

    # Structured answers

    async def _on_rung(
        self,
        request: ChatRequest,
        form: type[T],
        rung: Rung,
        *,
        is_last: bool,
        tell: Callable[[Waiting | Preparing], None],
    ) -> StructuredAnswer[T]:
        if rung.in_words:
            request = replace(request, system=request.system + _in_words(strict_schema(form)))
        asked = self._wire.chat(request, streamed=False)
        asked = replace(asked, body=merged(asked.body or {}, rung.fields))
        while True:
            call, extras = self._with_extras(asked, self._wire.form_extras, request.model)
            try:
                return await self._whole(call, request.model, form, tell)
            except RefusedRequest as error:
                if self._drop(extras, request.model, error):
                    continue
                if not is_last and _is_about(error, _ABOUT_FORMAT, _ABOUT_PARAMETER):
                    raise _FormatRefused(error) from None
                raise
            except ProviderError as error:
                if error.code == "empty_answer":
                    raise _FormatRefused(error) from None
                raise

    async def _whole(
        self, call: Call, model: str, form: type[T], tell: Callable[[Waiting | Preparing], None]
    ) -> StructuredAnswer[T]:
        """One answer that is not streamed; one more try where that may help."""
        texts: list[str] = []
        end: StreamEnd | None = None
        for attempt in (0, 1):
            try:
                answer = self._exchange.patient(call, model, streamed=False)
                async with self._key.on_trial(), aclosing(answer) as batches:
                    async for batch in batches:
                        for event in batch:
                            if isinstance(event, TextDelta):
                                texts.append(event.text)
                            elif isinstance(event, StreamEnd):
                                end = event
                            elif isinstance(event, Preparing):
                                tell(event)
                break
            except TransientError as error:
                if attempt or texts:
                    raise
                if error.pause >= 1:
                    tell(Waiting(error.pause, error.message))
                await asyncio.sleep(error.pause)
        if end is None or end.finish == "length":
            raise ProviderError(
                f"{self.label} ran into its length limit in the middle of a structured answer",
                hint="try a model that thinks less",
                code="answer_cut",
            )
        value = conform(first_object("".join(texts)), form)
        return StructuredAnswer(value, end.input_tokens, end.output_tokens)

    # What not every server takes

    def _with_extras(self, call: Call, extras: tuple[Extra, ...], model: str) -> tuple[Call, tuple[Extra, ...]]:
        """The call with the extras that have not been refused yet, and these."""
        taken = tuple(each for extra in extras if (each := self._not_refused(extra, model)) is not None)
        body: Mapping[str, Any] = call.body or {}
        for extra in taken:
            body = merged(body, extra.fields)
        return replace(call, body=body), taken

    def _not_refused(self, extra: Extra | None, model: str) -> Extra | None:
        while extra is not None and (extra.name, model) in self._refused_extras:
            extra = extra.instead
        return extra

    def _drop(self, extras: tuple[Extra, ...], model: str, error: RefusedRequest, *general: re.Pattern[str]) -> bool:
        """Remember the extras that the refusal is about; whether there are any."""
        meant = [extra for extra in extras if _is_about(error, extra.about, *general)]
        self._refused_extras.update((extra.name, model) for extra in meant)
        return bool(meant)


class _FormatRefused(Exception):
    def __init__(self, refusal: ProviderError) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def _without(endings: tuple[str, ...], url: str) -> str:
    url = url.rstrip("/")
    return next((url.removesuffix(ending) for ending in endings if url.endswith(ending)), url)


def _in_words(schema: Mapping[str, Any]) -> str:
    # "json" in small letters: DeepSeek refuses its JSON mode without that word.
    return (
        "\n\nAnswer in json: one JSON object and nothing else, no code fence, no words around it. "
        f"It must conform to this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )


def _is_about(error: RefusedRequest, *topics: re.Pattern[str]) -> bool:
    return any(topic.search(error.about) for topic in topics)
