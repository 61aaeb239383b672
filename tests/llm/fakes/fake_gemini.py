"""Gemini's ``generateContent``, as the fake server speaks it (python-genai, ``types.py``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.llm.fakes.dialects import MODELS, Dialect, Why
from tests.llm.fakes.fake_server import Reply, Request, json_reply, sse
from tui.llm.wires.gemini import Gemini
from tui.llm.wires.wire_format import WireFormat

_FINISHES: dict[Why, str] = {"stop": "STOP", "length": "MAX_TOKENS"}
_STATUSES = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 500: "INTERNAL",
    429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}  # fmt: skip
_CHAT = re.compile(r"/v1(beta)?/models/[\w.%-]+:(generateContent|streamGenerateContent\?alt=sse)")


def chunk(
    *parts: dict[str, Any], finish: str = "", message: str = "", usage: dict[str, int] | None = None
) -> dict[str, Any]:
    """One response of a stream, or the only one."""
    candidate: dict[str, Any] = {"content": {"parts": list(parts), "role": "model"}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    if message:
        candidate["finishMessage"] = message
    made: dict[str, Any] = {"candidates": [candidate], "modelVersion": "fake-large", "responseId": "r1"}
    return {**made, "usageMetadata": usage} if usage is not None else made


def text(said: str) -> dict[str, Any]:
    return {"text": said}


def thought(said: str) -> dict[str, Any]:
    return {"text": said, "thought": True}


def counts(prompt: int, output: int, thoughts: int = 0) -> dict[str, int]:
    """``output`` is all that is paid for, thoughts included."""
    found = {"promptTokenCount": prompt, "candidatesTokenCount": output - thoughts, "totalTokenCount": prompt + output}
    return {**found, "thoughtsTokenCount": thoughts} if thoughts else found


def error(status: int, said: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": status, "message": said, "status": _STATUSES.get(status, "UNKNOWN"), **more}}


class FakeGemini(Dialect):
    name = "gemini"
    base_path = ""
    content_type = "text/event-stream"
    denial = "content_filtered"

    def wire(self) -> WireFormat:
        return Gemini()

    def knows(self, request: Request) -> bool:
        if request.method == "POST":
            return _CHAT.fullmatch(request.path) is not None and "contents" in request.body
        return urlsplit(request.path).path in ("/v1beta/models", "/v1/models")

    def wants_stream(self, request: Request) -> bool:
        return ":streamGenerateContent" in request.path

    def key(self, request: Request) -> str:
        return request.headers.get("x-goog-api-key", "")

    def rung(self, request: Request) -> str:
        config = request.body.get("generationConfig", {})
        if "responseMimeType" not in config:
            return "prompt"
        return "schema" if "responseJsonSchema" in config else "json object"

    def begun(self, thoughts: Sequence[str], tokens: tuple[int, int]) -> bytes:
        return sse(*(chunk(thought(each)) for each in thoughts), done=False, line_end="\r\n")

    def said(self, said: str, *, thoughts: bool) -> bytes:
        return sse(chunk(text(said)), done=False, line_end="\r\n")

    def ended(self, why: Why, tokens: tuple[int, int], *, thoughts: bool) -> bytes:
        usage = counts(*tokens, thoughts=2 if thoughts else 0)
        return sse(chunk(text(""), finish=_FINISHES[why], usage=usage), done=False, line_end="\r\n")

    def denied(self, said: str) -> bytes:
        blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT", "blockReasonMessage": said}}
        return sse({**blocked, "usageMetadata": {"promptTokenCount": 7}}, done=False, line_end="\r\n")

    def broke(self, said: str, status: int) -> bytes:
        return sse(error(status, said), done=False, line_end="\r\n")

    def whole(self, said: str, thoughts: Sequence[str], why: Why, tokens: tuple[int, int]) -> Any:
        parts = [*(thought(each) for each in thoughts), text(said)]
        return chunk(*parts, finish=_FINISHES[why], usage=counts(*tokens, thoughts=2 if thoughts else 0))

    def fault(self, status: int, said: str) -> Any:
        return error(status, said)

    def model_page(self, request: Request) -> Reply:
        begin = int(parse_qs(urlsplit(request.path).query).get("pageToken", ["0"])[0])
        limits = {"version": "001", "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536}
        model = {**limits, "supportedGenerationMethods": ["generateContent", "countTokens"]}
        names = MODELS[begin : begin + 2]
        rows = [{**model, "name": f"models/{name}", "displayName": name.title()} for name in names]
        following = {"nextPageToken": str(begin + 2)} if begin + 2 < len(MODELS) else {}
        return json_reply({"models": rows, **following})


GEMINI = FakeGemini()
