"""Markdown of foreign texts: escapes that let them stand for themselves."""

from __future__ import annotations

import re

from tui.text.sanitize import one_line

_INLINE = re.compile(
    r"""
      `
    | \*(?!(?<=\s\*)\s)                              # emphasis, unless there is space on both sides
    | _(?!(?<=\s_)\s|(?<=[^\W_]_)[^\W_])             # the same; within a word it stands for itself
    | ~(?!\s|(?<=\w~)\Z)                             # what could begin something struck through
    | \\(?=[!-/:-@\[-`{-~]|\Z)                       # an escape
    | \](?=\()                                       # the end of a link's text
    | <(?=[A-Za-z/!?]|\S*@)                          # a tag, or an address as a link
    | &(?=\#?\w+;)                                   # an entity
    """,
    re.VERBOSE,
)
_AT_START = re.compile(
    r"""
    \A(?:
      (\d{1,9})(?=[.)](?:\s|\Z))                     # an item with a number
    | (?=[+-](?:\s|\Z) | -[\s-]*\Z)                  # an item, a rule
    | (?=\#{1,6}(?:\s|\Z) | >)                       # a heading, a quotation
    | (?=\[[\sxX]?\](?:\s|\Z) | \[.*\]:)             # a box to tick, the address that a link's name stands for
    )
    """,
    re.VERBOSE,
)
"""Beginnings of a block at the start of a list item's text; group 1 is what stays before the escape."""


def literal(text: str, *, at_start: bool = False) -> str:
    """Foreign text as Markdown that shows it as it stands: one line, no controls, and escapes only where they count."""
    escaped = _INLINE.sub(r"\\\g<0>", one_line(text))
    return _AT_START.sub(r"\1\\", escaped, count=1) if at_start else escaped
