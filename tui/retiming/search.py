"""Search for the retiming that brings cues to where people speak: its frame-rate factor, its offset, how sure it is.

What is compared is covered time as sets of bits in whole numbers, as in ``alignment.py``: when something is shown, and
when it begins to be. The reference may be known in parts of a film only, its windows; of what lies outside nothing is
said. The correlation is that of two yes-or-no questions (phi), so that neither a film in which somebody speaks all the
time nor one in which nobody does seems to fit.

Only the factors between usual frame rates are tried: a free search would find one for any two films.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import fmean, median, pstdev
from typing import Self

from tui.records.retiming import FRAME_RATE_FACTORS, FoundRetiming, Retiming
from tui.retiming.alignment import FARTHEST_MS, STEP_MS, TOGETHER_MS, Span, as_bits, shift_bits

_FACTORS = (1.0, *FRAME_RATE_FACTORS.values())
_PARTS = 6
"""Parts of a track that have to agree."""
_LATEST_MS = 6 * 3_600_000
"""Cues that end later are left out: a broken time would make the sets large."""
_PEAK_STEPS = 10
"""Steps around an offset that belong to it: there cues still overlap with what they are of."""
_LEAST_SHOWN = 0.05
"""Minimum share of the windows in which something is shown: of less, any place is as good as another."""
_FEWEST = 12
"""Minimum number of cues in the windows, and of spans there."""
_ALIKE_MS = 700
"""Largest difference, anywhere in the windows, of two retimings that do not compete: in ten minutes 24 for 23.976 comes
to 0.6 s, which is how exactly people time subtitles. The one that fits better is taken, or none for a little less."""
_NEARLY_AS_GOOD = 0.9
_LEAST_BEYOND = 6.0
"""Minimum number of standard deviations by which the best offset correlates better than offsets do. Of made films the
right one has 15 and more, and the best one for another film 5 at most."""
_SURE_LEAD = 0.4
"""Share by which the best is better than the next best where it is sure. Of made films the right one has 0.4 and more,
and the best one for another film 0.2 at most."""
_MIN_CONFIDENCE = 0.6
_LOCAL_STEPS, _AGREED_STEPS = 12, 2
"""Steps around the offset within which a window has its own best one, and within which that is the same."""
_MIN_AGREED = 0.65
"""Minimum share of the windows that have that offset themselves: of films with another cut some have another one."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The times that cues are brought to: spans of speech, or cues, in the windows of a film that were looked at."""

    windows: Sequence[Span]
    spans: Sequence[Span]


