"""Folding of texts for search: no case, none of the accents of the European scripts; and the words of a text.

The same rule as SQLite's FTS5 has with the options of ``store/schema/later_migrations.py``, for what is matched or
highlighted without it.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

_LATIN_MARKS = re.compile("[\u0300-\u036f]")


def fold_accents(text: str) -> str:
    """Fold a text as the FTS tables do: no case, and none of the accents of the European scripts."""
    return unicodedata.normalize("NFC", _LATIN_MARKS.sub("", unicodedata.normalize("NFD", text.casefold())))


def split_search_words(text: str) -> tuple[str, ...]:
    """Runs of letters, marks and digits: what FTS5 sees as words with the categories that the tables name."""
    letters = unicodedata.normalize("NFC", text)
    return tuple("".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in letters).split())


def fold_with_offsets(text: str, fold: Callable[[str], str]) -> tuple[str, Sequence[int]]:
    """Fold a text character by character; the offsets say where each character of that, and its end, stood before."""
    if text.isascii():
        return fold(text), range(len(text) + 1)
    letters = list(map(fold, text))
    return "".join(letters), [*(offset for offset, folded in enumerate(letters) for _ in folded), len(text)]


def fold_sentence(text: str) -> str:
    """Fold a sentence to what two copies of it have in common: its letters and digits, without case and accents."""
    return "".join(split_search_words(fold_accents(text)))
