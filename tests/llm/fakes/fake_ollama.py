"""Ollama's own protocol, as the fake server speaks it (ollama, ``api/types.go`` and ``server/routes.go``)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.llm.fakes.dialects import MODELS, Dialect, Why
from tests.llm.fakes.fake_server import Reply, Request, json_reply
from tui.llm.wires.ollama import Ollama
from tui.llm.wires.wire_format import WireFormat


def lines(*values: Any) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def line(content: str = "", **more: Any) -> dict[str, Any]:
    """One line of a streamed answer; ``thinking`` goes into the message."""
    message = {"role": "assistant", "content": content}
    if "thinking" in more:
        message["thinking"] = more.pop("thinking")
    head = {"model": "fake-large", "created_at": "2026-10-01T12:00:00.123456789Z"}
    return {**head, "message": message, "done": False, **more}


def last(reason: str = "stop", prompt: int = 7, output: int = 5, content: str = "") -> dict[str, Any]:
    durations = {"total_duration": 3_000_000, "load_duration": 1_000_000}
    counts = {"prompt_eval_count": prompt, "eval_count": output}
    return line(content, done=True, done_reason=reason, **durations, **counts)


class FakeOllama(Dialect):
    name = "ollama"
    base_path = ""
    content_type = "application/x-ndjson"
    denial = ""

    def wire(self) -> WireFormat:
        return Ollama()

    def knows(self, request: Request) -> bool:
        return (request.method, request.path) in (("POST", "/api/chat"), ("GET", "/api/tags"))

    def wants_stream(self, request: Request) -> bool:
        return bool(request.body.get("stream", True))

    def rung(self, request: Request) -> str:
        match request.body.get("format"):
            case dict():
                return "schema"
            case "json":
                return "json object"
            case _:
                return "prompt"

    def begun(self, thoughts: Sequence[str], tokens: tuple[int, int]) -> bytes:
        return lines(*(line(thinking=thought) for thought in thoughts))

    def said(self, text: str, *, thoughts: bool) -> bytes:
        return lines(line(text))

    def ended(self, why: Why, tokens: tuple[int, int], *, thoughts: bool) -> bytes:
        return lines(last(why, *tokens))

    def denied(self, said: str) -> bytes:
        raise AssertionError("Ollama has no refusals")

    def broke(self, said: str, status: int) -> bytes:
        return lines({"error": said})

    def whole(self, text: str, thoughts: Sequence[str], why: Why, tokens: tuple[int, int]) -> Any:
        made = last(why, *tokens, content=text)
        if thoughts:
            made["message"]["thinking"] = "".join(thoughts)
        return made

    def fault(self, status: int, said: str) -> Any:
        return {"error": said}

    def model_page(self, request: Request) -> Reply:
        details = {"format": "gguf", "family": "fake", "parameter_size": "8B"}
        model = {"modified_at": "2026-10-01T12:00:00.123456789Z", "size": 4_000_000_000, "digest": "0" * 64}
        known = {**model, "details": details, "capabilities": ["completion", "thinking"]}
        rows = [{**known, "name": name, "model": name} for name in MODELS]
        return json_reply({"models": rows})


OLLAMA = FakeOllama()
