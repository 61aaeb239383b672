"""Bookmarks: places in transcripts, with a name where one is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.records import transcripts
from tui.service.records import StoredRecords
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.service.library import Library


class LocalBookmarks(StoredRecords[transcripts.Bookmark]):
    def __init__(self, library: Library) -> None:
        super().__init__(library, lambda store: store.bookmarks)

    async def of(self, transcript_id: str) -> tuple[transcripts.Bookmark, ...]:
        return await self._library.run(lambda store: store.bookmarks.of(self._profile, transcript_id))

    async def put(self, transcript_id: str, cue_index: int, *, name: str | None = None) -> transcripts.Bookmark:
        called = None if name is None else one_line(name)
        if called is not None and len(called) > transcripts.MAX_BOOKMARK_NAME:
            said = f"the name of a bookmark has at most {transcripts.MAX_BOOKMARK_NAME} characters, not {len(called)}"
            raise InvalidInput(said, hint="make it shorter", field="name")
        return await self._library.change(
            lambda store: store.bookmarks.put(self._profile, transcript_id, cue_index, called)
        )
