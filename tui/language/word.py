"""A word of a text with its place, as the service sends it and the segmentation makes it; and the key of a word."""

import unicodedata
from dataclasses import dataclass

from tui.language.tags import base_language


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


def fold(form: str, language: str | None) -> str:
    """Fold a word to its key: NFC, lower case (Turkish dotless i heeded, ß stays ß), ' for every apostrophe."""
    is_turkic = base_language(language) in ("tr", "az")
    if form.isascii() and not is_turkic:
        return form.lower()
    form = form.replace("’", "'").replace("ʼ", "'").replace("\u2011", "-").replace("\u2010", "-").replace("\u00ad", "")
    if is_turkic:
        form = form.replace("I", "ı").replace("İ", "i")
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", form).lower())
