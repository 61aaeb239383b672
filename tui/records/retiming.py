"""Retimings: other times for the whole of a transcript, by a factor and an offset."""

from dataclasses import dataclass
from typing import Literal

RetimingBasis = Literal["given", "by hand", "track", "sound"]
"""Basis of a retiming: what it was found by."""
FRAME_RATES = {"24": 24.0, "23.976": 24_000 / 1001, "25": 25.0}
"""The usual frame rates of films by their names."""
FRAME_RATE_FACTORS = {
    f"{one} for {other}": FRAME_RATES[one] / FRAME_RATES[other]
    for one in FRAME_RATES
    for other in FRAME_RATES
    if one != other
}
"""Factors between the usual frame rates: by "25 for 23.976" times that were made for 25 go with a film of 23.976."""
MIN_FACTOR, MAX_FACTOR = 0.9, 1.1
LEAST_DRIFT_MS = 5 * 60_000
"""Least time between two cues that give a factor: of half a second that a key comes late, a 600th is left."""


@dataclass(frozen=True, slots=True)
class Retiming:
    """Retiming of a transcript: a time becomes ``factor`` times itself, rounded, and ``offset_ms`` later."""

    factor: float = 1.0
    offset_ms: int = 0

    def move(self, time_ms: int) -> int:
        """The new time for a time from 0 on."""
        return int(time_ms * self.factor + 0.5) + self.offset_ms


@dataclass(frozen=True, slots=True)
class FoundRetiming:
    """Retiming that was found, and how sure it is, from 0 to 1; what is not sure enough is not found."""

    retiming: Retiming
    confidence: float


@dataclass(frozen=True, slots=True)
class RetimingPlan:
    """Plan of a retiming, and whether it is done: its first and its last cue begin at ``…_before_ms``, then at
    ``…_after_ms``.

    ``confidence`` is from 0 to 1, and 1 where somebody gave the times. ``tracks_lost`` counts the pairs with
    translations that a factor ends, as one offset is not right for all of them any more.
    """

    transcript_id: str
    title: str
    basis: RetimingBasis
    factor: float
    offset_ms: int
    confidence: float
    cue_count: int
    first_before_ms: int
    first_after_ms: int
    last_before_ms: int
    last_after_ms: int
    is_done: bool
    tracks_lost: int = 0
