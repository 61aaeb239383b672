"""Matches of a filter's words in a text, to highlight them."""

from __future__ import annotations

import re

from tui.language.folding import fold_accents, fold_with_offsets, split_search_words
from tui.language.scripts import is_spaceless


class Matches:
    """Matches of the words of ``query``: prefixes, without accents; in scripts without spaces substrings.

    The same rule as the store's search. Words are known by their number here, spans are code points.
    """

    def __init__(self, query: str) -> None:
        self.words = tuple(filter(None, dict.fromkeys(map(fold_accents, split_search_words(query)))))
        self._patterns = [
            re.compile(re.escape(word) if is_spaceless(word) else rf"(?<![^\W_]){re.escape(word)}")
            for word in self.words
        ]

    def __bool__(self) -> bool:
        return bool(self.words)

    def spans(self, text: str) -> list[tuple[int, int, int]]:
        """Start, end and number of each word in the text, the words one after the other."""
        plain, places = fold_with_offsets(text, fold_accents)
        return [
            (places[found.start()], places[found.end() - 1] + 1, number)
            for number, pattern in enumerate(self._patterns)
            for found in pattern.finditer(plain)
        ]

    def found_in(self, text: str) -> set[int]:
        """Numbers of the words that the text has."""
        return {number for _, _, number in self.spans(text)}
