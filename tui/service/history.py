"""The history: every answer that a model gave."""

from __future__ import annotations

import re

from tui.errors import InvalidInput
from tui.records import Answer, Deletion, Page, Usage
from tui.service.library import Library

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])\Z")


class LocalHistory:
    def __init__(self, library: Library) -> None:
        self._run = library.run
        self._change = library.change
        self._profile = library.profile

    async def page(self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None) -> Page[Answer]:
        return await self._run(lambda store: store.answers.page(self._profile, offset, limit, q, after))

    async def get(self, answer_id: str) -> Answer:
        return await self._run(lambda store: store.answers.get(self._profile, answer_id))

    async def delete(self, *answer_ids: str) -> Deletion:
        return await self._change(lambda store: store.answers.delete(self._profile, answer_ids))

    async def usage(self, *, month: str = "") -> tuple[Usage, ...]:
        if month and not _MONTH.match(month):
            raise InvalidInput(
                f"{month[:40]!r} is no month", hint="write year and month, as in 2026-11", code="invalid_month"
            )
        return await self._run(lambda store: store.answers.usage(self._profile, month))
