"""Sorting of cues by their start, however many there are."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from tui.records import Cue
from tui.spool import Spool

_FEW = 10_000
"""Maximum cues that are handed on as they are."""


def in_time_order(cues: Iterable[Cue]) -> Sequence[Cue]:
    """Sort cues by their start, those that start together in the order given, and index them anew."""
    spool = Spool(lambda index, values: Cue(index, *values))
    starts, is_ordered = array("q"), True
    for cue in cues:
        start = cue.start_ms or 0
        is_ordered = is_ordered and (not starts or starts[-1] <= start)
        starts.append(start)
        spool.append((cue.start_ms, cue.end_ms, cue.text, cue.speaker))
    if not is_ordered:
        spool.arrange(array("q", sorted(range(len(starts)), key=starts.__getitem__)))
    return tuple(spool) if len(spool) <= _FEW else spool
