"""The OpenAI chat protocol, which most providers and nearly all local servers speak.

``POST {base}/chat/completions`` and ``GET {base}/models``. No sampling parameters and no caps are sent: newer models
refuse the first and count their thinking against the second.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from tui.controls import one_line
from tui.errors import ProviderError
from tui.llm.chat_stream import ChatDecoder
from tui.llm.http_errors import RefusedRequest, TransientError, loads
from tui.llm.http_stream import CLOUD, LOCAL, HttpPeer, Timeouts, body_of, chunks_of
from tui.llm.protocol import ChatRequest, StreamEnd, StreamEvent, StructuredAnswer, TextDelta
from tui.llm.structured import SchemaMismatch, conform, first_object
from tui.llm.thinking import whole_characters
from tui.records import ProviderStatus

if TYPE_CHECKING:
    import httpx

    from tui.llm.http_errors import Peer

_ABOUT_USAGE = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_ABOUT_EFFORT = re.compile(r"reasoning[ _.]?effort|\breasoning\b", re.IGNORECASE)
_ABOUT_FORMAT = re.compile(r"response_format|json|schema|structured|grammar|\bstrict\b|\bformat\b", re.IGNORECASE)
_ABOUT_PARAMETER = re.compile(
    r"(?:unknown|unsupported|unrecogni[sz]ed|unexpected|invalid|extra|additional|not (?:supported|permitted|allowed))"
    r".{0,60}(?:field|parameter|argument|input|propert|key)"
    r"|(?:field|parameter|argument|input|propert).{0,60}(?:unknown|unsupported|not (?:supported|permitted|allowed))",
    re.IGNORECASE | re.DOTALL,
)
_NO_CHAT = re.compile(
    r"embed|whisper|tts|dall-?e|moderation|image|realtime|transcri|sora|davinci|babbage|-instruct-\d{4}|^gpt-3\.5-turbo-instruct"
    r"|rerank|audio|speech|stable-diffusion|flux|\bocr\b|\bbge-|\bcodex\b.*edit|guard",
    re.IGNORECASE,
)
"""Ids of models that answer no chat; the list of models says no more than the id."""
_MAX_MODELS = 5000
_MAX_MODEL_LIST = 16 * 1024 * 1024
_RUNGS = ("strict schema", "schema", "json object", "prompt")


class OpenAiChat:
    """One provider. ``missing_key`` is raised by everything that would need the key.

    ``effort`` is sent as ``reasoning_effort`` with structured requests, where a provider knows it: a focus word needs
    no long thought and has four seconds.
    """

    def __init__(
        self,
        peer: Peer,
        base_url: str,
        *,
        missing_key: ProviderError | None = None,
        effort: str = "",
        timeouts: Timeouts | None = None,
    ) -> None:
        self._peer = peer
        self._missing_key = missing_key
        self._timeouts = timeouts or (LOCAL if peer.local else CLOUD)
        self._http = HttpPeer(base_url, peer, self._timeouts)
        self._effort = effort
        self._asks_usage = True
        self._rungs: dict[str, int] = {}
        self._no_effort: set[str] = set()

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
        return not self._peer.local

    async def status(self) -> ProviderStatus:
        reason = ""
        if self._missing_key is not None:
            reason = f"{self._peer.key_env} is not set"
        elif self._peer.local:
            reason = await self._silence()
        return ProviderStatus(self.name, self.label, not reason, reason, self.local)

    async def _silence(self) -> str:
        """Why a local server cannot be used, "" when it can; a server without a list of models is one all the same."""
        try:
            await self._http.ready()  # importing httpx is not the server's second
            async with asyncio.timeout(self._timeouts.status), self._http.request("GET", "/models"):
                return ""
        except TimeoutError:
            return f"nothing answers at {self._peer.url} within a second"
        except ProviderError as error:
            return "" if error.code in ("model_not_found", "request_refused") else error.message

    async def models(self) -> tuple[str, ...]:
        self._require_key()
        body = b""
        for attempt in (0, 1):
            try:
                async with self._http.request("GET", "/models") as response:
                    body = await body_of(response, _MAX_MODEL_LIST)
                break
            except TransientError as error:
                if attempt:
                    raise
                await asyncio.sleep(error.pause)
        try:
            listed = loads(body)
        except ValueError:
            listed = None
        rows = listed.get("data", listed.get("models")) if isinstance(listed, dict) else listed
        if not isinstance(rows, list):
            raise ProviderError(
                f"{self.label} gives no list of models",
                hint=f"check that {self._peer.url} is the address of a chat API (it often ends in /v1)",
                code="provider_protocol",
            )
        return tuple(sorted({name for row in rows[:_MAX_MODELS] if (name := _chat_model(row))}))

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """As ``Provider.stream``; a failure before the first text is tried once more where that may help."""
        self._require_key()
        text = False
        for attempt in (0, 1):
            try:
                async with aclosing(self._streamed(request)) as events:
                    async for event in events:
                        text = text or isinstance(event, TextDelta)
                        yield event
                return
            except TransientError as error:
                if attempt or text:
                    raise
                await asyncio.sleep(error.pause)

    async def structured(self, request: ChatRequest, schema: Mapping[str, Any]) -> StructuredAnswer:
        """As ``Provider.structured``, by the strictest means that the model is known to understand.

        The ladder is strict schema, schema, JSON object, prompt; it is stepped down only when the server refuses the
        format or the answer is blank or invalid, and the rung that held is remembered per model.
        """
        self._require_key()
        problem: Exception | None = None
        for rung in range(self._rungs.get(request.model, 0), len(_RUNGS)):
            try:
                answer = await self._on_rung(request, schema, rung)
            except _FormatRefused as error:
                problem = error.refusal
                continue
            except SchemaMismatch as error:
                problem = error
                continue
            self._rungs[request.model] = rung
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

    def _require_key(self) -> None:
        if (missing := self._missing_key) is not None:
            raise ProviderError(missing.message, hint=missing.hint, code=missing.code)

    async def _streamed(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        body: dict[str, Any] = {"model": request.model, "messages": _messages(request), "stream": True}
        if self._asks_usage:
            try:
                async with aclosing(self._once({**body, "stream_options": {"include_usage": True}})) as events:
                    async for event in events:
                        yield event
                return
            except ProviderError as error:
                if not _is_refusal_about(error, _ABOUT_USAGE, _ABOUT_PARAMETER):
                    raise
            self._asks_usage = False
        async with aclosing(self._once(body)) as events:
            async for event in events:
                yield event

    async def _once(self, body: Mapping[str, Any]) -> AsyncGenerator[StreamEvent, None]:
        """One request, decoded; deadlines run only while we wait for the server, not while the reader is slow."""
        decoder = ChatDecoder(self._peer)
        seconds = self._timeouts
        now = asyncio.get_running_loop().time
        left = seconds.first_text
        async with self._opened(body, left) as (response, waited):
            left -= waited
            async with aclosing(chunks_of(response)) as chunks:
                while not decoder.done:
                    progress, finishing, since = decoder.progress, decoder.finishing, now()
                    try:
                        async with asyncio.timeout(left):
                            chunk = await anext(chunks, None)
                    except TimeoutError:
                        if finishing:
                            break
                        raise self._silent() from None
                    if chunk is None:
                        break
                    left -= now() - since
                    for event in decoder.feed(chunk):
                        yield event
                    if decoder.finishing:
                        left = seconds.after_finish if not finishing else left
                    elif decoder.progress != progress:
                        left = seconds.between_texts
            for event in decoder.finish():
                yield event

    def _opened(self, body: Mapping[str, Any], limit: float) -> _Opened:
        return _Opened(self._http, body, limit, self._silent())

    def _silent(self) -> ProviderError:
        return ProviderError(f"{self.label} went silent", hint="ask again, or try another model", code="timeout")

    async def _on_rung(self, request: ChatRequest, schema: Mapping[str, Any], rung: int) -> StructuredAnswer:
        body: dict[str, Any] = {"model": request.model, "messages": _messages(request, schema if rung > 1 else None)}
        if rung < 2:
            named: dict[str, Any] = {"name": "answer", "schema": schema}
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {**named, "strict": True} if rung == 0 else named,
            }
        elif rung == 2:
            body["response_format"] = {"type": "json_object"}
        if self._effort and request.model not in self._no_effort:
            try:
                return await self._whole({**body, "reasoning_effort": self._effort}, schema)
            except ProviderError as error:
                if not _is_refusal_about(error, _ABOUT_EFFORT):
                    raise self._about_format(error, rung) from None
            self._no_effort.add(request.model)
        try:
            return await self._whole(body, schema)
        except ProviderError as error:
            raise self._about_format(error, rung) from None

    @staticmethod
    def _about_format(error: ProviderError, rung: int) -> Exception:
        """The error, marked when it means that the rung and not the request was refused."""
        blank = error.code == "empty_answer"
        refused = rung < len(_RUNGS) - 1 and _is_refusal_about(error, _ABOUT_FORMAT, _ABOUT_PARAMETER)
        return _FormatRefused(error) if blank or refused else error

    async def _whole(self, body: Mapping[str, Any], schema: Mapping[str, Any]) -> StructuredAnswer:
        """One answer that is not streamed; one more try where that may help."""
        texts: list[str] = []
        end: StreamEnd | None = None
        for attempt in (0, 1):
            try:
                async with aclosing(self._once(body)) as events:
                    async for event in events:
                        if isinstance(event, TextDelta):
                            texts.append(event.text)
                        elif isinstance(event, StreamEnd):
                            end = event
                break
            except TransientError as error:
                if attempt or texts:
                    raise
                await asyncio.sleep(error.pause)
        if end is None or end.finish == "length":
            raise ProviderError(
                f"{self.label} ran into its length limit in the middle of a structured answer",
                hint="try a model that thinks less",
                code="answer_cut",
            )
        value = conform(first_object("".join(texts)), schema)
        return StructuredAnswer(value, end.input_tokens, end.output_tokens)


class _FormatRefused(Exception):
    def __init__(self, refusal: ProviderError) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class _Opened:
    """A request's block with a deadline on its headers; gives the response and the seconds that they took."""

    def __init__(self, http: HttpPeer, body: Mapping[str, Any], limit: float, silent: ProviderError) -> None:
        self._request = http.request("POST", "/chat/completions", body, model=str(body.get("model", "")))
        self._limit = limit
        self._silent = silent

    async def __aenter__(self) -> tuple[httpx.Response, float]:
        now = asyncio.get_running_loop().time
        since = now()
        try:
            async with asyncio.timeout(self._limit):
                response = await self._request.__aenter__()
        except TimeoutError:
            raise self._silent from None
        return response, now() - since

    async def __aexit__(self, *exception: Any) -> bool | None:
        return await self._request.__aexit__(*exception)


