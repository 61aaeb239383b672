"""Page cursors: a page of a list begins so many rows from the top, or behind a row that was read before.

A cursor names the last row that was read. Rows that come or go meanwhile move nothing: the numbers that the lists are
ordered by never change and are never used twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tui.errors import InvalidInput
from tui.records.pages import LONGEST_PAGE

_MARKS = {
    "answers": "a",
    "clips": "c",
    "changes": "h",
    "cues": "u",
    "files": "f",
    "jobs": "j",
    "sentences": "s",
    "transcripts": "t",
    "words": "w",
}
"""First letters of each list's cursors, so that none is taken for another list's."""
_NUMBER = "(0|[1-9][0-9]{0,18})"
LARGEST_INTEGER = 2**63 - 1
"""Largest integer of SQLite's."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Request for a page of the list ``table``: ``limit`` rows behind the row ``after``, or from ``offset`` on."""

    table: str
    offset: int
    limit: int
    after: int | None

    @classmethod
    def of(cls, table: str, offset: int, limit: int, after: str | None) -> PageRequest:
        """Check a request; ``after`` rules out the offset; raises ``InvalidInput`` for no cursor of this list."""
        seq = None if after is None else cursor_numbers(table, after, 1)[0]
        return cls(table, 0 if seq is not None else max(0, offset), page_limit(limit), seq)


def page_limit(limit: int) -> int:
    return min(max(0, limit), LONGEST_PAGE)


def cursor(table: str, *numbers: int) -> str:
    """The cursor behind the row that these numbers name."""
    return _MARKS[table] + "-".join(map(str, numbers))


def cursor_numbers(table: str, given: str, count: int) -> tuple[int, ...]:
    """The ``count`` numbers in a cursor of this list; raises ``InvalidInput`` for what is none."""
    match = re.fullmatch(_MARKS[table] + "-".join([_NUMBER] * count), given)
    numbers = tuple(map(int, match.groups())) if match else ()
    if not numbers or max(numbers) > LARGEST_INTEGER:
        raise invalid_cursor(table, given)
    return numbers


def invalid_cursor(table: str, given: str) -> InvalidInput:
    return InvalidInput(
        f"{given[:40]!r} is no place in this list of {table}",
        hint="give the cursor that came with the page before, unchanged, or none to begin at the top",
        code="invalid_cursor",
    )
