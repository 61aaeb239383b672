"""Hosts: which are this machine or in its own network, and whether a proxy stands before them."""

from ipaddress import ip_address
from urllib.parse import urlsplit

_OWN_NAMES = (".local", ".lan", ".home.arpa", ".internal")
"""Endings of names that no public server has (RFC 6762, RFC 8375, ICANN's ``.internal``; ``.lan`` by custom)."""


def host_of(url: str) -> str:
    """The name or address in a URL, "" where there is none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".").lower()
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there; a name other than ``localhost`` may stand for anything."""
    try:
        return host.lower() == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_this_machine(url: str) -> bool:
    """Whether whoever asks for the URL asks this machine, and no proxy."""
    host = host_of(url)
    return is_loopback(host) or host.endswith(".localhost") or host in ("0.0.0.0", "::")


def in_own_network(url: str) -> bool:
    """Whether the host is this machine or one near it: an address that is not public, a name that is not.

    Names without a dot and those of ``_OWN_NAMES`` count as near, as do Tailscale's addresses (100.64.0.0/10).
    """
    host = host_of(url)
    try:
        return not ip_address(host.partition("%")[0]).is_global
    except ValueError:
        return is_this_machine(url) or (bool(host) and ("." not in host or host.endswith(_OWN_NAMES)))


def is_behind_proxy(url: str) -> bool:
    """Whether requests go through a proxy, so that nothing can be told by asking the host itself."""
    if is_this_machine(url):
        return False
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    return bool(proxies.get(urlsplit(url).scheme) or proxies.get("all")) and not proxy_bypass(host_of(url))
