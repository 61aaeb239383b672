"""Lode's own two themes: one colour for "you are here", one for "new or running", everything else two greys.

``$accent`` (and ``$primary``, which Textual's widgets use for what has the focus) is where you are, ``$success`` what
is new or running, ``$foreground`` and ``$text-muted`` are the two greys.
"""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.theme import Theme

from tui.compat import refresh_colour_filter
from tui.language.tags import base_language

MUTED = "auto 60%"
"""``$text-muted`` for what is styled in a ``Content``, where that name would give pure white or black."""

DARK = Theme(
    name="lode-dark",
    primary="#4fb3d9",
    secondary="#9aa3ab",
    accent="#4fb3d9",
    success="#70be5e",
    warning="#e0b040",
    error="#e0787c",
    foreground="#d5d9dc",
    background="#15181b",
    surface="#1b1f23",
    panel="#23282d",
    dark=True,
    variables={
        "block-cursor-background": "#2a3a46",
        "block-cursor-foreground": "#eef2f4",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#23282d",
        "block-cursor-blurred-foreground": "#d5d9dc",
        "block-hover-background": "#1f252a",
        "border": "#4a535b",
        "border-blurred": "#343b41",
        "input-cursor-background": "#4fb3d9",
        "input-cursor-foreground": "#15181b",
        "input-selection-background": "#4fb3d9 30%",
        "footer-background": "#15181b",
        "footer-key-foreground": "#d5d9dc",
        "footer-description-foreground": "#8b949b",
        "scrollbar": "#343b41",
        "scrollbar-hover": "#4a535b",
        "scrollbar-active": "#4fb3d9",
        "scrollbar-background": "#15181b",
        "scrollbar-background-hover": "#15181b",
        "scrollbar-background-active": "#15181b",
        "scrollbar-corner-color": "#15181b",
    },
)

LIGHT = Theme(
    name="lode-light",
    primary="#0f6f9c",
    secondary="#6b7278",
    accent="#0f6f9c",
    success="#2f7d1f",
    warning="#8f6410",
    error="#b3202a",
    foreground="#24282b",
    background="#fbfaf7",
    surface="#f3f1ec",
    panel="#e9e6df",
    dark=False,
    variables={
        "block-cursor-background": "#d6e6ef",
        "block-cursor-foreground": "#14181a",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#e9e6df",
        "block-cursor-blurred-foreground": "#24282b",
        "block-hover-background": "#f0ede6",
        "border": "#b5b1a8",
        "border-blurred": "#d8d4cb",
        "input-cursor-background": "#0f6f9c",
        "input-cursor-foreground": "#fbfaf7",
        "input-selection-background": "#0f6f9c 25%",
        "footer-background": "#fbfaf7",
        "footer-key-foreground": "#24282b",
        "footer-description-foreground": "#6b7278",
        "scrollbar": "#d8d4cb",
        "scrollbar-hover": "#b5b1a8",
        "scrollbar-active": "#0f6f9c",
        "scrollbar-background": "#fbfaf7",
        "scrollbar-background-hover": "#fbfaf7",
        "scrollbar-background-active": "#fbfaf7",
        "scrollbar-corner-color": "#fbfaf7",
    },
)

_LANGUAGE_COLOURS = {
    True: ("#d6a94a", "#b99bd6", "#5fb3a1", "#d08fb5", "#a8b060", "#9aa8e6", "#cf9468", "#86b7bd"),
    False: ("#86620f", "#7a4a94", "#1c7064", "#99397a", "#5b6614", "#4352b3", "#96501d", "#2c6875"),
}
"""For dark and for light themes: legible on the cursor's line too, and none is that of the cursor, of what runs or of
what failed."""
_COMMONEST = ("de", "es", "ja", "fr", "en", "it", "zh", "ko")


def language_colours(*, dark: bool) -> tuple[str, ...]:
    """The colours that tell languages apart."""
    return _LANGUAGE_COLOURS[dark]


def language_look(code: str) -> str:
    """The name of the look of a language's code, always the same: the commonest languages have one each."""
    language = base_language(code)
    count = len(_COMMONEST)
    number = _COMMONEST.index(language) if language in _COMMONEST else sum(language.encode()) % count
    return f"language-{number}"


def begin_with(app: App[Any], name: str) -> None:
    """Register both and take the theme of this name, else the dark one, before ``app`` runs.

    Setting ``App.theme`` would have all style sheets read a second time before the first frame.
    """
    app.register_theme(DARK)
    app.register_theme(LIGHT)
    app.set_reactive(App.theme, name if name in app.available_themes else DARK.name)
    dark = app.current_theme.dark
    app.set_class(dark, "-dark-mode", update=False)
    app.set_class(not dark, "-light-mode", update=False)
    refresh_colour_filter(app)
    app.stylesheet.set_variables(app.get_css_variables())
