"""Addresses and tokens of servers, checked: they are typed by hand, or stand in a variable or a file."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from tui.errors import InvalidInput
from tui.text.sanitize import one_line


@dataclass(frozen=True, slots=True)
class Address:
    """Address of a server; ``url`` has no slash at its end, ``location`` is host and port, as people read them."""

    url: str
    location: str

    @property
    def origin(self) -> tuple[str, str]:
        """Scheme, host and port, which one server has in common whatever the path."""
        return urlsplit(self.url).scheme, self.location


def parse_address(given: str) -> Address:
    """Raises ``InvalidInput`` (``invalid_url``) for what is no address of a server."""
    try:
        parts = urlsplit(given.strip())
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    host = parts.hostname or ""
    if (
        parts.scheme not in ("http", "https")
        or not host
        or not (host + parts.path).isprintable()
        or " " in host + parts.path
        or parts.query
        or parts.fragment
        or port == 0
    ):
        raise InvalidInput(
            f"{one_line(given)[:100]!r} is no address of a server",
            hint="as in http://127.0.0.1:8765",
            code="invalid_url",
        )
    if parts.username is not None or parts.password is not None:
        raise InvalidInput(
            "the address of a server holds no password", hint="put its token in LODE_TOKEN", code="invalid_url"
        )
    host = f"[{host}]" if ":" in host else host
    location = host if port is None else f"{host}:{port}"
    return Address(f"{parts.scheme}://{location}{parts.path.rstrip('/')}", location)


def check_token(given: str) -> str:
    """The token; raises ``InvalidInput`` (``invalid_token``) where it has what no header can carry."""
    token = given.strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise InvalidInput(
            "a token has letters, digits and signs of ASCII only, and no space",
            hint="check LODE_TOKEN: it must be what the server was given",
            code="invalid_token",
        )
    return token
