"""Matches of a filter's words in a text, to highlight them."""

from __future__ import annotations

import re
import unicodedata

from tui.language.scripts import is_spaceless


class Matches:
    """The words of ``query``, in a text: prefixes of its words, without accents; in scripts without spaces substrings.

    The same rule as the store's search. Words are known by their number here, spans are code points.
    """

    def __init__(self, query: str) -> None:
        letters = (each if unicodedata.category(each)[0] in "LMN" else " " for each in query)
        words = dict.fromkeys("".join(map(bare, word)) for word in "".join(letters).split())
        self.words = tuple(word for word in words if word)
        self._patterns = [
            re.compile(re.escape(word) if is_spaceless(word) else rf"(?<![^\W_]){re.escape(word)}")
            for word in self.words
        ]

    def __bool__(self) -> bool:
        return bool(self.words)

    def spans(self, text: str) -> list[tuple[int, int, int]]:
        """Start, end and number of each word in the text, the words one after the other."""
        if text.isascii():
            plain, places = text.lower(), list(range(len(text)))
        else:
            letters = [bare(character) for character in text]
            plain = "".join(letters)
            places = [place for place, letter in enumerate(letters) for _ in letter]
        return [
            (places[found.start()], places[found.end() - 1] + 1, number)
            for number, pattern in enumerate(self._patterns)
            for found in pattern.finditer(plain)
        ]

    def found_in(self, text: str) -> set[int]:
        """The numbers of the words that the text has."""
        return {number for _, _, number in self.spans(text)}


def bare(character: str) -> str:
    """A letter in lower case without its accents; a combining mark is nothing."""
    parts = unicodedata.normalize("NFD", character)
    if unicodedata.combining(parts[0]):
        return ""
    return (parts[0] if all(map(unicodedata.combining, parts[1:])) else character).lower()
