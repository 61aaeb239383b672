"""Records of a profile: what lists of all kinds have in common."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, cast

from tui.config import check_profile
from tui.errors import InvalidInput
from tui.records.sorting import COUNT_COLUMNS, RowGroup, Sort

if TYPE_CHECKING:
    from tui.records.deletion import Deletion
    from tui.records.library import Moved
    from tui.records.pages import Page
    from tui.service.library import Library
    from tui.store import Store
    from tui.store.tables.moving import Movable
    from tui.store.tables.resource_table import ResourceTable

T = TypeVar("T")
CountTranscripts: TypeAlias = Callable[[Sequence[str], str], Awaitable[Mapping[int, float]]]
"""Function that has these transcripts counted, by their ids, and gives the numbers of a column for the rows of all."""


class StoredRecords(Generic[T]):
    """Base class for clips, transcripts, files and answers; ``table`` is theirs in the store.

    ``count`` gives the numbers that transcripts are sorted by: by their rows, for a column of their words' counts.
    """

    def __init__(
        self, library: Library, table: Callable[[Store], ResourceTable[T]], count: CountTranscripts | None = None
    ) -> None:
        self._count = count
        self._counted = "", ""
        """Search and column whose first page was read last, with all counts."""
        self._library = library
        self._profile = library.profile
        self._table = table

    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None, sort: str = ""
    ) -> Page[T]:
        await self._prepare_search(q)
        counts = await self._counts(q, sort, is_first=not offset and after is None)
        return await self._library.run(
            lambda store: self._table(store).page(self._profile, offset, limit, q, after, sort, counts)
        )

    async def _counts(self, q: str, sort: str, *, is_first: bool) -> Mapping[int, float] | None:
        """The counts of the transcripts of this list, by their rows, that it is to be sorted by.

        Its first page has those counted that were not; further ones are of the order that that one had.
        """
        column = Sort(sort.removeprefix("-")).column
        if column not in COUNT_COLUMNS or self._count is None:
            return None
        waiting: Sequence[str] = ()
        if is_first or self._counted != (q, column):
            self._counted = q, column
            waiting = await self._library.run(lambda store: self._table(store).uncounted_ids(self._profile, q, column))
        return await self._count(waiting, column)

    async def _prepare_search(self, q: str) -> None:
        """Have counted what a search asks for that no table has."""

    async def find_groups(self, sort: str, *, q: str = "") -> tuple[RowGroup, ...]:
        await self._prepare_search(q)
        return await self._library.run(lambda store: self._table(store).groups(self._profile, sort, q))

    async def get(self, record_id: str, /) -> T:
        return await self._library.run(lambda store: self._table(store).get(self._profile, record_id))

    async def find_named(self, name: str) -> tuple[T, ...]:
        return await self._library.run(lambda store: self._table(store).by_name(self._profile, name))

    async def delete(self, *record_ids: str) -> Deletion:
        return await self._library.change(lambda store: self._table(store).delete(self._profile, record_ids))


class MovableRecords(StoredRecords[T]):
    """Base class for files, transcripts and clips: those can go to another profile."""

    async def move(self, *record_ids: str, to: str, dry_run: bool = False) -> Moved:
        if check_profile(to) == self._profile:
            raise InvalidInput("that is the profile that they are in", hint="name another one", code="same_profile")
        return await self._library.change(
            lambda store: store.moving.move(
                self._profile, cast("Movable", self._table(store).name), record_ids, to, dry_run=dry_run
            )
        )
