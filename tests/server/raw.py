"""Requests as bytes, for what no client library would send."""

from __future__ import annotations

import asyncio

import httpx


async def exchange(port: int, *pieces: bytes) -> bytes:
    """Send the pieces and read until the server closes; one that keeps the connection open must be told to close it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            try:
                await writer.drain()
            except ConnectionError:
                break
        received = bytearray()
        try:
            while data := await reader.read(65536):
                received += data
        except ConnectionError:
            pass  # what it had said before it hung up counts
        return bytes(received)
    finally:
        writer.close()


def read(answer: bytes) -> httpx.Response:
    """The answer, of a connection that was closed after it."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = [tuple(line.split(": ", 1)) for line in lines]
    return httpx.Response(int(status.split()[1]), headers=[(name, value) for name, value in headers], content=body)


def request(method: str, path: str, **headers: str) -> bytes:
    given = {"Host": "127.0.0.1", "Connection": "close", **{name.replace("_", "-"): v for name, v in headers.items()}}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
