"""Commands of the app's palette that show a guide."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from textual.app import App

from tui.guides import KEYS_LINE, list_guides, read_guide, write_keys
from tui.screens.dialogs.palette_entries import Command
from tui.screens.dialogs.panels import GuideScreen


def guide_commands(app: App[Any], keys: Mapping[str, str], prefix: str = "") -> list[Command]:
    """A command for each guide; ``keys`` are those of the settings, for the guide that lists them."""
    return [
        Command(prefix + guide.topic, guide.summary, "", partial(_show_guide, app, keys, guide.topic))
        for guide in list_guides()
    ]


async def _show_guide(app: App[Any], keys: Mapping[str, str], topic: str) -> None:
    text = await asyncio.to_thread(read_guide, topic)
    if KEYS_LINE in text:
        text = text.replace(KEYS_LINE, await asyncio.to_thread(write_keys, type(app), keys))
    await app.push_screen(GuideScreen(topic, text))
