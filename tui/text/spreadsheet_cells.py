"""Cells of tables that a spreadsheet may open: none of them is a formula, and each can be read back as it was.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and a tab or a line end before
one does not stop it. Such cells get an apostrophe in front, which is what OWASP advises against CSV injection
(owasp.org/www-community/attacks/CSV_Injection) and spreadsheets themselves write for a text. A text that begins so
behind apostrophes of its own gets one too: then the first one is never part of it.
"""

from __future__ import annotations

import re

_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""Beginnings of a formula; the last four are wide forms of the first, which some spreadsheets take for these."""


def guard_formula(text: str) -> str:
    """Write a text as a cell that no spreadsheet runs."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguard_formula(cell: str) -> str:
    """Read the text of a cell that ``guard_formula`` wrote."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
