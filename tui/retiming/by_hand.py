"""Retiming by hand: from one cue or two of which somebody has heard when they are said."""

from collections.abc import Sequence

from tui.errors import InvalidInput
from tui.records.retiming import FRAME_RATE_FACTORS, LEAST_DRIFT_MS, MAX_FACTOR, MIN_FACTOR, Retiming

_MOST_DRIFT = 1.0 / 300
"""Farthest from a usual factor, or from none, at which that one is meant."""
_EXACT_MS = 600
"""Milliseconds by which two keys come late or early at most, together."""


def retime_from(points: Sequence[tuple[int, int]]) -> Retiming:
    """The retiming that brings cues to the moments at which they are said.

    ``points`` are the starts of one cue or of two, and these moments, in milliseconds. One gives an offset, and so do
    two that are less than ``LEAST_DRIFT_MS`` apart, the one between theirs. A factor that comes close to one between
    usual frame rates, or to 1, is that. Raises ``InvalidInput``: ``no_points``, and ``wrong_points`` for what would
    make the text a tenth longer or shorter, or turn it round.
    """
    if not 1 <= len(points) <= 2:
        raise InvalidInput("one line or two say when they are said", hint="name one, or two", code="no_points")
    if len(points) == 1 or abs(points[1][0] - points[0][0]) < LEAST_DRIFT_MS:
        return Retiming(1.0, _find_middle(points, 1.0))
    (start, moment), (later, later_moment) = sorted(points)
    measured = (later_moment - moment) / (later - start)
    near = min((1.0, *FRAME_RATE_FACTORS.values()), key=lambda factor: abs(factor - measured))
    factor = near if abs(near - measured) <= min(_MOST_DRIFT, _EXACT_MS / (later - start)) else measured
    if not MIN_FACTOR <= factor <= MAX_FACTOR:
        raise InvalidInput(
            "the two lines are said so far apart that the whole text would be a tenth longer or shorter",
            hint="look which line is said at which moment",
            code="wrong_points",
            field="points",
        )
    return Retiming(factor, _find_middle(points, factor))


def _find_middle(points: Sequence[tuple[int, int]], factor: float) -> int:
    """The offset between those of the points."""
    return round(sum(moment - start * factor for start, moment in points) / len(points))
