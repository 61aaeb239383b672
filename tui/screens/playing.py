"""Playing sounds in the app, one at a time, whichever screen asks."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from textual.app import App

from tui.errors import LodeError


def play_alone(app: App[Any], playing: Coroutine[Any, Any, None], complain: Callable[[LodeError], None]) -> None:
    """Play a sound instead of the one that is being played; it ends with the app at the latest.

    ``playing`` plays it and stops when cancelled; ``complain`` is called with the error that it raises.
    """

    async def play() -> None:
        try:
            await playing
        except LodeError as error:
            complain(error)

    app.run_worker(play(), group="play", exclusive=True, exit_on_error=False)
