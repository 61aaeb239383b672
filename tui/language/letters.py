"""Letters of languages: those beyond ASCII, and the commonest characters of Chinese and Korean (``letters.toml``).

They tell whether a text can be what it claims to be: an ``ã`` is a letter, but not a German one.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def letters_of(language: str) -> frozenset[str] | None:
    """Its letters beyond ASCII, small and capital; None for a language whose letters are not known here."""
    small = _listed()["beyond_ascii"].get(language)
    return None if small is None else frozenset(small) | frozenset(small.upper())


def languages_with_letters() -> tuple[str, ...]:
    """The languages of ``letters_of``."""
    return tuple(_listed()["beyond_ascii"])


@cache
def common_characters(language: str) -> frozenset[str]:
    """The commonest characters of Chinese ("zh-Hans", "zh-Hant") and Korean ("ko"): a third of a text and more."""
    return frozenset(_listed()["common"].get(language, ""))


@cache
def _listed() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("letters.toml").read_text("utf-8"))
