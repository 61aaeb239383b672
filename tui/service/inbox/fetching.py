"""Sounds and pictures at addresses that a note names, fetched from public hosts only.

Whoever sends a note may be a page's extension, or another user of this machine: an address of the own network would be
read with the reach of whoever runs the inbox. So a name is looked up once, every address that it has must be a public
one, and just that is connected to; where it leads on to is looked at in the same way.
"""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urljoin, urlsplit

from tui import bounds
from tui.errors import InvalidInput

_SECONDS, _MAX_REDIRECTS = bounds.INBOX_MEDIA.seconds, bounds.INBOX_MEDIA.depth
_MAX_BYTES = bounds.INBOX_MEDIA.bytes_in
_LEADS_ON = (301, 302, 303, 307, 308)
_NAT64 = IPv6Network("64:ff9b::/96")
"""Addresses of IPv4 as a network that has IPv6 alone reaches them."""
_NOT_PUBLIC = tuple(map(IPv6Network, ("::/96", "64:ff9b:1::/48", "fec0::/10")))
"""Those of the own network that Python's table takes for public ones."""
_HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; Lode)", "Accept-Encoding": "identity"}


async def fetch_media(address: str) -> bytes:
    """Fetch what is at an address. Raises ``InvalidInput`` for one that is not public, and where nothing comes."""
    import httpx

    try:
        async with asyncio.timeout(_SECONDS):
            for _ in range(_MAX_REDIRECTS + 1):
                target, found = await _ask(address)
                if target is None:
                    return found
                address = urljoin(address, target)
    except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError, ValueError) as error:
        raise _make_refusal(address, str(error) or type(error).__name__) from error
    raise _make_refusal(address, "it leads on too often")


async def _ask(address: str) -> tuple[str | None, bytes]:
    """Where an address leads on to, None for nowhere, and else what is there."""
    import httpx

    parts = urlsplit(address)
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        raise _make_refusal(address, "it is no address of the web")
    public = await _find_public(host, parts.port or (443 if parts.scheme == "https" else 80), address)
    shown = f"[{public}]" if ":" in public else public
    port = f":{parts.port}" if parts.port else ""
    url = parts._replace(netloc=f"{shown}{port}", fragment="").geturl()
    headers = {**_HEADERS, "Host": f"{host}{port}"}
    async with (
        httpx.AsyncClient(follow_redirects=False, trust_env=False, timeout=20.0) as client,
        client.stream("GET", url, headers=headers, extensions={"sni_hostname": host}) as response,
    ):
        if response.status_code in _LEADS_ON and "location" in response.headers:
            return response.headers["location"], b""
        if response.status_code != 200:
            raise _make_refusal(address, f"it answers {response.status_code}")
        content = bytearray()
        async for piece in response.aiter_raw():
            content += piece
            if len(content) > _MAX_BYTES:
                raise _make_refusal(address, f"it has more than {_MAX_BYTES / 1e6:g} MB")
        return None, bytes(content)


async def _find_public(host: str, port: int, address: str) -> str:
    """The first address of a host, all of which must be public."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    if not addresses or not all(_is_public(each) for each in addresses):
        raise _make_refusal(address, "it is an address of this machine or its network")
    return addresses[0]


def _is_public(address: str) -> bool:
    """Whether an address is one of the public net; of one that stands for another (IPv4 in IPv6), whether that is."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found in _NAT64:
            found = IPv4Address(found.packed[-4:])
        elif any(found in each for each in _NOT_PUBLIC):
            return False
        else:
            found = found.ipv4_mapped or found.sixtofour or found
    return found.is_global and not found.is_multicast


def _make_refusal(address: str, why: str) -> InvalidInput:
    return InvalidInput(f"{address[:200]} cannot be fetched: {why}", code="media_not_fetched")
