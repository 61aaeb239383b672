"""Cleaning step: text that typesetting shows in many cues, one for each frame or layer, becomes one cue again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from tui.importing.cleaning.cleaned_cue import CleanedCue

_FRAME_MS = 200
"""Longest cue of text that moves; nobody could read one that is shown no longer."""
_GAP_MS = 60
"""Longest time between two frames: a film has 24 a second or more."""
_MOST_WAITING = 500


def join_frames(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    """Join cues with the same text that are shown at once, or one right after the other for a frame each."""
    waiting: deque[CleanedCue] = deque()
    by_text: dict[str, CleanedCue] = {}
    for cue in cues:
        start = cue.cue.start_ms
        if start is None:
            yield cue
            continue
        while waiting and (len(waiting) > _MOST_WAITING or (waiting[0].cue.end_ms or 0) + _GAP_MS < start):
            done = waiting.popleft()
            if by_text.get(done.cue.text) is done:
                del by_text[done.cue.text]
            yield done
        same = by_text.get(cue.cue.text)
        if same is not None and not same.is_full and (reason := _reason(same, cue)):
            same.absorb(cue, reason)
        else:
            by_text[cue.cue.text] = cue
            waiting.append(cue)
    yield from waiting


def _reason(shown: CleanedCue, cue: CleanedCue) -> str:
    """The reason to join two cues with the same text, "" where there is none."""
    start, end = cue.cue.start_ms or 0, cue.cue.end_ms or 0
    if (shown.cue.start_ms, shown.cue.end_ms) == (start, end):
        return "duplicate"
    last = shown.originals[-1]
    is_frame = end - start <= _FRAME_MS and (last.end_ms or 0) - (last.start_ms or 0) <= _FRAME_MS
    return "frames" if is_frame and start <= (shown.cue.end_ms or 0) + _GAP_MS else ""
