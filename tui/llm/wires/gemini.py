"""Gemini: ``POST /v1beta/models/{id}:streamGenerateContent?alt=sse`` and ``:generateContent``, ``GET /v1beta/models``.

Nothing marks the end of a stream but a ``finishReason``. The key goes into a header, never into the address.
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
    "STOP": "stop",
    "FINISH_REASON_UNSPECIFIED": "stop",
    "MAX_TOKENS": "length",
    "MALFORMED_FUNCTION_CALL": "tool",
    "UNEXPECTED_TOOL_CALL": "tool",
    "TOO_MANY_TOOL_CALLS": "tool",
    "CONTINUATION": "length",
    "OTHER": "failed",
    "MALFORMED_RESPONSE": "failed",
    "MISSING_THOUGHT_SIGNATURE": "failed",
    "NO_IMAGE": "failed",
    "IMAGE_OTHER": "failed",
}
"""Finish codes: finishReason → why it ended; any other (SAFETY, RECITATION, BLOCKLIST …) is an answer withheld."""
_ABOUT_THINKING = re.compile(r"thinking|thought|budget", re.IGNORECASE)
_LITTLE_THOUGHT = OptionalFields(
    "thinking level", {"generationConfig": {"thinkingConfig": {"thinkingLevel": "low"}}}, _ABOUT_THINKING
)
_NO_THOUGHT = OptionalFields(
    "thinking budget", {"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}}, _ABOUT_THINKING, _LITTLE_THOUGHT
)
"""Gemini 2.5 Flash can do without thinking, 2.5 Pro and most of Gemini 3 cannot ("Budget 0 is invalid. This model only
works in thinking mode."), and Gemini 3 knows levels, of which all its models have the low one."""
_PREFIX = "models/"
_FIELDS = {"candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"}
"""Fields of a response, which has one of them at least (``GenerateContentResponse``)."""


class Gemini:
    framing: Framing = "events"
    redundant_endings = ("/v1beta", "/v1")
    stream_fields = ()
    structured_fields = (_NO_THOUGHT,)
    address_hint = "without /v1beta at its end"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def chat(self, request: ChatRequest, *, streamed: bool) -> ApiCall:
        contents = [{"role": role, "parts": [{"text": text}]} for role, text in request.messages("model")]
        body: dict[str, Any] = {"contents": contents}
        if request.system.strip():
            body["systemInstruction"] = {"parts": [{"text": whole_characters(request.system)}]}
        model = quote(whole_characters(request.model.removeprefix(_PREFIX)), safe="")
        method = "streamGenerateContent?alt=sse" if streamed else "generateContent"
        return ApiCall(f"/v1beta/models/{model}:{method}", body)

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[JsonMode, ...]:
        json_only = {"responseMimeType": "application/json"}
        return (
            JsonMode("schema", {"generationConfig": {**json_only, "responseJsonSchema": schema}}),
            JsonMode("json object", {"generationConfig": json_only}, in_words=True),
            JsonMode("prompt", in_words=True),
        )

    def read(self, value: Any, event: str) -> Iterator[AnswerPiece]:
        if isinstance(value, list):  # errors come in one, and streams where "alt=sse" is lost on a proxy
            for each in value:
                if isinstance(each, list):
                    yield UnknownValue()
                    return
                yield from self.read(each, event)
            return
        if not isinstance(value, dict):
            yield UnknownValue()
            return
        if error := value.get("error"):
            yield ServerError(message_in(error), token_count(as_object(error).get("code")) or 0)
            return
        if value and not value.keys() & _FIELDS:
            yield UnknownValue()
            return
        yield from _counted(value.get("usageMetadata"))
        feedback = as_object(value.get("promptFeedback"))
        if reason := feedback.get("blockReason"):
            more = message_in(feedback.get("blockReasonMessage"))
            yield FinishReason("filtered", f"the question was blocked, {reason}{': ' if more else ''}{more}")
        candidates = value.get("candidates")
        if isinstance(candidates, list) and candidates and isinstance(candidates[0], dict):
            yield from _candidate(candidates[0])

    def speech(self, model: str, voice: str, text: str) -> None:
        return None

    def model_list(self, following: str | None) -> ApiCall:
        token = f"&pageToken={quote(whole_characters(following), safe='')}" if following else ""
        return ApiCall(f"/v1beta/models?pageSize=1000{token}")

    def models(self, value: Any) -> ModelPage:
        rows = as_rows(value.get("models", []) if isinstance(value, dict) else None)
        following = value.get("nextPageToken")
        found = (_chat_model(row) for row in rows)
        return ModelPage(
            tuple(name for name in found if name), following if isinstance(following, str) and following else None
        )


def _candidate(candidate: dict[str, Any]) -> Iterator[AnswerPiece]:
    parts = as_object(candidate.get("content")).get("parts")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and isinstance(text := part.get("text"), str):
            yield Reasoning() if part.get("thought") is True else TextPiece(text)
    if isinstance(reason := candidate.get("finishReason"), str) and reason:
        ended = _REASONS.get(reason, "filtered")
        message = candidate.get("finishMessage")
        said = message if isinstance(message, str) else reason if ended in ("filtered", "failed") else ""
        yield FinishReason(ended, said)


def _counted(usage: Any) -> Iterator[AnswerPiece]:
    """Token counts; thoughts are paid for as output."""
    if not isinstance(usage, dict):
        return
    answer, thoughts = token_count(usage.get("candidatesTokenCount")), token_count(usage.get("thoughtsTokenCount"))
    output = None if answer is None and thoughts is None else (answer or 0) + (thoughts or 0)
    yield TokenUsage(token_count(usage.get("promptTokenCount")), output)


def _chat_model(row: Any) -> str:
    row = as_object(row)
    methods = row.get("supportedGenerationMethods")
    if isinstance(methods, list) and "generateContent" not in methods:
        return ""
    name = row.get("name")
    return plain_id(name.removeprefix(_PREFIX)) if isinstance(name, str) else ""
