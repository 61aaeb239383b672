"""The OpenAI chat protocol, which most providers and nearly all local servers speak.

``POST {base}/chat/completions``, ``GET {base}/models``, and for sound ``POST {base}/audio/speech``. No sampling
parameters and no caps are sent: newer models refuse the first and count their thinking against the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
    Refusal,
    ServerError,
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

_REASONS: Mapping[str, FinishCode] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filtered",
    "model_context_window_exceeded": "length",
    "sensitive": "filtered",
    "error": "failed",
    "abort": "failed",
    "network_error": "failed",
    "insufficient_system_resource": "failed",
    "tool_calls": "tool",
    "function_call": "tool",
}
"""Finish codes: finish_reason → why it ended; any other is a good end. Beyond OpenAI's own: "error" is Mistral's and
OpenRouter's, "abort" SGLang's, "insufficient_system_resource" DeepSeek's, "sensitive" and "network_error" Zhipu's."""
_STATUSES = {
    "server_error": 500,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "insufficient_quota": 402,
    "overloaded_error": 529,
    "service_unavailable": 503,
}
"""An error's code or type → the status that it has where it comes as a status of its own."""
_USAGE = OptionalFields(
    "usage", {"stream_options": {"include_usage": True}}, re.compile(r"stream_options|include_usage", re.IGNORECASE)
)
_ABOUT_EFFORT = re.compile(r"reasoning[ _.]?effort|\breasoning\b", re.IGNORECASE)
_NO_CHAT_TYPES = ("embedding", "image", "moderation", "rerank", "audio", "video", "transcribe")


class OpenAiChat:
    """The OpenAI chat format; ``schemas``: the provider knows more than JSON objects.

    ``effort`` is sent as ``reasoning_effort`` with structured requests, where a provider knows it: a focus word
    needs no long thought and has four seconds.
    """

    framing: Framing = "events"
    redundant_endings = ("/chat/completions",)
    stream_fields = (_USAGE,)
    address_hint = "it often ends in /v1"

    def __init__(self, *, effort: str = "", schemas: bool = True) -> None:
        self.structured_fields = (
            (OptionalFields("effort", {"reasoning_effort": effort}, _ABOUT_EFFORT),) if effort else ()
        )
        self._schemas = schemas

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def chat(self, request: ChatRequest, *, streamed: bool) -> ApiCall:
        messages = [{"role": role, "content": text} for role, text in request.messages()]
        if request.system.strip():
            messages.insert(0, {"role": "system", "content": whole_characters(request.system)})
        body: dict[str, Any] = {"model": whole_characters(request.model), "messages": messages}
        return ApiCall("/chat/completions", {**body, "stream": True} if streamed else body)

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[JsonMode, ...]:
        strict = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
        by_schema = (
            JsonMode("strict schema", {"response_format": strict}),
            # The form of llama.cpp and of Together, whose grammar keeps to it; in words for those that overlook it.
            JsonMode("object by schema", {"response_format": {"type": "json_object", "schema": schema}}, in_words=True),
        )
        return (
            *(by_schema if self._schemas else ()),
            JsonMode("json object", {"response_format": {"type": "json_object"}}, in_words=True),
            JsonMode("prompt", in_words=True),
        )

    def read(self, value: Any, event: str) -> Sequence[AnswerPiece]:
        if not isinstance(value, dict):
            said = message_in(value) if isinstance(value, list) else ""
            return (ServerError(said) if said else UnknownValue(),)
        if event == "error":
            return (ServerError(message_in(value)),)
        if error := value.get("error"):
            return (ServerError(message_in(error), _status(error)),)
        choices = value.get("choices")
        if not isinstance(choices, list):
            if value.get("object") == "error" or "message" in value or "detail" in value:
                return (ServerError(message_in(value), _status(value)),)
            choices = []
        pieces = _choice(choices[0]) if choices and isinstance(choices[0], dict) else []
        if value.get("usage") or "x_groq" in value:
            pieces += _usage(value)
        return pieces

    def speech(self, model: str, voice: str, text: str) -> ApiCall:
        body = {"model": model, "voice": voice, "input": text, "response_format": "mp3"}
        return ApiCall("/audio/speech", {name: whole_characters(value) for name, value in body.items()})

    def model_list(self, following: str | None) -> ApiCall:
        return ApiCall("/models")

    def models(self, value: Any) -> ModelPage:
        rows = as_rows(value.get("data", value.get("models")) if isinstance(value, dict) else value)
        return ModelPage(tuple(name for row in rows if (name := _chat_model(row))))


def _choice(choice: dict[str, Any]) -> list[AnswerPiece]:
    pieces: list[AnswerPiece] = []
    delta = choice.get("delta") or choice.get("message")
    if isinstance(delta, dict):
        content = delta.get("content")
        if (thought := delta.get("reasoning_content") or delta.get("reasoning")) and isinstance(thought, str):
            pieces.append(Reasoning())
        if isinstance(content, str):
            pieces.append(TextPiece(content))
        elif isinstance(content, list):
            pieces += _parts(content)
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            pieces.append(Refusal(refusal))
    if isinstance(reason := choice.get("finish_reason"), str) and reason:
        pieces.append(FinishReason(_REASONS.get(reason, "stop")))
    return pieces


def _parts(content: list[Any]) -> Iterator[AnswerPiece]:
    """Mistral's content: a list of texts and typed parts."""
    for part in content:
        if isinstance(part, str):
            yield TextPiece(part)
        elif isinstance(part, dict):
            if part.get("type") in ("thinking", "reasoning"):
                yield Reasoning()
            elif isinstance(text := part.get("text"), str):
                yield TextPiece(text)


def _usage(value: dict[str, Any]) -> Iterator[TokenUsage]:
    for usage in (value.get("usage"), as_object(value.get("x_groq")).get("usage")):
        if isinstance(usage, dict):
            yield TokenUsage(token_count(usage.get("prompt_tokens")), token_count(usage.get("completion_tokens")))


def _status(error: Any) -> int:
    """The status that an error names: as a number (OpenRouter, vLLM, llama.cpp), or in a word."""
    error = as_object(error)
    named = (error.get("code"), error.get("type"))
    return next((status for each in named if (status := token_count(each) or _STATUSES.get(str(each), 0))), 0)


def _chat_model(row: Any) -> str:
    """The id of a model that chats, "" for every other."""
    if isinstance(row, str):
        row = {"id": row}
    if not isinstance(row, dict) or row.get("type") in _NO_CHAT_TYPES:
        return ""
    capabilities = row.get("capabilities")
    if isinstance(capabilities, dict) and capabilities.get("completion_chat") is False:
        return ""
    return plain_id(row.get("id") or row.get("name"))
