"""Check of the settings' theme and keys: problems are told once, after the first list stands."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from textual.app import App

from tui.config import Settings
from tui.screens.shell.keymap import key_problems
from tui.text.sanitize import one_line

_MOST = 4
_READ_SECONDS = 12.0
"""Seconds that the toast stays, longer than others: it names two ids, and comes while the eye is on the list."""


async def notify_problems(app: App[Any], settings: Settings) -> None:
    """Notify of all problems at once; finding them happens in a thread, since it imports every screen."""
    found = await asyncio.to_thread(problems, settings, app.available_themes, type(app))
    if found:
        text = "\n".join(map(one_line, found[:_MOST]))
        rest = f"\nand {len(found) - _MOST} more" if len(found) > _MOST else ""
        app.notify(text + rest, severity="warning", markup=False, timeout=_READ_SECONDS)


def problems(settings: Settings, themes: Collection[str], app: type[App[Any]]) -> tuple[str, ...]:
    """Problems with the settings, a sentence each, the theme's first."""
    found: list[str] = []
    if settings.theme and settings.theme not in themes:
        close = get_close_matches(settings.theme, sorted(themes), n=1)
        hint = f"did you mean {close[0]}?" if close else "the palette lists them under Theme"
        found.append(f"there is no theme {settings.theme!r}: {hint}")
    return (*found, *key_problems(settings.keys, app))
