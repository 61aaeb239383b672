"""Scripts that a language is written in: a number, or a word in another script, is no word of the language."""

from __future__ import annotations

import re
from functools import cache

from tui.language.scripts import RANGES
from tui.language.tags import base_language

_WRITTEN_IN = {
    "Cyrillic": "ru uk bg be mk kk ky tg mn tt ba cv",
    "Cyrillic Latin": "sr bs sh uz",
    "Greek": "el grc",
    "Armenian": "hy",
    "Georgian": "ka",
    "Hebrew": "he iw yi",
    "Arabic": "ar fa ur ps ckb ug sd",
    "Devanagari": "hi mr ne sa",
    "Bengali": "bn as",
    "Gurmukhi": "pa",
    "Gujarati": "gu",
    "Tamil": "ta",
    "Telugu": "te",
    "Kannada": "kn",
    "Malayalam": "ml",
    "Sinhala": "si",
    "Thai": "th",
    "Lao": "lo",
    "Tibetan": "bo",
    "Myanmar": "my",
    "Khmer": "km",
    "Ethiopic": "am ti",
    "Hangul Han": "ko",
    "Han Hiragana Katakana": "ja",
    "Han": "zh yue lzh wuu nan",
    "Latin": "en de fr es it pt nl sv da no nb nn fi is et lv lt pl cs sk sl hr hu ro ca gl eu oc br cy ga gd mt sq tr"
    " id ms tl vi af lb fo la eo sw az tk",
}
_OF_LANGUAGE = {tag: scripts for scripts, tags in _WRITTEN_IN.items() for tag in tags.split()}
_LETTER = re.compile(r"[^\W\d_]")


def is_word_of(language: str | None, word: str) -> bool:
    """Whether a text has a letter that its language is written in; one without a row takes any letter."""
    return _letter_of(base_language(language)).search(word) is not None


@cache
def _letter_of(base: str) -> re.Pattern[str]:
    scripts = _OF_LANGUAGE.get(base)
    return _LETTER if scripts is None else re.compile(f"[{''.join(RANGES[name] for name in scripts.split())}]")
