"""Transcripts and their cues."""

from __future__ import annotations

from tui.records import Cue, Page, Transcript
from tui.service.library import Library
from tui.service.stored_records import StoredRecords


class LocalTranscripts(StoredRecords[Transcript]):
    def __init__(self, library: Library) -> None:
        super().__init__(library, lambda store: store.transcripts)

    async def cues(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Cue]:
        return await self._library.run(
            lambda store: store.transcripts.cues(self._profile, transcript_id, offset, limit, after)
        )

    async def find(self, transcript_id: str, q: str, *, limit: int = 10_000) -> tuple[int, ...]:
        return await self._library.run(lambda store: store.transcripts.find(self._profile, transcript_id, q, limit))
