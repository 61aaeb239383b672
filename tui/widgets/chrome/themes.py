"""Lode's own two themes: a colour for "you are here", one for "new or running", else two greys; and word tints."""

from collections.abc import Mapping
from typing import Any

from textual.app import App
from textual.theme import Theme

from tui.compat import refresh_colour_filter
from tui.config import WordTints
from tui.language.tags import base_language

MUTED = "auto 60%"
"""Style of muted text in a ``Content``, where ``$text-muted`` would give pure white or black."""

LANGUAGE_COLOURS = {
    True: ("#d6a94a", "#b99bd6", "#5fb3a1", "#d08fb5", "#a8b060", "#9aa8e6", "#cf9468", "#86b7bd"),
    False: ("#86620f", "#7a4a94", "#1c7064", "#99397a", "#5b6614", "#4352b3", "#96501d", "#2c6875"),
}
"""Colours that tell languages apart, for dark (True) and for light themes: legible on the cursor's line too, and none
is that of the cursor, of what runs or of what failed."""
_COMMONEST = ("de", "es", "ja", "fr", "en", "it", "zh", "ko")
TINTS: Mapping[WordTints, str] = {
    "text": "the colour of their text",
    "background": "the colour behind them",
    "underline": "without colour: new words are underlined, learned ones italic",
    "off": "they look like all others",
}
"""Tints, and what they set a word off by."""


_SCROLLBAR_GROUND = ("background", "background-hover", "background-active", "corner-color")


def _theme(
    name: str,
    *,
    dark: bool,
    colours: dict[str, Any],
    here: tuple[str, str, str],
    border: tuple[str, str],
    selection: str,
) -> Theme:
    """Theme of a few colours; ``here`` is the cursor's line, its text, and the mouse's line."""
    accent, background, foreground = colours["accent"], colours["background"], colours["foreground"]
    variables = {
        "block-cursor-background": here[0],
        "block-cursor-foreground": here[1],
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": colours["panel"],
        "block-cursor-blurred-foreground": foreground,
        "block-hover-background": here[2],
        "border": border[0],
        "border-blurred": border[1],
        "input-cursor-background": accent,
        "input-cursor-foreground": background,
        "input-selection-background": f"{accent} {selection}",
        "scrollbar": border[1],
        "scrollbar-hover": border[0],
        "scrollbar-active": accent,
        **{f"scrollbar-{part}": background for part in _SCROLLBAR_GROUND},
    }
    return Theme(name=name, primary=accent, dark=dark, variables=variables, **colours)


DARK = _theme(
    "lode-dark",
    dark=True,
    colours={
        "secondary": "#9aa3ab",
        "accent": "#4fb3d9",
        "success": "#70be5e",
        "warning": "#e0b040",
        "error": "#e0787c",
        "foreground": "#d5d9dc",
        "background": "#15181b",
        "surface": "#1b1f23",
        "panel": "#23282d",
    },
    here=("#2a3a46", "#eef2f4", "#1f252a"),
    border=("#4a535b", "#343b41"),
    selection="30%",
)
LIGHT = _theme(
    "lode-light",
    dark=False,
    colours={
        "secondary": "#6b7278",
        "accent": "#0f6f9c",
        "success": "#2f7d1f",
        "warning": "#8f6410",
        "error": "#b3202a",
        "foreground": "#24282b",
        "background": "#fbfaf7",
        "surface": "#f3f1ec",
        "panel": "#e9e6df",
    },
    here=("#d6e6ef", "#14181a", "#f0ede6"),
    border=("#b5b1a8", "#d8d4cb"),
    selection="25%",
)


def language_style(code: str) -> str:
    """Name of the style of a language's code, always the same: the commonest languages have one each."""
    language = base_language(code)
    is_common = language in _COMMONEST
    return f"language-{_COMMONEST.index(language) if is_common else sum(language.encode()) % len(_COMMONEST)}"


def install_look(app: App[Any], name: str, tints: WordTints) -> None:
    """Register both themes and take the one of this name, else the dark one, and these tints, before ``app`` runs.

    Setting ``App.theme`` would have all style sheets read a second time before the first frame.
    """
    app.register_theme(DARK)
    app.register_theme(LIGHT)
    app.set_reactive(App.theme, name if name in app.available_themes else DARK.name)
    dark = app.current_theme.dark
    app.set_class(dark, "-dark-mode", update=False)
    app.set_class(not dark, "-light-mode", update=False)
    app.set_class(True, _class(tints), update=False)
    refresh_colour_filter(app)
    app.stylesheet.set_variables(app.get_css_variables())


def show_tints(app: App[Any], name: WordTints) -> None:
    """Show words so from now on."""
    for each in TINTS:
        app.set_class(each == name, _class(each))


def shown_tints(app: App[Any]) -> WordTints:
    """The tints that are in force."""
    return next((name for name in TINTS if app.has_class(_class(name))), "off")


def _class(name: WordTints) -> str:
    return f"-tints-{name}"
