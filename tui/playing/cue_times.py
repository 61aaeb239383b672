"""Cue times: which cue is spoken at a moment of a film."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

_EARLY_MS = 80
"""Milliseconds by which a cue is shown early: two frames, since a player that goes to a moment stops a frame before."""


class CueTimes:
    """Beginnings of cues, each (index, milliseconds), in any order."""

    def __init__(self, cues: Iterable[tuple[int, int]]) -> None:
        in_order = sorted((start, index) for index, start in cues)
        self._starts = [start for start, _ in in_order]
        self._indexes = [index for _, index in in_order]

    def __bool__(self) -> bool:
        return bool(self._starts)

    def at(self, time_ms: int) -> int | None:
        """Index of the cue that began last, None before the first."""
        place = bisect_right(self._starts, time_ms + _EARLY_MS)
        return self._indexes[place - 1] if place else None
