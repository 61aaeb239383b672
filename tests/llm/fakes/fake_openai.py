"""OpenAI's chat completions, as the fake server speaks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.llm.fakes.dialects import MODELS, Dialect, Why
from tests.llm.fakes.fake_server import Answering, Reply, Request, answer, delta, json_reply, sse, status, usage
from tui.llm.wires.openai_chat import OpenAiChat
from tui.llm.wires.wire_format import WireFormat


class FakeOpenAi(Dialect):
    name = "openai"
    base_path = "/v1"
    content_type = "text/event-stream"
    denial = "refused"

    def wire(self) -> WireFormat:
        return OpenAiChat()

    def knows(self, request: Request) -> bool:
        return (request.method, request.path) in (("POST", "/v1/chat/completions"), ("GET", "/v1/models"))

    def rung(self, request: Request) -> str:
        form = request.body.get("response_format")
        if form is None:
            return "prompt"
        if form["type"] == "json_object":
            return "object by schema" if "schema" in form else "json object"
        return "strict schema"

    def begun(self, thoughts: Sequence[str], tokens: tuple[int, int]) -> bytes:
        return sse(delta("", role="assistant"), *(delta(reasoning_content=thought) for thought in thoughts), done=False)

    def said(self, text: str, *, thoughts: bool) -> bytes:
        return sse(delta(text), done=False)

    def ended(self, why: Why, tokens: tuple[int, int], *, thoughts: bool) -> bytes:
        return sse(delta(finish=why), usage(*tokens))

    def denied(self, said: str) -> bytes:
        half = len(said) // 2
        return sse(delta(None, refusal=said[:half]), delta(None, refusal=said[half:]), delta(finish="stop"))

    def broke(self, said: str, status: int) -> bytes:
        return sse({"error": {"message": said, "type": "server_error", "code": status, "param": None}}, done=False)

    def whole(self, text: str, thoughts: Sequence[str], why: Why, tokens: tuple[int, int]) -> Any:
        message = {"role": "assistant", "content": text, "refusal": None}
        if thoughts:
            message["reasoning_content"] = "".join(thoughts)
        choice = {"index": 0, "message": message, "finish_reason": why, "logprobs": None}
        return {**delta(), "object": "chat.completion", "choices": [choice], "usage": usage(*tokens)["usage"]}

    def fault(self, status: int, said: str) -> Any:
        return {"error": {"message": said, "type": "invalid_request_error", "param": None, "code": None}}

    def model_page(self, request: Request) -> Reply:
        rows = [{"id": each, "object": "model", "created": 1_790_000_000, "owned_by": "fake"} for each in MODELS]
        return json_reply({"object": "list", "data": rows})


OPENAI = FakeOpenAi()
_LLAMA_CPP_SAID = """1 validation error:
  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': "Input should be 'text' or \
'json_object'", 'input': 'json_schema', 'ctx': {'expected': "'text' or 'json_object'"}}

  File "/opt/llama/lib/python3.11/site-packages/llama_cpp/server/app.py", line 472, in create_chat_completion
    POST /v1/chat/completions"""


def like_llama_cpp(focus: Any, explanation: Reply) -> Answering:
    """Answers as llama-cpp-python's server does: a 500 for ``json_schema``; ``focus`` for a JSON object by schema."""

    def answered(request: Request) -> Reply:
        rung = OPENAI.rung(request)
        if rung == "strict schema":
            return status(500, {"error": {"message": _LLAMA_CPP_SAID, "type": "internal_server_error"}})
        return explanation if rung == "prompt" else answer(focus)

    return answered
