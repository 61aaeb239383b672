"""Language of an imported text, out of what its name, its file and the text itself say.

People's names lie: ``film.en.srt`` is a German subtitle, ``film.hi.srt`` an English one for the hearing-impaired. The
guess is silent rather than wrong, so a text that is clear wins over its name and over what the file says of itself; a
tag that is no ordinary word gives way only to a text of some length, and never to a language that is easily taken for
it. What the user names wins over all of them, and is not asked for here.
"""

from __future__ import annotations

from tui.importing.file_name import FileName
from tui.language.detection import can_be_guessed, guess_language
from tui.language.scripts import script_counts
from tui.language.tags import base_language

_ENOUGH_TO_CONTRADICT = 600
"""Minimum bytes of UTF-8 of a text that contradicts a tag that is no ordinary word: some twenty lines."""
_GUESSED_AS = {"no": "nb", "fil": "tl", "yue": "zh", "sh": "hr"}
"""Languages that the guess has under another subtag."""
_NEAR = (
    ("hr", "bs", "sr"),
    ("nb", "nn", "da"),
    ("id", "ms"),
    ("pt", "gl"),
    ("es", "ast"),
    ("en", "enm"),
    ("el", "grc"),
)
"""Languages that the guess may take for each other."""


def text_language(name: FileName, in_file: str | None, text: str) -> str | None:
    """Choose the tag of a text's language; ``in_file`` is the tag that the file itself has for it."""
    guess = guess_language(text)
    if name.is_mark:  # Hindi, or for the hearing-impaired: only the text tells
        is_hindi = guess == "hi" or (guess is None and _is_devanagari(text))
        return "hi" if is_hindi else in_file or guess
    told = [*name.languages, *([in_file] if in_file else [])]
    if not told or guess is None:
        return told[0] if told else guess
    if agreeing := [tag for tag in told if _is(tag, guess)]:
        return agreeing[0]
    is_too_short = not name.is_word and len(text.encode("utf-8", "replace")) < _ENOUGH_TO_CONTRADICT
    return told[0] if is_too_short or not _contradicts(guess, told[0]) else guess


def _is(tag: str, guess: str) -> bool:
    return _guessed_as(tag) == guess


def _guessed_as(tag: str) -> str:
    """The subtag that the guess has for the language of this tag."""
    base = base_language(tag)
    return _GUESSED_AS.get(base, base)


def _contradicts(guess: str, tag: str) -> bool:
    base = _guessed_as(tag)
    return can_be_guessed(base) and not any(base in near and guess in near for near in _NEAR)


def _is_devanagari(text: str) -> bool:
    counts = script_counts(text)
    return counts["Devanagari"] > 0.75 * counts.total()
