"""Thai words by PyThaiNLP's newmm (longest match in a dictionary); Thai does not inflect, and no reading is given.

Its romanisations were looked at and are left out: the Royal Institute's rules as it has them are often wrong.
"""

import os
from collections.abc import Iterator
from functools import partial

from tui.language.scripts import script_pattern
from tui.language.segmentation import cut_pieces, merge_with_others
from tui.language.word import Word


class Thai:
    """Segmenter of Thai, with the dictionary loaded; a word's dictionary form is the word."""

    def __init__(self) -> None:
        # PyThaiNLP would make a folder in the home directory unless it is told not to; its older name: it takes no two
        if "PYTHAINLP_READ_MODE" not in os.environ:
            os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
        from pythainlp.tokenize import word_tokenize

        self._tokenize = partial(word_tokenize, engine="newmm")
        self._tokenize("ไทย")

    def words(self, text: str) -> Iterator[Word]:
        yield from merge_with_others(text, self._units(text), script_pattern("Thai").search, "th")

    def _units(self, text: str) -> Iterator[Word]:
        for start, piece in cut_pieces(text):
            end = 0
            for surface in self._tokenize(piece):
                first = piece.find(surface, end)
                if first < 0:
                    break
                end = first + len(surface)
                yield Word(surface, start + first, start + end, surface)
