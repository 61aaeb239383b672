"""A word of a text with its place, as the service sends it and the segmentation makes it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text; ``start`` and ``end`` are code point offsets: ``text == whole[start:end]``.

    ``lemma`` is its dictionary form and ``reading`` how it is spoken (hiragana, pinyin), each where a segmenter knows
    it; a reading is there only where the text does not say it. ``is_function`` tells function words where a segmenter
    knows them (particles, auxiliaries, endings, affixes): they are words to step on, but none to learn or to count.
    """

    text: str
    start: int
    end: int
    lemma: str | None = None
    reading: str | None = None
    is_function: bool = False
