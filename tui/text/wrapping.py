"""Line breaking by cells: between words, between any two East Asian characters, and inside what is too long.

Characters that may not begin or end a line stay with their neighbours (the basic rules of JIS X 4051, "kinsoku"); the
scripts of South-East Asia, which put no spaces between words, break between their clusters.
"""

import re
from collections.abc import Container, Iterable, Iterator
from typing import TypeAlias

from rich.cells import cell_len, split_graphemes

Span = tuple[int, int]
"""Code point offsets of a piece of text: first, and one past the last."""

_SPACES = " \t\u1680\u2000-\u2006\u2008-\u200b\u205f\u3000"
_ALONE = (
    "\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46"  # Thai
    "\u0e81-\u0eb0\u0eb2-\u0eb3\u0ec0-\u0ec6"  # Lao
    "\u1000-\u1021\u1780-\u17b3"  # Burmese, Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u30fb\u30fd-\u30ff\u3105-\u312f\u31f0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003fffd"  # ideographs
)
"""Characters before and after which a line may break."""
_MARKS = "\u0300-\u036f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
_MARKS += "\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef\uff9e\uff9f"
_OPENING = "（〔［｛〈《「『【〘〖〝｟«เแโใไ"
_NOT_FIRST = "、。，．・：；？！゛゜ヽヾゝゞ々ー）〕］｝〉》」』】〙〗〟｠»〜～…‥"
_NOT_FIRST += "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶะาำๆฯ"
_CLOSING_BESIDE = r")\]},.!?:;%’”"
_OPENING_BESIDE = r"(\[{‘“"
_UNITS = re.compile(
    rf"(?P<spaces>[{_SPACES}]+)"
    rf"|[{_OPENING}{_OPENING_BESIDE}]*[{_ALONE}][{_MARKS}]*(?:[{_NOT_FIRST}{_CLOSING_BESIDE}][{_MARKS}]*)*"
    rf"|[{_OPENING}]*[^{_SPACES}{_ALONE}{_OPENING}{_NOT_FIRST}]+[{_NOT_FIRST}]*"
    rf"|[{_OPENING}]+|[{_NOT_FIRST}]+"
)
"""Runs of spaces, and what may not be divided between two places where a line may break."""
_BEFORE_A_LETTER = re.compile(rf"[{_OPENING}{_OPENING_BESIDE}]*")
_Unit: TypeAlias = tuple[int, int, bool]


def wrap(text: str, width: int, *, indent: int = 0, word_starts: Container[int] | None = None) -> list[Span]:
    """Wrap ``text`` into lines (at least one) of at most ``width`` cells each; line feeds break too.

    Spaces at the beginning of a line and where it breaks belong to no line. The first line begins ``indent`` cells to
    the right. ``word_starts`` are the offsets before which alone a text without spaces breaks.
    """
    lines: list[Span] = []
    start = 0
    for part in text.split("\n"):
        units = _units(text, start, start + len(part), word_starts)
        lines.extend(_wrap_part(text, units, start, max(1, width), 0 if lines else indent))
        start += len(part) + 1
    return lines


def chop(text: str, width: int) -> list[Span]:
    """Divide one line of code where its cells run out and nowhere else."""
    return list(_chop(text, 0, len(text), max(1, width), max(1, width))) or [(0, 0)]


def _units(text: str, start: int, end: int, word_starts: Container[int] | None) -> Iterator[_Unit]:
    """The pieces between two places where a line may break, and whether they are spaces."""
    first = last = start
    after_spaces = True
    for unit in _UNITS.finditer(text, start, end):
        is_spaces = unit.lastgroup == "spaces"
        letter = _BEFORE_A_LETTER.match(text, unit.start(), unit.end())
        begins = word_starts is None or (
            letter and any(at in word_starts for at in range(unit.start(), letter.end() + 1))
        )
        if first < last and (begins or is_spaces or after_spaces):
            yield first, last, after_spaces
            first = last
        last, after_spaces = unit.end(), is_spaces
    if first < last:
        yield first, last, after_spaces


def _wrap_part(text: str, units: Iterable[_Unit], start: int, width: int, indent: int) -> Iterator[Span]:
    first = last = start
    used, gap = indent, 0
    for begin, stop, is_spaces in units:
        cells = cell_len(text[begin:stop])
        if is_spaces:
            gap += cells
            continue
        if first == last:
            first, gap = begin, 0
        room = width - used - gap
        if used and cells > room and (cells <= width or room < 2):
            yield first, max(first, last)
            first, used, gap, room = begin, 0, 0, width
        used += gap + cells
        if cells > room:
            for _, piece_last in list(_chop(text, begin, stop, width, room))[:-1]:
                yield first, piece_last
                first = piece_last
            used = cell_len(text[first:stop])
        last, gap = stop, 0
    yield first, max(first, last)


def _chop(text: str, start: int, end: int, width: int, room: int) -> Iterator[Span]:
    """Divide ``text[start:end]`` between grapheme clusters: ``room`` cells first, then ``width`` each."""
    first = start
    used = 0
    for begin, _, cells in split_graphemes(text[start:end])[0]:
        if used and used + cells > room:
            yield first, start + begin
            first, used, room = start + begin, 0, width
        used += cells
    if first < end:
        yield first, end
