"""Words that describe sounds, by language: what stands between asterisks is speech unless it is made of them.

The lists are in ``sound_words.toml``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tui.language.tags import base_language
from tui.language.words import fold

_END_MARKS = re.compile("[.!?…。．｡！？｟‼⁇⁈⁉‽¡¿؟۔।॥։՜՞።፧፨။។៕;\u037e]")
_BETWEEN = re.compile(r"[\s\d_,、，・:：/&+~〜～♪♫♬♩'’ʼ\"“”„«»()（）\u2010-\u2015\u2026-]+")
_LISTED_AS = {
    "no": "nb",
    "nn": "nb",
    "yue": "zh",
    "bs": "hr",
    "sr": "hr",
    "ca": "es",
    "gl": "pt",
    "be": "ru",
    "ms": "id",
}
"""Languages without a list of their own → one with nearly the same words."""
_UNBROKEN = ("ja", "zh", "th")
"""Languages that write their words together."""


@dataclass(frozen=True, slots=True)
class _Words:
    sound: re.Pattern[str]
    """Pattern of a word that says what is heard."""
    all: re.Pattern[str]
    """Pattern of these and of the words that go with them."""


def describes_sound(text: str, language: str | None) -> bool:
    """Whether a text without end marks has only words of sounds of its language, any one where it has no list."""
    if _END_MARKS.search(text):
        return False
    base = base_language(language) if language else ""
    base = _LISTED_AS.get(base, base)
    return any(_is_made_of(text, each) for each in ((base,) if base in _lists() else _lists()))


def _is_made_of(text: str, base: str) -> bool:
    listed = _words(base)
    pieces = [piece for piece in _BETWEEN.split(fold(text, base)) if piece]
    said = listed.sound.search if base in _UNBROKEN else listed.sound.fullmatch
    return all(map(listed.all.fullmatch, pieces)) and any(map(said, pieces))


@cache
def _words(base: str) -> _Words:
    lists = _lists()[base]
    sounds = _pattern(lists["sounds"], base)
    both = f"(?:{sounds}|{_pattern(lists['beside'], base)})"
    return _Words(re.compile(sounds), re.compile(f"{both}+" if base in _UNBROKEN else both))


def _pattern(words: str, base: str) -> str:
    longest_first = sorted(fold(words, base).split(), key=lambda word: -len(word))
    return f"(?:{'|'.join(re.escape(word).replace(re.escape('*'), '.*') for word in longest_first)})"


@cache
def _lists() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("sound_words.toml").read_text("utf-8"))
