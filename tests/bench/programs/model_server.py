"""A model server that costs next to nothing: a program that prints its base URL and serves.

It speaks the OpenAI chat protocol, keeps connections alive, and has every answer ready before it is asked for. What it
answers is the name of the model:

- ``first``: a short streamed answer whose first token is sent ahead of the rest;
- ``tokens``: 20 000 tokens, each in an HTTP chunk of its own, as servers without a proxy send them;
- ``blocks``: the same events in HTTP chunks of 16 KiB, as they come through a proxy or a slow reader;
- ``paced``: the tokens of ``stream_app`` at their pace.

A request that asks for no stream is the one for the focus word; it is answered at once.
"""

from __future__ import annotations

import json
import socketserver
import time
from collections.abc import Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.bench.programs.stream_tokens import TOKENS_PER_SECOND, tokens

TOKENS = 20_000
BLOCK = 16 * 1024
_WORDS = ("Hoffentlich", "fährt", "er", "über", "haupt", "noch", "**", "ab", "**,", "sagte", "食べ", "られた", "😀.\n")
TOKENS_LENGTH = sum(len(_WORDS[number % len(_WORDS)]) + 1 for number in range(TOKENS))
"""Characters of those."""
_FOCUS = {
    "surface": "fährt … ab",
    "lemma": "abfahren",
    "reading": None,
    "part_of_speech": "separable verb",
    "grammar": "3rd person singular present",
    "meanings": ["departs"],
    "level": "A1",
}


def event(content: str | None, finish: str | None = None) -> bytes:
    """One token with everything around it that OpenAI sends."""
    delta = {} if content is None else {"content": content}
    value = {
        "id": "chatcmpl-CQ8s0b1uJfNqXw9T4v5kDm2ZrYh3a",
        "object": "chat.completion.chunk",
        "created": 1760000000,
        "model": "gpt-5-mini-2025-08-07",
        "service_tier": "default",
        "system_fingerprint": None,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}],
        "usage": None,
        "obfuscation": "k3Tz9QwL",
    }
    return f"data: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def focus_answer() -> bytes:
    """The whole answer to the question for the focus word."""
    choice = {"index": 0, "message": {"role": "assistant", "content": json.dumps(_FOCUS)}, "finish_reason": "stop"}
    body = json.dumps({"choices": [choice]}).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def closing() -> bytes:
    return event(None, "stop") + b"data: [DONE]\n\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _blocks(body: bytes) -> Iterator[bytes]:
    for at in range(0, len(body), BLOCK):
        yield chunk(body[at : at + BLOCK])


def _events(count: int) -> list[bytes]:
    return [event(f" {_WORDS[number % len(_WORDS)]}") for number in range(count)]


@cache
def _answer(model: str) -> tuple[bytes, ...]:
    """The streamed answers, chunk framing included, in the pieces that go to the socket."""
    if model == "tokens":
        return (b"".join(map(chunk, (*_events(TOKENS), closing()))) + b"0\r\n\r\n",)
    if model == "blocks":
        return (b"".join(_blocks(b"".join(_events(TOKENS)) + closing())) + b"0\r\n\r\n",)
    if model == "first":
        first, *rest = _events(20)
        return (chunk(first), chunk(b"".join(rest) + closing()) + b"0\r\n\r\n")
    raise KeyError(model)


def _paced() -> Iterator[bytes]:
    started = time.monotonic()
    for number, token in enumerate(tokens()):
        time.sleep(max(0.0, started + number / TOKENS_PER_SECOND - time.monotonic()))
        yield chunk(event(token))
    yield chunk(closing()) + b"0\r\n\r\n"


class _Talk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not asked.get("stream"):
            self.wfile.write(focus_answer())
            return
        self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        try:
            for piece in _paced() if asked["model"] == "paced" else _answer(asked["model"]):
                self.wfile.write(piece)
        except ConnectionError:  # who asked has read the end mark and needs no more
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64


def main() -> None:
    for model in ("first", "tokens", "blocks"):
        _answer(model)
    with _Server(("127.0.0.1", 0), _Talk) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
