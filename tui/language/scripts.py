"""Unicode scripts: which of them a text uses, which a language is written in, and which have no spaces between words.

The ranges are those of Unicode's Scripts.txt, blocks that a subtitle is likely to hold only, without their punctuation.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from tui.language.tags import base_language
from tui.language.word_lists import read_lists

RANGES = {
    "Latin": "A-Za-zªºÀ-ÖØ-öø-ʸ\u1d00-\u1d25\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua787\uff21-\uff3a\uff41-\uff5a",
    "Greek": "\u0370-\u0373\u0376-\u037d\u037f\u0384-\u03ff\u1f00-\u1fff",
    "Cyrillic": "\u0400-\u0481\u048a-\u052f\u1c80-\u1c88\u2de0-\u2dff\ua640-\ua69f",
    "Armenian": "\u0531-\u0556\u0560-\u0588", "Hebrew": "\u05d0-\u05ea\u05ef-\u05f2\ufb1d-\ufb4f",
    "Arabic": "\u0620-\u064a\u066e-\u06d3\u06d5-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdfb\ufe70-\ufefc",
    "Syriac": "\u0700-\u074f", "Thaana": "\u0780-\u07b1", "NKo": "\u07c0-\u07f5", "Adlam": "\U0001e900-\U0001e943",
    "Devanagari": "\u0900-\u0963\u0966-\u097f", "Bengali": "\u0980-\u09fe", "Gurmukhi": "\u0a01-\u0a75",
    "Gujarati": "\u0a81-\u0aff", "Tamil": "\u0b82-\u0bfa", "Telugu": "\u0c00-\u0c7f", "Kannada": "\u0c80-\u0cf3",
    "Malayalam": "\u0d00-\u0d7f", "Sinhala": "\u0d81-\u0df3", "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59",
    "Lao": "\u0e81-\u0edf", "Tibetan": "\u0f00\u0f18-\u0f39\u0f40-\u0fbc",
    "Myanmar": "\u1000-\u1049\u1050-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f",
    "Georgian": "\u10a0-\u10fa\u10fc-\u10ff\u1c90-\u1cbf\u2d00-\u2d2d",
    "Hangul": "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb\uffa0-\uffdc",
    "Ethiopic": "\u1200-\u135f\u1369-\u139f", "Khmer": "\u1780-\u17d3\u17d7\u17dc-\u17e9",
    "Han": "\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff", "Hiragana": "\u3041-\u309f\U0001b001-\U0001b11f",
    "Katakana": "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f",
}  # fmt: skip
"""Script name → the inside of a regular expression's character class."""

ONE_LANGUAGE = dict(
    re.findall(
        r"(\w+)=(\w+)",
        """Greek=el Hebrew=he Armenian=hy Georgian=ka Hangul=ko Thai=th Lao=lo Khmer=km Myanmar=my Tamil=ta Telugu=te
        Kannada=kn Malayalam=ml Gujarati=gu Gurmukhi=pa Sinhala=si Bengali=bn Tibetan=bo""",
    )
)
"""Scripts → the language that uses them, and is meant where no words speak for another (Yiddish, Assamese …)."""
_WRITTEN_IN = {
    "Cyrillic": "ru uk bg be mk kk ky tg mn tt ba cv", "Cyrillic Latin": "sr bs sh uz", "Greek": "grc",
    "Hebrew": "iw yi", "Arabic": "ar fa ur ps ckb ug sd", "Devanagari": "hi mr ne sa", "Bengali": "as",
    "Ethiopic": "am ti", "Hangul Han": "ko", "Han Hiragana Katakana": "ja", "Han": "zh yue lzh wuu nan",
    "Latin": "en de fr es it pt nl sv da no nb nn fi is et lv lt pl cs sk sl hr hu ro ca gl eu oc br cy ga gd mt sq tr"
    " id ms tl vi af lb fo la eo sw az tk",
}  # fmt: skip
"""Scripts → other languages that are written in them; a language without a row is written in any."""
_OF_LANGUAGE = {tag: script for script, tag in ONE_LANGUAGE.items()}
_OF_LANGUAGE |= {tag: scripts for scripts, tags in _WRITTEN_IN.items() for tag in tags.split()}
_LETTER = re.compile(r"[^\W\d_]")

SPACELESS = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")

_TO_HIRAGANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_ASCII = re.compile(r"[\x00-\x7f]+")
_ASCII_LETTERS = re.compile("[A-Za-z]+")


@cache
def _letters(name: str) -> re.Pattern[str]:
    return re.compile(f"[{RANGES[name]}]+")


_SUBTAGS = {"Latn": "Latin", "Cyrl": "Cyrillic", "Hebr": "Hebrew", "Arab": "Arabic", "Hans": "Han", "Hant": "Han"}


