"""Table of the rules by language; a module is loaded when a word of its language is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module

Listed = Callable[[str], str | None]
"""Look-up of a form in simplemma's list, whatever its case; None where the list does not have it."""
Rule = Callable[[str, Listed], str | None]

_MODULES: Mapping[str, str] = {
    "ar": "arabic",
    "de": "german",
    "es": "spanish",
    "fa": "persian",
    "fr": "french",
    "he": "hebrew",
    "it": "italian",
    "ru": "russian",
    "tr": "turkish",
}


@cache
def rule_of(language: str) -> Rule | None:
    """The rules of a language, by its primary subtag."""
    if language not in _MODULES:
        return None
    rule: Rule = import_module(f"tui.language.forms.rules.{_MODULES[language]}").find_lemma
    return rule
