"""Keyword in context (KWIC): the lines of a concordance, each cut in three so that the word stands in one column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from tui.records.clips import ConcordanceLine
from tui.text.cells import cut, cut_start, direction_mark
from tui.text.sanitize import one_line


@dataclass(frozen=True, slots=True)
class KwicLine:
    """Line of a concordance: what stands before the word, the word, and what follows it, fit for a terminal."""

    line: ConcordanceLine
    before: str
    word: str
    after: str

    @classmethod
    def of(cls, line: ConcordanceLine) -> KwicLine:
        whole, word = one_line(line.text), one_line(line.text[line.start : line.end])
        before, after = one_line(line.text[: line.start]), one_line(line.text[line.end :])
        # Each part is cleaned by itself: whether there is a space between them is seen in the whole.
        gap = " " if whole[len(before) :].startswith(" ") else ""
        behind = " " if whole[: len(whole) - len(after)].endswith(" ") else ""
        return cls(line, before + gap if before else "", word, behind + after if after else "")


def sorted_by_what_follows(lines: Iterable[ConcordanceLine]) -> tuple[KwicLine, ...]:
    """Lines in the order of a concordance: by what follows the word, so that the same turns stand together."""
    return tuple(
        sorted(map(KwicLine.of, lines), key=lambda one: (_folded(one.after), _folded(one.before), one.line.title))
    )


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum() or char == " ").strip()


def word_column(lines: Sequence[KwicLine], width: int) -> int:
    """Cells before the word: what the widest word leaves of ``width`` is shared by the two sides."""
    word = min(max((cell_len(line.word) for line in lines), default=0), width // 2)
    return (width - word) // 2


def aligned(line: KwicLine, column: int, width: int) -> tuple[str, str, str]:
    """The three parts of a line in exactly ``width`` cells, the word at ``column``.

    What stands before the word loses its beginning, what follows its end. Where a script runs from right to left, what
    comes before stands at the right; a mark behind each part keeps a terminal that turns such text from turning it all.
    """
    word = cut(line.word, width - column)
    room = width - column - cell_len(word)
    if direction_mark(line.word):
        left, right = cut(line.after, column), cut_start(line.before, room)
    else:
        left, right = cut_start(line.before, column), cut(line.after, room)
    return (
        " " * (column - cell_len(left)) + left + direction_mark(left),
        word + direction_mark(word),
        right + direction_mark(right) + " " * (room - cell_len(right)),
    )
