"""Palettes over the app: everything that can be done, guides, themes, tints of words."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from textual.app import App

from tui.config import WordTints
from tui.screens.dialogs.command_palette import ANYWHERE_ACTIONS, Palette, commands, theme_commands, tint_commands
from tui.screens.dialogs.palette_entries import Command
from tui.screens.dialogs.views import view_commands
from tui.screens.shell.elsewhere import elsewhere
from tui.service.protocol import Service
from tui.widgets.chrome.themes import show_tints


def choose_command(
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


def show_commands(app: App[Any], service: Service, guides: Sequence[Command]) -> None:
    """Let anything be chosen that can be done here and elsewhere, a guide, a view; or a place be typed."""
    everything = (*commands(app), *elsewhere(app, ANYWHERE_ACTIONS), *guides)
    choose_command(app, "Commands", everything, takes_places=True, more=partial(view_commands, app, service))


def show_themes(app: App[Any]) -> None:
    """Let a theme be chosen."""
    choose_command(app, "Themes", theme_commands(app))


def show_word_tints(app: App[Any], keep: Callable[[WordTints], object]) -> None:
    """Let the tints of words be chosen, and ``keep`` them."""

    def show(name: WordTints) -> None:
        show_tints(app, name)
        keep(name)

    choose_command(app, "Word tints", tint_commands(app, show))
