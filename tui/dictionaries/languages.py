"""Languages of a dictionary by what its file has: names in its title, codes in its name, words in its explanations."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tui.language.detection import guess_language
from tui.language.tags import is_known, normalise, tag_of_name

_CODES = re.compile(r"(?<![^\W_])(?=([a-z]{2,3})-([a-z]{2,3})(?![^\W_]))")
_FROM_TO = re.compile(r"([^\W\d_]+)\s?[-\u2013\u2192]\s?([^\W\d_]+)")


def tag_of(code: str) -> str | None:
    """The tag of a code that a file gives, None for none and for "mul", "und" and what else is no language."""
    tag = normalise(code) if code else None
    return None if tag in ("mul", "und", "zxx") else tag


def pair_in_title(title: str) -> tuple[str, str] | None:
    """The languages that a title names, "Spanish-English FreeDict Dictionary" say; None where it names no two."""
    for match in _FROM_TO.finditer(title[:200]):
        source, target = tag_of_name(match[1]), tag_of_name(match[2])
        if source and target:
            return source, target
    return None


def pair_in_name(name: str) -> tuple[str, str] | None:
    """The languages whose codes stand in a name: "freedict-deu-eng", "wty-de-en"; None where no two do."""
    for match in _CODES.finditer(name[:200].lower()):
        source, target = tag_of(match[1]), tag_of(match[2])
        if source and target and is_known(source) and is_known(target):
            return source, target
    return None


def language_of(texts: Iterable[str]) -> str | None:
    """Guess the language of terms or explanations; None where it is not clear."""
    return guess_language("\n".join(texts))
