"""Dictionary form and reading of what is focused, one word or several in a row, and of all words of a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tui.language.focus import find_focus_spans
from tui.language.scripts import script_pattern
from tui.language.segmentation import is_segmented, row_of, segmenter_of, words
from tui.language.tags import base_language
from tui.language.word import Word, fold

_MAX_CONTEXT = 2000
"""Characters of a sentence in which a word is looked at; of a longer one it is looked at alone."""


@dataclass(frozen=True, slots=True)
class WordForm:
    """Dictionary form of a word or of a verb with its endings, and how it is read; None is unknown."""

    lemma: str | None = None
    reading: str | None = None


def find_word_form(focus: str, language: str | None, sentence: str = "") -> WordForm:
    """Dictionary form and reading of a word, or of several side by side, in its sentence or else alone."""
    segmenter = segmenter_of(language)
    if segmenter is None:
        return WordForm()
    spans = find_focus_spans(sentence, focus) if len(sentence) <= _MAX_CONTEXT else ()
    text, ((first, last), *others) = (sentence, spans) if spans else (focus, ((0, len(focus)),))
    found = [word for word in segmenter.words(text) if first <= word.start and word.end <= last]
    if others or not found or found[0].start != first or found[-1].end != last:
        return WordForm()  # parts that stand apart, or a part of a word
    return join_forms(found, language)


def join_forms(words: Sequence[Word], language: str | None) -> WordForm:
    """The form of words that stand side by side; nothing is known of none."""
    if not words:
        return WordForm()
    return WordForm(_lemma(words), _reading(words, language))


def _lemma(words: Sequence[Word]) -> str | None:
    """The lemma of one word, or of an inflected one with its endings; words in a row have none together."""
    stem, *endings = words
    if not endings or (stem.lemma != stem.text and not any(has_characters(word.text) for word in endings)):
        return stem.lemma
    return None


def _reading(words: Sequence[Word], language: str | None) -> str | None:
    """Their readings as one; None where the text says it all, or the reading of one of them is unknown."""
    if all(word.reading is None for word in words):
        return None
    if any(word.reading is None and has_characters(word.text) for word in words):
        return None
    between = "" if base_language(language) == "ja" else " "
    return between.join(word.reading or word.text for word in words)


def has_characters(text: str) -> bool:
    """Whether it has Chinese characters, which do not say how they are read."""
    return script_pattern("Han").search(text) is not None


# Word forms of a text as states of words need them: where each stands, and what its word is as far as the text says.
#
# Where a segmenter cuts the language it says the lemma, in its sentence, and the reading; elsewhere the library knows
# the lemma of a form (``lemma`` None).

FormKey = tuple[str, str | None, str]
"""Key of the forms of one word: the form where its lemma is not said, the lemma, the reading."""
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


def find_text_forms(text: str, language: str | None) -> tuple[TextForm, ...]:
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
        reading = (word.reading or "") if lemma == word.text else _text_forms_reading(lemma, language)
    return TextForm(word.start, word.end, fold(word.text, language), lemma, reading)


@lru_cache(_KNOWN_READINGS)
def _text_forms_reading(lemma: str, language: str) -> str:
    return find_word_form(lemma, language).reading or ""
