"""Persian: verbs as their infinitives, nouns without plural and possessive endings.

simplemma's list leads verbs to their past stems (می‌گوید to گفت); the infinitive has a ن behind it. Endings that it does
not know are taken off where they are written with a zero-width non-joiner, or where it knows what is left. A lone ی may
make a noun, an adjective or an article, so it stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.language.forms.rules.table import Listed

_JOINER = "\u200c"
_IS = "است"
"""The copula "is", which stands under its own form."""
_PERFECT = re.compile(rf"(ن?)(.+ه){_JOINER}(?:ام|ای|است|ایم|اید|اند)")
_PRESENT = re.compile(rf"ن?(?:می|ب){_JOINER}?(.+)")
_ENDINGS = (
    *(_JOINER + each for each in ("هایی", "هایشان", "هایش", "هایم", "های", "ها", "ترین", "تر", "ام", "ات", "اش")),
    *(_JOINER + each for each in ("مان", "تان", "شان", "ای")),
    *("هایشان", "هایی", "هایش", "های", "ها", "شان", "ش", "م"),
)


def find_lemma(form: str, listed: Listed) -> str | None:
    stem = listed(form)
    if stem is None and (match := _PERFECT.fullmatch(form)):
        stem = listed(match[2]) or listed(match[1] + match[2])
    if stem is None and (match := _PRESENT.fullmatch(form)):
        stem = listed(f"می{_JOINER}{match[1]}")
    if stem is None:
        return _without_ending(form, listed)
    return f"{stem}ن" if stem != _IS and _is_past_stem(stem, listed) else stem


def _without_ending(form: str, listed: Listed) -> str | None:
    for ending in _ENDINGS:
        rest = form.removesuffix(ending)
        if rest != form and len(rest) > 1 and (lemma := listed(rest) or (rest if ending[0] == _JOINER else None)):
            return lemma
    return None


def _is_past_stem(stem: str, listed: Listed) -> bool:
    """Whether the list has forms of a verb with this stem: nouns end in ت and د too."""
    joined = (f"می{_JOINER}{stem}", f"نمی{_JOINER}{stem}", f"{stem}ه{_JOINER}اند", f"ن{stem}", f"{stem}ند")
    return stem.endswith(("ت", "د")) and any(listed(each) == stem for each in joined)
