"""The history: every answer that a model gave."""

from __future__ import annotations

from tui.records import Answer, Page
from tui.service.library import Library


class LocalHistory:
    def __init__(self, library: Library) -> None:
        self._run = library.run
        self._profile = library.profile

    async def page(self, *, offset: int = 0, limit: int = 100, q: str = "") -> Page[Answer]:
        return await self._run(lambda store: store.answers.page(self._profile, offset, limit, q))

    async def get(self, answer_id: str) -> Answer:
        return await self._run(lambda store: store.answers.get(self._profile, answer_id))
