"""Palettes over the app: everything that can be done, guides, themes, tints of words; and a guide itself."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from textual.app import App

from tui.config import WordTints
from tui.guides import KEYS_LINE, Guide, list_guides, read_guide, write_keys
from tui.screens.dialogs.command_palette import ANYWHERE_ACTIONS, Palette, commands, theme_commands, tint_commands
from tui.screens.dialogs.other_commands import Command
from tui.screens.dialogs.panels import GuideScreen
from tui.screens.dialogs.views import view_commands
from tui.screens.shell.elsewhere import elsewhere
from tui.service.protocol import Service
from tui.widgets.chrome.themes import show_tints


def show_commands(app: App[Any], service: Service, keys: Mapping[str, str]) -> None:
    """Let anything be chosen that can be done here and elsewhere, a guide, a view; or a place be typed."""
    everything = (*commands(app), *elsewhere(app, ANYWHERE_ACTIONS), *_guide_commands(app, keys, "Guide: "))
    _choose(app, "Commands", everything, takes_places=True, more=partial(view_commands, app, service))


def show_guides(app: App[Any], keys: Mapping[str, str]) -> None:
    """Let a guide be chosen; ``keys`` are those of the settings."""
    _choose(app, "Guides", _guide_commands(app, keys))


def show_themes(app: App[Any]) -> None:
    """Let a theme be chosen."""
    _choose(app, "Themes", theme_commands(app))


def show_word_tints(app: App[Any], keep: Callable[[WordTints], object]) -> None:
    """Let the tints of words be chosen, and ``keep`` them."""

    def show(name: WordTints) -> None:
        show_tints(app, name)
        keep(name)

    _choose(app, "Word tints", tint_commands(app, show))


def _choose(
    app: App[Any],
    title: str,
    offered: Sequence[Command],
    *,
    takes_places: bool = False,
    more: Callable[[], Awaitable[Sequence[Command]]] | None = None,
) -> None:
    """Let one of these be chosen, or of those that ``more`` reads, and run it on the screen below."""

    def chosen(command: Command | None) -> None:
        if command is not None:
            app.call_later(command.run)

    app.push_screen(Palette(title, offered, takes_places=takes_places, more=more), chosen)


def _guide_commands(app: App[Any], keys: Mapping[str, str], prefix: str = "") -> list[Command]:
    return [
        Command(prefix + guide.topic, guide.summary, "", partial(_show_guide, app, keys, guide))
        for guide in list_guides()
    ]


async def _show_guide(app: App[Any], keys: Mapping[str, str], guide: Guide) -> None:
    text = await asyncio.to_thread(read_guide, guide.topic)
    if KEYS_LINE in text:
        text = text.replace(KEYS_LINE, await asyncio.to_thread(write_keys, type(app), keys))
    await app.push_screen(GuideScreen(guide.topic, text))
