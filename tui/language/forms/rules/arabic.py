"""Arabic: words with conjunctions, prepositions, the article and pronouns written to them; nouns kept apart from verbs.

simplemma's list has few words with what is written to them, and takes nouns and adjectives that are derived from verbs
(masdars, participles) to the verb; a dictionary has them as words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.language.forms.rules.table import Listed

_MARKS = re.compile("[\u064b-\u0652\u0670\u0640]")
"""Vowel signs and the stretched line, which are seldom written."""
_TANWIN = "اً"
_PARTICLES = (
    "وال",
    "فال",
    "بال",
    "كال",
    "وبال",
    "ولل",
    "لل",
    "ال",
    "و",
    "ف",
    "ب",
    "ك",
    "ل",
    "وب",
    "ول",
    "س",
    "وس",
    "فس",
    "أ",
)
_ARTICLES = ("وال", "بال", "فال", "كال", "ال", "ولل", "لل")
_PRONOUNS = ("هما", "كما", "هم", "هن", "ها", "كم", "كن", "نا", "ه", "ك", "ي")
_ENDINGS = (
    *(("ات", "ة"), ("ات", ""), ("ين", ""), ("ون", ""), ("ان", ""), ("تين", "ة"), ("تان", "ة"), ("يات", "ية")),
    *(("ية", "ي"), ("ة", ""), ("ا", ""), ("وا", "")),
)
"""Endings of number and gender, each with what the dictionary form has instead."""
_PLURALS = (("ات", "ة"), ("ين", ""), ("ون", ""))
_PRESENT = re.compile("[وف]?س?[يتنأ](.{2,})")
_PRESENT_ENDINGS = (re.compile("(?:ون|ان|ين|وا)$"), re.compile("(?:ه|ها|هم|نا|هما)$"))
_MASDAR = re.compile("(?:ا|است|ان).*ا.")
_MASDAR_2, _MASDAR_4 = re.compile("ت..ي."), re.compile("إ.{1,2}ا.")
"""Masdars of the second and the fourth form: تأليف, إفلاس."""
_SHORTEST, _SHORTEST_WITH_PARTICLE = 3, 5


def find_lemma(form: str, listed: Listed) -> str | None:
    word = _MARKS.sub("", form)
    known = listed(form) or listed(word)
    lemma = known or _within(word, listed)
    bare = next((word[len(each) :] for each in _ARTICLES if _has(word, each)), word)
    has_article = bare != word
    if lemma == word and word[0] in "وفبكل" and len(word) >= _SHORTEST_WITH_PARTICLE and listed(word[1:]):
        lemma, bare = listed(word[1:]), word[1:]
    noun = next(_changed(bare, _PLURALS), bare)
    if form.endswith(_TANWIN):
        noun = noun.removesuffix("ا")
    if (lemma is None or (lemma == word and word[0] == "ي")) and (verb := _verb(word, listed)):
        return verb
    if lemma is None:
        return noun[:-1] if noun.endswith("ية") else noun
    return _as_noun(noun, lemma, listed, has_article=has_article) or lemma


def _within(word: str, listed: Listed) -> str | None:
    """The lemma of the word without what is written to it."""
    for rest in (word, *(word[len(each) :] for each in _PARTICLES if _has(word, each))):
        for stem in _without_pronouns(rest):
            for each in (stem, *_changed(stem, _ENDINGS)):
                if lemma := listed(each):
                    return lemma
    return None


def _has(word: str, particle: str) -> bool:
    return word.startswith(particle) and len(word) - len(particle) >= _SHORTEST


def _without_pronouns(word: str) -> Iterator[str]:
    yield word
    for pronoun in _PRONOUNS:
        if word.endswith(pronoun) and len(word) - len(pronoun) >= _SHORTEST:
            stem = word[: -len(pronoun)]
            yield stem
            if stem.endswith("ت"):
                yield f"{stem[:-1]}ة"


def _changed(word: str, endings: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for ending, instead in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            yield word[: -len(ending)] + instead


def _verb(word: str, listed: Listed) -> str | None:
    """The past tense, which is the dictionary form, of a verb in the present, or in the past with an ending."""
    if match := _PRESENT.fullmatch(word):
        stems = dict.fromkeys((match[1], *(pattern.sub("", match[1]) for pattern in _PRESENT_ENDINGS)))
        for each in (each for stem in stems for each in _pasts(stem)):
            if listed(each) == each:
                return each
    return word[:-1] if word.endswith("ت") and listed(word[:-1]) == word[:-1] else None


def _pasts(stem: str) -> Iterator[str]:
    """What the past of a present stem may be: the same, or with a long vowel, أ or ا that the present lacks."""
    if len(stem) < 2:
        return
    yield stem
    if len(stem) == 2:
        yield f"و{stem}"
    if len(stem) == 3:
        if stem[1] in "وي":
            yield f"{stem[0]}ا{stem[2]}"
        yield f"أ{stem}"
    if stem.startswith("ست") or (len(stem) == 4 and (stem[1] == "ت" or stem[0] == "ن")):
        yield f"ا{stem}"
    if stem.endswith("ي"):
        yield f"{stem[:-1]}ى"
    if stem.endswith("و"):
        yield f"{stem[:-1]}ا"


def _as_noun(noun: str, lemma: str, listed: Listed, *, has_article: bool) -> str | None:
    """The noun or adjective itself where the list has only the verb that it is derived from."""
    if noun.endswith("ية"):
        if lemma == noun and listed(noun[:-1]) == noun[:-1]:
            return noun[:-1]
        if listed(noun) == noun:
            return noun
    elif noun.endswith("ة") and len(noun) > _SHORTEST and lemma[0] != noun[0] and lemma != noun[:-1]:
        return noun if noun[0] != "م" else noun[:-1]
    if noun.endswith("ة") and has_article and lemma not in (noun, noun[:-1]):
        return noun if noun[0] != "م" else noun[:-1]
    if noun[0] == "م" and lemma[0] != "م" and len(noun) > _SHORTEST:
        return noun.removesuffix("ة")
    if lemma[0] == "أ" and _MASDAR_4.fullmatch(noun):
        return noun
    if _MASDAR.fullmatch(noun) or (_MASDAR_2.fullmatch(noun) and lemma[0] != "ت"):
        return noun
    return None
