"""German: what the list does not have of a compound and of derived adjectives, and "gibt's" for "gibt es".

Unlike the others this takes the form as it is written: its capital tells a noun.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.language.forms.rules.table import Listed

_ES = "'s"
_ADJECTIVE = re.compile(r"(.{3,}(?:isch|lich|ig|bar|los|sam|haft|end|iert|fähig|weise))(?:e[nrsm]?)")
_SHORTEST_PART = 4
_PAST = {"brach": "brechen", "stand": "stehen", "maß": "messen"}
"""Past tenses that the list has only as nouns or adjectives, which are rarer."""


def find_lemma(form: str, listed: Listed) -> str | None:
    if form in _PAST:
        return _PAST[form]
    if listed(form) or listed(form.lower()):
        return None
    if form.endswith(_ES):
        return listed(form.removesuffix(_ES))
    if match := _ADJECTIVE.fullmatch(form):
        return match[1]
    return _compound(form, listed)


def _compound(form: str, listed: Listed) -> str | None:
    """The compound with the dictionary form of its last part, the longest that the list has as a noun."""
    for at in range(_SHORTEST_PART, len(form) - _SHORTEST_PART + 1):
        last = form[at:]
        lemma = listed(last.capitalize())
        if lemma and lemma[:1].isupper():
            return (form[:at] + lemma.lower()).capitalize()
    return None
