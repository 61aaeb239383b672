"""The history of a remote library."""

from __future__ import annotations

from tui.records import Answer, Deletion, Page, Usage
from tui.remote.client import Client

_PATH = "/profiles/history"


class RemoteHistory:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def page(self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None) -> Page[Answer]:
        return await self._client.page(Answer, _PATH, offset=offset, limit=limit, q=q, after=after)

    async def get(self, answer_id: str) -> Answer:
        return await self._client.get(Answer, f"{_PATH}/{self._client.segment('answers', answer_id)}")

    async def delete(self, *answer_ids: str) -> Deletion:
        return await self._client.write(Deletion, "POST", f"{_PATH}/delete", self._client.ids(answer_ids))

    async def usage(self, *, month: str = "") -> tuple[Usage, ...]:
        return await self._client.get(tuple[Usage, ...], "/profiles/usage", {"month": month} if month else None)
