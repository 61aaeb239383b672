"""A model server that costs next to nothing itself: hundreds of streams, each at a token's pace of its own.

It speaks OpenAI's chat format. Every token carries when it was sent (``time.monotonic``, which is one clock for
the whole machine), so that whoever reads it further on knows how long it was on its way. The model ``paced`` gives
``TOKENS`` tokens at ``TOKENS_PER_SECOND``, ``first`` gives a few at once.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import cast

import uvloop

from tests.bench.programs.model_server import chunk, closing, event, focus_answer

TOKENS = 200
TOKENS_PER_SECOND = 20
_FIRST_TOKENS = 20
_PHASES = 10
"""Streams are told to go on in so many turns, so that they do not all speak at the same moment."""
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
_BEFORE, _AFTER = event("|").split(b"|")


def token(number: int) -> bytes:
    """Its number, when it was sent, and a word; ``server_load`` takes it apart again."""
    return chunk(b"%b%d@%.6f Zug %b" % (_BEFORE, number, time.monotonic(), _AFTER))


class _Talk(asyncio.Protocol):
    """One connection."""

    def __init__(self, model: _Model) -> None:
        self._model = model
        self._inbox = b""
        self.transport: asyncio.WriteTransport | None = None
        self.given = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.WriteTransport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None

    def data_received(self, data: bytes) -> None:
        self._inbox += data
        head, blank, body = self._inbox.partition(b"\r\n\r\n")
        if not blank:
            return
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        if len(body) < length:
            return
        self._inbox = body[length:]
        self._answer(json.loads(body[:length]))

    def _answer(self, asked: dict[str, object]) -> None:
        assert self.transport is not None
        if not asked.get("stream"):
            self.transport.write(focus_answer())
        elif asked["model"] == "first":
            self.transport.write(_HEAD + token(0))
            self.transport.write(b"".join(map(token, range(1, _FIRST_TOKENS))) + chunk(closing()) + b"0\r\n\r\n")
        else:
            self.transport.write(_HEAD)
            self.given = 0
            self._model.begin(self)

    def go_on(self) -> bool:
        """One token more; False when that was the last."""
        if self.transport is None or self.transport.is_closing():
            return False
        last = self.given + 1 == TOKENS
        self.transport.write(token(self.given) + (chunk(closing()) + b"0\r\n\r\n" if last else b""))
        self.given += 1
        return not last


class _Model:
    def __init__(self) -> None:
        self._turns: list[list[_Talk]] = [[] for _ in range(_PHASES)]

    def begin(self, talk: _Talk) -> None:
        min(self._turns, key=len).append(talk)

    async def speak(self) -> None:
        now = asyncio.get_running_loop().time
        due = now()
        while True:
            for number, turn in enumerate(self._turns):
                due += 1 / TOKENS_PER_SECOND / _PHASES
                await asyncio.sleep(due - now())
                self._turns[number] = [talk for talk in turn if talk.go_on()]


async def main() -> None:
    model = _Model()
    server = await asyncio.get_running_loop().create_server(lambda: _Talk(model), "127.0.0.1", 0, backlog=2048)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await model.speak()


if __name__ == "__main__":
    uvloop.run(main())
