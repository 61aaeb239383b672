"""Cleaning step: cues that end before they begin, or at once, get an end."""

from __future__ import annotations

from collections.abc import Iterator

from tui.importing.cleaning.cleaned_cue import CleanedCue
from tui.importing.readers.cue_text import LAST_CUE_MS


def mend_times(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    """Show a cue whose end is not after its start until the next begins, for some seconds at most."""
    waiting: CleanedCue | None = None
    for cue in cues:
        if waiting is not None:
            _give_end(waiting, cue.cue.start_ms)
            yield waiting
            waiting = None
        start, end = cue.cue.start_ms, cue.cue.end_ms
        if start is not None and end is not None and end <= start:
            waiting = cue
        else:
            yield cue
    if waiting is not None:
        _give_end(waiting, None)
        yield waiting


def _give_end(cue: CleanedCue, following: int | None) -> None:
    start = cue.cue.start_ms or 0
    latest = start + LAST_CUE_MS
    cue.change("times", end_ms=min(latest, following) if following is not None and following > start else latest)
