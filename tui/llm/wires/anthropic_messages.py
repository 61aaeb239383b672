"""Anthropic's messages: ``POST /v1/messages`` and ``GET /v1/models``.

Events are typed in their data as well as in their name; text comes in ``text_delta``s only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from tui.llm.protocol import ChatRequest
from tui.llm.wires.wire_format import (
    AnswerPiece,
    ApiCall,
    FinishCode,
    FinishReason,
    Framing,
    JsonMode,
    ModelPage,
    OptionalFields,
    Reasoning,
    ServerError,
    StreamClosed,
    TextPiece,
    TokenUsage,
    UnknownValue,
    as_object,
    as_rows,
    message_in,
    plain_id,
    token_count,
)
from tui.text.sanitize import whole_characters

_VERSION = "2023-06-01"
_MAX_TOKENS = 4096
"""Value of ``max_tokens``, which is required; thinking counts, and every model allows this many."""
_REASONS: Mapping[str, FinishCode] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
    "tool_use": "tool",
    "pause_turn": "failed",
}
"""Finish codes: stop_reason → why it ended; what is not here is a good end."""
_STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status that an error's type has where it comes as a status of its own."""
_LARGER = OptionalFields("max_tokens", {"max_tokens": 16384}, re.compile(r"max_tokens", re.IGNORECASE))
"""Claude 3 allows less ("max_tokens: 16384 > 4096, which is the maximum allowed number of output tokens for …")."""
_LITTLE_EFFORT = OptionalFields(
    "effort", {"output_config": {"effort": "low"}}, re.compile(r"effort|output_config", re.IGNORECASE)
)
_NO_THOUGHT = OptionalFields(
    "thinking", {"thinking": {"type": "disabled"}}, re.compile(r"thinking", re.IGNORECASE), _LITTLE_EFFORT
)
"""Fields against thinking: newer models think unless told not to, and some can only be told to think little."""


class AnthropicMessages:
    framing: Framing = "events"
    redundant_endings = ("/v1/messages", "/v1")
    stream_fields = (_LARGER,)
    structured_fields = (_LARGER, _NO_THOUGHT)
    address_hint = "without /v1 at its end"

    def headers(self, key: str) -> dict[str, str]:
        return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}

    def chat(self, request: ChatRequest, *, streamed: bool) -> ApiCall:
        body: dict[str, Any] = {
            "model": whole_characters(request.model),
            "max_tokens": _MAX_TOKENS,
            "messages": [{"role": role, "content": text} for role, text in request.messages()],
        }
        if request.system.strip():
            body["system"] = whole_characters(request.system)
        return ApiCall("/v1/messages", {**body, "stream": True} if streamed else body)

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[JsonMode, ...]:
        form = {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
        return (JsonMode("schema", form), JsonMode("prompt", in_words=True))

    def read(self, value: Any, event: str) -> Iterator[AnswerPiece]:
        if not isinstance(value, dict):
            yield UnknownValue()
            return
        kind = value.get("type")
        match kind:
            case "error":
                yield _broke(value)
            case "message_start":
                yield from _counted(as_object(value.get("message")).get("usage"))
            case "content_block_start":
                yield from _block(as_object(value.get("content_block")))
            case "content_block_delta":
                yield from _block(as_object(value.get("delta")))
            case "message_delta":
                yield from _counted(value.get("usage"))
                yield from _ended(as_object(value.get("delta")))
            case "message_stop":
                yield StreamClosed()
            case "message":
                yield from _counted(value.get("usage"))
                content = value.get("content")
                for block in content if isinstance(content, list) else ():
                    yield from _block(as_object(block))
                yield from _ended(value)
            case str():
                pass  # ping, content_block_stop, and what is yet to be invented
            case _:
                yield _broke(value) if "error" in value or event == "error" else UnknownValue()

    def speech(self, model: str, voice: str, text: str) -> None:
        return None

    def model_list(self, following: str | None) -> ApiCall:
        after = f"&after_id={quote(whole_characters(following), safe='')}" if following else ""
        return ApiCall(f"/v1/models?limit=1000{after}")

    def models(self, value: Any) -> ModelPage:
        rows = as_rows(as_object(value).get("data"))
        last = value.get("last_id")
        following = last if value.get("has_more") is True and isinstance(last, str) else None
        return ModelPage(tuple(name for row in rows if (name := plain_id(as_object(row).get("id")))), following)


def _block(block: dict[str, Any]) -> Iterator[AnswerPiece]:
    kind = block.get("type")
    if kind in ("text", "text_delta"):
        if isinstance(text := block.get("text"), str):
            yield TextPiece(text)
    elif kind in ("thinking", "thinking_delta", "redacted_thinking"):
        yield Reasoning()


def _ended(value: dict[str, Any]) -> Iterator[AnswerPiece]:
    if isinstance(reason := value.get("stop_reason"), str) and reason:
        details = as_object(value.get("stop_details"))
        yield FinishReason(
            _REASONS.get(reason, "stop"), message_in(details.get("explanation") or details.get("category"))
        )


def _counted(usage: Any) -> Iterator[AnswerPiece]:
    """Token counts; what was read from or written to the cache is input as well.

    The counts are sums, not increments. There is no question without a token: proxies that say 0 have not counted yet.
    """
    if not isinstance(usage, dict):
        return
    parts = [token_count(usage.get(f"{name}input_tokens")) for name in ("", "cache_creation_", "cache_read_")]
    known = [part for part in parts if part is not None]
    asked = sum(known) if parts[0] is not None else 0
    yield TokenUsage(asked or None, token_count(usage.get("output_tokens")))


def _broke(value: dict[str, Any]) -> ServerError:
    error = as_object(value.get("error"))
    return ServerError(message_in(value.get("error") or value), _STATUSES.get(str(error.get("type")), 0))
