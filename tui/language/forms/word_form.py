"""Dictionary form and reading of what is focused, which may be a verb with its endings or several words in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui.language.focus import focus_spans
from tui.language.scripts import script_pattern
from tui.language.segmenters.table import segmenter_of
from tui.language.tags import base_language
from tui.language.word import Word

_MOST_CONTEXT = 2000
"""Characters of a sentence in which a word is looked at; of a longer one it is looked at alone."""


@dataclass(frozen=True, slots=True)
class WordForm:
    """Dictionary form of a word or of a verb with its endings, and how it is read; None is unknown."""

    lemma: str | None = None
    reading: str | None = None


def word_form(focus: str, language: str | None, sentence: str = "") -> WordForm:
    """Dictionary form and reading of a word, or of several side by side, in its sentence or else alone."""
    segmenter = segmenter_of(language)
    if segmenter is None:
        return WordForm()
    spans = focus_spans(sentence, focus) if len(sentence) <= _MOST_CONTEXT else ()
    text, ((first, last), *others) = (sentence, spans) if spans else (focus, ((0, len(focus)),))
    found = [word for word in segmenter.words(text) if first <= word.start and word.end <= last]
    if others or not found or found[0].start != first or found[-1].end != last:
        return WordForm()  # parts that stand apart, or a part of a word
    return form_of(found, language)


def form_of(words: Sequence[Word], language: str | None) -> WordForm:
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
