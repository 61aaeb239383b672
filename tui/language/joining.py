"""Joining of lines: what stands between two lines of one sentence once they are written as one.

Languages with spaces get one. Chinese, Japanese, Thai and the others without get none, where either of the characters
that meet is of their scripts or is their punctuation: "美咲は四月に、" and "この町へ" are "美咲は四月に、この町へ". The
characters at the seam decide, not a language: files mix them, and many do not say theirs.
"""

from collections.abc import Iterable

from tui.language.scripts import is_spaceless, script_pattern

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
