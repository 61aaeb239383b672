"""Rules of single languages for what simplemma's lists do not say, or say as a stem that is no word of a dictionary.

Each gives the dictionary form of a folded word, None where the rules say nothing. ``listed`` is the look-up in the
language's list. Those of Arabic, Hebrew and Persian are in ``abjad_rules``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer

Listed = Callable[[str], str | None]
"""Look-up of a form in simplemma's list, whatever its case; None where the list does not have it."""

# German: what the list does not have of a compound and of derived adjectives, and "gibt's" for "gibt es". Unlike the
# others this takes the form as it is written: its capital tells a noun.

_ES = "'s"
_ADJECTIVE = re.compile(r"(.{3,}(?:isch|lich|ig|bar|los|sam|haft|end|iert|fähig|weise))(?:e[nrsm]?)")
_SHORTEST_PART = 4
_PAST = {"brach": "brechen", "stand": "stehen", "maß": "messen"}
"""Past tenses that the list has only as nouns or adjectives, which are rarer."""


def find_german_lemma(form: str, listed: Listed) -> str | None:
    if form in _PAST:
        return _PAST[form]
    if any(map(listed, {form, form.lower()})):
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


_ELIDED = ("j'", "m'", "t'", "s'", "l'", "c'", "d'", "n'", "qu'", "jusqu'", "lorsqu'", "puisqu'")


def find_french_lemma(form: str, listed: Listed) -> str | None:
    return f"{form[:-1]}e" if form in _ELIDED else None


_PRONOUNS = re.compile(r"(?:(?:me|te|ce|ve|se|glie)(?:lo|la|li|le|ne)|mi|ti|ci|vi|si|lo|la|li|le|ne|gli)")
_INFINITIVE = re.compile(r".*[aei]r(?:e|si)|.*rre|.*rsi")
_IMPERATIVES = {"da": "dare", "di": "dire", "fa": "fare", "sta": "stare", "va": "andare"}
"""Imperatives of one syllable, behind which the pronoun's first letter is doubled: dammi, dimmelo, vacci."""


def find_italian_lemma(form: str, listed: Listed) -> str | None:
    if listed(form) is not None:
        return None
    for at in range(2, len(form) - 1):
        if not _PRONOUNS.fullmatch(form, at):
            continue
        stem = form[:at]
        if len(stem) == 3 and stem[-1] == form[at] and stem[:-1] in _IMPERATIVES:
            return _IMPERATIVES[stem[:-1]]
        # The verb as it is written alone: "andar-" is andare, "por-" porre.
        for each in (f"{stem}e", f"{stem}re", stem) if stem.endswith("r") else (stem,):
            if (lemma := listed(each)) and _INFINITIVE.fullmatch(lemma):
                return lemma
    return None


_SPANISH_PRONOUNS = re.compile(r"(?:me|te|se|nos|os|le|les|lo|la|los|las){1,2}")
_SPANISH_INFINITIVE = re.compile(r".*[aeií]r")
_SPANISH_IMPERATIVES: dict[str, str] = dict(
    re.findall(
        r"(\w+)=(\w+)", "da=dar di=decir haz=hacer pon=poner sal=salir ten=tener ve=ir ven=venir vamo=ir vayamo=ir"
    )
)
"""Imperatives that no list has, or has as another word: "di" is also a form of dar, "ven" of ver."""


def find_spanish_lemma(form: str, listed: Listed) -> str | None:
    known = listed(form)
    if known is not None and _infinitive(known) is None:
        return None  # a noun that only looks so: carta, vela
    # The stems that may be the verb, the shortest first: of "dámelo" "dá" and "dáme".
    for stem in (form[:at] for at in range(2, len(form) - 1) if _SPANISH_PRONOUNS.fullmatch(form, at)):
        bare = _without_accents(stem)
        if bare in _SPANISH_IMPERATIVES:
            return _SPANISH_IMPERATIVES[bare]
        if known is None:
            for each in (stem, bare, f"{bare}s", f"{bare}d"):  # "vámo-nos" and "senta-os" have lost a letter
                if (lemma := listed(each)) and (verb := _infinitive(lemma)):
                    return verb
    return _infinitive(known) if known else None


