"""The cues of a transcript that are at hand, and the reading of those around what is in sight."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TypeAlias

from tui.records import Cue, Page
from tui.widgets.table.rows import PAGE, Pages

FetchCues: TypeAlias = Callable[[int, int], Awaitable[Page[Cue]]]
"""Offset and limit → those cues; raises ``LodeError``."""
Needed: TypeAlias = Callable[[], tuple[int, int]]
"""The first and the last cue that are needed at this moment; they may lie outside the transcript."""


class CuePages:
    """Cues out of ``total``, by index; without a ``fetch`` there are none, and nothing to read."""

    def __init__(self, fetch: FetchCues | None = None, total: int = 0) -> None:
        self._fetch = fetch
        self._pages: Pages[Cue] = Pages()
        self._pages.total = total
        self._is_reading = False

    @property
    def total(self) -> int:
        return self._pages.total

    def record(self, index: int) -> Cue | None:
        """The cue, None while it is not at hand."""
        return self._pages.record(index)

    def should_read(self, needed: Needed) -> bool:
        """Whether something is missing that nobody reads yet; who is told so must go through ``read``."""
        if self._is_reading or self._missing(needed) is None:
            return False
        self._is_reading = True
        return True

    async def read(self, needed: Needed) -> AsyncGenerator[None, None]:
        """Read page after page until what is needed by then is at hand; says whenever one has come.

        Raises what ``fetch`` raises.
        """
        try:
            while self._fetch is not None and (number := self._missing(needed)) is not None:
                page = await self._fetch(number * PAGE, PAGE)
                self._pages.put(number, page.items, page.total)
                yield
        finally:
            self._is_reading = False

    def _missing(self, needed: Needed) -> int | None:
        """The first page that is needed and not at hand."""
        if self._fetch is None or not self.total:
            return None
        first, last = (max(0, min(cue, self.total - 1)) for cue in needed())
        return self._pages.first_missing(range(first // PAGE, last // PAGE + 1))
