"""Language detection by script and commonest words; silent rather than wrong.

A script that one language uses decides by itself. Otherwise every word that is among the commonest of a language speaks
for it, the less the more languages have it, and the best language must be well ahead of the next.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

from tui.language.scripts import script_counts

_SAMPLE_CHARACTERS = 50_000
_SHARE_OF_SCRIPT = 0.75
"""Minimum share of the main script in the text's letters."""
_FEWEST_WORDS = 12
_FEWEST_HITS = 4
"""Minimum number of different words that must speak for a language."""
_LOUDEST = 0.12
"""Largest share of the text that one word may count for: "Los, los, los!" is not Spanish."""
_FEWEST_HAN = 12
"""Least Han characters of a text in Chinese: Japanese titles and names can go this long without kana."""
_COVERAGE = 0.22
"""Minimum share of the commonest words in the text; in running text they are a third and more."""
_LEAD = 1.4

_ONE_LANGUAGE = dict(
    re.findall(
        r"(\w+)=(\w+)",
        """Greek=el Hebrew=he Armenian=hy Georgian=ka Hangul=ko Thai=th Lao=lo Khmer=km Myanmar=my Tamil=ta Telugu=te
        Kannada=kn Malayalam=ml Gujarati=gu Gurmukhi=pa Sinhala=si""",
    )
)
"""The scripts that one language uses."""
_DENSE = {"Han": 2.5, "Hiragana": 1.5, "Katakana": 1.5, "Hangul": 2.0}
"""Letters of an alphabet that one character of these stands for."""


def guess_language(text: str) -> str | None:
    """Guess the tag of the text's language, without a region; None when it is too short, mixed or unclear."""
    text = text[:_SAMPLE_CHARACTERS]
    letters = {name: count * _DENSE.get(name, 1.0) for name, count in script_counts(text).items()}
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
    return _ONE_LANGUAGE.get(script) or _by_words(text)


def _by_words(text: str) -> str | None:
    tokens = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text.lower().replace("’", "'"))
    if len(tokens) < _FEWEST_WORDS:
        return None
    speaks_for = _speaks_for()
    loudest = max(1.0, _LOUDEST * len(tokens))
    scores: dict[str, float] = {}
    covered: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for token, count in Counter(tokens).items():
        languages = speaks_for.get(token, ())
        for language in languages:
            different[language] += 1
            covered[language] += count
            scores[language] = scores.get(language, 0.0) + min(count, loudest) / len(languages)
    ranked = sorted(scores.items(), key=lambda item: -item[1])[:2]
    if not ranked:
        return None
    best, score = ranked[0]
    if different[best] < _FEWEST_HITS or covered[best] < _COVERAGE * len(tokens):
        return None
    if len(ranked) > 1 and score < _LEAD * ranked[1][1]:
        return None
    return best


@cache
def common_words() -> dict[str, tuple[str, ...]]:
    """Language → its commonest words (``common_words.toml``)."""
    listed = tomllib.loads(Path(__file__).with_name("common_words.toml").read_text("utf-8"))
    return {language: tuple(words.split()) for language, words in listed.items()}


@cache
def _speaks_for() -> dict[str, tuple[str, ...]]:
    """Word → the languages that it is one of the commonest words of."""
    languages: dict[str, list[str]] = {}
    for language, commonest in common_words().items():
        for word in set(commonest):
            languages.setdefault(word, []).append(language)
    return {word: tuple(names) for word, names in languages.items()}
