"""Colours of widgets that keep no widget alive.

Textual 8.2.8 remembers them by the cache that asks (``StylesCache.get_inner_outer`` calls its first argument ``cls``
and is no class method), so that the last 1,024 widgets that went keep every line that they have drawn: 130 MB after
some thousand keys.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from textual._styles_cache import StylesCache
from textual.color import Color
from textual.style import Style

_FindColors = Callable[[type[StylesCache], Color, Color], tuple[Style, Style]]


def remember_colors_only() -> None:
    """Remember the colours of widgets by their backgrounds alone; nothing is done where Textual does so itself."""
    remembered: Any = StylesCache.__dict__.get("get_inner_outer")
    if not isinstance(remembered, classmethod) and hasattr(remembered, "__wrapped__"):
        by_backgrounds = lru_cache(1024)(cast(_FindColors, remembered.__wrapped__))
        StylesCache.get_inner_outer = classmethod(by_backgrounds)  # type: ignore[assignment,arg-type]  # on purpose
