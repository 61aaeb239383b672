"""Japanese words by Sudachi: its longest units, their dictionary forms, and their readings in hiragana."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.language.scripts import convert_to_hiragana, script_pattern
from tui.language.segmentation import cut_pieces, merge_with_others
from tui.language.word import Word

if TYPE_CHECKING:
    from sudachipy import Morpheme, Tokenizer

_SCRIPT = script_pattern("Han", "Hiragana", "Katakana")
_KANA = re.compile(r"[\u3041-\u309f\u30fc]+")
_PREFERRED = {"私": "わたし", "日本": "にほん", "明日": "あした", "何時": "なんじ"}
"""Surface → the everyday reading, where Sudachi gives a formal or a rare one."""
_NUMERAL = "数詞"
_FUNCTION = ("助詞", "助動詞", "接頭辞", "接尾辞")
"""Parts of speech of function words: particles, auxiliaries and endings, prefixes and suffixes."""
_STEM_OF_AUXILIARY = "助動詞語幹"
"""Second part of speech of そう, よう and みたい where they stand behind a verb or an adjective."""
_DATES = {
    **{(str(number), "月"): f"{reading}がつ" for number, reading in enumerate(
        ["いち", "に", "さん", "し", "ご", "ろく", "しち", "はち", "く", "じゅう", "じゅういち", "じゅうに"], 1
    )},
    **{(str(number), "日"): reading for number, reading in enumerate(
        ["ふつか", "みっか", "よっか", "いつか", "むいか", "なのか", "ようか", "ここのか", "とおか"], 2
    )},
    ("14", "日"): "じゅうよっか", ("20", "日"): "はつか", ("24", "日"): "にじゅうよっか",
    **{(str(number), "時"): f"{reading}じ" for number, reading in enumerate(
        ["いち", "に", "さん", "よ", "ご", "ろく", "しち", "はち", "く", "じゅう", "じゅういち", "じゅうに"], 1
    )},
}  # fmt: skip
"""Number and what it counts → how months, days and hours are read: as one word, and seldom as their parts."""


class Japanese:
    """Segmenter of Japanese, with the dictionary mapped into memory.

    A tokenizer of Sudachi's is for one thread, so each thread has its own.
    """

    def __init__(self) -> None:
        from sudachipy import Dictionary

        self._dictionary = Dictionary(dict="core")
        self._local = threading.local()

    def words(self, text: str) -> Iterator[Word]:
        yield from merge_with_others(text, self._units(text), _SCRIPT.search, "ja")

    def normal_form(self, word: str) -> str | None:
        """The one way that Sudachi writes a word in, whose potential has its verb's; None where it is not one word."""
        _, piece = next(cut_pieces(word))
        morphemes = list(self._tokenizer().tokenize(piece))
        return morphemes[0].normalized_form() if len(morphemes) == 1 else None

    def _units(self, text: str) -> Iterator[Word]:
        for start, piece in cut_pieces(text):
            number: Morpheme | None = None
            for morpheme in self._tokenizer().tokenize(piece):
                if number is not None:
                    yield from _read_counter(number, morpheme, start)
                    number = None
                elif morpheme.part_of_speech()[1] == _NUMERAL:
                    number = morpheme
                else:
                    yield _word(morpheme, start)
            if number is not None:
                yield _word(number, start)

    def _tokenizer(self) -> Tokenizer:
        if not hasattr(self._local, "tokenizer"):
            from sudachipy import SplitMode

            self._local.tokenizer = self._dictionary.tokenizer(mode=SplitMode.C)
        tokenizer: Tokenizer = self._local.tokenizer
        return tokenizer


def _read_counter(number: Morpheme, counter: Morpheme, offset: int) -> Iterator[Word]:
    """A number and what stands behind it: a date or an hour as one word; how other things are read is not guessed."""
    date = (number.normalized_form(), counter.surface())
    if reading := _DATES.get(date):
        surface = number.surface() + counter.surface()
        yield Word(surface, offset + number.begin(), offset + counter.end(), surface, reading)
        return
    follows = counter.begin() == number.end() and _SCRIPT.search(counter.surface()) is not None
    is_counter = follows and counter.part_of_speech()[0] in ("接尾辞", "名詞")
    for morpheme in (number, counter):
        word = _word(morpheme, offset)
        yield replace(word, reading=None) if is_counter else word


def _word(morpheme: Morpheme, offset: int) -> Word:
    surface, kind = morpheme.surface(), morpheme.part_of_speech()
    return Word(
        surface,
        offset + morpheme.begin(),
        offset + morpheme.end(),
        morpheme.dictionary_form(),
        _reading(surface, morpheme.reading_form()),
        is_function=kind[0] in _FUNCTION or kind[1] == _STEM_OF_AUXILIARY,
    )


def _reading(surface: str, katakana: str) -> str | None:
    """The reading in hiragana, None where it is unknown or the surface itself says it."""
    reading = _PREFERRED.get(surface) or convert_to_hiragana(katakana)
    spelt = convert_to_hiragana(unicodedata.normalize("NFKC", surface))
    return reading if _KANA.fullmatch(reading) and reading != spelt else None
