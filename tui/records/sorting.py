"""Sorting: the columns that each list can be sorted by, and how an order is named on every face."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

SortedList = Literal["files", "transcripts", "clips", "bookmarks", "answers", "jobs", "words"]
Way = Literal["up", "down"]
"""Direction of a column by itself: texts a–z, dates and most numbers the newest and the largest first."""
MAX_SORTED = 20_000
"""Rows up to which a list is sorted by a column without an index."""
MAX_SORT_NAME = 40
COUNT_COLUMNS: Mapping[str, Way] = {"words": "down", "new": "up", "known": "down", "one_new": "down"}
"""Columns of the counts of a transcript's words, which no table has: what is easiest to read comes first."""
SORT_COLUMNS: Mapping[SortedList, Mapping[str, Way]] = {
    "files": {
        "name": "up",
        "kind": "up",
        "lang": "up",
        "encoding": "up",
        "cues": "down",
        "length": "down",
        "size": "down",
        "read": "down",
        **COUNT_COLUMNS,
        "age": "down",
    },
    "transcripts": {
        "title": "up",
        "series": "up",
        "lang": "up",
        "cues": "down",
        "length": "down",
        "read": "down",
        **COUNT_COLUMNS,
        "origin": "up",
        "age": "down",
    },
    "clips": {
        "word": "up",
        "sentence": "up",
        "meaning": "up",
        "lang": "up",
        "source": "up",
        "tags": "up",
        "exported": "up",
        "changed": "down",
        "age": "down",
    },
    "bookmarks": {"name": "up", "title": "up", "lang": "up", "age": "down"},
    "answers": {
        "focus": "up",
        "sentence": "up",
        "model": "up",
        "kind": "up",
        "state": "up",
        "asked_on": "down",
        "tokens": "down",
        "took": "down",
        "age": "down",
    },
    "jobs": {"source": "up", "kind": "up", "state": "up", "done": "down", "message": "up", "age": "down"},
    "words": {
        "word": "up",
        "state": "up",
        "lang": "up",
        "times": "down",
        "texts": "down",
        "rank": "up",
        "from": "up",
        "changed": "down",
    },
}
"""Columns of each list, each with its direction."""
INDEXED: Mapping[SortedList, frozenset[str]] = {
    "clips": frozenset({"word", "source", "changed"}),
    "words": frozenset({"word", "times", "rank", "changed"}),
}
"""Columns that a list is sorted by at any size; "age" is one in every list."""
GROUPS: Mapping[SortedList, Mapping[str, str]] = {
    "files": {"age": "day"},
    "transcripts": {"series": "series", "age": "day"},
    "clips": {"source": "source", "tags": "tag", "age": "day"},
    "answers": {"age": "day"},
}
"""Groups in which the rows of a list can stand that is sorted by a column."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that follow one another in a sorted list and have something in common; ``name`` "" is of those without it.

    A clip with several tags is in the group of its first.
    """

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Sort:
    """Order of a list: a column in its own direction or, ``is_turned``, in the other; "" is the list's own order."""

    column: str = ""
    is_turned: bool = False

    def __str__(self) -> str:
        return f"-{self.column}" if self.is_turned else self.column

    def is_descending(self, listed: SortedList) -> bool:
        return (SORT_COLUMNS[listed][self.column] == "down") != self.is_turned


def goes_at_any_size(listed: SortedList, column: str) -> bool:
    """Whether a list of any size can be sorted by a column."""
    return column in ("", "age") or column in INDEXED.get(listed, ())
