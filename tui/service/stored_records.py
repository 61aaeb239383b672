"""Records of one table, for one profile: page, get, delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from tui.records import Deletion, Page
from tui.service.library import Library

if TYPE_CHECKING:
    from tui.store import Store

T = TypeVar("T")


class Table(Protocol[T]):
    """The part of a table of the store that all of them have."""

    def page(self, profile: str, offset: int, limit: int, q: str, after: str | None, /) -> Page[T]: ...

    def get(self, profile: str, record_id: str, /) -> T: ...

    def delete(self, profile: str, record_ids: Sequence[str], /) -> Deletion: ...


class StoredRecords(Generic[T]):
    """What clips, transcripts, files and answers have in common; ``table`` is theirs in the store."""

    def __init__(self, library: Library, table: Callable[[Store], Table[T]]) -> None:
        self._library = library
        self._profile = library.profile
        self._table = table

    async def page(self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None) -> Page[T]:
        return await self._library.run(lambda store: self._table(store).page(self._profile, offset, limit, q, after))

    async def get(self, record_id: str, /) -> T:
        return await self._library.run(lambda store: self._table(store).get(self._profile, record_id))

    async def delete(self, *record_ids: str) -> Deletion:
        return await self._library.change(lambda store: self._table(store).delete(self._profile, record_ids))
