"""Chinese words by rjieba (jieba's dictionary and model), read in pinyin with tone marks by pypinyin.

rjieba's dictionary and pypinyin's phrases are of simplified characters: traditional ones are looked up as OpenCC
converts them.
"""

from collections.abc import Iterator
from functools import lru_cache

from tui.language.scripts import script_pattern
from tui.language.segmentation import cut_pieces, merge_with_others
from tui.language.word import Word

_VOWELS = "aāáǎàeēéěèoōóǒò"
_KNOWN_READINGS = 20_000
"""Number of words whose readings are remembered: most of a text are of a few thousand, and each costs 10 µs."""


class Chinese:
    """Segmenter of Chinese, with the dictionary unpacked; a word's dictionary form is the word."""

    def __init__(self) -> None:
        from opencc import OpenCC
        from rjieba import Jieba

        self._jieba = Jieba()
        self._simplify = OpenCC("t2s")

    def words(self, text: str) -> Iterator[Word]:
        yield from merge_with_others(text, self._units(text), script_pattern("Han").search, "zh")

    def _units(self, text: str) -> Iterator[Word]:
        for start, piece in cut_pieces(text):
            simplified = self._simplify.convert(piece)
            if len(simplified) != len(piece):
                simplified = piece  # a conversion that moves the characters is no help
            for word, first, last in self._jieba.tokenize(simplified):
                surface = piece[first:last]
                yield Word(surface, start + first, start + last, surface, _pinyin(word))


@lru_cache(_KNOWN_READINGS)
def _pinyin(word: str) -> str | None:
    """The word's syllables as one ("xī'ān" with the apostrophe before a vowel), None where one of them is unknown."""
    from pypinyin import Style, pinyin

    syllables = [syllable for syllable, *_ in pinyin(word, style=Style.TONE, errors="ignore")]
    if len(syllables) != len(word):
        return None
    first, *others = syllables
    return first + "".join(f"'{syllable}" if syllable[0] in _VOWELS else syllable for syllable in others)
