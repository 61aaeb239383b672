"""A word of a text with its place, as the service sends it and the segmentation makes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text; ``start`` and ``end`` are code point offsets: ``text == whole[start:end]``.

    ``lemma`` is its dictionary form and ``reading`` how it is spoken (hiragana, pinyin), each where a segmenter knows
    it; a reading is there only where the text does not say it.
    """

    text: str
    start: int
    end: int
    lemma: str | None = None
    reading: str | None = None
