"""Alignment of two subtitles of the same film by their times: the offset between them, found or given.

Translators split sentences in their own ways, but people speak when they speak: the offset is the one at which most
cues start together and most of what is shown is shown together, which is a cross-correlation of the two. Times are
sets of bits in whole numbers, so that an offset costs a shift and a count.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from math import exp, sqrt
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Start and end of a cue in milliseconds."""

STEP_MS = 200
FARTHEST_MS = 30 * 60_000
"""Largest offset that is looked for: what was cut off the beginning of a film, but not its second disc."""
_LOOKED_AT_MS = 4 * 3_600_000
"""Cues that end later are left out: the offset is the same for all, and a broken time would make the sets large."""
TOGETHER_MS = 400
"""Farthest apart of two starts that are the same moment."""
_HARDLY_AN_OFFSET_MS = 250
_NEARLY_AS_GOOD = 0.95
_FEWEST_TOGETHER = 0.6
"""Minimum share of the cues, of the subtitle that has fewer, that start together. Two of one film have three quarters
and more, as far as they were tried, and other films mostly half of that."""
_BEYOND_CHANCE = 5.0
"""Minimum number of standard deviations by which more cues start together than would by chance: among cues that follow
each other as closely as automatic captions, most do."""


def find_offset(ours: Sequence[Span], theirs: Sequence[Span]) -> int | None:
    """Find the milliseconds that the times of ``theirs`` must be moved by to go with ``ours``; None for other films.

    Of offsets that are about as good, none at all is taken.
    """
    ours, theirs = _bound(ours), _bound(theirs)
    if not ours or not theirs:
        return None
    from statistics import median

    spoken, other_spoken = as_bits(ours), as_bits(theirs)
    starts, other_starts = (
        as_bits([(start - STEP_MS, start + STEP_MS) for start, _ in each]) for each in (ours, theirs)
    )
    most_spoken = max(1, min(spoken.bit_count(), other_spoken.bit_count()))
    most_starts = max(1, min(starts.bit_count(), other_starts.bit_count()))

    def score(shift: int) -> float:
        return (spoken & shift_bits(other_spoken, shift)).bit_count() / most_spoken + (
            starts & shift_bits(other_starts, shift)
        ).bit_count() / most_starts

    farthest = FARTHEST_MS // STEP_MS
    best = max(range(-farthest, farthest + 1), key=score)
    if score(0) >= _NEARLY_AS_GOOD * score(best):
        best = 0
    offset = best * STEP_MS
    apart = _apart(ours, theirs, offset)
    if len(apart) < _FEWEST_TOGETHER * min(len(ours), len(theirs)) or not _is_beyond_chance(
        ours, theirs, offset, apart
    ):
        return None
    offset += round(median(apart))
    return 0 if abs(offset) < _HARDLY_AN_OFFSET_MS else offset


def find_overlaps(ours: Sequence[Span], theirs: Sequence[Span], offset_ms: int) -> Iterator[tuple[int, ...]]:
    """Yield for each of our cues the indexes of theirs that are shown for more than half of the shorter one's time.

    Both are ordered by start.
    """
    begin = 0
    longest = max((end - start for start, end in theirs), default=0)
    for start, end in ours:
        while begin < len(theirs) and theirs[begin][0] + offset_ms + longest < start:
            begin += 1
        found = []
        for index in range(begin, len(theirs)):
            other_start, other_end = theirs[index][0] + offset_ms, theirs[index][1] + offset_ms
            if other_start > end:
                break
            shared = min(end, other_end) - max(start, other_start)
            if 2 * shared > min(end - start, other_end - other_start) or (start, end) == (other_start, other_end):
                found.append(index)
        yield tuple(found)


def _bound(spans: Sequence[Span]) -> list[Span]:
    return sorted((start, end) for start, end in spans if 0 <= start <= end and end < _LOOKED_AT_MS)


def as_bits(spans: Sequence[Span]) -> int:
    """The steps of time that are covered, as the bits of a number."""
    steps = bytearray(b"0") * (max(end for _, end in spans) // STEP_MS + 1)
    for start, end in spans:
        first, last = max(0, start) // STEP_MS, max(0, end) // STEP_MS
        steps[first : last + 1] = b"1" * (last + 1 - first)
    return int(steps[::-1], 2)


def shift_bits(bits: int, shift: int) -> int:
    return bits << shift if shift >= 0 else bits >> -shift


def _is_beyond_chance(ours: Sequence[Span], theirs: Sequence[Span], offset: int, apart: Sequence[int]) -> bool:
    begin, end = theirs[0][0] + offset - TOGETHER_MS, theirs[-1][0] + offset + TOGETHER_MS
    tried = sum(begin <= start <= end for start, _ in ours)
    chance = 1 - exp(-2 * TOGETHER_MS * len(theirs) / (end - begin))
    least = _BEYOND_CHANCE if offset else _BEYOND_CHANCE / 2  # one offset was not chosen out of thousands
    return len(apart) - tried * chance >= least * sqrt(max(0.3, tried * chance * (1 - chance)))


def _apart(ours: Sequence[Span], theirs: Sequence[Span], offset: int) -> list[int]:
    """Differences in milliseconds between the starts of our cues and the nearest of theirs, where they go together."""
    starts = [start + offset for start, _ in theirs]
    found = []
    for start, _ in ours:
        at = bisect_left(starts, start)
        nearest = min(starts[max(0, at - 1) : at + 1], key=lambda other: abs(start - other))
        if abs(start - nearest) <= TOGETHER_MS:
            found.append(start - nearest)
    return found
