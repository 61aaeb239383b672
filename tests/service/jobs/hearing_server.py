"""A transcribing server on loopback: answers each request with words of its own, one each half second of the sound."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import av

from tests.waiting import HANGS


@dataclass(frozen=True)
class Asked:
    """One request: its number from 0, the fields of its form, the name of its file and how long it sounds."""

    number: int
    fields: Mapping[str, list[str]]
    file_name: str
    seconds: float

    @property
    def wants_times(self) -> bool:
        return "verbose_json" in self.fields["response_format"]


@dataclass(frozen=True)
class Answer:
    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def hear(asked: Asked, said: str = "word") -> Answer:
    """Words with their times, in sentences of four; they are told apart by the half second that they are said in."""
    count = max(1, int(asked.seconds * 2))
    texts = [f"{(said.capitalize() if at % 4 == 0 else said)}{at}{'.' if at % 4 == 3 else ''}" for at in range(count)]
    words = [{"word": text, "start": at / 2, "end": at / 2 + 0.4} for at, text in enumerate(texts)]
    segments = [
        {"start": at / 2, "end": min(at / 2 + 2, asked.seconds), "text": " ".join(texts[at : at + 4])}
        for at in range(0, count, 4)
    ]
    return Answer({"text": " ".join(texts), "language": "english", "segments": segments, "words": words})


def hear_text(asked: Asked) -> Answer:
    """The text alone, as a model without times gives it; one that is asked for times is refused."""
    if asked.wants_times:
        said = "response_format 'verbose_json' is not compatible with this model"
        return Answer({"error": {"message": said, "param": "response_format"}}, 400)
    return Answer({"text": hear(asked).body["text"]})


class HearingServer:
    """The server; ``answer`` may be set to what answers each request, and ``asked`` are those that came."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answer: Callable[[Asked], Answer] = hear
        self.most_at_once = 0
        self._open = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = HANGS

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                asked = server._note(self.headers["content-type"], body)
                try:
                    answer = server.answer(asked)
                finally:
                    with server._lock:
                        server._open -= 1
                data = json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in {"content-type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler

    def _note(self, content_type: str, body: bytes) -> Asked:
        form = BytesParser(policy=HTTP).parsebytes(f"content-type: {content_type}\r\n\r\n".encode() + body)
        fields: dict[str, list[str]] = {}
        name, seconds = "", 0.0
        for part in form.iter_parts():
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            field_name = str(part.get_param("name", header="content-disposition"))
            if (file_name := part.get_filename()) is not None:
                name = file_name
                with av.open(io.BytesIO(content), "r") as sound:
                    seconds = sum(frame.samples for frame in sound.decode(sound.streams.audio[0])) / 16_000
            else:
                fields.setdefault(field_name, []).append(content.decode())
        with self._lock:
            asked = Asked(len(self.asked), fields, name, seconds)
            self.asked.append(asked)
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
        return asked
