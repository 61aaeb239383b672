"""Transcripts and their cues."""

from __future__ import annotations

from tui.records import Cue, Deletion, Page, Transcript
from tui.service.library import Library


class LocalTranscripts:
    def __init__(self, library: Library) -> None:
        self._run = library.run
        self._change = library.change
        self._profile = library.profile

    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None
    ) -> Page[Transcript]:
        return await self._run(lambda store: store.transcripts.page(self._profile, offset, limit, q, after))

    async def get(self, transcript_id: str) -> Transcript:
        return await self._run(lambda store: store.transcripts.get(self._profile, transcript_id))

    async def cues(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Cue]:
        return await self._run(lambda store: store.transcripts.cues(self._profile, transcript_id, offset, limit, after))

    async def find(self, transcript_id: str, q: str, *, limit: int = 10_000) -> tuple[int, ...]:
        return await self._run(lambda store: store.transcripts.find(self._profile, transcript_id, q, limit))

    async def delete(self, *transcript_ids: str) -> Deletion:
        return await self._change(lambda store: store.transcripts.delete(self._profile, transcript_ids))
