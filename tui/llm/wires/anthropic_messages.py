"""Anthropic's messages: ``POST /v1/messages`` and ``GET /v1/models``.

Events are typed in their data as well as in their name; text comes in ``text_delta``s only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from tui.llm.protocol import ChatRequest, TextDelta, Thinking
from tui.llm.wires import wire_format as wire
from tui.text.sanitize import whole_characters

_VERSION = "2023-06-01"
_MAX_TOKENS = 4096
"""Value of ``max_tokens``, which is required; thinking counts, and every model allows this many."""
_REASONS: Mapping[str, wire.FinishCode] = {
    "max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refused", "tool_use": "tool",
    "pause_turn": "failed",
}  # fmt: skip
"""Finish codes: stop_reason → why it ended; what is not here is a good end."""
_STATUSES = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504,
    "overloaded_error": 529,
}  # fmt: skip
"""The status that an error's type has where it comes as a status of its own."""
_LARGER = wire.OptionalFields("max_tokens", {"max_tokens": 16384}, "max_tokens")
"""Claude 3 allows less ("max_tokens: 16384 > 4096, which is the maximum allowed number of output tokens for …")."""
_LITTLE_EFFORT = wire.OptionalFields("effort", {"output_config": {"effort": "low"}}, "effort|output_config")
_NO_THOUGHT = wire.OptionalFields("thinking", {"thinking": {"type": "disabled"}}, "thinking", _LITTLE_EFFORT)
"""Fields against thinking: newer models think unless told not to, and some can only be told to think little."""


class AnthropicMessages(wire.WireFormat):
    redundant_endings = ("/v1/messages", "/v1")
    stream_fields = (_LARGER,)
    structured_fields = (_LARGER, _NO_THOUGHT)
    address_hint = "without /v1 at its end"

    def headers(self, key: str) -> dict[str, str]:
        return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}

    def chat(self, request: ChatRequest, *, streamed: bool) -> wire.ApiCall:
        body: dict[str, Any] = {
            "model": whole_characters(request.model),
            "max_tokens": _MAX_TOKENS,
            "messages": [{"role": role, "content": text} for role, text in request.messages()],
        }
        if request.system.strip():
            body["system"] = whole_characters(request.system)
        return wire.ApiCall("/v1/messages", {**body, "stream": True} if streamed else body)

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[wire.JsonMode, ...]:
        form = {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
        return (wire.JsonMode("schema", form), wire.JsonMode("prompt", in_words=True))

    def read(self, value: Any, event: str) -> Iterator[wire.AnswerPiece]:
        if not isinstance(value, dict):
            yield wire.UnknownValue()
            return
        kind = value.get("type")
        match kind:
            case "error":
                yield _broke(value)
            case "message_start":
                yield from _read_usage(wire.as_object(value.get("message")).get("usage"))
            case "content_block_start":
                yield from _block(wire.as_object(value.get("content_block")))
            case "content_block_delta":
                yield from _block(wire.as_object(value.get("delta")))
            case "message_delta":
                yield from _read_usage(value.get("usage"))
                yield from _ended(wire.as_object(value.get("delta")))
            case "message_stop":
                yield wire.StreamClosed()
            case "message":
                yield from _read_usage(value.get("usage"))
                content = value.get("content")
                for block in content if isinstance(content, list) else ():
                    yield from _block(wire.as_object(block))
                yield from _ended(value)
            case str():
                pass  # ping, content_block_stop, and what is yet to be invented
            case _:
                yield _broke(value) if "error" in value or event == "error" else wire.UnknownValue()

    def model_list(self, following: str | None) -> wire.ApiCall:
        after = f"&after_id={quote(whole_characters(following), safe='')}" if following else ""
        return wire.ApiCall(f"/v1/models?limit=1000{after}")

    def models(self, value: Any) -> wire.ModelPage:
        rows = wire.as_rows(wire.as_object(value).get("data"))
        following = value.get("last_id") if value.get("has_more") is True else None
        return wire.make_model_page((wire.as_object(row).get("id") for row in rows), following)


def _block(block: dict[str, Any]) -> Iterator[wire.AnswerPiece]:
    kind = block.get("type")
    if kind in ("text", "text_delta"):
        if isinstance(text := block.get("text"), str):
            yield TextDelta(text)
    elif kind in ("thinking", "thinking_delta", "redacted_thinking"):
        yield Thinking()


def _ended(value: dict[str, Any]) -> Iterator[wire.AnswerPiece]:
    if isinstance(reason := value.get("stop_reason"), str) and reason:
        details = wire.as_object(value.get("stop_details"))
        said = wire.message_in(details.get("explanation") or details.get("category"))
        yield wire.FinishReason(_REASONS.get(reason, "stop"), said)


def _read_usage(usage: Any) -> Iterator[wire.AnswerPiece]:
    """Token counts; what was read from or written to the cache is input as well.

    The counts are sums, not increments. There is no question without a token: proxies that say 0 have not counted yet.
    """
    if not isinstance(usage, dict):
        return
    parts = [wire.token_count(usage.get(f"{name}input_tokens")) for name in ("", "cache_creation_", "cache_read_")]
    known = [part for part in parts if part is not None]
    asked = sum(known) if parts[0] is not None else 0
    yield wire.TokenUsage(asked or None, wire.token_count(usage.get("output_tokens")))


def _broke(value: dict[str, Any]) -> wire.ServerError:
    error = wire.as_object(value.get("error"))
    return wire.ServerError(wire.message_in(value.get("error") or value), _STATUSES.get(str(error.get("type")), 0))
