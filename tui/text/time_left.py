"""Estimate of how long work may take yet, by how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

_LOOKED_SECONDS = 3.0
"""Seconds that work is looked at before anything is said of it: its beginning is not like the rest."""
_LEAST_DONE = 0.01
"""Part of the work that is done by then."""
_STEP_SECONDS = 5
"""Step to which an estimate is rounded, so that it is told only now and then, not with each look."""


class TimeLeft:
    """Estimate of the time that work takes yet, at the rate at which it has gone on since it was first looked at."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began: tuple[float, float] | None = None

    def at(self, progress: float) -> int | None:
        """Estimate the seconds left at this progress (0 to 1); None while nothing can be said."""
        now = self._clock()
        if self._began is None or progress < self._began[1]:
            self._began = now, progress
        since, begun = now - self._began[0], self._began[1]
        if since < _LOOKED_SECONDS or progress - begun < _LEAST_DONE:
            return None
        left = since * max(0.0, 1 - progress) / (progress - begun)
        return max(1, round(left / _STEP_SECONDS)) * _STEP_SECONDS
