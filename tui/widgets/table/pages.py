"""The pages of a long list that are at hand: the last few that were looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Generic, TypeVar

T = TypeVar("T")

PAGE = 100
"""Records per page."""
_MOST = 12
"""Pages kept; the visible ones are always the latest looked at, so they stay."""


class Pages(Generic[T]):
    """Pages by number (from 0) out of ``total`` records."""

    def __init__(self) -> None:
        self.total = 0
        self._pages: OrderedDict[int, tuple[T, ...]] = OrderedDict()

    def put(self, number: int, items: tuple[T, ...], total: int) -> None:
        self.total = total
        self._pages[number] = items
        self._pages.move_to_end(number)
        while len(self._pages) > _MOST:
            self._pages.popitem(last=False)

    def record(self, row: int) -> T | None:
        page = self._pages.get(row // PAGE)
        place = row % PAGE
        return page[place] if page is not None and 0 <= row < self.total and place < len(page) else None

    def records(self) -> Iterator[T]:
        """All that are at hand."""
        return chain.from_iterable(self._pages.values())

    def first_missing(self, numbers: Iterable[int]) -> int | None:
        """The smallest of these pages that is not at hand; those that are count as just looked at."""
        missing = None
        for number in sorted(numbers):
            if number in self._pages:
                self._pages.move_to_end(number)
            elif missing is None:
                missing = number
        return missing

    def find(self, key: str, key_of: Callable[[T], str], *, near: int) -> int | None:
        """The row of the record with this key among the pages at hand, the one nearest to ``near``."""
        rows = (
            number * PAGE + place
            for number, page in self._pages.items()
            for place, record in enumerate(page)
            if key_of(record) == key
        )
        return min(rows, key=lambda row: abs(row - near), default=None)
