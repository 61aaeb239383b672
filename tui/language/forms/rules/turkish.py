"""Turkish: verbs as their infinitives, nouns and adjectives with the suffixes that make them words of their own.

simplemma's list leads verbs to their stems (gidiyor to git), which no dictionary has, and which may be nouns too (at is
a horse, atmak to throw): what the form has behind the stem tells which it is. It also takes those suffixes off that a
dictionary keeps (gözlük, önemli, kitapçı).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.language.forms.rules.table import Listed

_BACK, _VOWELS = "aıou", "aeıioöuü"
_I, _A, _P, _D = "[ıiuü]", "[ae]", "l[ae]r", "[dt]"
_OF_NOUN = re.compile(
    rf"(?:{_P})?(?:{_I}?m|{_I}?n|s?{_I}|{_I}?m{_I}z|{_I}?n{_I}z|{_P}{_I})?"
    rf"(?:n?{_I}n|n?{_I}|y?{_I}|[yn]?{_A}|n?{_D}{_A}n?|y?l{_A}|nc{_A}|c{_A})?"
    rf"(?:ki(?:{_P}(?:{_I}n?|d{_A}n?|{_A})?)?)?(?:{_D}{_I}r)?"
)
"""Endings of a noun: plural, possessor, case, -ki, -dir."""
_TENSE = re.compile(rf"yor|m{_I}ş|{_D}{_I}|{_A}c{_A}|{_A}r{_A}k|{_I}r")
_OF_VERB = re.compile(
    rf".*(?:{_I}yor|y?{_A}c{_A}[kğ]|m{_I}ş|y?{_A}r{_A}k|y?{_I}nc{_A}|m{_A}k|m{_A}z|m{_A}d{_A}n|m{_A}l{_I}|{_D}{_I}[kğ]).*"
    rf"|.*y?{_I}p|(?:y?{_D}{_I}|y?{_A}n|{_A}r|{_I}r|m{_A}).*"
)
_SUFFIX = re.compile(rf"(?P<adjective>l{_I}(?![kğ])|s{_I}z|[cç]{_I})|(?P<noun>l{_I})[kğ]")
_COPULA = re.compile(rf"(?P<word>var|yok|değil)y?(?:{_D}{_I}|s{_A}|m{_I}ş|k{_A}n).*")


def find_lemma(form: str, listed: Listed) -> str | None:
    if match := _COPULA.fullmatch(form):
        return match["word"]
    stem = listed(form)
    if stem is None or stem == form:
        return None
    rest = _behind(form, stem)
    is_verb = listed(infinitive(stem)) == stem
    if form.startswith(stem) and (match := _SUFFIX.match(rest)) and _OF_NOUN.fullmatch(rest, match.end()):
        if match["noun"]:
            return f"{stem}{match['noun']}k"
        if not is_verb:
            return stem + match["adjective"]
    may_be_noun = _OF_NOUN.fullmatch(rest) is not None
    if is_verb:
        return stem if may_be_noun and not (_OF_VERB.match(rest) and not listed(stem)) else infinitive(stem)
    if rest and not may_be_noun and not listed(stem) and _OF_VERB.fullmatch(rest) and _TENSE.search(rest):
        return infinitive(stem)
    return None


def infinitive(stem: str) -> str:
    """The infinitive of a stem, by vowel harmony: git, gitmek; al, almak."""
    last = next((each for each in reversed(stem) if each in _VOWELS), "e")
    return f"{stem}{'mak' if last in _BACK else 'mek'}"


def _behind(form: str, stem: str) -> str:
    """What stands behind the stem, whose last letter may have become another one (git, gid-iyor; başla, başl-ıyor)."""
    common = next((at for at, pair in enumerate(zip(form, stem, strict=False)) if pair[0] != pair[1]), len(stem))
    softened = common == len(stem) - 1 and stem[-1] not in _VOWELS
    return form[len(stem) :] if softened else form[common:]
