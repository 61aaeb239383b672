"""Marks of a table's records: single ones, and a range that goes with the cursor; what is marked is summed up."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
Amounts = tuple[int, ...]
MAX_RANGE = 20_000
"""Rows of a range at most: all of them are read."""


class Marks(Generic[T]):
    """Ids of marked records in the order of marking, which outlive scrolling and searching.

    ``key`` gives a record's id, ``amounts`` what is summed up of it.
    """

    def __init__(self, key: Callable[[T], str], amounts: Callable[[T], Amounts]) -> None:
        self._key = key
        self._amounts = amounts
        self._marked: dict[str, Amounts | None] = {}
        """The amounts are None of a record that may have changed since it was looked at."""
        self.anchor: int | None = None
        """Row in which the range begins, None while there is none."""
        self._before: dict[str, Amounts | None] = {}
        """Ids that were marked when the range began."""
        self._rows: dict[int, tuple[str, Amounts]] = {}
        """Rows that the range had, which may be in it again."""

    @property
    def ids(self) -> Collection[str]:
        return self._marked.keys()

    @property
    def has_range(self) -> bool:
        """Whether a range goes with the cursor."""
        return self.anchor is not None

    def totals(self) -> Amounts | None:
        """Sums of all amounts, None where some are not known any more."""
        if not all(self._marked.values()):
            return None
        return tuple(map(sum, zip(*filter(None, self._marked.values()), strict=True)))

    def toggle(self, record: T) -> None:
        """Mark a record, or take its mark away; a range ends."""
        self.end_range()
        if (key := self._key(record)) in self._marked:
            del self._marked[key]
        else:
            self._marked[key] = self._amounts(record)

    def clear(self) -> None:
        self.end_range()
        self._marked.clear()

    def forget_amounts(self) -> None:
        """Sum nothing up until all is looked at again."""
        self._marked = dict.fromkeys(self._marked)

    def look_again(self, records: Iterable[T]) -> None:
        """Take the amounts of those of these records that are marked."""
        keyed = ((self._key(record), record) for record in records) if self._marked else ()
        self._marked |= {key: self._amounts(record) for key, record in keyed if key in self._marked}

    # The range

    def begin_range(self, row: int) -> None:
        self.anchor, self._before, self._rows = row, self._marked.copy(), {}

    def end_range(self) -> None:
        """Let the range go with the cursor no longer; what is in it stays marked."""
        self.anchor, self._before, self._rows = None, {}, {}

    def rows_to(self, cursor: int) -> range:
        """Rows of the range with the cursor in this row; as many as there may be, from the anchor on."""
        anchor = cursor if self.anchor is None else self.anchor
        first, last = max(min(anchor, cursor), anchor - MAX_RANGE + 1), min(max(anchor, cursor), anchor + MAX_RANGE - 1)
        return range(first, last + 1)

    def unread(self, rows: range) -> range:
        """Rows from the first to the last of these whose records the range has not had yet."""
        missing = [row for row in rows if row not in self._rows]
        return range(missing[0], missing[-1] + 1) if missing else range(0)

    def extend(self, rows: range, first: int, records: Sequence[T]) -> None:
        """Let the range have these rows; ``records`` are those that it has not had yet, from the row ``first`` on."""
        self._rows |= {row: (self._key(each), self._amounts(each)) for row, each in enumerate(records, first)}
        self._marked = self._before | dict(self._rows[row] for row in rows if row in self._rows)
