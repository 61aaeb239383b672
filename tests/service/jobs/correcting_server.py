"""A server with a model that corrects subtitles, on loopback: it answers each batch by a function."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, TypeAlias

from tests.correcting.fake_model import Entry, read_rows
from tests.waiting import HANGS

Refusal: TypeAlias = tuple[int, Any]
"""Status and body of an answer that is none."""
Correcting: TypeAlias = Callable[[list[Entry]], "Sequence[Entry] | Refusal"]


def answer_nothing(_: list[Entry]) -> Sequence[Entry]:
    return ()


class CorrectingServer:
    """The server; ``correct`` may be set to what answers, ``asked`` are the first lines of the batches that came."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.system: list[str] = []
        self.correct: Correcting = answer_nothing
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, request: Any) -> Refusal:
        system, prompt = (each["content"] for each in request["messages"])
        rows = read_rows(prompt)
        self.system.append(system)
        self.asked.append(rows[0].original)
        answered = self.correct(rows)
        if isinstance(answered, tuple) and len(answered) == 2 and isinstance(answered[0], int):
            return answered
        field = "translation" if prompt.startswith("Translate") else "corrected"
        lines = [{"number": number, "original": original, field: text} for number, original, text in answered]
        content = json.dumps({"lines": lines}, ensure_ascii=False)
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        return 200, {"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = HANGS
            disable_nagle_algorithm = True  # else the body waits for what says that the head came: 40 ms

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                status, answer = server._answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                data = json.dumps(answer).encode()
                with suppress(ConnectionError):  # who asked may have been killed
                    self.send_response(status)
                    self.send_header("content-type", "application/json")
                    self.send_header("content-length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)

        return Handler