def list_scripts(language: str) -> tuple[str, ...]:
    """The scripts of a tag: those of its script subtag, else those of its language; none where that is unknown."""
    for subtag in language.split("-")[1:]:
        if subtag in _SUBTAGS:
            return (_SUBTAGS[subtag],)
    return tuple(_OF_LANGUAGE.get(base_language(language), "").split())


@cache
def script_pattern(*names: str) -> re.Pattern[str]:
    """A pattern for one character of these scripts."""
    return re.compile("[" + "".join(RANGES[name] for name in names) + "]")


def count_scripts(text: str) -> Counter[str]:
    """Count the letters of each script in the text; scripts without any are left out."""
    others = _ASCII.sub("", text)  # which most letters of most texts are: the others alone are looked at by script
    counts = Counter({"Latin": len(text) - len(_ASCII_LETTERS.sub("", text))})
    for name in RANGES:
        counts[name] += len(others) - len(_letters(name).sub("", others))
    return +counts


def is_spaceless(text: str) -> bool:
    """Whether any of it is written without spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese)."""
    return not text.isascii() and script_pattern(*SPACELESS).search(text) is not None


def convert_to_hiragana(text: str) -> str:
    """The text with its katakana as hiragana, character for character; the sign of a long vowel stays."""
    return text.translate(_TO_HIRAGANA)


def is_word_of(language: str | None, word: str) -> bool:
    """Whether a text has a letter that its language is written in; one without a row takes any letter."""
    return _letter_of(base_language(language)).search(word) is not None


@cache
def _letter_of(base: str) -> re.Pattern[str]:
    scripts = _OF_LANGUAGE.get(base)
    return _LETTER if scripts is None else re.compile(f"[{''.join(RANGES[name] for name in scripts.split())}]")


# Letters of languages: those beyond ASCII, and the commonest characters of Chinese and Korean (``letters.toml``).
#
# They tell whether a text can be what it claims to be: an ``ã`` is a letter, but not a German one.


@cache
def list_letters(language: str) -> frozenset[str] | None:
    """Its letters beyond ASCII, small and capital; None for a language whose letters are not known here."""
    small = read_lists("letters")["beyond_ascii"].get(language)
    return None if small is None else frozenset(small) | frozenset(small.upper())


def languages_with_letters() -> tuple[str, ...]:
    """The languages of ``list_letters``."""
    return tuple(read_lists("letters")["beyond_ascii"])


@cache
def list_common_characters(language: str) -> frozenset[str]:
    """The commonest characters of Chinese ("zh-Hans", "zh-Hant") and Korean ("ko"): a third of a text and more."""
    return frozenset(read_lists("letters")["common"].get(language, ""))


# Joining of lines: what stands between two lines of one sentence once they are written as one.
#
# Languages with spaces get one. Chinese, Japanese, Thai and the others without get none, where either of the characters
# that meet is of their scripts or is their punctuation: "美咲は四月に、" and "この町へ" are "美咲は四月に、この町へ".
# The characters at the seam decide, not a language: files mix them, and many do not say theirs.

_QUOTES = "\"'“”‘’…—–"
"""Signs of either writing: the letter on their other side tells which it is."""


def join_lines(lines: Iterable[str]) -> str:
    """The lines as one, each without the white space at its ends, runs of white space inside it as one space.

    Lines of a cue are joined so, and so are cues that share a sentence; blank ones count for nothing.
    """
    parts: list[str] = []
    before = ""
    for line in lines:
        if line := " ".join(line.split()):
            if before:
                parts.append(seam(before, line))
            parts.append(line)
            before = line
    return "".join(parts)


def seam(left: str, right: str) -> str:
    """The separator of two lines, "" or one space; neither is empty or has white space where they meet.

    A hyphen that breaks a word has none behind it either; whether it belongs to the word nobody can tell, so it stays.
    """
    if left[-1] == "-" and right[0].islower() and left[-2:-1].isalpha():
        return ""
    last, first = _first_telling(reversed(left), left[-1]), _first_telling(right, right[0])
    if script_pattern("Hangul").match(last) or script_pattern("Hangul").match(first):
        return " "  # Korean has spaces, beside a Chinese character too
    return "" if _is_without_spaces(last) or _is_without_spaces(first) else " "


def _first_telling(characters: Iterable[str], otherwise: str) -> str:
    """The first of them that tells which writing it is."""
    return next((character for character in characters if character not in _QUOTES), otherwise)


def _is_without_spaces(character: str) -> bool:
    """Whether it is a letter of a script without spaces, or a sign that is as wide as its letters."""
    return is_spaceless(character) or "\u3000" <= character <= "\u303f" or "\uff00" <= character <= "\uff65"
