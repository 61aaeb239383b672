"""Pages of a long list: the last few that were looked at are kept, those in visible are read next, or read anew."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeAlias, TypeVar

from tui.records.pages import MAX_ROWS, Page

T = TypeVar("T")
Fetch: TypeAlias = Callable[[int, int, str], Awaitable[Page[T]]]
"""Function from offset, limit and search text to a page; may raise ``LodeError``."""

_NEAR = 50
"""Rows before a page at which it is read ahead."""
PAGE = 100
"""Records per page."""
_WHOLE = 10 * PAGE
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

    def page(self, number: int) -> tuple[T, ...] | None:
        """Records of a page, None where it is not at hand."""
        return self._pages.get(number)

    def is_part_of(self, other: "Pages[T]") -> bool:
        """Whether the other pages have all of these, with the same records, out of as many."""
        return self.total == other.total and all(other.page(number) == page for number, page in self._pages.items())

    def replace(self, row: int, record: T) -> None:
        """Put another record into a row that is at hand."""
        if (page := self._pages.get(row // PAGE)) is not None:
            place = row % PAGE
            self._pages[row // PAGE] = (*page[:place], record, *page[place + 1 :])

    def records(self) -> Iterator[T]:
        """Records that are at hand."""
        return chain.from_iterable(self._pages.values())

    def first_missing(self, numbers: Iterable[int]) -> int | None:
        """Smallest of these pages that is not at hand; those that are count as just looked at."""
        missing = None
        for number in sorted(numbers):
            if number in self._pages:
                self._pages.move_to_end(number)
            elif missing is None:
                missing = number
        return missing

    def find(self, key: str, key_of: Callable[[T], str], *, near: int) -> int | None:
        """Row of the record with this key among the pages at hand, the one nearest to ``near``."""
        rows = (
            number * PAGE + place
            for number, page in self._pages.items()
            for place, record in enumerate(page)
            if key_of(record) == key
        )
        return min(rows, key=lambda row: abs(row - near), default=None)


@dataclass(frozen=True, slots=True)
class VisibleRows:
    """Visible part of the list: ``height`` rows from ``top`` on, and the row of the cursor."""

    top: int
    height: int
    cursor: int


class TableRows(Generic[T]):
    """Reader of ``pages``; ``q`` is the search they were read for, None before any was.

    The visible rows may change while a page is read, so reading asks for them again before each. Raises what
    ``fetch`` raises.
    """

    def __init__(self, fetch: Fetch[T], key: Callable[[T], str], visible: Callable[[], VisibleRows]) -> None:
        self._fetch = fetch
        self._key = key
        self._visible = visible
        self.pages: Pages[T] = Pages()
        self.q: str | None = None

    def next_page(self) -> int | None:
        """Number of the page to read next: first those that are in sight, then a neighbour that they come near to."""
        if self.q is None or not self.pages.total:
            return None
        visible = self._visible()
        first = min(visible.top, self.pages.total - 1)
        last = min(first + visible.height, self.pages.total) - 1
        if (missing := self.pages.first_missing(range(first // PAGE, last // PAGE + 1))) is None:
            near = (max(0, first - _NEAR) // PAGE, min(last + _NEAR, self.pages.total - 1) // PAGE)
            missing = self.pages.first_missing(near)
        return missing

    async def read(self, number: int) -> range:
        """Read one more page, and return its rows."""
        page = await self._fetch(number * PAGE, PAGE, self.q or "")
        self.pages.put(number, page.items, page.total)
        return range(number * PAGE, number * PAGE + len(page.items))

    async def records(self, rows: range) -> list[T]:
        """The records in these rows; all are read, so as to belong together."""
        found: list[T] = []
        for start in range(rows.start, rows.stop, MAX_ROWS):
            found += (await self._fetch(start, min(MAX_ROWS, rows.stop - start), self.q or "")).items
        return found

    async def read_anew(self, q: str, *, from_top: bool) -> Pages[T]:
        """Read what is in sight once more; what was there stays until the caller takes this in its place."""
        fresh: Pages[T] = Pages()
        fresh.total = 0 if from_top else self.pages.total
        while (number := fresh.first_missing(self._needed(fresh.total, from_top))) is not None:
            page = await self._fetch(number * PAGE, PAGE, q)
            fresh.put(number, page.items, page.total)
        return fresh

    async def read_whole(self, q: str) -> Pages[T]:
        """Read the first thousand, the whole of a usual list."""
        fresh: Pages[T] = Pages()
        page = await self._fetch(0, _WHOLE, q)
        for number in range(max(1, -(-len(page.items) // PAGE)))[::-1]:
            fresh.put(number, page.items[number * PAGE : (number + 1) * PAGE], page.total)
        return fresh

    def _needed(self, total: int, from_top: bool) -> set[int]:
        """Pages of the rows in visible and the cursor's, were there ``total`` records."""
        if from_top or not total:
            return {0}
        visible = self._visible()
        top = max(0, min(visible.top, total - visible.height))
        last = min(top + visible.height, total) - 1
        # The cursor's record is where it was or, where as many came or went above it, so many rows from there.
        cursors = (visible.cursor, visible.cursor + total - self.pages.total)
        return set(range(top // PAGE, last // PAGE + 1)) | {max(0, min(row, total - 1)) // PAGE for row in cursors}
