"""Word tints: how the reader sets off new and learned words, as a class of the app that its style sheet looks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.app import App

from tui.config import WordTints

TINTS: Mapping[WordTints, str] = {
    "text": "the colour of their text",
    "background": "the colour behind them",
    "underline": "without colour: new words are underlined, learned ones italic",
    "off": "they look like all others",
}
"""Tints, and what they set a word off by."""


def install_tints(app: App[Any], name: WordTints) -> None:
    """Take these tints before ``app`` runs."""
    app.set_class(True, _class(name), update=False)


def show_tints(app: App[Any], name: WordTints) -> None:
    """Show words so from now on."""
    for each in TINTS:
        app.set_class(each == name, _class(each))


def shown_tints(app: App[Any]) -> WordTints:
    """The tints that are in force."""
    return next((name for name in TINTS if app.has_class(_class(name))), "off")


def _class(name: WordTints) -> str:
    return f"-tints-{name}"
