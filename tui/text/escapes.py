"""Escapes of foreign texts: in Markdown, where they stand for themselves, and in tables, where none is a formula."""

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


def literal_part(text: str, *, at_start: bool = False) -> str:
    """Markdown as ``literal``, but with the spaces at its ends, which stand beside a bold word."""
    before = " " if text[:1].isspace() else ""
    behind = " " if text[-1:].isspace() and text.strip() else ""
    return f"{before}{literal(text, at_start=at_start)}{behind}"


# Cells of tables that a spreadsheet may open: none of them is a formula, and each can be read back as it was.
#
# A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and a tab or a line end before
# one does not stop it. Such cells get an apostrophe in front, which is what OWASP advises against CSV injection
# (owasp.org/www-community/attacks/CSV_Injection) and spreadsheets themselves write for a text. A text that begins so
# behind apostrophes of its own gets one too: then the first one is never part of it.

_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""Beginnings of a formula; the last four are wide forms of the first, which some spreadsheets take for these."""


def guard_formula(text: str) -> str:
    """Write a text as a cell that no spreadsheet runs."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguard_formula(cell: str) -> str:
    """Read the text of a cell that ``guard_formula`` wrote."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
