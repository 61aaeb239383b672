"""Italian: pronouns written to an infinitive, a gerund or an imperative (andarsene, dimmelo, parlargli, prendilo)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.language.forms.rules.table import Listed

_PRONOUNS = re.compile(r"(?:(?:me|te|ce|ve|se|glie)(?:lo|la|li|le|ne)|mi|ti|ci|vi|si|lo|la|li|le|ne|gli)")
_INFINITIVE = re.compile(r".*[aei]r(?:e|si)|.*rre|.*rsi")
_IMPERATIVES = {"da": "dare", "di": "dire", "fa": "fare", "sta": "stare", "va": "andare"}
"""Imperatives of one syllable, behind which the pronoun's first letter is doubled: dammi, dimmelo, vacci."""


def find_lemma(form: str, listed: Listed) -> str | None:
    known = listed(form)
    if known is not None:
        return None
    for at in range(2, len(form) - 1):
        if not _PRONOUNS.fullmatch(form, at):
            continue
        stem = form[:at]
        if len(stem) == 3 and stem[-1] == form[at] and stem[:-1] in _IMPERATIVES:
            return _IMPERATIVES[stem[:-1]]
        for each in _verbs(stem):
            if (lemma := listed(each)) and _INFINITIVE.fullmatch(lemma):
                return lemma
    return None


def _verbs(stem: str) -> Iterator[str]:
    """The verb as it is written alone: "andar-" is andare, "por-" porre."""
    yield from (f"{stem}e", f"{stem}re", stem) if stem.endswith("r") else (stem,)
