"""Lines made of pieces of text that look different, and how such pieces are divided into lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntFlag
from typing import TypeAlias

from rich.cells import cell_len

from tui.text.wrapping import Span, wrap


class Look(IntFlag):
    """Style of a piece of text, as flags; the widget that draws it has the colours."""

    PLAIN = 0
    STRONG = 1
    EMPHASIS = 2
    CODE = 4
    MUTED = 8
    LINK = 16
    STRUCK = 32
    ERROR = 64
    TAIL = 128
    FOCUS = 256


Piece: TypeAlias = tuple[str, Look]
Line: TypeAlias = tuple[Piece, ...]


def line_text(line: Line) -> str:
    return "".join(text for text, _ in line)


def line_cells(line: Line) -> int:
    return sum(cell_len(text) for text, _ in line)


def wrapped(pieces: Sequence[Piece], width: int, wrapper: Callable[[str, int], list[Span]] = wrap) -> list[Line]:
    """Wrap pieces that follow each other into lines of at most ``width`` cells."""
    text = "".join(piece for piece, _ in pieces)
    return [tuple(_between(pieces, first, last)) for first, last in wrapper(text, width)]


def _between(pieces: Sequence[Piece], first: int, last: int) -> Iterator[Piece]:
    start = 0
    for text, look in pieces:
        if start >= last:
            return
        if part := text[max(0, first - start) : last - start]:
            yield part, look
        start += len(text)
