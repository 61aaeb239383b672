"""Transcripts of a remote library, and their cues."""

from __future__ import annotations

from dataclasses import replace

from tui.records import Cue, Deletion, Page, Transcript
from tui.remote.client import Client

_PATH = "/profiles/transcripts"
_MOST_HITS = 100_000


class RemoteTranscripts:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None
    ) -> Page[Transcript]:
        return await self._client.page(Transcript, _PATH, offset=offset, limit=limit, q=q, after=after)

    async def get(self, transcript_id: str) -> Transcript:
        return await self._client.get(Transcript, f"{_PATH}/{self._client.segment('transcripts', transcript_id)}")

    async def cues(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Cue]:
        path = f"{_PATH}/{self._client.segment('transcripts', transcript_id)}/cues"
        page = await self._client.page(Cue, path, offset=offset, limit=limit, after=after)
        return replace(page, offset=min(page.offset, page.total))

    async def find(self, transcript_id: str, q: str, *, limit: int = 10_000) -> tuple[int, ...]:
        path = f"{_PATH}/{self._client.segment('transcripts', transcript_id)}/find"
        asked = {"q": q, "limit": str(min(max(1, limit), _MOST_HITS))}
        return (await self._client.get(tuple[int, ...], path, asked))[: max(0, limit)]

    async def delete(self, *transcript_ids: str) -> Deletion:
        return await self._client.write(Deletion, "POST", f"{_PATH}/delete", self._client.ids(transcript_ids))
