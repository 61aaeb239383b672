"""Word forms of a text as states of words need them: where each stands, and what its word is as far as the text says.

Where a segmenter cuts the language it says the lemma, in its sentence, and the reading; elsewhere the library knows the
lemma of a form (``lemma`` None).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tui.language.forms.word_form import has_characters, word_form
from tui.language.segmentation import is_segmented, words
from tui.language.segmenters.table import row_of
from tui.language.word import Word
from tui.language.words import fold

FormKey = tuple[str, str | None, str]
"""What tells forms of one word from those of another: the form where its lemma is not said, the lemma, the reading."""
_KNOWN_READINGS = 20_000
"""Lemmas whose readings are remembered: asking the segmenter costs some 20 µs."""


@dataclass(frozen=True, slots=True)
class TextForm:
    """A form of a text at the code points ``start`` to ``end``; ``form`` is folded, ``reading`` is "" if unknown."""

    start: int
    end: int
    form: str
    lemma: str | None = None
    reading: str = ""

    @property
    def key(self) -> FormKey:
        """The key, the same for all forms that are known to be one word's."""
        return (self.form if self.lemma is None else ""), self.lemma, self.reading


def text_forms(text: str, language: str | None) -> tuple[TextForm, ...]:
    """The words of a text in order, without function words. May load a dictionary: not on an event loop."""
    found = words(text, language)
    if not is_segmented(language):
        return tuple(TextForm(word.start, word.end, fold(word.text, language)) for word in found)
    has_readings = (row := row_of(language)) is not None and row.reads
    return tuple(_segmented(word, language or "", has_readings=has_readings) for word in found if not word.is_function)


def _segmented(word: Word, language: str, *, has_readings: bool) -> TextForm:
    lemma = word.lemma or word.text
    reading = ""
    if has_readings and has_characters(lemma):
        # An inflected form has the reading of its stem (行っ is いっ): the lemma is asked for its own.
        reading = (word.reading or "") if lemma == word.text else _reading(lemma, language)
    return TextForm(word.start, word.end, fold(word.text, language), lemma, reading)


@lru_cache(_KNOWN_READINGS)
def _reading(lemma: str, language: str) -> str:
    return word_form(lemma, language).reading or ""
