"""Capitals that tell a noun: in German and its kin a word inside a sentence has one just where it is a noun."""

from __future__ import annotations

import re

from tui.language.focus import focus_spans
from tui.language.tags import base_language

_WITH_CAPITAL_NOUNS = ("de", "lb", "nds", "gsw")
_MOST_CONTEXT = 2_000
_BEGINS = re.compile(r"(?:\A|[.!?…:;\n–—]|\A\s*[-*])[\s\"'“”„‚‘’»«›‹(\[¡¿*_-]*\Z")
"""Text before a word that begins a sentence, a line of a speaker, or what somebody says."""
_POLITE = frozenset(("Sie", "Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer", "Ihres", "Ihnen"))


def has_capital_nouns(language: str | None) -> bool:
    """Whether the language writes its nouns with a capital."""
    return base_language(language) in _WITH_CAPITAL_NOUNS


def is_noun_by_capital(form: str, language: str | None, sentence: str) -> bool | None:
    """Tell by its first letter whether a word is a noun where it stands; None where that tells nothing.

    It tells nothing in other languages, at the beginning of a sentence, and in a text without lower case.
    """
    if not has_capital_nouns(language) or not 0 < len(sentence) <= _MOST_CONTEXT or sentence.isupper():
        return None
    spans = focus_spans(sentence, form)
    if len(spans) != 1:
        return None
    start, end = spans[0]
    word = sentence[start:end]
    if word[:1].islower():
        return False
    if not word[:1].isupper() or word in _POLITE or (len(word) > 1 and word.isupper()):
        return None
    return None if _BEGINS.search(sentence[:start]) else True
