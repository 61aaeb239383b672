"""Probe: asks whether a server on this machine or in its own network is there, in a thread of its own.

Not by httpx, which takes a third of the second to be imported. And not in the threads that the event loop lends: a name
that does not resolve may hold one for half a minute, and whoever ends the loop would wait for it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tui.system.event_loop import in_daemon_thread
from tui.system.net import host_of

if TYPE_CHECKING:
    from http.client import HTTPConnection

_MAX_BODY = 16 * 1024


@dataclass(frozen=True, slots=True)
class ProbeResponse:
    """Response to a probe; ``status`` is 0 where the server speaks TLS, which is not begun here: it connects."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class NoResponse:
    """Failed probe; ``why`` nothing came back is the end of a sentence about the server."""

    why: str


async def probe(url: str, headers: Mapping[str, str], *, seconds: float) -> ProbeResponse | NoResponse:
    """Probe ``url``; over TLS only connect. Never raises, and takes no longer than ``seconds``."""
    opened: list[socket.socket] = []
    try:
        async with asyncio.timeout(seconds):
            return await in_daemon_thread(lambda: _asked(url, headers, seconds, opened), name="probe")
    except TimeoutError:
        return NoResponse("within a second")
    finally:
        for each in opened:  # a server that sends a byte now and then would keep the thread for ever
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def _asked(
    url: str, headers: Mapping[str, str], seconds: float, opened: list[socket.socket]
) -> ProbeResponse | NoResponse:
    """Send the probe; ``opened`` is given the connection."""
    from http.client import HTTPConnection, HTTPException

    parts = urlsplit(url)
    tls = parts.scheme == "https"
    try:
        connection = HTTPConnection(parts.hostname or "", parts.port or (443 if tls else 80), timeout=seconds)
        try:
            connection.connect()
            opened.append(connection.sock)
            return ProbeResponse() if tls else _answer(connection, url, headers)
        finally:
            connection.close()
    except socket.gaierror:
        return NoResponse(f"since the name {host_of(url)} does not resolve")
    except TimeoutError:
        return NoResponse("within a second")
    except OSError:
        return NoResponse("")
    except (HTTPException, ValueError):
        return NoResponse("in HTTP")


def _answer(connection: HTTPConnection, url: str, headers: Mapping[str, str]) -> ProbeResponse:
    parts = urlsplit(url)
    headers = {"Accept": "application/json", "Accept-Encoding": "identity", "Connection": "close", **headers}
    if parts.username and "Authorization" not in headers:
        from base64 import b64encode
        from urllib.parse import unquote

        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    connection.request("GET", parts.path + (f"?{parts.query}" if parts.query else ""), headers=headers)
    response = connection.getresponse()
    # A list of models may be long, and is not wanted; what an error says is.
    body = b"" if response.status == 200 else response.read(_MAX_BODY)
    return ProbeResponse(response.status, {name.lower(): value for name, value in response.getheaders()}, body)
