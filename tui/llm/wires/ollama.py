"""Ollama's own protocol: ``POST /api/chat`` (one JSON object a line) and ``GET /api/tags``.

It is used instead of Ollama's OpenAI front since only here can thinking be turned off and the context be set: by
default a prompt is cut at 4096 tokens without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from tui.llm.protocol import ChatRequest
from tui.llm.wires.wire_format import (
    AnswerPiece,
    ApiCall,
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

DEFAULT_PORT = 11434
_CONTEXT = 8192
"""Tokens; ample for a sentence, what stands around it and the answer, and small enough for a laptop's memory."""
_CHARACTERS_PER_TOKEN = 2
"""A low guess, so that a long prompt in any script gets its room."""
_NO_THOUGHT = OptionalFields("think", {"think": False}, re.compile(r"\bthink", re.IGNORECASE))


class Ollama:
    framing: Framing = "lines"
    redundant_endings = ("/api/chat", "/api", "/v1")
    stream_fields = ()
    structured_fields = (_NO_THOUGHT,)
    address_hint = "without /api or /v1 at its end"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def chat(self, request: ChatRequest, *, streamed: bool) -> ApiCall:
        messages = [{"role": role, "content": text} for role, text in request.messages()]
        if request.system.strip():
            messages.insert(0, {"role": "system", "content": whole_characters(request.system)})
        asked = sum(len(message["content"]) for message in messages) // _CHARACTERS_PER_TOKEN
        context = max(_CONTEXT, asked + _CONTEXT // 2)
        return ApiCall(
            "/api/chat",
            {
                "model": whole_characters(request.model),
                "messages": messages,
                "stream": streamed,
                "options": {"num_ctx": context},
            },
        )

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[JsonMode, ...]:
        return (
            JsonMode("schema", {"format": schema}),
            JsonMode("json object", {"format": "json"}, in_words=True),
            JsonMode("prompt", in_words=True),
        )

    def read(self, value: Any, event: str) -> Iterator[AnswerPiece]:
        if not isinstance(value, dict):
            yield UnknownValue()
            return
        if error := value.get("error"):
            yield ServerError(message_in(error))
            return
        message = value.get("message")
        if isinstance(message, dict):
            if isinstance(thought := message.get("thinking"), str) and thought:
                yield Reasoning()
            if isinstance(text := message.get("content"), str):
                yield TextPiece(text)
        elif "done" not in value:
            yield UnknownValue()
        if value.get("done") is True:
            yield TokenUsage(token_count(value.get("prompt_eval_count")), token_count(value.get("eval_count")))
            yield FinishReason("length" if value.get("done_reason") == "length" else "stop")
            yield StreamClosed()

    def speech(self, model: str, voice: str, text: str) -> None:
        return None

    def model_list(self, following: str | None) -> ApiCall:
        return ApiCall("/api/tags")

    def models(self, value: Any) -> ModelPage:
        rows = as_rows(as_object(value).get("models"))
        names = (plain_id(row.get("model") or row.get("name")) for row in rows if _chats(row))
        return ModelPage(tuple(name for name in names if name))


def _chats(row: Any) -> bool:
    """Whether a model chats: newer servers say so with "completion" (``model/capability.go``)."""
    if not isinstance(row, dict):
        return False
    capabilities = row.get("capabilities")
    return not isinstance(capabilities, list) or not capabilities or "completion" in capabilities


def base_url(host: str) -> str:
    """The address that ``OLLAMA_HOST`` means, by Ollama's own rules (``envconfig.Host``); "" is the default.

    A bare host gets http and port 11434, ``http://h`` port 80, ``https://h`` port 443, ``:5`` is this machine, and an
    address to listen on everywhere (``0.0.0.0``, ``::``) is this machine too.
    """
    host = host.strip().strip("\"'")
    scheme, separator, rest = host.partition("://")
    if not separator:
        scheme, rest = "http", host
    port = {"http": 80, "https": 443}.get(scheme, DEFAULT_PORT) if separator else DEFAULT_PORT
    authority, slash, path = rest.partition("/")
    try:
        parts = urlsplit(f"//{authority}" if not _is_bare_ipv6(authority) else f"//[{authority}]")
        name, given = parts.hostname or "127.0.0.1", parts.port
    except ValueError:
        name, given = authority or "127.0.0.1", None
    if name in ("0.0.0.0", "::"):
        name = "127.0.0.1" if name == "0.0.0.0" else "::1"
    shown = f"[{name}]" if ":" in name else name
    return f"{scheme}://{shown}:{port if given is None else given}{(slash + path).rstrip('/')}"


def _is_bare_ipv6(authority: str) -> bool:
    return authority.count(":") > 1 and not authority.startswith("[")
