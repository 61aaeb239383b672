"""Gemini: ``POST /v1beta/models/{id}:streamGenerateContent?alt=sse`` and ``:generateContent``, ``GET /v1beta/models``.

Nothing marks the end of a stream but a ``finishReason``. The key goes into a header, never into the address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from tui.llm.protocol import ChatRequest, TextDelta, Thinking
from tui.llm.wires import wire_format as wire
from tui.text.sanitize import whole_characters

_REASONS: Mapping[str, wire.FinishCode] = {
    **dict.fromkeys(("STOP", "FINISH_REASON_UNSPECIFIED"), "stop"),
    **dict.fromkeys(("MAX_TOKENS", "CONTINUATION"), "length"),
    **dict.fromkeys(("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"), "tool"),
    **dict.fromkeys(("OTHER", "MALFORMED_RESPONSE", "MISSING_THOUGHT_SIGNATURE", "NO_IMAGE", "IMAGE_OTHER"), "failed"),
}
"""Finish codes: finishReason → why it ended; any other (SAFETY, RECITATION, BLOCKLIST …) is an answer withheld."""
_ABOUT_THINKING = "thinking|thought|budget"
_LITTLE_THOUGHT = wire.OptionalFields(
    "thinking level", {"generationConfig": {"thinkingConfig": {"thinkingLevel": "low"}}}, _ABOUT_THINKING
)
_NO_THOUGHT = wire.OptionalFields(
    "thinking budget", {"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}}, _ABOUT_THINKING, _LITTLE_THOUGHT
)
"""Gemini 2.5 Flash can do without thinking, 2.5 Pro and most of Gemini 3 cannot ("Budget 0 is invalid. This model only
works in thinking mode."), and Gemini 3 knows levels, of which all its models have the low one."""
_PREFIX = "models/"
_FIELDS = {"candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"}
"""Fields of a response, which has one of them at least (``GenerateContentResponse``)."""


class Gemini(wire.WireFormat):
    redundant_endings = ("/v1beta", "/v1")
    structured_fields = (_NO_THOUGHT,)
    address_hint = "without /v1beta at its end"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def chat(self, request: ChatRequest, *, streamed: bool) -> wire.ApiCall:
        contents = [{"role": role, "parts": [{"text": text}]} for role, text in request.messages("model")]
        body: dict[str, Any] = {"contents": contents}
        if request.system.strip():
            body["systemInstruction"] = {"parts": [{"text": whole_characters(request.system)}]}
        model = quote(whole_characters(request.model.removeprefix(_PREFIX)), safe="")
        method = "streamGenerateContent?alt=sse" if streamed else "generateContent"
        return wire.ApiCall(f"/v1beta/models/{model}:{method}", body)

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[wire.JsonMode, ...]:
        json_only = {"responseMimeType": "application/json"}
        return (
            wire.JsonMode("schema", {"generationConfig": {**json_only, "responseJsonSchema": schema}}),
            wire.JsonMode("json object", {"generationConfig": json_only}, in_words=True),
            wire.JsonMode("prompt", in_words=True),
        )

    def read(self, value: Any, event: str) -> Iterator[wire.AnswerPiece]:
        if isinstance(value, list):  # errors come in one, and streams where "alt=sse" is lost on a proxy
            for each in value:
                if isinstance(each, list):
                    yield wire.UnknownValue()
                    return
                yield from self.read(each, event)
            return
        if error := wire.as_object(value).get("error"):
            yield wire.ServerError(wire.message_in(error), wire.token_count(wire.as_object(error).get("code")) or 0)
            return
        if not isinstance(value, dict) or (value and not value.keys() & _FIELDS):
            yield wire.UnknownValue()
            return
        yield from _read_usage(value.get("usageMetadata"))
        feedback = wire.as_object(value.get("promptFeedback"))
        if reason := feedback.get("blockReason"):
            more = wire.message_in(feedback.get("blockReasonMessage"))
            yield wire.FinishReason("filtered", f"the question was blocked, {reason}{': ' if more else ''}{more}")
        candidates = value.get("candidates")
        if isinstance(candidates, list) and candidates:
            yield from _candidate(wire.as_object(candidates[0]))

    def model_list(self, following: str | None) -> wire.ApiCall:
        token = f"&pageToken={quote(whole_characters(following), safe='')}" if following else ""
        return wire.ApiCall(f"/v1beta/models?pageSize=1000{token}")

    def models(self, value: Any) -> wire.ModelPage:
        rows = wire.as_rows(value.get("models", []) if isinstance(value, dict) else None)
        return wire.make_model_page(map(_chat_model, rows), value.get("nextPageToken"))


def _candidate(candidate: dict[str, Any]) -> Iterator[wire.AnswerPiece]:
    parts = wire.as_object(candidate.get("content")).get("parts")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(text := wire.as_object(part).get("text"), str):
            yield Thinking() if part.get("thought") is True else TextDelta(text)
    if isinstance(reason := candidate.get("finishReason"), str) and reason:
        ended = _REASONS.get(reason, "filtered")
        message = candidate.get("finishMessage")
        said = message if isinstance(message, str) else reason if ended in ("filtered", "failed") else ""
        yield wire.FinishReason(ended, said)


def _read_usage(usage: Any) -> Iterator[wire.AnswerPiece]:
    """Token counts; thoughts are paid for as output."""
    if not isinstance(usage, dict):
        return
    parts = [wire.token_count(usage.get(name)) for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    known = [part for part in parts if part is not None]
    output = sum(known) if known else None
    yield wire.TokenUsage(wire.token_count(usage.get("promptTokenCount")), output)


def _chat_model(row: Any) -> str:
    row = wire.as_object(row)
    methods = row.get("supportedGenerationMethods")
    if isinstance(methods, list) and "generateContent" not in methods:
        return ""
    name = row.get("name")
    return name.removeprefix(_PREFIX) if isinstance(name, str) else ""