def _messages(request: ChatRequest, schema: Mapping[str, Any] | None = None) -> list[dict[str, str]]:
    system = request.system
    if schema is not None:
        # "json" in small letters: DeepSeek refuses its JSON mode without that word.
        system += (
            "\n\nAnswer in json: one JSON object and nothing else, no code fence, no words around it. "
            f"It must conform to this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
        )
    messages = [{"role": "system", "content": whole_characters(system)}] if system.strip() else []
    return [*messages, {"role": "user", "content": whole_characters(request.prompt)}]


def _is_refusal_about(error: ProviderError, *topics: re.Pattern[str]) -> bool:
    return isinstance(error, RefusedRequest) and any(topic.search(error.about) for topic in topics)


def _chat_model(row: Any) -> str:
    """The id of a model that chats, "" for every other."""
    if isinstance(row, str):
        row = {"id": row}
    if not isinstance(row, dict):
        return ""
    name = row.get("id") or row.get("name")
    if not isinstance(name, str) or len(name) > 200 or name != one_line(name) or _NO_CHAT.search(name):
        return ""
    capabilities = row.get("capabilities")
    if isinstance(capabilities, dict) and capabilities.get("completion_chat") is False:
        return ""
    if row.get("type") in ("embedding", "image", "moderation", "rerank", "audio", "video", "transcribe"):
        return ""
    return name
