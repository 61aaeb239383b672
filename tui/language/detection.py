"""Language detection by script and commonest words; silent rather than wrong.

A script that one language uses decides by itself. Otherwise every word that is among the commonest of a language speaks
for it, the less the more languages have it; the best language must be clear of the next two by the words that only one
of each pair has, so that languages near each other are told apart by what tells them apart.

Libraries were tried on sentences of 65 languages and on excerpts of real subtitles. On texts of a dozen lines and more
none is better; on single lines CLD2, CLD3, lingua and fastText know more but are wrong in 3 to 12 of 100, this in less
than 1. What is imported is a whole file, so that being silent about a line costs nothing.
"""

import re
import unicodedata
from collections import Counter
from functools import cache

from tui.language.scripts import ONE_LANGUAGE, count_scripts
from tui.language.word_lists import read_lists

_SAMPLE_CHARACTERS = 50_000
_SHARE_OF_SCRIPT = 0.75
"""Minimum share of the main script in the text's letters."""
_FEWEST_WORDS = 6
_FEWEST_HITS = 3
"""Minimum number of different words that must speak for a language, and one in ``_WORDS_A_HIT`` of a longer text."""
_WORDS_A_HIT, _MAX_HITS = 15, 20
_LOUDEST = 0.12
"""Largest share of the text that one word may count for: "Los, los, los!" is not Spanish."""
_FEWEST_HAN = 12
"""Least Han characters of a text in Chinese: Japanese titles and names can go this long without kana."""
_COVERAGE = 0.1
"""Minimum share of the commonest words in the text; in running text they are between a sixth and a half."""
_LEAD = 2.0
"""Least ratio between the occurrences of words that only the best language has and of those that only a rival has."""
_RIVALS = 2

_DENSE = {"Han": 2.5, "Hiragana": 1.5, "Katakana": 1.5, "Hangul": 2.0}
"""Letters of an alphabet that one character of these stands for."""
_WORD = re.compile(r"[^\W\d_][\w\u0300-\u036f\u0900-\u0dff]*(?:'[^\W\d_]\w*)?")
"""A word with the marks that ``\\w`` lacks: vowels of Indian scripts, accents that no letter has in one character."""


def guess_language(text: str) -> str | None:
    """Guess the tag of the text's language, without a region; None when it is too short, mixed or unclear."""
    text = unicodedata.normalize("NFC", text[:_SAMPLE_CHARACTERS])
    letters = {name: count * _DENSE.get(name, 1.0) for name, count in count_scripts(text).items()}
    total = sum(letters.values())
    if total < 4:
        return None
    kana = letters.get("Hiragana", 0.0) + letters.get("Katakana", 0.0)
    east_asian = kana + letters.get("Han", 0.0)
    if east_asian >= _SHARE_OF_SCRIPT * total:
        share = kana / east_asian
        return "ja" if share > 0.1 else "zh" if share < 0.02 and total >= _FEWEST_HAN * _DENSE["Han"] else None
    script, count = max(letters.items(), key=lambda item: item[1])
    if script == "Hangul":
        count += letters.get("Han", 0.0)
    if count < _SHARE_OF_SCRIPT * total:
        return None
    return _by_words(text) or ONE_LANGUAGE.get(script)


def can_be_guessed(language: str) -> bool:
    """Whether ``guess_language`` knows this language (a primary subtag), so that it does not take it for another."""
    return language in ("ja", "zh") or language in ONE_LANGUAGE.values() or language in common_words()


def _by_words(text: str) -> str | None:
    tokens = Counter(_WORD.findall(text.lower().replace("’", "'")))
    total = tokens.total()
    if total < _FEWEST_WORDS:
        return None
    loudest = max(1.0, _LOUDEST * total)
    speaks_for = _speaks_for()
    scores: dict[str, float] = {}
    hits: dict[str, dict[str, float]] = {}
    covered: Counter[str] = Counter()
    for token, count in tokens.items():
        languages = speaks_for.get(token, ())
        for language in languages:
            hits.setdefault(language, {})[token] = min(count, loudest)
            covered[language] += count
            scores[language] = scores.get(language, 0.0) + min(count, loudest) / len(languages)
    if not scores:
        return None
    best, *rivals = sorted(scores, key=lambda language: -scores[language])[: 1 + _RIVALS]
    fewest = max(_FEWEST_HITS, min(_MAX_HITS, total / _WORDS_A_HIT))
    if len(hits[best]) < fewest or covered[best] < _COVERAGE * total:
        return None
    if not all(_is_clear_of(hits[best], hits[rival]) for rival in rivals):
        return None
    return best.split("-")[0]


def _is_clear_of(best: dict[str, float], rival: dict[str, float]) -> bool:
    """Whether the words that speak only for the first of two languages are far more than those only for the other."""
    ours = sum(count for word, count in best.items() if word not in rival)
    theirs = sum(count for word, count in rival.items() if word not in best)
    return ours >= 2 and ours >= _LEAD * theirs


@cache
def common_words() -> dict[str, tuple[str, ...]]:
    """Language → the commonest words of its speech; with its script where it has two ("sr-Latn")."""
    return {language: tuple(words.split()) for language, words in read_lists("common_words")["spoken"].items()}


@cache
def _speaks_for() -> dict[str, tuple[str, ...]]:
    """Word → the languages that it is one of the commonest words of, in speech or in writing."""
    languages: dict[str, dict[str, None]] = {}
    for listed in read_lists("common_words").values():
        for language, words in listed.items():
            for word in words.split():
                languages.setdefault(word, {})[language] = None
    return {word: tuple(names) for word, names in languages.items()}
