"""Anthropic's messages, as the fake server speaks them (anthropic-sdk-python, ``types/``)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.llm.fakes.dialects import MODELS, Dialect, Why
from tests.llm.fakes.fake_server import Reply, Request, json_reply
from tui.llm.wires.anthropic_messages import AnthropicMessages
from tui.llm.wires.wire_format import WireFormat

_STOPS: dict[Why, str] = {"stop": "end_turn", "length": "max_tokens"}
_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 504: "timeout_error",
    529: "overloaded_error",
}  # fmt: skip


def events(*values: dict[str, Any]) -> bytes:
    """Values as events that are named by their type."""
    return "".join(
        f"event: {value['type']}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n" for value in values
    ).encode()


def message_start(input_tokens: int = 7, **usage: int | None) -> dict[str, Any]:
    message = _message([], None, {"input_tokens": input_tokens, "output_tokens": 1, **usage})
    return {"type": "message_start", "message": message}


def block_start(index: int = 0, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block or {"type": "text", "text": ""}}


def block_delta(kind: str, index: int = 0, **said: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **said}}


def text_delta(text: str, index: int = 0) -> dict[str, Any]:
    return block_delta("text_delta", index, text=text)


def thinking_delta(thinking: str) -> dict[str, Any]:
    return block_delta("thinking_delta", thinking=thinking)


def block_stop(index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def message_delta(
    stop_reason: str, output_tokens: int = 5, details: dict[str, Any] | None = None, **usage: int | None
) -> dict[str, Any]:
    stop = {"stop_reason": stop_reason, "stop_sequence": None, "stop_details": details}
    return {"type": "message_delta", "delta": stop, "usage": {"output_tokens": output_tokens, **usage}}


MESSAGE_STOP = {"type": "message_stop"}
PING = {"type": "ping"}


def error(kind: str, said: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": said}, "request_id": "req_1"}


def _message(content: list[Any], stop_reason: str | None, usage: dict[str, Any]) -> dict[str, Any]:
    stop = {"stop_reason": stop_reason, "stop_sequence": None}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "fake-large"}
    return {**head, "content": content, **stop, "usage": usage}


class FakeAnthropic(Dialect):
    name = "anthropic"
    base_path = ""
    content_type = "text/event-stream; charset=utf-8"
    denial = "refused"

    def wire(self) -> WireFormat:
        return AnthropicMessages()

    def knows(self, request: Request) -> bool:
        path = urlsplit(request.path).path
        return "anthropic-version" in request.headers and (
            (request.method, path) == ("GET", "/v1/models")
            or ((request.method, path) == ("POST", "/v1/messages") and request.body.get("max_tokens", 0) > 0)
        )

    def key(self, request: Request) -> str:
        return request.headers.get("x-api-key", "")

    def rung(self, request: Request) -> str:
        return "schema" if "format" in request.body.get("output_config", {}) else "prompt"

    def begun(self, thoughts: Sequence[str], tokens: tuple[int, int]) -> bytes:
        if not thoughts:
            return events(message_start(tokens[0]), block_start(), PING)
        return events(
            message_start(tokens[0]),
            block_start(type="thinking", thinking="", signature=""),
            PING,
            *(thinking_delta(thought) for thought in thoughts),
            block_delta("signature_delta", signature="c2ln"),
            block_stop(),
            block_start(1, type="text", text=""),
        )

    def said(self, text: str, *, thoughts: bool) -> bytes:
        return events(text_delta(text, int(thoughts)))

    def ended(self, why: Why, tokens: tuple[int, int], *, thoughts: bool) -> bytes:
        return events(block_stop(int(thoughts)), message_delta(_STOPS[why], tokens[1]), MESSAGE_STOP)

    def denied(self, said: str) -> bytes:
        details = {"type": "refusal", "category": "general_harms", "explanation": said}
        return events(message_start(), message_delta("refusal", 1, details), MESSAGE_STOP)

    def broke(self, said: str, status: int) -> bytes:
        return events(error(_TYPES[status], said))

    def whole(self, text: str, thoughts: Sequence[str], why: Why, tokens: tuple[int, int]) -> Any:
        blocks: list[Any] = [{"type": "text", "text": text, "citations": None}]
        if thoughts:
            blocks.insert(0, {"type": "thinking", "thinking": "".join(thoughts), "signature": "c2ln"})
        return _message(blocks, _STOPS[why], {"input_tokens": tokens[0], "output_tokens": tokens[1]})

    def fault(self, status: int, said: str) -> Any:
        return error(_TYPES.get(status, "api_error"), said)

    def model_page(self, request: Request) -> Reply:
        after = parse_qs(urlsplit(request.path).query).get("after_id", [""])[0]
        begin = MODELS.index(after) + 1 if after else 0
        names = MODELS[begin : begin + 2]
        model = {"type": "model", "created_at": "2026-01-01T00:00:00Z", "lifecycle": "active"}
        rows = [{**model, "id": name, "display_name": name.title()} for name in names]
        more = begin + 2 < len(MODELS)
        return json_reply({"data": rows, "has_more": more, "first_id": names[0], "last_id": names[-1]})


ANTHROPIC = FakeAnthropic()
