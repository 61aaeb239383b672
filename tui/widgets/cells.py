"""Text cut and padded to a number of terminal cells."""

from __future__ import annotations

import re
from typing import Literal

from rich.cells import cell_len, set_cell_size

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_LEFT_TO_RIGHT_MARK = "\u200e"
_MOST_CODE_POINTS_PER_CELL = 16
"""Text beyond this is not even measured: a cell of a list does not need a whole book looked at."""


def cut(text: str, width: int) -> str:
    """The text in at most ``width`` cells, its end as ``…`` where it does not fit."""
    if width <= 0:
        return ""
    longest = width * _MOST_CODE_POINTS_PER_CELL
    if len(text) <= longest and cell_len(text) <= width:
        return text
    return set_cell_size(text[:longest], width - 1).rstrip(" ") + "…"


def cut_inside(text: str, width: int) -> str:
    """The text in at most ``width`` cells, its middle as ``…`` where it does not fit: a name says most at its ends."""
    if cell_len(text) <= width or width < 3:
        return cut(text, width)
    end = text[-(width // 2) :]
    while cell_len(end) > (width - 1) // 2:
        end = end[1:]
    return set_cell_size(text, width - 1 - cell_len(end)).rstrip(" ") + "…" + end


def fit(text: str, width: int, align: Literal["left", "right"] = "left") -> str:
    """The text in exactly ``width`` cells.

    Text that runs from right to left is followed by a left-to-right mark (no cell), so that a terminal which reorders
    directions does not draw the next column's digits into it.
    """
    text = cut(text, width)
    padding = " " * (width - cell_len(text))
    if _RIGHT_TO_LEFT.search(text):
        text += _LEFT_TO_RIGHT_MARK
    return padding + text if align == "right" else text + padding
