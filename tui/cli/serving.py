"""Parts of the commands that listen: the modules that they need, their loop, origins and log."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tui.cli.arguments import WrongUsage
from tui.cli.output import console
from tui.errors import InvalidInput, StoreError

if TYPE_CHECKING:
    from tui.store import Store

_EXTRA = ("fastapi", "httptools", "uvicorn")
"""Modules of the extra that the server cannot do without; uvloop is not there on every system."""


def check_extra() -> None:
    """Raises ``InvalidInput`` where the extra has not been installed."""
    from importlib.util import find_spec

    if missing := [name for name in _EXTRA if find_spec(name) is None]:
        raise InvalidInput(
            f"what a server needs is not installed: {', '.join(missing)}", hint="pip install 'lode[server]'"
        )


def choose_loop() -> type[asyncio.AbstractEventLoop]:
    """The loop of uvloop, where that is installed: it takes half the time for a piece of a stream."""
    from tui.system.event_loop import EventLoop, NameLookups

    try:
        import uvloop
    except ImportError:
        return EventLoop

    class FastLoop(NameLookups, uvloop.Loop):  # type: ignore[misc] # its own types differ from the standard's in trifles
        pass

    return FastLoop


def check_usable(store: Store) -> None:
    """Raises ``StoreError`` for a library that cannot be written; one that cannot be opened has raised already.

    The write at its end shows, before anyone is told that the library is served, that no other program holds it.
    """
    if store.read_only:
        raise StoreError(
            f"the library {store.path} can only be read", hint=f"make the file and {store.path.parent} writable"
        )
    store.remove_expired()


def read_origin(text: str) -> str:
    """An origin as browsers send it (https://www.rfc-editor.org/rfc/rfc6454#section-7)."""
    from urllib.parse import urlsplit

    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query:
        raise WrongUsage(f"{text[:100]!r} is no origin", hint="as in --allow-origin https://cards.example")
    return f"{parts.scheme}://{parts.netloc.lower()}"


class _Told(logging.Handler):
    """Warnings and errors as lines on standard error; what requests hold in them cannot command the terminal."""

    def emit(self, record: logging.LogRecord) -> None:
        console.tell(self.format(record))


def tell_log() -> None:
    told = _Told(logging.WARNING)
    told.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S"))
    logging.getLogger().addHandler(told)
