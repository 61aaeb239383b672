"""Cleaning step: captions that roll up, as YouTube's automatic ones do, become one cue for each line that is spoken.

Such a caption shows the line before once more above the new one, and between two of them holds the last line for about
ten milliseconds. Only exactly the same lines are taken for a repetition, and only in a file that is made so: elsewhere
who says "No." twice has said it twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tui.importing.cleaning.cleaned_cue import CleanedCue
from tui.records.transcripts import Cue

_CONTIGUOUS_MS = 50
"""Longest time between two captions that roll: in it the screen is not seen empty."""
_LOOKED_AT = 400
"""Number of cues at the beginning that show how a file is made."""
_SHARE = 0.2
"""Least share of its cues that show something new below what the cue before has shown, in a file that rolls."""
_FEWEST = 3


def is_rolling(cues: Sequence[Cue]) -> bool:
    """Whether these are captions that roll up."""
    first = [cues[number] for number in range(min(len(cues), _LOOKED_AT))]
    rolled = sum(
        _follows(before, cue) and 0 < _shown_before(before, cue) <= cue.text.count("\n")
        for before, cue in pairwise(first)
    )
    return rolled >= _FEWEST and rolled >= _SHARE * len(first)


def merge_rolling(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    """Leave out of each caption the lines that the one before has shown; one that shows nothing else is merged."""
    kept: CleanedCue | None = None
    before: Cue | None = None
    for cue in cues:
        shown = cue.cue
        repeated = _shown_before(before, shown) if before is not None and _follows(before, shown) else 0
        before = shown
        lines = shown.text.split("\n")
        if kept is not None and not kept.is_full and repeated == len(lines):
            kept.absorb(cue, "rolling")
            continue
        if kept is not None:
            yield kept
        kept = cue
        if 0 < repeated < len(lines):
            cue.change("rolling", text="\n".join(lines[repeated:]), ruby=())
    if kept is not None:
        yield kept


def _follows(before: Cue, cue: Cue) -> bool:
    if before.end_ms is None or cue.start_ms is None:
        return False
    return abs(cue.start_ms - before.end_ms) <= _CONTIGUOUS_MS


def _shown_before(before: Cue, cue: Cue) -> int:
    """Count the lines at the beginning of a cue that are the last of the one before."""
    last, lines = before.text.split("\n"), cue.text.split("\n")
    return next((n for n in range(min(len(last), len(lines)), 0, -1) if lines[:n] == last[-n:]), 0)
