"""Reader of TMPlayer, common in Poland as .txt and .tmp: a cue a line, ``00:00:01:text``, without an end.

There is no specification; players also read ``0:00:01=text``, tenths (``00:00:01,5:text``), and a second line of a cue
by its number (``00:00:01,2=text``) only. A cue lasts to the next, or as long as two lines take to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from tui.importing.readers.cue_text import LAST_CUE_MS, CueLines, lines_of_bars, milliseconds, most_lines, timed
from tui.importing.readers.srt import without_tags
from tui.records.transcripts import Cue

_LINE = re.compile(r"[ \t]*([0-9]{1,3}):([0-9]{2}):([0-9]{2})(?:,[0-9])?[:=]")
_SURE_LINE = re.compile(rf"{_LINE.pattern}(?:[^ \t]|\Z)")
"""Pattern of a line as players write it: behind a time in a log there is a space."""


def is_tmplayer(text: str) -> bool:
    """Whether most lines begin with a time, and the text right behind it."""
    return most_lines(text, lambda line: _SURE_LINE.match(line) is not None)


def read_tmplayer(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    ends: Iterable[tuple[int, str]] = ((-1, ""),)
    return timed(
        (start, following if start < following < start + LAST_CUE_MS else start + LAST_CUE_MS, text, None)
        for (start, text), (following, _) in pairwise(chain(_starts(lines), ends))
    )


def _starts(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Start and text of each cue; lines of the same time are one, and an empty one only ends the cue before."""
    start: int | None = None
    kept = CueLines()
    for line in lines:
        found = _LINE.match(line)
        if found is None:
            continue
        time = milliseconds(found[1], found[2], found[3], None)
        if start is not None and time != start:
            yield start, _shown(kept)
            kept = CueLines()
        start = time
        kept.append(line[found.end() :])
    if start is not None:
        yield start, _shown(kept)


def _shown(kept: CueLines) -> str:
    return lines_of_bars(without_tags("\n".join(kept)))
