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
from tui.llm.http.api_key import redact
from tui.llm.http.errors import OVERLOADED, BrokenServer, Endpoint, TransientError
from tui.llm.protocol import StreamEnd, StreamEvent, TextDelta, Thinking
from tui.llm.wires import wire_format as wire
from tui.text.sanitize import whole_characters
from tui.wire.sse import MAX_EVENT_BYTES, ServerEvent, SseParser

_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_decoded = json.JSONDecoder().raw_decode
MAX_WHOLE_BYTES = bounds.LLM_ANSWER.bytes_in
"""Maximum bytes of an answer that comes in one piece, which is held until it is read."""
_NO_JSON = "sends something that is no JSON"
_MAX_HEAD = 4096
_MAX_REFUSAL = 2000
_NO_ANSWER: dict[wire.FinishCode, tuple[str, str, str]] = {
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

    def __init__(self, wire_format: wire.WireFormat, endpoint: Endpoint) -> None:
        self._wire = wire_format
        self._endpoint = endpoint
        self._parser: SseParser | LineParser = SseParser() if wire_format.framing == "events" else LineParser()
        self._head = bytearray()
        self._form: Literal["unknown", "stream", "object", "page"] = "unknown"
        self._body = bytearray()
        self._think = ThinkFilter()
        self._joiner = SurrogateJoiner()
        self._thinking = False
        self._refusal = ""
        self._reason: wire.FinishReason | None = None
        self._usage = wire.TokenUsage()
        self._values = 0
        self._found: list[StreamEvent] = []
        self.any_text = False
        self.progress = 0
        self.done = False

    @property
    def finishing(self) -> bool:
        return self._reason is not None and self._form == "stream"

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
            # No event stream begins with a bracket.
            is_object = self._wire.framing == "events" and chunk.startswith((b"{", b"["))
            self._form = "page" if chunk.startswith(b"<") else "object" if is_object else "stream"
            self._body.clear()
        if self._form != "stream":
            self._body += chunk
            if len(self._body) > MAX_WHOLE_BYTES:
                raise self._endpoint.error("sends an answer without end", "", "provider_protocol")
            return
        for event in self._parser.feed(chunk):
            if self.done:
                return
            self._event(event)

    def _finish(self) -> None:
        if self._form == "object":
            self._object()
        elif self._form == "page":
            said = redact(wire.error_text(bytes(self._body)), self._endpoint.key.text)
            raise self._refuse_alien(f"answers with {said}")
        elif not self.done:
            for event in self._parser.finish():
                if not self.done:
                    self._event(event, last=True)
        self._end()

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
                raise self._explain_failure(wire.ServerError(data)) from None
            if last:
                return  # cut in the middle of the last value: the end says so
            raise self._refuse_alien(_NO_JSON) from None
        self._values += 1
        if event.event == "error" and not isinstance(value, dict):
            raise self._explain_failure(wire.ServerError(wire.message_in(value)))
        self._value(value, event.event)

    def _object(self) -> None:
        try:
            value = wire.loads(bytes(self._body))
        except ValueError:
            whole = self._body.rstrip(_SPACE).endswith((b"}", b"]"))
            raise (self._refuse_alien(_NO_JSON) if whole else self._cut()) from None
        self._values += 1
        self._value(value, "message")
        self.done = True

    def _value(self, value: Any, event: str) -> None:
        for piece in self._wire.read(value, event):
            match piece:
                case TextDelta(text):  # nearly all of them are: asked before everything else
                    self._text(text)
                case Thinking():
                    self._thought()
                case wire.TokenUsage(input_tokens, output_tokens):
                    known = self._usage
                    self._usage = wire.TokenUsage(
                        known.input_tokens if input_tokens is None else input_tokens,
                        known.output_tokens if output_tokens is None else output_tokens,
                    )
                case wire.FinishReason():
                    self._reason = piece
                case wire.StreamClosed():
                    self.done = True
                case wire.Refusal(text):
                    self._refusal = (self._refusal + text)[:_MAX_REFUSAL]
                case wire.ServerError():
                    raise self._explain_failure(piece)
                case wire.UnknownValue():
                    raise self._refuse_alien("sends something that is no chat answer")

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
            said = redact(self._refusal, self._endpoint.key.text)
            raise self._endpoint.error(f"refuses to answer: {said}", "ask about another sentence", "refused")
        reason = self._reason
        if reason is not None and reason.code in _NO_ANSWER:
            code, happened, hint = _NO_ANSWER[reason.code]
            tail = f": {redact(reason.message, self._endpoint.key.text)}" if reason.message else ""
            raise self._endpoint.error(happened + tail, hint, code)
        if reason is None and not self.done:
            raise self._cut()
        is_cut = reason is not None and reason.code == "length"
        if not self.any_text:
            if is_cut:
                what = "ran into its length limit before it said anything"
                raise self._endpoint.error(what, "try a model that thinks less", "answer_cut")
            raise self._endpoint.error("answered nothing", "ask again, or try another model", "empty_answer")
        usage = self._usage
        self._found.append(StreamEnd("length" if is_cut else "stop", usage.input_tokens, usage.output_tokens))

    def _cut(self) -> ProviderError:
        if not self._values and self._form == "stream" and (said := bytes(self._head).strip()):
            shown = redact(wire.error_text(said), self._endpoint.key.text)
            return self._refuse_alien(f"sends no chat answer but: {shown}")
        what = "broke off in the middle of its answer"
        if self.any_text:
            return self._endpoint.error(what, "what had come is kept; ask again", "stream_cut")
        return TransientError(f"{self._endpoint.label} {what}", hint="ask again", code="stream_cut")

    def _explain_failure(self, error: wire.ServerError) -> ProviderError:
        shown = redact(error.message, self._endpoint.key.text)
        tail = f": {shown}" if shown else ""
        code, happened, hint = _OVERLOADED if error.status in OVERLOADED else _BROKEN.get(error.status, _BROKE)
        if not self.any_text and error.status >= 500:
            failure = TransientError if error.status in OVERLOADED else BrokenServer
            return failure(f"{self._endpoint.label} {happened}{tail}", hint=hint, code=code, pause=0.5)
        return self._endpoint.error(happened + tail, hint, code)

    def _refuse_alien(self, what: str) -> ProviderError:
        """Make the error of a server that speaks something else."""
        hint = f"check that {self._endpoint.url} is the address of a chat API ({self._wire.address_hint})"
        return self._endpoint.error(what, hint, "provider_protocol")


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


# Text filters for streamed pieces.

_TAGS = {"<think>": "</think>", "<thinking>": "</thinking>"}
_MAX_LEADING_SPACE = 64


class ThinkFilter:
    """Takes ``<think>…</think>`` off the start of a stream whose pieces may cut the tags anywhere.

    A tag that stands later is text. ``thinking`` tells whether the last piece ended inside.
    """

    def __init__(self) -> None:
        self._stage: Literal["before", "inside", "after", "text"] = "before"
        self._held = ""
        self._closing = ""

    @property
    def thinking(self) -> bool:
        return self._stage == "inside"

    def feed(self, text: str) -> str:
        """Filter a piece; gives what of the text so far is certainly part of the answer."""
        if self._stage == "text":
            return text
        self._held += text
        if self._stage == "before":
            begun = self._held.lstrip()
            opening = next(filter(begun.startswith, _TAGS), "")
            if not opening:
                undecided = any(tag.startswith(begun) for tag in _TAGS)
                if undecided and len(self._held) - len(begun) <= _MAX_LEADING_SPACE:
                    return ""
                return self.finish()
            self._stage, self._closing, self._held = "inside", _TAGS[opening], begun.removeprefix(opening)
        if self._stage == "inside":
            _, tag, after = self._held.partition(self._closing)
            if not tag:
                self._held = self._held[1 - len(self._closing) :]  # which may begin the tag
                return ""
            self._stage, self._held = "after", after
        text, self._held = self._held.lstrip(), ""
        if text:
            self._stage = "text"
        return text

    def finish(self) -> str:
        """End of the stream; gives what was held back only because it might have become a tag."""
        held = self._held if self._stage == "before" else ""
        self._stage, self._held = "text", ""
        return held


class SurrogateJoiner:
    r"""Joins ``\ud83d`` and ``\ude00`` of two pieces to one character; a half alone becomes U+FFFD.

    Servers that count in UTF-16 cut there, and half a character can neither be stored nor shown.
    """

    def __init__(self) -> None:
        self._high = ""

    def feed(self, text: str) -> str:
        if text.isascii() and not self._high:
            return text
        text = self._high + text
        self._high = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            self._high, text = text[-1], text[:-1]
        return whole_characters(text)

    def finish(self) -> str:
        held, self._high = self._high, ""
        return whole_characters(held)
