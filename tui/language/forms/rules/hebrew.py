"""Hebrew: words with particles written to them (ה, ו, ב, ל, מ, ש, כ), plurals and possessives that the list lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.language.forms.rules.table import Listed

_PARTICLES = re.compile("ו?(?:כש|לכש|מש|ש)?(?:מה|[בכלמ])?ה?")
_MOST_PARTICLES = 4
_SHORTEST, _SHORTEST_WITH_PARTICLE = 3, 5
_ENDINGS = (
    *(
        ("יות", "ית"),
        ("יות", "יה"),
        ("ות", "ה"),
        ("ות", ""),
        ("ים", ""),
        ("יים", "י"),
        ("ת", "ה"),
        ("י", ""),
        ("יו", ""),
    ),
    *(("יה", ""), ("יהם", ""), ("הם", ""), ("ם", ""), ("ו", ""), ("ה", ""), ("ית", "י"), ("תו", "ה"), ("תה", "ה")),
    *(("תם", "ה"), ("תי", "ה"), ("יות", "י"), ("ייה", "י")),
)
"""Endings of plural, construct state and possessor, each with what the dictionary form has instead."""
_ENDINGS_OF_UNKNOWN = (("יות", "יה"), ("ות", "ה"), ("ים", ""), ("ית", "י"))


def find_lemma(form: str, listed: Listed) -> str | None:
    if listed(form):
        return None
    bare = [form, *_without_particles(form)]
    for each in bare:
        if lemma := listed(each):
            return lemma
    for each in (changed for word in bare for changed in _changed(word, _ENDINGS)):
        if each != form and len(each) >= _SHORTEST and (lemma := listed(each)):
            return lemma
    # A name or a foreign word: what is written to it can still be told where the article ends it.
    word = form
    if len(form) >= _SHORTEST_WITH_PARTICLE and (match := re.match("[ושמבלכ]?ה", form)):
        word = form[match.end() :]
    return next(_changed(word, _ENDINGS_OF_UNKNOWN), word if word != form else None)


def _without_particles(form: str) -> Iterator[str]:
    lengths = range(1, min(_MOST_PARTICLES, len(form) - 2) + 1)
    return (form[at:] for at in lengths if _PARTICLES.fullmatch(form, 0, at))


def _changed(word: str, endings: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for ending, instead in endings:
        if word.endswith(ending) and len(word) - len(ending) > 1:
            yield word[: -len(ending)] + instead
