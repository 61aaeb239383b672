"""Function words of languages: pronouns and articles, which stand under their own form, and auxiliary verbs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tui.language.tags import base_language


def pronouns(language: str | None) -> frozenset[str]:
    """The pronouns and articles of a language, folded; none of a language that is not listed."""
    return _words("pronouns", base_language(language))


def auxiliaries(language: str | None) -> frozenset[str]:
    """The lemmas of its auxiliary and modal verbs."""
    return _words("auxiliaries", base_language(language))


def links(language: str | None) -> frozenset[str]:
    """Prepositions and conjunctions that lead on to what a dictionary's phrase leaves out."""
    return _words("links", base_language(language))


def is_verb_by_neighbour(word_before: str, language: str | None) -> bool | None:
    """Tell by the word right before it, folded, whether a word is a verb; None where that tells nothing."""
    base = base_language(language)
    if word_before in _words("before_verbs", base):
        return True
    return False if word_before in _words("before_nouns", base) else None


def knows_neighbours(language: str | None) -> bool:
    """Whether ``is_verb_by_neighbour`` can tell anything in this language."""
    return bool(_words("before_nouns", base_language(language)))


@cache
def _words(kind: str, language: str) -> frozenset[str]:
    return frozenset(_tables()[kind].get(language, "").split())


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("function_words.toml").read_text("utf-8"))
