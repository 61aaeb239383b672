"""Answer decoder: turns the bytes of a chat answer, streamed or whole, into stream events; no network in here.

Servers differ from what they claim: a stream was asked for and one JSON object or a web page came, keep-alives are
white space, texts are cut between the halves of a character. What the bytes are is decided by the first of them, since
content types are wrong too often.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from tui import bounds
from tui.errors import ProviderError
from tui.llm.http.errors import BrokenServer, Endpoint, TransientError, overload_error, redact
from tui.llm.protocol import StreamEnd, StreamEvent, TextDelta, Thinking
from tui.llm.wires.thinking import SurrogateJoiner, ThinkFilter
from tui.llm.wires.wire_format import (
    FinishCode,
    FinishReason,
    Reasoning,
    Refusal,
    ServerError,
    StreamClosed,
    TextPiece,
    TokenUsage,
    UnknownValue,
    WireFormat,
    error_text,
    loads,
    message_in,
)
from tui.wire.sse import MAX_EVENT_BYTES, ServerEvent, SseParser

_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_decoded = json.JSONDecoder().raw_decode
MAX_WHOLE_BYTES = bounds.LLM_ANSWER.bytes_in
"""Maximum bytes of an answer that comes in one piece, which is held until it is read."""
_MAX_HEAD = 4096
_MAX_REFUSAL = 2000
_NO_ANSWER: dict[FinishCode, tuple[str, str, str]] = {
    "filtered": ("content_filtered", "withheld the answer (content filter)", "ask about another sentence"),
    "refused": ("refused", "refuses to answer", "ask about another sentence, or ask another model"),
    "tool": ("provider_protocol", "wanted to call a tool instead of answering", "try another model"),
    "failed": ("provider_failed", "broke off with an error", "ask again"),
}
"""Reasons why there is no (whole) answer → code, what happened, next step."""
_BROKE = ("provider_failed", "broke off with an error", "ask again, or try another model")
_OVERLOADED = ("provider_unavailable", "is overloaded", "ask again in a moment")
_BROKEN = {
    402: ("no_credit", "wants to be paid", "look at the account's credit"),
    429: ("rate_limited", "allows no more requests for now", "wait a while, or look at the account's quota"),
}
"""Errors where an answer was to come, some by the status they name: the same three."""


class AnswerDecoder:
    """Decoder of one answer: takes the body in pieces, gives events, raises ``ProviderError`` for a bad end.

    The result does not depend on how the bytes are cut. ``progress`` grows with every piece of text or thought, not
    with keep-alives; ``finishing`` tells that only counts may still come, ``done`` that nothing will.
    """

    def __init__(self, wire: WireFormat, endpoint: Endpoint) -> None:
        self._wire = wire
        self._endpoint = endpoint
        self._parser: SseParser | LineParser = SseParser() if wire.framing == "events" else LineParser()
        self._head = bytearray()
        self._form: Literal["unknown", "stream", "object", "page"] = "unknown"
        self._body = bytearray()
        self._think = ThinkFilter()
        self._joiner = SurrogateJoiner()
        self._thinking = False
        self._refusal = ""
        self._finish_code: FinishCode | None = None
        self._finish_message = ""
        self._input_tokens: int | None = None
        self._output_tokens: int | None = None
        self._values = 0
        self._found: list[StreamEvent] = []
        self.any_text = False
        self.progress = 0
        self.done = False

    @property
    def finishing(self) -> bool:
        return self._finish_code is not None and self._form == "stream"

    def batches(self, chunk: bytes | None) -> Iterator[list[StreamEvent]]:
        """Decode a piece of the body, None for its end, into one list of events, with what came before an error.

        To hand them on one by one would cost more than to decode them.

        Raises ``TransientError`` when the body was cut before any text.
        """
        error = None
        try:
            if chunk is None:
                self._finish()
            else:
                self._feed(chunk)
        except ProviderError as raised:
            error = raised
        if self._found:
            found, self._found = self._found, []
            yield found
        if error is not None:
            raise error

    def _feed(self, chunk: bytes) -> None:
        if len(self._head) < _MAX_HEAD:
            self._head += chunk[: _MAX_HEAD - len(self._head)]
        if self._form == "unknown":
            # White space before anything else is a sign of life that some servers give.
            self._body = (self._body + chunk).lstrip(_SPACE)
            begun = bytes(self._body)
            if len(begun) < len(_BOM) and _BOM.startswith(begun):
                return
            chunk = begun.removeprefix(_BOM).lstrip(_SPACE)
            if not chunk:
                return
            self._form = self._form_of(chunk)
            self._body.clear()
        if self._form != "stream":
            self._body += chunk
            if len(self._body) > MAX_WHOLE_BYTES:
                raise self._error("sends an answer without end", "provider_protocol")
            return
        for event in self._parser.feed(chunk):
            if self.done:
                return
            self._event(event)

    def _finish(self) -> None:
        if self._form == "object":
            self._object()
        elif self._form == "page":
            said = redact(error_text(bytes(self._body)), self._endpoint.secret)
            raise self._error(f"answers with {said}", "provider_protocol", self._address_hint())
        elif not self.done:
            for event in self._parser.finish():
                if not self.done:
                    self._event(event, last=True)
        self._end()

    def _form_of(self, body: bytes) -> Literal["stream", "object", "page"]:
        """Tell what a body is by its first character: no event stream begins with a bracket."""
        if body.startswith(b"<"):
            return "page"
        return "object" if body.startswith((b"{", b"[")) and self._wire.framing == "events" else "stream"

    def _event(self, event: ServerEvent, *, last: bool = False) -> None:
        data = event.data.strip()
        if not data:
            return
        if data == "[DONE]":
            self.done = True
            return
        try:
            value, end = _decoded(data)  # not json.loads, which looks for white space around each of them
            if end != len(data):
                raise ValueError("more than one value")
        except (ValueError, RecursionError):
            if event.event == "error":
                raise self._failed(ServerError(data)) from None
            if last:
                return  # cut in the middle of the last value: the end says so
            raise self._no_json() from None
        self._values += 1
        if event.event == "error" and not isinstance(value, dict):
            raise self._failed(ServerError(message_in(value)))
        self._value(value, event.event)

    def _object(self) -> None:
        try:
            value = loads(bytes(self._body))
        except ValueError:
            whole = self._body.rstrip(_SPACE).endswith((b"}", b"]"))
            raise (self._no_json() if whole else self._cut()) from None
        self._values += 1
        self._value(value, "message")
        self.done = True

    def _value(self, value: Any, event: str) -> None:
        for piece in self._wire.read(value, event):
            if isinstance(piece, TextPiece):  # nearly all of them are: asked before everything else
                self._text(piece.text)
                continue
            match piece:
                case Reasoning():
                    self._thought()
                case TokenUsage(input_tokens, output_tokens):
                    self._input_tokens = self._input_tokens if input_tokens is None else input_tokens
                    self._output_tokens = self._output_tokens if output_tokens is None else output_tokens
                case FinishReason(code, message):
                    self._finish_code, self._finish_message = code, message
                case StreamClosed():
                    self.done = True
                case Refusal(text):
                    self._refusal = (self._refusal + text)[:_MAX_REFUSAL]
                case ServerError():
                    raise self._failed(piece)
                case UnknownValue():
                    raise self._error(
                        "sends something that is no chat answer", "provider_protocol", self._address_hint()
                    )

    def _text(self, text: str) -> None:
        if not text:
            return
        self.progress += 1
        text = self._joiner.feed(self._think.feed(text))
        if self._think.thinking:
            self._thought()
        if text:
            self._delta(text)

    def _delta(self, text: str) -> None:
        self._thinking = False
        self.any_text = self.any_text or not text.isspace()
        self._found.append(TextDelta(text))

    def _thought(self) -> None:
        self.progress += 1
        if not self._thinking:
            self._thinking = True
            self._found.append(Thinking())

    def _end(self) -> None:
        if text := self._joiner.feed(self._think.finish()) + self._joiner.finish():
            self._delta(text)
        if self._refusal and not self.any_text:
            said = redact(self._refusal, self._endpoint.secret)
            raise self._error(f"refuses to answer: {said}", "refused", "ask about another sentence")
        if self._finish_code in _NO_ANSWER:
            code, happened, hint = _NO_ANSWER[self._finish_code]
            tail = f": {redact(self._finish_message, self._endpoint.secret)}" if self._finish_message else ""
            raise self._error(happened + tail, code, hint)
        if self._finish_code is None and not self.done:
            raise self._cut()
        length = self._finish_code == "length"
        if not self.any_text:
            if length:
                raise self._error(
                    "ran into its length limit before it said anything", "answer_cut", "try a model that thinks less"
                )
            raise self._error("answered nothing", "empty_answer", "ask again, or try another model")
        self._found.append(StreamEnd("length" if length else "stop", self._input_tokens, self._output_tokens))

    def _cut(self) -> ProviderError:
        if not self._values and self._form == "stream" and (said := bytes(self._head).strip()):
            shown = redact(error_text(said), self._endpoint.secret)
            return self._error(f"sends no chat answer but: {shown}", "provider_protocol", self._address_hint())
        message = f"{self._endpoint.label} broke off in the middle of its answer"
        if self.any_text:
            return ProviderError(message, hint="what had come is kept; ask again", code="stream_cut")
        return TransientError(message, hint="ask again", code="stream_cut")

    def _failed(self, error: ServerError) -> ProviderError:
        shown = redact(error.message, self._endpoint.secret)
        tail = f": {shown}" if shown else ""
        code, happened, hint = _OVERLOADED if overload_error(error.status) else _BROKEN.get(error.status, _BROKE)
        message = f"{self._endpoint.label} {happened}{tail}"
        if not self.any_text and error.status >= 500:
            failure = TransientError if overload_error(error.status) else BrokenServer
            return failure(message, hint=hint, code=code, pause=0.5)
        return ProviderError(message, hint=hint, code=code)

    def _no_json(self) -> ProviderError:
        return self._error("sends something that is no JSON", "provider_protocol", self._address_hint())

    def _error(self, what: str, code: str, hint: str = "") -> ProviderError:
        return ProviderError(f"{self._endpoint.label} {what}", hint=hint, code=code)

    def _address_hint(self) -> str:
        return f"check that {self._endpoint.url} is the address of a chat API ({self._wire.address_hint})"


class LineParser:
    """Line parser with the interface of ``SseParser``: feed it chunks, take the lines that are complete.

    Raises ``ProviderError`` for a line of more than 4 MiB.
    """

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        if b"\n" not in chunk:
            self._rest += chunk
            if len(self._rest) > MAX_EVENT_BYTES:
                raise ProviderError("the server sends one line without end", code="provider_protocol")
            return []
        *lines, rest = (bytes(self._rest) + chunk).split(b"\n")
        self._rest = bytearray(rest)
        return [_event(line) for line in lines]

    def finish(self) -> list[ServerEvent]:
        rest, self._rest = bytes(self._rest), bytearray()
        return [_event(rest)] if rest.strip() else []


def _event(line: bytes) -> ServerEvent:
    return ServerEvent("message", line.decode("utf-8", "replace").removeprefix("\ufeff"))
