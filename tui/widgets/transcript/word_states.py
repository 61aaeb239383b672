"""States of the words of a transcript, read page by page as its cues come into sight, and the tints that show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import TypeAlias

from tui.errors import LodeError
from tui.records.word_states import WordState
from tui.records.words import CueStates, TextWord
from tui.widgets.table.rows import PAGE, Pages

FetchStates: TypeAlias = Callable[[int, int], Awaitable[tuple[CueStates, ...]]]
"""Function from offset and limit to the words of those cues with their states; raises ``LodeError``."""
Tints: TypeAlias = Mapping[int, tuple[int, str]]
"""Where a tinted word begins, in code points → where it ends, and the name of its style."""

TINT_STYLES: Mapping[WordState, str] = {"new": "new", "seen": "learning", "learning": "learning"}
"""Styles of the states; words that are known or ignored are plain text."""
_MOST_NEW = 0.5
"""Share of the words up to which new ones are tinted: where most words are, their tint would tell nothing."""
_NONE: Tints = {}


class WordStatePages:
    """States of the words of cues that are at hand; without ``fetch`` there are none."""

    def __init__(self, fetch: FetchStates | None = None) -> None:
        self._fetch = fetch
        self._pages: Pages[CueStates] = Pages()
        self._fresh: set[int] = set()
        self._tints: dict[int, Tints] = {}
        self._version = 0
        self._tinted: Collection[WordState] = ()
        """States whose words are tinted."""

    def words(self, cue: int) -> tuple[TextWord, ...]:
        """Words of a cue with their states, as far as they have been read."""
        found = self._pages.record(cue)
        return found.words if found is not None else ()

    def tints(self, cue: int) -> Tints:
        """Tints of a cue's words."""
        if (known := self._tints.get(cue)) is not None:
            return known
        if (found := self._pages.record(cue)) is None:
            return _NONE
        made = {word.start: (word.end, TINT_STYLES[word.state]) for word in found.words if word.state in self._tinted}
        self._tints[cue] = made
        return made

    def expire(self) -> None:
        """Have all of them read anew; those that are there are shown until then."""
        self._version += 1
        self._fresh.clear()

    def next_page(self, first: int, last: int) -> int | None:
        """Number of a page to read for the cues from ``first`` to ``last``."""
        if self._fetch is None or last < 0:
            return None
        numbers = range(max(0, first) // PAGE, last // PAGE + 1)
        return next((number for number in numbers if number not in self._fresh), None)

    async def read(self, number: int, total: int) -> bool:
        """Read a page of a transcript of ``total`` cues; whether it differs from what was there."""
        if self._fetch is None:
            return False
        version, states = self._version, tuple[CueStates, ...]()
        with suppress(LodeError):  # what is read without them is read all the same
            states = await self._fetch(number * PAGE, PAGE)
        if version == self._version:
            self._fresh.add(number)
        before = [self._pages.record(each.index) for each in states]
        self._pages.put(number, states, total)
        # Only so many pages are kept: one that is gone is read again when it comes into sight.
        self._fresh = {each for each in self._fresh if self._pages.page(each) is not None}
        counts = Counter(word.state for each in self._pages.records() for word in each.words)
        has_few_new = counts["new"] <= _MOST_NEW * counts.total()
        tinted = tuple(state for state in TINT_STYLES if state != "new" or has_few_new)
        if tinted == self._tinted and before == list(states):
            return False
        self._tinted = tinted
        self._tints.clear()
        return True
