"""Clips of a remote library."""

from __future__ import annotations

from tui.records import Clip, Deletion, NewClip, Page
from tui.remote.client import Client

_PATH = "/profiles/clips"


class RemoteClips:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def page(self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None) -> Page[Clip]:
        return await self._client.page(Clip, _PATH, offset=offset, limit=limit, q=q, after=after)

    async def get(self, clip_id: str) -> Clip:
        return await self._client.get(Clip, f"{_PATH}/{self._client.segment('clips', clip_id)}")

    async def cues_of(self, transcript_id: str) -> tuple[int, ...]:
        return await self._client.get(
            tuple[int, ...], f"/profiles/transcripts/{self._client.segment('transcripts', transcript_id)}/clip_cues"
        )

    async def has(self, transcript_id: str, cue_index: int, surface: str) -> bool:
        path = f"/profiles/transcripts/{self._client.segment('transcripts', transcript_id)}/cues/{cue_index}/has_clip"
        return await self._client.get(bool, path, {"surface": surface})

    async def add(self, clip: NewClip) -> Clip:
        return await self._client.write(Clip, "POST", _PATH, clip)

    async def edit(self, clip_id: str, clip: NewClip) -> Clip:
        return await self._client.write(Clip, "PUT", f"{_PATH}/{self._client.segment('clips', clip_id)}", clip)

    async def delete(self, *clip_ids: str) -> Deletion:
        return await self._client.write(Deletion, "POST", f"{_PATH}/delete", self._client.ids(clip_ids))
