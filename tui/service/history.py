"""History: the answers that were given, and what they have used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.records.answers import Answer, Usage
from tui.service.records import StoredRecords

if TYPE_CHECKING:
    from tui.service.library import Library

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])\Z")


class LocalHistory(StoredRecords[Answer]):
    def __init__(self, library: Library) -> None:
        super().__init__(library, lambda store: store.answers)

    async def usage(self, *, month: str = "") -> tuple[Usage, ...]:
        if month and not _MONTH.match(month):
            raise InvalidInput(
                f"{month[:40]!r} is no month", hint="write year and month, as in 2026-11", code="invalid_month"
            )
        return await self._library.run(lambda store: store.answers.usage(self._profile, month))