def find_retiming(cues: Sequence[Span], others: Sequence[Span]) -> FoundRetiming | None:
    """Find what brings cues to those of another track of the same film; None where it is not sure.

    Both are starts and ends in milliseconds.
    """
    kept = _keep(others)
    if not kept:
        return None
    begin, end = kept[0][0], max(end for _, end in kept)
    marks = [begin + (end - begin) * part // _PARTS for part in range(_PARTS + 1)]
    return find_in(cues, Reference(list(pairwise(marks)), kept))


def find_in(cues: Sequence[Span], reference: Reference) -> FoundRetiming | None:
    """Find what brings cues to a reference; None where it is not sure."""
    kept, spans = _keep(cues), _keep(reference.spans)
    if min(len(kept), len(spans)) < _FEWEST or not reference.windows:
        return None
    known = _Known.of(Reference(reference.windows, spans))
    found = [each for factor in _FACTORS if (each := _find_offset(kept, factor, known)) is not None]
    if not found:
        return None
    best = max(found, key=lambda each: each.fit)
    for each in found:  # the plainest of those that come to the same
        if each.retiming.factor == 1 and known.are_alike(each, best) and each.fit >= _NEARLY_AS_GOOD * best.fit:
            best = each
    next_best = max((each.fit for each in found if not known.are_alike(each, best)), default=0.0)
    lead = min(best.lead, 1 - next_best / best.fit)
    agreed = _measure_agreement(kept, best, known)
    confidence = min(1.0, lead / _SURE_LEAD) * agreed
    if best.beyond < _LEAST_BEYOND or agreed < _MIN_AGREED or confidence < _MIN_CONFIDENCE:
        return None
    return FoundRetiming(best.retiming, round(confidence, 2))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The best offset for a factor: how much of what begins begins together (``fit``), and how it correlates.

    ``lead`` is the share by which it does so better than any other offset, ``beyond`` by how many standard deviations
    better than they do. ``shift`` is the offset in steps.
    """

    retiming: Retiming
    shift: int
    fit: float
    lead: float
    beyond: float


@dataclass(frozen=True, slots=True)
class _Bits:
    """Steps of time in which something is shown, and in which it begins to be."""

    shown: int
    starts: int

    @classmethod
    def of(cls, spans: Sequence[Span]) -> Self:
        return cls(as_bits(spans), as_bits([(start - STEP_MS, start + STEP_MS) for start, _ in spans]))


@dataclass(frozen=True, slots=True)
class _Known:
    """A reference as bits: the ``whole`` of its windows, and ``parts``, each window for itself."""

    reference: Reference
    bits: _Bits
    whole: int
    parts: tuple[int, ...]

    @classmethod
    def of(cls, reference: Reference) -> Self:
        bits, whole = _Bits.of(reference.spans), as_bits(reference.windows)
        return cls(reference, bits, whole, tuple(as_bits([each]) for each in reference.windows))

    def correlate(self, moved: _Bits, shift: int, window: int) -> float | None:
        """Correlate within a window, from -2 to 2; None where hardly anything is shown there."""
        shown = shift_bits(moved.shown, shift) & window
        if shown.bit_count() < _LEAST_SHOWN * window.bit_count():
            return None
        starts = shift_bits(moved.starts, shift) & window
        return _phi(shown, self.bits.shown & window, window) + _phi(starts, self.bits.starts & window, window)

    def are_alike(self, one: _Candidate, other: _Candidate) -> bool:
        """Whether two candidates come to about the same times at the ends of the windows."""
        ends = self.reference.windows[0][0], self.reference.windows[-1][1]
        moments = [round((end - one.retiming.offset_ms) / one.retiming.factor) for end in ends]
        return all(
            abs(one.retiming.move(max(0, each)) - other.retiming.move(max(0, each))) <= _ALIKE_MS for each in moments
        )


def _find_offset(cues: Sequence[Span], factor: float, known: _Known) -> _Candidate | None:
    scaled = [(round(start * factor), round(end * factor)) for start, end in cues]
    bits, farthest = _Bits.of(scaled), FARTHEST_MS // STEP_MS
    scores = {
        shift: score
        for shift in range(-farthest, farthest + 1)
        if (score := known.correlate(bits, shift, known.whole)) is not None
    }
    if len(scores) < 2 or (spread := pstdev(scores.values())) == 0:
        return None
    best = max(scores, key=scores.__getitem__)
    other = max((score for shift, score in scores.items() if abs(shift - best) > _PEAK_STEPS), default=0.0)
    refined = _refine(scaled, best * STEP_MS, known.reference)
    if refined is None or scores[best] <= 0:
        return None
    offset_ms, fit = refined
    lead, beyond = 1 - other / scores[best], (scores[best] - fmean(scores.values())) / spread
    return _Candidate(Retiming(factor, offset_ms), best, fit, lead, beyond)


def _refine(scaled: Sequence[Span], offset_ms: int, reference: Reference) -> tuple[int, float] | None:
    """Refine an offset by the starts that are about together, and measure how much of what begins does so together."""
    starts = [start for start, _ in reference.spans]
    for _ in range(2):
        apart, tried = [], 0
        for begin, _ in scaled:
            moment = begin + offset_ms
            if not any(start <= moment < end for start, end in reference.windows):
                continue
            tried += 1
            at = bisect_left(starts, moment)
            nearest = min(starts[max(0, at - 1) : at + 1], key=lambda start: abs(start - moment))
            if abs(nearest - moment) <= TOGETHER_MS:
                apart.append(nearest - moment)
        if min(len(apart), tried) < _FEWEST // 2:
            return None
        by = round(median(apart))
        offset_ms += by
    fit = sum(1 - min(TOGETHER_MS, abs(each - by)) / TOGETHER_MS for each in apart)
    return offset_ms, fit / min(tried, len(starts))


def _measure_agreement(cues: Sequence[Span], best: _Candidate, known: _Known) -> float:
    """The share of the windows in which that offset is the best one nearby, among those in which something is shown."""
    factor = best.retiming.factor
    bits = _Bits.of([(round(start * factor), round(end * factor)) for start, end in cues])
    agreed = asked = 0
    for window in known.parts:
        scores = {
            shift: score
            for shift in range(best.shift - _LOCAL_STEPS, best.shift + _LOCAL_STEPS + 1)
            if (score := known.correlate(bits, shift, window)) is not None
        }
        if best.shift in scores:
            asked += 1
            agreed += abs(max(scores, key=scores.__getitem__) - best.shift) <= _AGREED_STEPS
    return agreed / asked if asked else 0.0


def _keep(spans: Sequence[Span]) -> list[Span]:
    return sorted((start, end) for start, end in spans if 0 <= start <= end < _LATEST_MS)


def _phi(one: int, other: int, window: int) -> float:
    """The correlation of two sets of steps within a window."""
    total, ones, others, both = (bits.bit_count() for bits in (window, one, other, one & other))
    below = ones * (total - ones) * others * (total - others)
    return (total * both - ones * others) / sqrt(below) if below > 0 else 0.0
