"""The OpenAI chat protocol, which most providers and nearly all local servers speak.

``POST {base}/chat/completions``, ``GET {base}/models``, and for sound ``POST {base}/audio/speech`` and
``/audio/transcriptions``. No sampling parameters and no caps are sent: newer models refuse the first and count their
thinking against the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tui.llm.protocol import ChatRequest, TextDelta, Thinking
from tui.llm.wires import wire_format as wire
from tui.text.sanitize import whole_characters

_REASONS: Mapping[str, wire.FinishCode] = {
    **dict.fromkeys(("length", "max_tokens", "model_length", "model_context_window_exceeded"), "length"),
    **dict.fromkeys(("content_filter", "sensitive"), "filtered"),
    **dict.fromkeys(("error", "abort", "network_error", "insufficient_system_resource"), "failed"),
    **dict.fromkeys(("tool_calls", "function_call"), "tool"),
}
"""Finish codes: finish_reason → why it ended; any other is a good end. Beyond OpenAI's own: "error" is Mistral's and
OpenRouter's, "abort" SGLang's, "insufficient_system_resource" DeepSeek's, "sensitive" and "network_error" Zhipu's."""
_STATUSES = {
    "server_error": 500, "rate_limit_exceeded": 429, "rate_limit_error": 429, "insufficient_quota": 402,
    "overloaded_error": 529, "service_unavailable": 503,
}  # fmt: skip
"""An error's code or type → the status that it has where it comes as a status of its own."""
_USAGE = wire.OptionalFields("usage", {"stream_options": {"include_usage": True}}, "stream_options|include_usage")
_ABOUT_EFFORT = r"reasoning[ _.]?effort|\breasoning\b"
_NO_CHAT_TYPES = ("embedding", "image", "moderation", "rerank", "audio", "video", "transcribe")


class OpenAiChat(wire.WireFormat):
    """The OpenAI chat format; ``schemas``: the provider knows more than JSON objects.

    ``effort`` is sent as ``reasoning_effort`` with structured requests, where a provider knows it: a focus word
    needs no long thought and has four seconds.
    """

    redundant_endings = ("/chat/completions", "/audio/transcriptions", "/inference")
    stream_fields = (_USAGE,)
    address_hint = "it often ends in /v1"

    def __init__(self, *, effort: str = "", schemas: bool = True) -> None:
        if effort:
            self.structured_fields = (wire.OptionalFields("effort", {"reasoning_effort": effort}, _ABOUT_EFFORT),)
        self._schemas = schemas

    def chat(self, request: ChatRequest, *, streamed: bool) -> wire.ApiCall:
        messages = [{"role": role, "content": text} for role, text in request.messages(with_system=True)]
        body: dict[str, Any] = {"model": whole_characters(request.model), "messages": messages}
        return wire.ApiCall("/chat/completions", {**body, "stream": True} if streamed else body)

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[wire.JsonMode, ...]:
        strict = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
        by_schema = (
            wire.JsonMode("strict schema", {"response_format": strict}),
            # The form of llama.cpp and of Together, whose grammar keeps to it; in words for those that overlook it.
            wire.JsonMode(
                "object by schema", {"response_format": {"type": "json_object", "schema": schema}}, in_words=True
            ),
        )
        return (
            *(by_schema if self._schemas else ()),
            wire.JsonMode("json object", {"response_format": {"type": "json_object"}}, in_words=True),
            wire.JsonMode("prompt", in_words=True),
        )

    def read(self, value: Any, event: str) -> Sequence[wire.AnswerPiece]:
        if not isinstance(value, dict):
            said = wire.message_in(value) if isinstance(value, list) else ""
            return (wire.ServerError(said) if said else wire.UnknownValue(),)
        if event == "error":
            return (wire.ServerError(wire.message_in(value)),)
        if error := value.get("error"):
            return (wire.ServerError(wire.message_in(error), _status(error)),)
        choices = value.get("choices")
        if not isinstance(choices, list):
            if value.get("object") == "error" or "message" in value or "detail" in value:
                return (wire.ServerError(wire.message_in(value), _status(value)),)
            choices = []
        pieces = _choice(choices[0]) if choices and isinstance(choices[0], dict) else []
        if value.get("usage") or "x_groq" in value:
            pieces += _usage(value)
        return pieces

    def speech(self, model: str, voice: str, text: str) -> wire.ApiCall:
        body = {"model": model, "voice": voice, "input": text, "response_format": "mp3"}
        return wire.ApiCall("/audio/speech", {name: whole_characters(value) for name, value in body.items()})

    def transcription(self, model: str, sound: wire.SentFile, fields: Mapping[str, Any]) -> wire.ApiCall:
        return wire.ApiCall("/audio/transcriptions", {"model": whole_characters(model), **fields}, sound)

    def model_list(self, following: str | None) -> wire.ApiCall:
        return wire.ApiCall("/models")

    def models(self, value: Any) -> wire.ModelPage:
        rows = wire.as_rows(value.get("data", value.get("models")) if isinstance(value, dict) else value)
        return wire.make_model_page(map(_chat_model, rows))


def _choice(choice: dict[str, Any]) -> list[wire.AnswerPiece]:
    pieces: list[wire.AnswerPiece] = []
    delta = wire.as_object(choice.get("delta") or choice.get("message"))
    content = delta.get("content")
    if (thought := delta.get("reasoning_content") or delta.get("reasoning")) and isinstance(thought, str):
        pieces.append(Thinking())
    if isinstance(content, str):
        pieces.append(TextDelta(content))
    elif isinstance(content, list):
        pieces += _parts(content)
    if isinstance(refusal := delta.get("refusal"), str) and refusal:
        pieces.append(wire.Refusal(refusal))
    if isinstance(reason := choice.get("finish_reason"), str) and reason:
        pieces.append(wire.FinishReason(_REASONS.get(reason, "stop")))
    return pieces


def _parts(content: list[Any]) -> Iterator[wire.AnswerPiece]:
    """Mistral's content: a list of texts and typed parts."""
    for part in content:
        if isinstance(part, str):
            yield TextDelta(part)
        elif isinstance(part, dict):
            if part.get("type") in ("thinking", "reasoning"):
                yield Thinking()
            elif isinstance(text := part.get("text"), str):
                yield TextDelta(text)


def _usage(value: dict[str, Any]) -> Iterator[wire.TokenUsage]:
    for usage in (value.get("usage"), wire.as_object(value.get("x_groq")).get("usage")):
        if isinstance(usage, dict):
            yield wire.make_usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))


def _status(error: Any) -> int:
    """The status that an error names: as a number (OpenRouter, vLLM, llama.cpp), or in a word."""
    error = wire.as_object(error)
    named = (error.get("code"), error.get("type"))
    return next((status for each in named if (status := wire.token_count(each) or _STATUSES.get(str(each), 0))), 0)


def _chat_model(row: Any) -> Any:
    """The id of a model that chats, None for every other."""
    if not isinstance(row, dict):
        return row
    if row.get("type") in _NO_CHAT_TYPES or wire.as_object(row.get("capabilities")).get("completion_chat") is False:
        return None
    return row.get("id") or row.get("name")
