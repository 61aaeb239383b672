"""Cutting of texts for segmenters: into pieces that they can take, and their words put back among all others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from tui.language.word import Word
from tui.language.words import each_word

_LONGEST_PIECE = 2000
"""Characters that a segmenter is given at once; Sudachi refuses more than 49 149 bytes."""
_PIECE = re.compile(rf"(?s).{{1,{_LONGEST_PIECE}}}(?:(?<=[\s。！？!?.,、，；;])|\Z)|.{{1,{_LONGEST_PIECE}}}")
_NOT_FOR_C = re.compile("[\0\ud800-\udfff]")
"""Pattern of what no library in C can be given: the end of a string, and half of a character."""


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces with their offsets, cut behind a space or a stop wherever there is one.

    A space stands for each code point that a segmenter cannot be given.
    """
    text = _NOT_FOR_C.sub(" ", text)
    if len(text) <= _LONGEST_PIECE:
        yield 0, text
        return
    for match in _PIECE.finditer(text):
        yield match.start(), match.group()


def among_others(text: str, found: Iterable[Word], is_own: Callable[[str], object], language: str) -> Iterator[Word]:
    """The segmenter's words that ``is_own`` says are of its script, and between them those of other scripts."""
    end = 0
    for word in found:
        if is_own(word.text):
            if end < word.start:
                yield from _shifted(text[end : word.start], end, language)
            yield word
            end = word.end
    if end < len(text):
        yield from _shifted(text[end:], end, language)


def _shifted(part: str, start: int, language: str) -> Iterator[Word]:
    for word in each_word(part, language):
        yield Word(word.text, start + word.start, start + word.end)
