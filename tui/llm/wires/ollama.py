"""Ollama's own protocol: ``POST /api/chat`` (one JSON object a line) and ``GET /api/tags``.

It is used instead of Ollama's OpenAI front since only here can thinking be turned off and the context be set: by
default a prompt is cut at 4096 tokens without a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from tui.llm.protocol import ChatRequest, TextDelta, Thinking
from tui.llm.wires import wire_format as wire
from tui.text.sanitize import whole_characters

DEFAULT_PORT = 11434
_CONTEXT = 8192
"""Tokens; ample for a sentence, what stands around it and the answer, and small enough for a laptop's memory."""
_CHARACTERS_PER_TOKEN = 2
"""A low guess, so that a long prompt in any script gets its room."""
_NO_THOUGHT = wire.OptionalFields("think", {"think": False}, r"\bthink")


class Ollama(wire.WireFormat):
    framing: wire.Framing = "lines"
    redundant_endings = ("/api/chat", "/api", "/v1")
    structured_fields = (_NO_THOUGHT,)
    address_hint = "without /api or /v1 at its end"

    def chat(self, request: ChatRequest, *, streamed: bool) -> wire.ApiCall:
        messages = [{"role": role, "content": text} for role, text in request.messages(with_system=True)]
        asked = sum(len(message["content"]) for message in messages) // _CHARACTERS_PER_TOKEN
        options = {"num_ctx": max(_CONTEXT, asked + _CONTEXT // 2)}
        body = {"model": whole_characters(request.model), "messages": messages, "stream": streamed, "options": options}
        return wire.ApiCall("/api/chat", body)

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[wire.JsonMode, ...]:
        return (
            wire.JsonMode("schema", {"format": schema}),
            wire.JsonMode("json object", {"format": "json"}, in_words=True),
            wire.JsonMode("prompt", in_words=True),
        )

    def read(self, value: Any, event: str) -> Iterator[wire.AnswerPiece]:
        if not isinstance(value, dict):
            yield wire.UnknownValue()
            return
        if error := value.get("error"):
            yield wire.ServerError(wire.message_in(error))
            return
        message = value.get("message")
        if isinstance(message, dict):
            if isinstance(thought := message.get("thinking"), str) and thought:
                yield Thinking()
            if isinstance(text := message.get("content"), str):
                yield TextDelta(text)
        elif "done" not in value:
            yield wire.UnknownValue()
        if value.get("done") is True:
            yield wire.make_usage(value.get("prompt_eval_count"), value.get("eval_count"))
            yield wire.FinishReason("length" if value.get("done_reason") == "length" else "stop")
            yield wire.StreamClosed()

    def model_list(self, following: str | None) -> wire.ApiCall:
        return wire.ApiCall("/api/tags")

    def models(self, value: Any) -> wire.ModelPage:
        rows = map(wire.as_object, wire.as_rows(wire.as_object(value).get("models")))
        return wire.make_model_page(row.get("model") or row.get("name") for row in rows if _chats(row))


def _chats(row: dict[str, Any]) -> bool:
    """Whether a model chats: newer servers say so with "completion" (``model/capability.go``)."""
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
        is_bare_ipv6 = authority.count(":") > 1 and not authority.startswith("[")
        parts = urlsplit(f"//[{authority}]" if is_bare_ipv6 else f"//{authority}")
        name, given = parts.hostname or "127.0.0.1", parts.port
    except ValueError:
        name, given = authority or "127.0.0.1", None
    if name in ("0.0.0.0", "::"):
        name = "127.0.0.1" if name == "0.0.0.0" else "::1"
    shown = f"[{name}]" if ":" in name else name
    return f"{scheme}://{shown}:{port if given is None else given}{(slash + path).rstrip('/')}"
