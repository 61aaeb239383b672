"""Function words of languages: pronouns and articles, which stand under their own form, and auxiliary verbs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tui.language.tags import base_language

_NO_ENGLISH_VERBS = ("s", "er", "est", "men")
"""Endings of English forms that may be those of nouns and adjectives."""


def pronouns(language: str | None) -> frozenset[str]:
    """The pronouns and articles of a language, folded; none of a language that is not listed."""
    return _words("pronouns", base_language(language))


def auxiliaries(language: str | None) -> frozenset[str]:
    """The lemmas of its auxiliary and modal verbs."""
    return _words("auxiliaries", base_language(language))


def links(language: str | None) -> frozenset[str]:
    """Prepositions and conjunctions that lead on to what a dictionary's phrase leaves out."""
    return _words("links", base_language(language))


def is_verb_by_neighbours(word: str, lemma: str, before: str, after: str, language: str | None) -> bool | None:
    """Tell by the words right before and behind it, "" for none, whether a word is a verb; None where nothing tells it.

    All are folded. An auxiliary is a verb; so is an English form that is no plural and no comparative.
    """
    base = base_language(language)
    if word in pronouns(base):
        return None
    if lemma in auxiliaries(base) or before in _words("before_verbs", base):
        return True
    if before in _words("before_nouns", base):
        return False
    is_form = base == "en" and lemma != word and not word.endswith(_NO_ENGLISH_VERBS)
    return True if is_form or after in _words("after_verbs", base) else None


def knows_neighbours(language: str | None) -> bool:
    """Whether ``is_verb_by_neighbours`` can tell anything in this language."""
    return bool(_words("before_nouns", base_language(language)))


@cache
def _words(kind: str, language: str) -> frozenset[str]:
    return frozenset(_tables()[kind].get(language, "").split())


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("function_words.toml").read_text("utf-8"))
