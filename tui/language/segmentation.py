"""Words of a text as the library counts and lists them: by the language's segmenter, else as ``language.words`` cuts.

Every count, list and look-up goes through here, so that what is counted is what is listed. A text's counts are those
of the day of its import: where a segmenter was installed later, reading its file anew counts it anew, and a word that
no import counted is counted where its characters stand (``store.tables.words``).

The first call for a language loads its dictionary, which takes some tenths of a second: none of this belongs on an
event loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tui.language.segmenters.table import can_be_cut, is_installed, row_of, segmenter_of
from tui.language.word import Word
from tui.language.words import each_word as plain_words
from tui.language.words import word_texts as plain_word_texts


def each_word(text: str, language: str | None) -> Iterator[Word]:
    """Iterate over the words of a text, with lemma and reading where a segmenter cuts them."""
    segmenter = segmenter_of(language) if is_segmented(language) else None
    return plain_words(text, language) if segmenter is None else segmenter.words(text)


def word_texts(texts: Iterable[str], language: str | None, lemmas: dict[str, str]) -> Iterator[list[str]]:
    """Iterate over texts; gives the words of each that are counted, which function words are not.

    The lemma that a segmenter says of a form where it stands first is put into ``lemmas``.
    """
    if not is_segmented(language):
        yield from (plain_word_texts(text, language) for text in texts)
        return
    for text in texts:
        words = [word for word in each_word(text, language) if not word.is_function]
        for word in words:
            if word.lemma is not None:
                lemmas.setdefault(word.text, word.lemma)
        yield [word.text for word in words]


def words(text: str, language: str | None) -> tuple[Word, ...]:
    """The words of a text in order."""
    return tuple(each_word(text, language))


def is_segmented(language: str | None) -> bool:
    """Whether a segmenter cuts the words of this language here; nothing is loaded."""
    return can_be_cut(language) and has_lemmas(language)


def has_lemmas(language: str | None) -> bool:
    """Whether a segmenter knows the dictionary forms of this language here; nothing is loaded."""
    row = row_of(language)
    return row is not None and is_installed(row)
