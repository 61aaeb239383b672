"""Many readers at once: ``python -m tests.bench.programs.server_load PATH URL COUNT SECONDS``, JSON on stdout.

A process of its own that does as little as can be done with what it reads: it notes when each token came, and how long
that was after the model had sent it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from functools import partial
from typing import cast
from urllib.parse import urlsplit

import uvloop

from tests.bench.programs.paced_model import TOKENS

_TOKEN = re.compile(rb"(\d+)@(\d+\.\d+) ")
"""Several may come in one event, when there are many streams."""
_LIMIT = 120.0


class Reader(asyncio.Protocol):
    """One request and its stream. ``delays`` has the seconds each token was on its way, in their order."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._rest = b""
        self.refused = b""
        self._begun = False
        self.delays: list[float] = []
        self.in_order = True
        self.complete = False
        self.ended = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        data = self._rest + data
        if not self._begun and not data.startswith(b"HTTP/1.1 200"[: len(data)]):
            self.refused += data
            if b"}" in data and self.transport is not None:
                self.transport.close()
            return
        self._begun = True
        end = data.rfind(b"\n\n") + 2
        if end < 2:
            self._rest = data
            return
        self._rest = data[end:]
        for number, sent in _TOKEN.findall(data, 0, end):
            self.in_order = self.in_order and int(number) == len(self.delays)
            self.delays.append(now - float(sent))
        if b"event: done" in data or b"data: [DONE]" in data:
            self.complete = b'"state":"complete"' in data or b"data: [DONE]" in data
            assert self.transport is not None
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


def request(path: str, number: int, host: str) -> bytes:
    sentence = f"Hoffentlich fährt der Zug heute noch ab ({number})."
    asked: dict[str, object] = {"sentence": sentence, "focus": "fährt", "model": "bench:paced"}
    if path.endswith("/chat/completions"):
        asked = {"model": "paced", "messages": [], "stream": True}
    body = json.dumps(asked).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def open_streams(url: str, path: str, count: int, seconds: float) -> list[Reader]:
    """So many streams, begun one after the other over these seconds."""
    loop = asyncio.get_running_loop()
    place = urlsplit(url)
    readers = []
    begun = loop.time()
    base = time.time_ns() // 1_000_000 * 1000
    for number in range(count):
        await asyncio.sleep(begun + seconds * number / count - loop.time())
        asked = request(path, base + number, place.netloc)
        _, reader = await loop.create_connection(partial(Reader, asked), place.hostname or "", place.port or 0)
        readers.append(reader)
    return readers


async def main(path: str, url: str, count: int, seconds: float) -> None:
    readers = await open_streams(url, path, count, seconds)
    async with asyncio.timeout(_LIMIT):
        await asyncio.gather(*(reader.ended for reader in readers))
    whole = [reader for reader in readers if reader.complete and reader.in_order and len(reader.delays) == TOKENS]
    for reader in readers:
        if reader not in whole:
            print("not whole:", len(reader.delays), reader.refused[-300:], file=sys.stderr)
    measured = {"complete": len(whole), "delays": sorted(delay for reader in readers for delay in reader.delays)}
    print(json.dumps(measured))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