def _infinitive(lemma: str) -> str | None:
    """The verb of the list without the pronoun that reflexive ones have there."""
    verb = lemma.removesuffix("se")
    return verb if _SPANISH_INFINITIVE.fullmatch(verb) else None


def _without_accents(text: str) -> str:
    """The verb without the accents that pronouns bring; ñ stays."""
    letters = unicodedata.normalize("NFC", text)
    return "".join(each if each == "ñ" else unicodedata.normalize("NFD", each)[0] for each in letters)


# Russian: by pymorphy3 where that is installed (the extra ``ru``), else participles that the list does not have.
#
# Participles are taken to their verbs: short ones of the passive (отдан, перенесены), and long ones of active and
# passive (построивших, переведённого).

_ENDING = r"(?:ый|ий|ого|его|ому|ему|ым|им|ом|ем|ая|яя|ой|ей|ую|юю|ою|ею|ое|ее|ые|ие|ых|их|ыми|ими)"
_SHORT = re.compile(r"(?P<stem>.{2,}[нт])[аоы]?")
_ACTIVE = re.compile(rf"(?P<stem>.{{2,}})(?P<past>в?ш){_ENDING}(?P<oneself>ся)?")
_PASSIVE = re.compile(rf"(?P<stem>.{{2,}}[нт])н?{_ENDING}")
_VERB = re.compile(r".*(?:ть|ти|чь)(?:ся)?")


def find_russian_lemma(form: str, listed: Listed) -> str | None:
    if (analyser := _analyser()) is not None:
        normal_form: str = analyser.parse(form)[0].normal_form
        return normal_form
    if listed(form):
        return None
    return next((lemma for each in _candidates(form) if (lemma := listed(each)) and lemma != each), None) or next(
        (each for each in _infinitives(form) if listed(each) and _VERB.fullmatch(each)), None
    )


@cache
def _analyser() -> MorphAnalyzer | None:
    """The analyser of pymorphy3, None where it is not installed; loading it takes some tenths of a second."""
    if find_spec("pymorphy3") is None:
        return None
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer()


def _candidates(form: str) -> Iterator[str]:
    """Long forms of what may be a participle, of which the list knows the verb; ё is seldom written."""
    for match in filter(None, (_SHORT.fullmatch(form), _PASSIVE.fullmatch(form))):
        stem = match["stem"]
        yield from (f"{stem}ный", f"{stem}ый")
        if stem.endswith("ен"):
            yield f"{stem[:-2]}ённый"


def _infinitives(form: str) -> Iterator[str]:
    if match := _ACTIVE.fullmatch(form):
        oneself = match["oneself"] or ""
        yield from (f"{match['stem']}ть{oneself}", f"{match['stem']}ти{oneself}")
    for match in filter(None, (_SHORT.fullmatch(form), _PASSIVE.fullmatch(form))):
        stem = match["stem"].rstrip("нт")
        if stem.endswith(("а", "я")):
            yield f"{stem}ть"
        elif stem.endswith("е"):
            yield f"{stem[:-1]}ить"


# Turkish: verbs as their infinitives, nouns and adjectives with the suffixes that make them words of their own.
#
# simplemma's list leads verbs to their stems (gidiyor to git), which no dictionary has, and which may be nouns too (at
# is a horse, atmak to throw): what the form has behind the stem tells which it is. It also takes those suffixes off
# that a dictionary keeps (gözlük, önemli, kitapçı).

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


def find_turkish_lemma(form: str, listed: Listed) -> str | None:
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
    """The endings behind a stem, whose last letter may be another one there (git, gid-iyor; başla, başl-ıyor)."""
    common = next((at for at, pair in enumerate(zip(form, stem, strict=False)) if pair[0] != pair[1]), len(stem))
    softened = common == len(stem) - 1 and stem[-1] not in _VOWELS
    return form[len(stem) :] if softened else form[common:]
