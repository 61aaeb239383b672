"""Pages of lists, ids, and the JSON of any record."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

from tui.errors import InvalidInput

T = TypeVar("T")


ID_LENGTH = 12
"""Letters of every id."""


LONGEST_PAGE = 100_000
MAX_SEARCH_LENGTH = 1000
"""Characters of a search."""
MAX_SEARCH_WORDS = 100
"""Different words of a search: each is a condition of its own, and SQLite nests a thousand."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list: ``items`` from ``offset`` on, out of ``total`` that match.

    ``next`` is an opaque cursor for the place behind the last item, None when nothing follows it. A page that was asked
    for by a cursor has the offset 0.
    """

    items: tuple[T, ...]
    total: int
    offset: int
    next: str | None = None


def check_search_length(q: str) -> None:
    """Check how long a search is. Raises ``InvalidInput`` for more than ``MAX_SEARCH_LENGTH`` characters."""
    if len(q) > MAX_SEARCH_LENGTH:
        raise _too_long(f"{MAX_SEARCH_LENGTH} characters")


def check_search_words(count: int) -> None:
    """Check how many words a search has. Raises ``InvalidInput`` for more than ``MAX_SEARCH_WORDS``."""
    if count > MAX_SEARCH_WORDS:
        raise _too_long(f"{MAX_SEARCH_WORDS} different words")


def _too_long(most: str) -> InvalidInput:
    # The same words for every length: as somebody types on, it is one note.
    return InvalidInput(
        f"the search is too long: it can have {most}", hint="leave out what is not needed", code="search_too_long"
    )


def to_json(record: Any) -> Any:
    """The JSON value of a record: dataclasses as objects in field order, tuples as arrays."""
    if is_dataclass(record) and not isinstance(record, type):
        return {field.name: to_json(getattr(record, field.name)) for field in fields(record)}
    if isinstance(record, (list, tuple)):
        return [to_json(item) for item in record]
    return record
