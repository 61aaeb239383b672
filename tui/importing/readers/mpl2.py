"""Reader of MPL2, common in Poland as .txt and .sub: a cue a line, ``[start][end]text``, in tenths of a second.

The format: wiki.multimedia.cx/index.php/MPL2. ``|`` breaks lines, and a slash at the beginning of one sets it in
italics. A line without times belongs to the cue above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import LAST_CUE_MS, CueLines, lines_of_bars, most_lines, timed
from tui.importing.readers.srt import without_tags
from tui.records.transcripts import Cue

_LINE = re.compile(r"[ \t]*\[[ \t]*([0-9]{1,9})[ \t]*\][ \t]*\[[ \t]*([0-9]{0,9})[ \t]*\]")


def is_mpl2(text: str) -> bool:
    """Whether most lines begin with two numbers in square brackets."""
    return most_lines(text, lambda line: _LINE.match(line) is not None)


def read_mpl2(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return timed(_timed_texts(lines))


def _timed_texts(lines: Iterable[str]) -> Iterator[tuple[int, int, str, None]]:
    start: int | None = None
    end, kept = 0, CueLines()
    for line in lines:
        if found := _LINE.match(line):
            if start is not None:
                yield start, end, _shown(kept), None
            start, kept = int(found[1]) * 100, CueLines()
            end = int(found[2]) * 100 if found[2] else start + LAST_CUE_MS
            kept.append(line[found.end() :])
        elif start is not None:
            kept.append(line)
    if start is not None:
        yield start, end, _shown(kept), None


def _shown(kept: CueLines) -> str:
    return lines_of_bars(without_tags("\n".join(kept)))
