"""Cues of a transcript as they are edited by hand; what is typed is cleaned as an import cleans it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.records.transcripts import MAX_CUE_TEXT, EditedCues
from tui.text.sanitize import is_blank, without_controls

if TYPE_CHECKING:
    from tui.service.library import Library


class LocalCues:
    """The resource of cues that are edited by hand."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._profile = library.profile

    async def edit(
        self,
        transcript_id: str,
        cue_index: int,
        *,
        seen: str,
        text: str | None = None,
        start_ms: int | None = None,
        end_ms: int | None = None,
    ) -> EditedCues:
        new = None if text is None or text == seen else check_text(text)
        return await self._library.change(
            lambda store: store.cue_edits.edit(
                self._profile, transcript_id, cue_index, seen, text=new, start_ms=start_ms, end_ms=end_ms
            )
        )

    async def split(self, transcript_id: str, cue_index: int, *, seen: str, at: int) -> EditedCues:
        return await self._library.change(
            lambda store: store.cue_edits.split(self._profile, transcript_id, cue_index, seen, at)
        )

    async def merge(self, transcript_id: str, cue_index: int, *, seen: str) -> EditedCues:
        return await self._library.change(
            lambda store: store.cue_edits.merge(self._profile, transcript_id, cue_index, seen)
        )

    async def insert(
        self, transcript_id: str, index: int, text: str, *, start_ms: int | None = None, end_ms: int | None = None
    ) -> EditedCues:
        new = check_text(text)
        return await self._library.change(
            lambda store: store.cue_edits.insert(self._profile, transcript_id, index, new, start_ms, end_ms)
        )

    async def delete(self, transcript_id: str, cue_index: int, *, seen: str) -> EditedCues:
        return await self._library.change(
            lambda store: store.cue_edits.delete(self._profile, transcript_id, cue_index, seen)
        )

    async def shift(self, transcript_id: str, ms: int) -> EditedCues:
        return await self._library.change(lambda store: store.cue_edits.shift(self._profile, transcript_id, ms))


def check_text(text: str) -> str:
    """Clean the text of a cue of controls and blank lines; raises ``InvalidInput`` for one that cannot be a cue's."""
    clean = "\n".join(line for each in without_controls(text).splitlines() if (line := each.strip()))
    if is_blank(clean):
        raise InvalidInput("a cue says something", hint="delete it, or type what is said", code="no_text", field="text")
    if len(clean) > MAX_CUE_TEXT:
        said = f"a cue has at most {MAX_CUE_TEXT} characters, not {len(clean)}"
        raise InvalidInput(said, hint="make two of it", code="cue_too_long", field="text")
    return clean
