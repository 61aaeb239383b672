"""Pages of a transcript's cues, read as they come into sight, with the words that a segmenter cut them into."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from tui.language.word import Word
from tui.records.pages import Page
from tui.records.transcripts import Cue
from tui.service.protocol.words import CueWords
from tui.widgets.table.rows import PAGE, Pages

FetchCues: TypeAlias = Callable[[int, int], Awaitable[Page[Cue]]]
"""Function from offset and limit to those cues; raises ``LodeError``."""
FetchWords: TypeAlias = Callable[[int, int], Awaitable[tuple[CueWords, ...]]]
"""Function from offset and limit to the words of those cues; nothing where no segmenter cuts them."""


class CuePages:
    """Cues that are at hand; without ``fetch`` there are none."""

    def __init__(
        self, fetch: FetchCues | None = None, total: int = 0, *, fetch_words: FetchWords | None = None
    ) -> None:
        self._fetch = fetch
        self._fetch_words = fetch_words
        self._cues: Pages[Cue] = Pages()
        self._words: Pages[CueWords] = Pages()
        self._cues.total = total

    @property
    def total(self) -> int:
        return self._cues.total

    @property
    def has_readings(self) -> bool:
        """Whether any of the cues at hand has a reading."""
        return any(cue.ruby for cue in self._cues.records()) or any(
            word.reading is not None for cue in self._words.records() for word in cue.words
        )

    def cue(self, index: int) -> Cue | None:
        return self._cues.record(index)

    def words(self, index: int) -> tuple[Word, ...] | None:
        """Words of a cue where a segmenter cut them."""
        found = self._words.record(index)
        return found.words if found is not None else None

    def first_missing(self, spans: Iterable[tuple[int, int]]) -> int | None:
        """Number of the first page that these cues, from first to last, are on and that is not at hand."""
        if not self.total or self._fetch is None:
            return None
        pages: set[int] = set()
        for span in spans:
            first, last = (max(0, min(cue, self.total - 1)) for cue in span)
            pages.update(range(first // PAGE, last // PAGE + 1))
        return self._cues.first_missing(pages)

    async def read(self, number: int) -> None:
        """Read a page; raises ``LodeError``."""
        if self._fetch is None:
            return
        page = await self._fetch(number * PAGE, PAGE)
        if self._fetch_words is not None and (words := await self._fetch_words(number * PAGE, PAGE)):
            self._words.put(number, words, page.total)
        self._cues.put(number, page.items, page.total)
