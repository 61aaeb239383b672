"""Sorting of cues by their start, however many there are."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from tui.records import Cue
from tui.spool import Spool

_FEW = 10_000
"""So many cues are handed on as they are."""


class _Spooled(Sequence[Cue]):
    """Cues that are read back from a spool, indexed by their place in it."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool

    def __len__(self) -> int:
        return len(self._spool)

    @overload
    def __getitem__(self, index: int) -> Cue: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cue]: ...
    def __getitem__(self, index: int | slice) -> Cue | Sequence[Cue]:
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(len(self))))
        return Cue(index % len(self), *self._spool[index])

    def __iter__(self) -> Iterator[Cue]:
        return (Cue(index, *self._spool[index]) for index in range(len(self)))


def in_time_order(cues: Iterable[Cue]) -> Sequence[Cue]:
    """The cues by their start, those that start together in the order given, indexed anew."""
    spool, starts, is_ordered = Spool(), array("q"), True
    for cue in cues:
        start = cue.start_ms or 0
        is_ordered = is_ordered and (not starts or starts[-1] <= start)
        starts.append(start)
        spool.append((cue.start_ms, cue.end_ms, cue.text, cue.speaker))
    if not is_ordered:
        spool.arrange(array("q", sorted(range(len(starts)), key=starts.__getitem__)))
    spooled = _Spooled(spool)
    return tuple(spooled) if len(spooled) <= _FEW else spooled
