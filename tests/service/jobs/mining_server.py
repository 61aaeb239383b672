"""A server with a model that breaks words down, on loopback: the form of a word, or a streamed explanation."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, TypeAlias

from tests.waiting import HANGS

Refusal: TypeAlias = tuple[int, Any]
FAR = "http://models.example.com/v1"
CUT: Refusal = (0, None)
"""Answer that breaks off in its middle."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came: for the form of a word, or for an explanation, and what it says."""

    is_form: bool
    prompt: str


class MiningServer:
    """The server; ``refuse`` may be set to what answers a request otherwise, ``asked`` are those that came.

    ``most_at_once`` is how many it had under way, ``seconds`` how long each takes. Whoever has the environment of
    ``proxy`` finds it at ``FAR``: of a server near by a provider takes one request at a time.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self.asked: list[Asked] = []
        self.refuse: Callable[[Asked], Refusal | None] = lambda asked: None
        self.most_at_once = 0
        self._seconds = seconds
        self._at_once = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self.proxy = {"http_proxy": f"http://127.0.0.1:{self._server.server_port}", "no_proxy": ""}

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def begin(self, request: Any) -> tuple[Asked, Refusal | None]:
        asked = Asked(not request.get("stream"), request["messages"][-1]["content"])
        with self._lock:
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        if self._seconds:
            time.sleep(self._seconds)
        return asked, self.refuse(asked)

    def end(self) -> None:
        with self._lock:
            self._at_once -= 1

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = HANGS
            disable_nagle_algorithm = True

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                asked, refusal = server.begin(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                server.end()
                if refusal == CUT:
                    self._send(200, _events("Half an ans", finish=None), "text/event-stream")
                elif refusal is not None:
                    self._send(refusal[0], json.dumps(refusal[1]).encode(), "application/json")
                elif asked.is_form:
                    self._send(200, _form(asked.prompt), "application/json")
                else:
                    self._send(200, _events("It **says** so.", finish="stop"), "text/event-stream")

            def _send(self, status: int, data: bytes, kind: str) -> None:
                with suppress(OSError):  # whoever asked may have been killed
                    self.send_response(status)
                    self.send_header("content-type", kind)
                    self.send_header("content-length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)

        return Handler


def _form(prompt: str) -> bytes:
    word = json.loads(prompt)["word"]
    form = {"surface": word, "lemma": word.lower(), "meanings": [f"meaning of {word}"], "translation": "In English."}
    choice = {"index": 0, "message": {"role": "assistant", "content": json.dumps(form)}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}).encode()


def _events(text: str, *, finish: str | None) -> bytes:
    pieces = [{"index": 0, "delta": {"content": text}, "finish_reason": None}]
    pieces += [{"index": 0, "delta": {}, "finish_reason": finish}] if finish else []
    events = [f"data: {json.dumps({'choices': [piece]})}\n\n" for piece in pieces]
    return "".join([*events, "data: [DONE]\n\n" if finish else ""]).encode()
