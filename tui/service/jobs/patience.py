"""Patience with providers: jobs ask again where that may help, after as long as a provider wants to be left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tui.errors import ProviderError
from tui.text.display import clock

T = TypeVar("T")
WAITS = (1.0, 4.0, 15.0, 30.0, 60.0)
"""Seconds before something is asked for again."""
_LONG = 10.0
"""Seconds of waiting from which on it is said."""
_MAX_PAUSE = 3600.0
"""Seconds that a provider may want to be left alone, as free accounts do; a job that has to wait longer fails."""
_PASSING = frozenset(("rate_limited", "provider_unavailable", "busy", "connection_lost", "stream_cut", "timeout"))
"""Codes of errors that may not come again."""


async def ask_patiently(ask: Callable[[], Awaitable[T]], label: str, on_pause: Callable[[str], Awaitable[None]]) -> T:
    """Ask a provider, and again where that may help; ``on_pause`` is told of a long pause, in words for people.

    Raises the ``ProviderError`` that asking again does not mend.
    """
    for wait in (*WAITS, None):
        try:
            return await ask()
        except ProviderError as error:
            if wait is None or error.code not in _PASSING or error.pause > _MAX_PAUSE:
                raise
            pause = max(wait, error.pause)
        if pause >= _LONG:
            await on_pause(f"{label} asks for a pause of {clock(round(pause * 1000))}")
        await asyncio.sleep(pause)
    raise AssertionError("the last attempt returns or raises")
