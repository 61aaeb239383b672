"""Marked words, found again in a text that may have been edited since, or moved as others came before it."""

import re
from collections.abc import Iterable
from dataclasses import replace

from tui.language.scripts import is_spaceless
from tui.records.mining import MiningMark
from tui.records.transcripts import Cue
from tui.text.sanitize import laid_out

FARTHEST = 50
"""Cues by which a cue may have moved since it was read, as others were inserted or deleted before it."""


def find_marked(cues: Iterable[Cue], mark: MiningMark) -> MiningMark | None:
    """Find what was marked among the cues around: where its cue is now, else where it stands in the cue or beside it.

    None where it stands there no longer.
    """
    near = sorted(cues, key=lambda cue: abs(cue.index - mark.cue))
    for cue in near if mark.cue_text else ():
        if cue.text == mark.cue_text and abs(cue.index - mark.cue) <= FARTHEST:
            return replace(mark, cue=cue.index)
    for cue in near:
        if abs(cue.index - mark.cue) <= 1 and (start := _find(laid_out(cue.text), mark)) is not None:
            end = start + len(mark.text)
            return replace(mark, cue=cue.index, start=start, end=end, cue_text=cue.text)
    return None


def _find(text: str, mark: MiningMark) -> int | None:
    """The code point at which what was marked stands in a text: where it was, else the place nearest to that."""
    if not mark.text:
        return None
    if text[mark.start : mark.end] == mark.text:
        return mark.start
    bounds = ("", "") if is_spaceless(mark.text) else (r"(?<!\w)", r"(?!\w)")
    places = re.finditer(re.escape(mark.text).join(bounds), text)
    return min((place.start() for place in places), key=lambda start: abs(start - mark.start), default=None)
