"""Pinyin written with numbers, as in CC-CEDICT ("tian1 qi4"), with tone marks and in words: "tiānqì"."""

from __future__ import annotations

import re

_SYLLABLE = re.compile(r"([A-Za-zÜü:Ê ê]{1,8})([1-5])\Z")
_WORD = re.compile(r"(?:[A-Za-zÜü:Êê]{1,8}[1-5]['-]?){2,30}\Z")
"""A whole word without spaces, as the second version of CC-CEDICT writes them: "tian1qi4"."""
_MARKS = {
    "a": "āáǎàa",
    "e": "ēéěèe",
    "i": "īíǐìi",
    "o": "ōóǒòo",
    "u": "ūúǔùu",
    "ü": "ǖǘǚǜü",
    "ê": ("ê̄", "ế", "ê̌", "ề", "ê"),
    "m": ("m̄", "ḿ", "m̌", "m̀", "m"),
    "n": ("n̄", "ń", "ň", "ǹ", "n"),
}
_VOWELS = "aeiouüê"


def with_tone_marks(numbered: str) -> str:
    """Write numbered syllables with tone marks as one word; what is no syllable (letters, commas) stands apart.

    A capital begins a word of its own, and an apostrophe parts a syllable that begins with a vowel: "Xī'ān".
    """
    text = ""
    joins = False
    for token in numbered.split():
        if _WORD.match(token):
            word = with_tone_marks(re.sub(r"([1-5])['-]?", r"\1 ", token))
            text += f" {word}" if text else word
            joins = False
            continue
        match = _SYLLABLE.match(token)
        if match is None:
            text += token if not text or token in ",，、;" else f" {token}"
            joins = False
            continue
        syllable = _marked(match[1].replace("u:", "ü").replace("U:", "Ü"), int(match[2]))
        if not joins or syllable[0].isupper():
            text += f" {syllable}" if text else syllable
        else:
            text += f"'{syllable}" if match[1][0] in "aeo" else syllable
        joins = True
    return text


def _marked(syllable: str, tone: int) -> str:
    """The syllable with its mark: on an a or e, on the o of ou, else on the last vowel."""
    if syllable in ("r", "R"):
        return syllable
    lower = syllable.lower()
    place = next((lower.index(each) for each in ("a", "e", "ou") if each in lower), -1)
    if place < 0:
        place = max((at for at, letter in enumerate(lower) if letter in _VOWELS), default=-1)
    if place < 0:
        place = next((at for at, letter in enumerate(lower) if letter in _MARKS), -1)
    if place < 0:
        return syllable
    mark = _of_tone(lower[place], tone)
    return syllable[:place] + (mark.upper() if syllable[place].isupper() else mark) + syllable[place + 1 :]


def _of_tone(letter: str, tone: int) -> str:
    """The letter with the mark of the tone; some have no character for both."""
    return _MARKS[letter][tone - 1]
