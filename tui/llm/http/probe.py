"""Whether a server on this machine or in its own network is there: one short question, in a thread of its own.

Not by httpx, which takes a third of the second to be imported. And not in the threads that the event loop lends: a name
that does not resolve may hold one for half a minute, and whoever ends the loop would wait for it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tui.event_loop import in_daemon_thread
from tui.llm.http.errors import is_loopback

if TYPE_CHECKING:
    from http.client import HTTPConnection

_OWN_NAMES = (".local", ".lan", ".home.arpa", ".internal")
"""Endings of names that no public server has (RFC 6762, RFC 8375, ICANN's ``.internal``; ``.lan`` by custom)."""
_MAX_BODY = 16 * 1024


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back; ``status`` is 0 where the server speaks TLS, which is not begun here: it takes the connection."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Silent:
    """Why nothing came back, as the end of a sentence about the server."""

    why: str


def in_own_network(url: str) -> bool:
    """Whether the host is this machine or one near it: an address that is not public, a name that is not.

    Names without a dot and those of ``_OWN_NAMES`` count as near, as do Tailscale's addresses (100.64.0.0/10).
    """
    if is_loopback(url):
        return True
    host = _host(url)
    try:
        return not ipaddress.ip_address(host.partition("%")[0]).is_global
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_OWN_NAMES))


def is_behind_proxy(url: str) -> bool:
    """Whether requests go through a proxy, so that nothing can be told by asking the host itself."""
    if is_loopback(url):
        return False
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    parts = urlsplit(url)
    return bool(proxies.get(parts.scheme) or proxies.get("all")) and not proxy_bypass(_host(url))


async def probe(url: str, headers: Mapping[str, str], *, seconds: float) -> Answered | Silent:
    """Ask for ``url``; over TLS only connect. Never raises, and takes no longer than ``seconds``."""
    opened: list[socket.socket] = []
    try:
        async with asyncio.timeout(seconds):
            return await in_daemon_thread(lambda: _asked(url, headers, seconds, opened), name="probe")
    except TimeoutError:
        return Silent("within a second")
    finally:
        for each in opened:  # a server that sends a byte now and then would keep the thread for ever
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def _asked(url: str, headers: Mapping[str, str], seconds: float, opened: list[socket.socket]) -> Answered | Silent:
    """``opened`` is given the connection."""
    from http.client import HTTPConnection, HTTPException

    parts = urlsplit(url)
    tls = parts.scheme == "https"
    try:
        connection = HTTPConnection(parts.hostname or "", parts.port or (443 if tls else 80), timeout=seconds)
        try:
            connection.connect()
            opened.append(connection.sock)
            return Answered() if tls else _answer(connection, url, headers)
        finally:
            connection.close()
    except socket.gaierror:
        return Silent(f"since the name {_host(url)} does not resolve")
    except TimeoutError:
        return Silent("within a second")
    except OSError:
        return Silent("")
    except (HTTPException, ValueError):
        return Silent("in HTTP")


def _answer(connection: HTTPConnection, url: str, headers: Mapping[str, str]) -> Answered:
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
    return Answered(response.status, {name.lower(): value for name, value in response.getheaders()}, body)


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".").lower()
    except ValueError:
        return ""
