"""Gemini: ``POST /v1beta/models/{id}:streamGenerateContent?alt=sse`` and ``:generateContent``, ``GET /v1beta/models``.

Nothing marks the end of a stream but a ``finishReason``. The key goes into a header, never into the address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from tui.llm.http.errors import said_by
from tui.llm.protocol import ChatRequest
from tui.llm.wires.chat_models import plain_id
from tui.llm.wires.wire_format import (
    Alien,
    Broke,
    Call,
    Counted,
    Ended,
    EndReason,
    Extra,
    Framing,
    ModelPage,
    Piece,
    Rung,
    Said,
    Thought,
    count,
)
from tui.text.surrogates import whole_characters

_REASONS: Mapping[str, EndReason] = {
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
"""finishReason → why it ended; what is not here (SAFETY, RECITATION, BLOCKLIST …) is an answer withheld."""
_ABOUT_THINKING = re.compile(r"thinking|thought|budget", re.IGNORECASE)
_LITTLE_THOUGHT = Extra(
    "thinking level", {"generationConfig": {"thinkingConfig": {"thinkingLevel": "low"}}}, _ABOUT_THINKING
)
_NO_THOUGHT = Extra(
    "thinking budget", {"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}}, _ABOUT_THINKING, _LITTLE_THOUGHT
)
"""Gemini 2.5 Flash can do without thinking, 2.5 Pro and most of Gemini 3 cannot ("Budget 0 is invalid. This model only
works in thinking mode."), and Gemini 3 knows levels, of which all its models have the low one."""
_PREFIX = "models/"
_FIELDS = {"candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"}
"""Every response has one of them (``GenerateContentResponse``)."""


class Gemini:
    framing: Framing = "events"
    needless_endings = ("/v1beta", "/v1")
    stream_extras = ()
    form_extras = (_NO_THOUGHT,)
    address_hint = "without /v1beta at its end"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def chat(self, request: ChatRequest, *, streamed: bool) -> Call:
        body: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": whole_characters(request.prompt)}]}]}
        if request.system.strip():
            body["systemInstruction"] = {"parts": [{"text": whole_characters(request.system)}]}
        model = quote(whole_characters(request.model.removeprefix(_PREFIX)), safe="")
        method = "streamGenerateContent?alt=sse" if streamed else "generateContent"
        return Call(f"/v1beta/models/{model}:{method}", body)

    def rungs(self, schema: Mapping[str, Any]) -> tuple[Rung, ...]:
        json_only = {"responseMimeType": "application/json"}
        return (
            Rung("schema", {"generationConfig": {**json_only, "responseJsonSchema": schema}}),
            Rung("json object", {"generationConfig": json_only}, in_words=True),
            Rung("prompt", in_words=True),
        )

    def read(self, value: Any, event: str) -> Iterator[Piece]:
        if isinstance(value, list):  # errors come in one, and streams where "alt=sse" is lost on a proxy
            for each in value:
                if isinstance(each, list):
                    yield Alien()
                    return
                yield from self.read(each, event)
            return
        if not isinstance(value, dict):
            yield Alien()
            return
        if error := value.get("error"):
            status = count(error.get("code")) if isinstance(error, dict) else None
            yield Broke(said_by(error), status or 0)
            return
        if value and not value.keys() & _FIELDS:
            yield Alien()
            return
        yield from _counted(value.get("usageMetadata"))
        feedback = value.get("promptFeedback")
        if isinstance(feedback, dict) and (reason := feedback.get("blockReason")):
            more = said_by(feedback.get("blockReasonMessage"))
            yield Ended("filtered", f"the question was blocked, {reason}{': ' if more else ''}{more}")
        candidates = value.get("candidates")
        if isinstance(candidates, list) and candidates and isinstance(candidates[0], dict):
            yield from _candidate(candidates[0])

    def model_list(self, following: str | None) -> Call:
        token = f"&pageToken={quote(whole_characters(following), safe='')}" if following else ""
        return Call(f"/v1beta/models?pageSize=1000{token}")

    def models(self, value: Any) -> ModelPage:
        if not isinstance(value, dict) or not isinstance(rows := value.get("models", []), list):
            raise ValueError("no list of models")
        following = value.get("nextPageToken")
        found = (_chat_model(row) for row in rows)
        return ModelPage(
            tuple(name for name in found if name), following if isinstance(following, str) and following else None
        )


def _candidate(candidate: dict[str, Any]) -> Iterator[Piece]:
    content = candidate.get("content")
    parts = content.get("parts") if isinstance(content, dict) else None
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and isinstance(text := part.get("text"), str):
            yield Thought() if part.get("thought") is True else Said(text)
    if isinstance(reason := candidate.get("finishReason"), str) and reason:
        ended = _REASONS.get(reason, "filtered")
        message = candidate.get("finishMessage")
        said = message if isinstance(message, str) else reason if ended in ("filtered", "failed") else ""
        yield Ended(ended, said)


def _counted(usage: Any) -> Iterator[Piece]:
    """Thoughts are paid for as output."""
    if not isinstance(usage, dict):
        return
    answer, thoughts = count(usage.get("candidatesTokenCount")), count(usage.get("thoughtsTokenCount"))
    output = None if answer is None and thoughts is None else (answer or 0) + (thoughts or 0)
    yield Counted(count(usage.get("promptTokenCount")), output)


def _chat_model(row: Any) -> str:
    if not isinstance(row, dict):
        return ""
    methods = row.get("supportedGenerationMethods")
    if isinstance(methods, list) and "generateContent" not in methods:
        return ""
    name = row.get("name")
    return plain_id(name.removeprefix(_PREFIX)) if isinstance(name, str) else ""
