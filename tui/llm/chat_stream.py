"""The bytes of an OpenAI chat answer, streamed or whole, as stream events; no network in here.

Servers that call themselves compatible differ: text may be null, absent or a list of parts; usage comes in a chunk
without choices; errors come in the middle, as objects or texts; a stream was asked for and one JSON object or a web
page came. What the bytes are is decided by the first of them, since content types are wrong too often.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from tui.errors import ProviderError
from tui.llm.http_errors import Peer, TransientError, error_text, for_message, loads, said_by
from tui.llm.protocol import StreamEnd, StreamEvent, TextDelta, Thinking
from tui.llm.sse import ServerEvent, SseParser
from tui.llm.thinking import SurrogateJoiner, ThinkFilter

_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_MAX_BODY = 8 * 1024 * 1024
_MAX_HEAD = 4096
_LENGTH = ("length", "max_tokens", "model_length")
_NO_ANSWER = {
    "content_filter": ("content_filtered", "withheld the answer (content filter)", "ask about another sentence"),
    "error": ("provider_failed", "broke off with an error", "ask again"),
    "tool_calls": ("provider_protocol", "wanted to call a tool instead of answering", "try another model"),
    "function_call": ("provider_protocol", "wanted to call a tool instead of answering", "try another model"),
}
"""finish_reason → code, what happened, next step."""


class ChatDecoder:
    """Feed it the body; both methods yield events and raise ``ProviderError`` where the answer ends badly.

    The result does not depend on how the bytes are cut. ``progress`` grows with every piece of text or thought, not
    with keep-alives; ``finishing`` tells that only usage may still come, ``done`` that nothing will.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._sse = SseParser()
        self._head = bytearray()
        self._form: Literal["unknown", "stream", "object", "page"] = "unknown"
        self._body = bytearray()
        self._think = ThinkFilter()
        self._joiner = SurrogateJoiner()
        self._thinking = False
        self._refusal = ""
        self._reason = ""
        self._input_tokens: int | None = None
        self._output_tokens: int | None = None
        self._chunks = 0
        self.any_text = False
        self.progress = 0
        self.done = False

    @property
    def finishing(self) -> bool:
        return bool(self._reason) and self._form == "stream"

    def feed(self, chunk: bytes) -> Iterator[StreamEvent]:
        if len(self._head) < _MAX_HEAD:
            self._head += chunk[: _MAX_HEAD - len(self._head)]
        if self._form == "unknown":
            self._body += chunk
            self._form = _form(self._body)
            if self._form == "unknown":
                if len(self._body) >= len(_BOM):
                    self._body.clear()  # white space only: some servers send it as a sign of life
                return
            chunk = bytes(self._body)
            self._body.clear()
        if self._form != "stream":
            self._body += chunk
            if len(self._body) > _MAX_BODY:
                raise self._error("sends an answer without end", "provider_protocol")
            return
        for event in self._sse.feed(chunk):
            if self.done:
                return
            yield from self._event(event)

    def finish(self) -> Iterator[StreamEvent]:
        """The end of the body. Raises ``TransientError`` when it was cut before any text."""
        if self._form == "object":
            yield from self._object()
        elif self._form == "page":
            said = for_message(error_text(bytes(self._body)), self._peer.secret)
            raise self._error(f"answers with {said}", "provider_protocol", self._address_hint())
        elif not self.done:
            for event in self._sse.finish():
                if not self.done:
                    yield from self._event(event, last=True)
        yield from self._end()

    def _event(self, event: ServerEvent, *, last: bool = False) -> Iterator[StreamEvent]:
        data = event.data.strip()
        if data == "[DONE]":
            self.done = True
            return
        if not data:
            return
        try:
            chunk = loads(data)
        except ValueError:
            if event.event == "error":
                raise self._failed(data) from None
            if last:
                return  # cut in the middle of the last event: the end says so
            raise self._error("sends something that is no JSON", "provider_protocol", self._address_hint()) from None
        self._chunks += 1
        if event.event == "error":
            raise self._failed(said_by(chunk))
        yield from self._chunk(chunk)

    def _object(self) -> Iterator[StreamEvent]:
        try:
            value = loads(bytes(self._body))
        except ValueError:
            raise self._error("sends something that is no JSON", "provider_protocol", self._address_hint()) from None
        self._chunks += 1
        yield from self._chunk(value)
        self.done = True

    def _chunk(self, chunk: Any) -> Iterator[StreamEvent]:
        if not isinstance(chunk, dict):
            if isinstance(chunk, list) and (said := said_by(chunk)):
                raise self._failed(said)
            raise self._error("sends something that is no chat answer", "provider_protocol", self._address_hint())
        if error := chunk.get("error"):
            raise self._failed(said_by(error), error)
        choices = chunk.get("choices")
        if not isinstance(choices, list):
            if chunk.get("object") == "error" or "message" in chunk or "detail" in chunk:
                raise self._failed(said_by(chunk), chunk)
            choices = []
        self._usage(chunk)
        if choices and isinstance(choices[0], dict):
            yield from self._choice(choices[0])

    def _choice(self, choice: dict[str, Any]) -> Iterator[StreamEvent]:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            thought = any(isinstance(delta.get(name), str) and delta[name] for name in _REASONING)
            texts: list[str] = []
            for kind, text in _parts(delta.get("content")):
                if kind == "text":
                    texts.append(text)
                else:
                    thought = True
            if thought:
                yield from self._thought()
            if isinstance(refusal := delta.get("refusal"), str):
                self._refusal = (self._refusal + refusal)[:2000]
            yield from self._text("".join(texts))
        if isinstance(reason := choice.get("finish_reason"), str) and reason:
            self._reason = reason

    def _text(self, text: str) -> Iterator[StreamEvent]:
        if not text:
            return
        self.progress += 1
        text = self._joiner.feed(self._think.feed(text))
        if self._think.thinking:
            yield from self._thought()
        if text:
            yield self._delta(text)

    def _delta(self, text: str) -> TextDelta:
        self._thinking = False
        self.any_text = self.any_text or bool(text.strip())
        return TextDelta(text)

    def _thought(self) -> Iterator[StreamEvent]:
        self.progress += 1
        if not self._thinking:
            self._thinking = True
            yield Thinking()

    def _usage(self, chunk: dict[str, Any]) -> None:
        groq = chunk.get("x_groq")
        for usage in (chunk.get("usage"), groq.get("usage") if isinstance(groq, dict) else None):
            if isinstance(usage, dict):
                self._input_tokens = _count(usage.get("prompt_tokens"), self._input_tokens)
                self._output_tokens = _count(usage.get("completion_tokens"), self._output_tokens)

    def _end(self) -> Iterator[StreamEvent]:
        if text := self._joiner.feed(self._think.finish()) + self._joiner.finish():
            yield self._delta(text)
        if self._refusal and not self.any_text:
            said = for_message(self._refusal, self._peer.secret)
            raise self._error(f"refuses to answer: {said}", "refused", "ask about another sentence")
        if self._reason in _NO_ANSWER:
            code, happened, hint = _NO_ANSWER[self._reason]
            raise self._error(happened, code, hint)
        if not self._reason and not self.done:
            raise self._cut()
        length = self._reason in _LENGTH
        if not self.any_text:
            if length:
                raise self._error(
                    "ran into its length limit before it said anything", "answer_cut", "try a model that thinks less"
                )
            raise self._error("answered nothing", "empty_answer", "ask again, or try another model")
        yield StreamEnd("length" if length else "stop", self._input_tokens, self._output_tokens)

    def _cut(self) -> ProviderError:
        if not self._chunks and self._form == "stream" and (said := bytes(self._head).strip()):
            shown = for_message(error_text(said), self._peer.secret)
            return self._error(f"sends no chat answer but: {shown}", "provider_protocol", self._address_hint())
        message = f"{self._peer.label} broke off in the middle of its answer"
        if self.any_text:
            return ProviderError(message, hint="what had come is kept; ask again", code="stream_cut")
        return TransientError(message, hint="ask again", code="stream_cut")

    def _failed(self, said: str, error: Any = None) -> ProviderError:
        shown = for_message(said, self._peer.secret)
        message = f"{self._peer.label} broke off with an error" + (f": {shown}" if shown else "")
        status = error.get("code") if isinstance(error, dict) else None
        if not self.any_text and isinstance(status, int) and not isinstance(status, bool) and status >= 500:
            return TransientError(message, hint="ask again", code="provider_failed", pause=0.5)
        return ProviderError(message, hint="ask again, or try another model", code="provider_failed")

    def _error(self, what: str, code: str, hint: str = "") -> ProviderError:
        return ProviderError(f"{self._peer.label} {what}", hint=hint, code=code)

    def _address_hint(self) -> str:
        return f"check that {self._peer.url} is the address of a chat API (it often ends in /v1)"


_REASONING = ("reasoning_content", "reasoning")


def _form(body: bytearray) -> Literal["unknown", "stream", "object", "page"]:
    """What a body is by its first character: no event stream begins with a bracket."""
    if len(body) < 3 and _BOM.startswith(bytes(body)):
        return "unknown"
    begun = bytes(body.removeprefix(_BOM).lstrip(_SPACE)[:1])
    if not begun:
        return "unknown"
    return {b"{": "object", b"[": "object", b"<": "page"}.get(begun, "stream")  # type: ignore[return-value]


def _parts(content: Any) -> Iterator[tuple[Literal["text", "thought"], str]]:
    """The parts of ``content``: a text, nothing, or a list of texts and typed parts."""
    if isinstance(content, str):
        yield "text", content
    if not isinstance(content, list):
        return
    for part in content:
        if isinstance(part, str):
            yield "text", part
        elif isinstance(part, dict):
            if part.get("type") in ("thinking", "reasoning"):
                yield "thought", ""
            elif isinstance(text := part.get("text"), str):
                yield "text", text


def _count(value: Any, otherwise: int | None) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if is_count else otherwise
