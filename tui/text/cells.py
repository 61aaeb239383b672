"""Terminal cells: text cut and padded to a number of them, and widths shared among columns."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from rich.cells import cell_len, set_cell_size

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_LEFT_TO_RIGHT_MARK = "\u200e"
_LEAST_WITH_A_TAIL = 5
_MOST_CODE_POINTS_PER_CELL = 16
"""Code points per cell beyond which text is not even measured: no list needs a whole book looked at."""


def cut_points(text: str, width: int, *, inside: bool = False) -> tuple[int, int] | None:
    """The ends of what stays of a text cut to ``width`` cells, ``…`` included: ``text[:start]`` and ``text[end:]``.

    ``inside`` keeps its end too: a name says most there. None: all of it fits.
    """
    longest = width * _MOST_CODE_POINTS_PER_CELL
    if width > 0 and len(text) <= longest and cell_len(text) <= width:
        return None
    if width <= 1:
        return 0, len(text)
    end = _tail(text, (width - 1) // 2) if inside and width >= _LEAST_WITH_A_TAIL else len(text)
    room = width - 1 - cell_len(text[end:])
    head = set_cell_size(text[: min(end, longest)], room).rstrip(" ")
    # A wide character did not go in by half, or signs that join what is around them were counted apart from it.
    while not text.startswith(head) or cell_len(head) > room:
        head = head[:-1].rstrip(" ")
    return len(head), end


def _tail(text: str, width: int) -> int:
    """The offset of the longest end that goes into ``width`` cells; no character is torn apart there."""
    at = max(0, len(text) - width)
    while at < len(text) and (cell_len(text[at:]) > width or _continues(text, at)):
        at += 1
    return at


def _continues(text: str, at: int) -> bool:
    """Whether the character belongs to the one before it: a mark, or joined to it."""
    return unicodedata.category(text[at])[0] == "M" or "\u200d" in text[max(0, at - 1) : at + 1]


def cut(text: str, width: int, *, inside: bool = False) -> str:
    """Cut a text to at most ``width`` cells, with ``…`` for its end, or ``inside`` of it, where it does not fit."""
    if width <= 0:
        return ""
    parts = cut_points(text, width, inside=inside)
    return text if parts is None else f"{text[: parts[0]]}…{text[parts[1] :]}"


def cut_start(text: str, width: int) -> str:
    """Cut a text to at most ``width`` cells, with ``…`` for its beginning, where it does not fit."""
    if width <= 0:
        return ""
    near = text[-width * _MOST_CODE_POINTS_PER_CELL :]
    if len(near) == len(text) and cell_len(text) <= width:
        return text
    return "…" + near[_tail(near, width - 1) :].lstrip(" ")


def fit(text: str, width: int, align: Literal["left", "right"] = "left", *, inside: bool = False) -> str:
    """Cut or pad a text to exactly ``width`` cells.

    Text that runs from right to left is followed by a left-to-right mark (no cell), so that a terminal which reorders
    directions does not draw the next column's digits into it.
    """
    text = cut(text, width, inside=inside)
    padding = " " * (width - cell_len(text))
    text += direction_mark(text)
    return padding + text if align == "right" else text + padding


def shared_widths(widths: Sequence[int], room: int, *, least: int) -> list[int]:
    """The widths of columns, the widest cut to a common limit (``least`` at least) where they do not fit ``room``."""
    limit = min(max(widths, default=0), max(room, least))
    while limit > least and sum(min(width, limit) for width in widths) > room:
        limit -= 1
    return [min(width, limit) for width in widths]


def direction_mark(text: str) -> str:
    """The left-to-right mark that has to follow this text, or nothing."""
    return _LEFT_TO_RIGHT_MARK if has_right_to_left(text) else ""


def has_right_to_left(text: str) -> bool:
    """Whether something in a text runs from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None
