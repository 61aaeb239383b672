"""Language and direction of texts on a card: without, Chinese has Japanese glyphs, and Hebrew turns a line round."""

from __future__ import annotations

import re
from functools import lru_cache

from tui.language.scripts import RANGES, written_in
from tui.language.tags import normalise

_RIGHT_TO_LEFT = ("Hebrew", "Arabic", "Syriac", "Thaana", "NKo", "Adlam")
_GLYPHS_DIFFER = ("Han", "Hiragana", "Katakana", "Hangul")
"""Scripts whose characters look different from language to language, or come from fonts of their own."""
_POINTS = "\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u200c\u200d"
"""Vowel points and joiners: part of a word, but no letters."""
_TAG = re.compile("<[^>]*>")
_LETTER = re.compile(r"[^\W\d_]")


def in_language(html: str, language: str | None) -> str:
    """The HTML of a text in the language that is learned, with ``lang`` and ``dir``; as it is where none is known."""
    tag = normalise(language or "")
    if not html or tag is None:
        return html
    return f"{_opening(tag, html)}{html}</span>"


def with_words_of(html: str, language: str | None) -> str:
    """The HTML of a text in another language, with ``lang`` and ``dir`` on words of the language that is learned.

    They are told by their script, where that is written from the right or has glyphs of its own. A text that is mostly
    in that script is left alone: it is no other language's, or one that shares it, as Chinese about Japanese.
    """
    tag = normalise(language or "")
    words = _words(tag) if tag else None
    if tag is None or words is None or not words.search(html):
        return html
    text = _TAG.sub("", html)
    if 2 * sum(len(_LETTER.findall(found)) for found in words.findall(text)) > len(_LETTER.findall(text)):
        return html

    def marked(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith("<") else f"{_opening(tag, found[0])}{found[0]}</span>"

    return re.sub(f"{_TAG.pattern}|{words.pattern}", marked, html)


def _opening(tag: str, html: str) -> str:
    scripts = _scripts(tag)
    if not scripts:
        return f'<span lang="{tag}" dir="auto">'
    turned = [name for name in scripts if name in _RIGHT_TO_LEFT]
    from_right = bool(turned) and re.search(_class(turned), html) is not None
    return f'<span lang="{tag}" dir="{"rtl" if from_right else "ltr"}">'


@lru_cache(64)
def _words(tag: str) -> re.Pattern[str] | None:
    """The pattern of words in a script of this language, None where the script tells nothing."""
    names = [name for name in _scripts(tag) if name in (*_RIGHT_TO_LEFT, *_GLYPHS_DIFFER)]
    if not names:
        return None
    letters = _class(names, _POINTS)
    return re.compile(rf"{letters}+(?:[ ,'׳״\-־、，・]{{1,2}}{letters}+)*")


def _class(names: list[str], more: str = "") -> str:
    return "[" + "".join(RANGES[name] for name in names) + more + "]"


@lru_cache(64)
def _scripts(tag: str) -> tuple[str, ...]:
    return written_in(tag)
