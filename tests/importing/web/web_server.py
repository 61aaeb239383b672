"""A web server on this machine, for what is downloaded: each path has its answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@dataclass
class Answer:
    body: bytes = b""
    kind: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    repeats: int = 1
    """How often the body is sent; the length is not told."""


class WebServer:
    """``answers`` by path, ``asked`` in order."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.asked.append(self.path)
                answer = web.answers.get(self.path.partition("?")[0], Answer(status=404))
                self.send_response(answer.status)
                if answer.kind:
                    self.send_header("Content-Type", answer.kind)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    for _ in range(answer.repeats):
                        self.wfile.write(answer.body)
                except OSError:
                    pass  # who asked has gone

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def web() -> Iterator[WebServer]:
    server = WebServer()
    yield server
    server.close()
