"""Arabic: words with conjunctions, prepositions, the article and pronouns written to them; nouns kept apart from verbs.

simplemma's list has few words with what is written to them, and takes nouns and adjectives that are derived from verbs
(masdars, participles) to the verb; a dictionary has them as words of their own.
"""

import re
from collections.abc import Iterator

from tui.language.lemma_rules import Listed

_MARKS = re.compile("[\u064b-\u0652\u0670\u0640]")
"""Vowel signs and the stretched line, which are seldom written."""
_TANWIN = "اً"
_PARTICLES = (
    *("وال", "فال", "بال", "كال", "وبال", "ولل", "لل", "ال", "و", "ف"),
    *("ب", "ك", "ل", "وب", "ول", "س", "وس", "فس", "أ"),
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


def find_arabic_lemma(form: str, listed: Listed) -> str | None:
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
    rests = (word, *(word[len(each) :] for each in _PARTICLES if _has(word, each)))
    stems = (stem for rest in rests for stem in _without_pronouns(rest))
    return next(filter(None, (listed(each) for stem in stems for each in (stem, *_changed(stem, _ENDINGS)))), None)


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


def _changed(word: str, endings: tuple[tuple[str, str], ...], shortest: int = _SHORTEST) -> Iterator[str]:
    for ending, instead in endings:
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
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


_HEBREW_PARTICLES = re.compile("ו?(?:כש|לכש|מש|ש)?(?:מה|[בכלמ])?ה?")
_MAX_PARTICLES = 4
_HEBREW_ENDINGS = (
    *(("יות", "ית"), ("יות", "יה"), ("ות", "ה"), ("ות", ""), ("ים", ""), ("יים", "י"), ("ת", "ה")),
    *(("י", ""), ("יו", ""), ("יה", ""), ("יהם", ""), ("הם", ""), ("ם", ""), ("ו", "")),
    *(("ה", ""), ("ית", "י"), ("תו", "ה"), ("תה", "ה"), ("תם", "ה"), ("תי", "ה"), ("יות", "י"), ("ייה", "י")),
)
"""Endings of plural, construct state and possessor, each with what the dictionary form has instead."""
_ENDINGS_OF_UNKNOWN = (("יות", "יה"), ("ות", "ה"), ("ים", ""), ("ית", "י"))


def find_hebrew_lemma(form: str, listed: Listed) -> str | None:
    if listed(form):
        return None
    lengths = range(1, min(_MAX_PARTICLES, len(form) - 2) + 1)
    bare = [form, *(form[at:] for at in lengths if _HEBREW_PARTICLES.fullmatch(form, 0, at))]
    if lemma := next(filter(None, map(listed, bare)), None):
        return lemma
    for each in (changed for word in bare for changed in _changed(word, _HEBREW_ENDINGS, 2)):
        if each != form and len(each) >= _SHORTEST and (lemma := listed(each)):
            return lemma
    # A name or a foreign word: what is written to it can still be told where the article ends it.
    word = form
    if len(form) >= _SHORTEST_WITH_PARTICLE and (match := re.match("[ושמבלכ]?ה", form)):
        word = form[match.end() :]
    return next(_changed(word, _ENDINGS_OF_UNKNOWN, 2), word if word != form else None)


# Persian: verbs as their infinitives, nouns without plural and possessive endings.
#
# simplemma's list leads verbs to their past stems (می‌گوید to گفت); the infinitive has a ن behind it. Endings that it
# does not know are taken off where they are written with a zero-width non-joiner, or where it knows what is left. A
# lone ی may make a noun, an adjective or an article, so it stays.

_JOINER = "\u200c"
_IS = "است"
"""The copula "is", which stands under its own form."""
_PERFECT = re.compile(rf"(ن?)(.+ه){_JOINER}(?:ام|ای|است|ایم|اید|اند)")
_PERSIAN_PRESENT = re.compile(rf"ن?(?:می|ب){_JOINER}?(.+)")
_PERSIAN_ENDINGS = (
    *(_JOINER + each for each in ("هایی", "هایشان", "هایش", "هایم", "های", "ها", "ترین", "تر", "ام", "ات", "اش")),
    *(_JOINER + each for each in ("مان", "تان", "شان", "ای")),
    *("هایشان", "هایی", "هایش", "های", "ها", "شان", "ش", "م"),
)


def find_persian_lemma(form: str, listed: Listed) -> str | None:
    stem = listed(form)
    if stem is None and (match := _PERFECT.fullmatch(form)):
        stem = listed(match[2]) or listed(match[1] + match[2])
    if stem is None and (match := _PERSIAN_PRESENT.fullmatch(form)):
        stem = listed(f"می{_JOINER}{match[1]}")
    if stem is None:
        return _without_ending(form, listed)
    return f"{stem}ن" if stem != _IS and _is_past_stem(stem, listed) else stem


def _without_ending(form: str, listed: Listed) -> str | None:
    for ending in _PERSIAN_ENDINGS:
        rest = form.removesuffix(ending)
        if rest != form and len(rest) > 1 and (lemma := listed(rest) or (rest if ending[0] == _JOINER else None)):
            return lemma
    return None


def _is_past_stem(stem: str, listed: Listed) -> bool:
    """Whether the list has forms of a verb with this stem: nouns end in ت and د too."""
    joined = (f"می{_JOINER}{stem}", f"نمی{_JOINER}{stem}", f"{stem}ه{_JOINER}اند", f"ن{stem}", f"{stem}ند")
    return stem.endswith(("ت", "د")) and any(listed(each) == stem for each in joined)
