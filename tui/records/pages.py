"""Pages of lists, ids, and the JSON of any record."""

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


ID_LENGTH = 12
"""Letters of every id."""


LONGEST_PAGE = 100_000
MAX_SEARCH_LENGTH = 1000
"""Characters of a search."""
MAX_SEARCH_WORDS = 100
"""Different words of a search: each is a condition of its own, and SQLite nests a thousand."""


MAX_ROWS = 1000
"""Rows that one request asks for."""
MAX_OFFSET = 10**12
MAX_HITS = 100_000
"""Cues of a transcript that a search names."""
MAX_FOLLOWED = 200
"""Jobs whose changes one stream tells."""
MAX_QUERY = 3000
"""Characters of a text in an address."""
MAX_ID = 100
"""Characters of an id: anything longer stands for nothing."""
MAX_CURSOR = 2000
"""Characters of a cursor, which has the text that a list is sorted by."""


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


def to_json(record: Any) -> Any:
    """The JSON value of a record: dataclasses as objects in field order, tuples as arrays."""
    if is_dataclass(record) and not isinstance(record, type):
        return {field.name: to_json(getattr(record, field.name)) for field in fields(record)}
    if isinstance(record, (list, tuple)):
        return [to_json(item) for item in record]
    return record
