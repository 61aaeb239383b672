"""Lode's own two themes: a colour for "you are here", one for "new or running", else two greys; and word tints."""

from collections.abc import Mapping
from typing import Any

from textual.app import App
from textual.theme import Theme

from tui.compat.app import refresh_colour_filter
from tui.config import WordTints
from tui.language.tags import base_language

MUTED = "auto 60%"
"""Style of muted text in a ``Content``, where ``$text-muted`` would give pure white or black."""

NO_COLOUR_CSS = """
.-no-color OptionList > .option-list--option-highlighted { text-style: reverse; }
.-no-color ConcordanceView > .concordance--cursor { text-style: reverse; }
.-no-color Dialog .dialog-answers > Button:focus { text-style: reverse; }
.-no-color TickBox:focus { text-style: reverse; }
"""
"""Styles for ``NO_COLOR``: what only a colour would tell of is turned over."""

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


_COLOURS: Mapping[str, tuple[str, str]] = {
    "secondary": ("#9aa3ab", "#6b7278"),
    "accent": ("#4fb3d9", "#0f6f9c"),
    "success": ("#70be5e", "#2f7d1f"),
    "warning": ("#e0b040", "#8f6410"),
    "error": ("#e0787c", "#b3202a"),
    "foreground": ("#d5d9dc", "#24282b"),
    "background": ("#15181b", "#fbfaf7"),
    "surface": ("#1b1f23", "#f3f1ec"),
    "panel": ("#23282d", "#e9e6df"),
}
"""Colours of the dark and of the light theme."""
_VARIABLES: Mapping[str, tuple[str, str]] = {
    "block-cursor-background": ("#2a3a46", "#d6e6ef"),
    "block-cursor-foreground": ("#eef2f4", "#14181a"),
    "block-hover-background": ("#1f252a", "#f0ede6"),
    "border": ("#4a535b", "#b5b1a8"),
    "border-blurred": ("#343b41", "#d8d4cb"),
}
"""The cursor's line and its text, the mouse's line, and borders with and without the focus."""
_SCROLLBAR_GROUND = ("background", "background-hover", "background-active", "corner-color")


def _theme(name: str, *, dark: bool) -> Theme:
    colours: dict[str, Any] = {part: pair[0 if dark else 1] for part, pair in _COLOURS.items()}
    own = {part: pair[0 if dark else 1] for part, pair in _VARIABLES.items()}
    accent, background = colours["accent"], colours["background"]
    variables = own | {
        "text-disabled": "auto 50%",  # placeholders are to be read as well
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": colours["panel"],
        "block-cursor-blurred-foreground": colours["foreground"],
        "input-cursor-background": accent,
        "input-cursor-foreground": background,
        "input-selection-background": f"{accent} {'30%' if dark else '25%'}",
        "scrollbar": own["border-blurred"],
        "scrollbar-hover": own["border"],
        "scrollbar-active": accent,
        **{f"scrollbar-{part}": background for part in _SCROLLBAR_GROUND},
    }
    return Theme(name=name, primary=accent, dark=dark, variables=variables, **colours)


DARK = _theme("lode-dark", dark=True)
LIGHT = _theme("lode-light", dark=False)


def language_style(code: str) -> str:
    """Name of the style of a language's code, always the same: the commonest languages have one each."""
    language = base_language(code)
    is_common = language in _COMMONEST
    return f"language-{_COMMONEST.index(language) if is_common else sum(language.encode()) % len(_COMMONEST)}"


def install_look(app: App[Any], name: str, tints: WordTints) -> None:
    """Register both themes and take the one of this name, else the dark one, and these tints, before ``app`` runs.

    Without colours (``NO_COLOR``) new words are underlined. Setting ``App.theme`` would have all style sheets read a
    second time before the first frame.
    """
    app.register_theme(DARK)
    app.register_theme(LIGHT)
    app.set_reactive(App.theme, name if name in app.available_themes else DARK.name)
    dark = app.current_theme.dark
    app.set_class(dark, "-dark-mode", update=False)
    app.set_class(not dark, "-light-mode", update=False)
    if app.no_color:
        app.set_class(True, "-no-color", update=False)
        tints = tints if tints == "off" else "underline"
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
