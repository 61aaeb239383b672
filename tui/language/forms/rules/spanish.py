"""Spanish: pronouns written to an infinitive, a gerund or an imperative (dámelo, decirle, siéntate, lavarse)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.language.forms.rules.table import Listed

_PRONOUNS = re.compile(r"(?:me|te|se|nos|os|le|les|lo|la|los|las){1,2}")
_INFINITIVE = re.compile(r".*[aeií]r")
_IMPERATIVES = {
    "da": "dar",
    "di": "decir",
    "haz": "hacer",
    "pon": "poner",
    "sal": "salir",
    "ten": "tener",
    "ve": "ir",
    "ven": "venir",
    "vamo": "ir",
    "vayamo": "ir",
}
"""Imperatives that no list has, or has as another word: "di" is also a form of dar, "ven" of ver."""


def find_lemma(form: str, listed: Listed) -> str | None:
    known = listed(form)
    if known is not None and _infinitive(known) is None:
        return None  # a noun that only looks so: carta, vela
    for stem in _stems(form):
        bare = _without_accents(stem)
        if bare in _IMPERATIVES:
            return _IMPERATIVES[bare]
        if known is None:
            for each in (stem, bare, f"{bare}s", f"{bare}d"):  # "vámo-nos" and "senta-os" have lost a letter
                if (lemma := listed(each)) and (verb := _infinitive(lemma)):
                    return verb
    return _infinitive(known) if known else None


def _stems(form: str) -> Iterator[str]:
    """What may be the verb, the shortest first: of "dámelo" "dá" and "dáme"."""
    return (form[:at] for at in range(2, len(form) - 1) if _PRONOUNS.fullmatch(form, at))


def _infinitive(lemma: str) -> str | None:
    """The verb of the list without the pronoun that reflexive ones have there."""
    verb = lemma.removesuffix("se")
    return verb if _INFINITIVE.fullmatch(verb) else None


def _without_accents(text: str) -> str:
    """The verb without the accents that pronouns bring; ñ stays."""
    letters = unicodedata.normalize("NFC", text)
    return "".join(each if each == "ñ" else unicodedata.normalize("NFD", each)[0] for each in letters)
