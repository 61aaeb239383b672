"""Reader of LRC (.lrc): the lyrics of a song, each line with the time at which it begins.

There is no standard, only players that agree (wiki.mobileread.com/wiki/LRC): one or several times before a line, one
cue for each; ``[ti:…]`` and the like say what the song is; ``[offset:500]`` lets all lines come half a second sooner.
An enhanced file has a time before each word as well. A line without a time belongs to the one right above it; behind a
blank line it is a note of whoever wrote the file, and left out.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import LAST_CUE_MS, CueLines, milliseconds, most_lines, tidy, timed
from tui.records.transcripts import Cue
from tui.system.spool import Spool

_CLOCK = r"(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{1,2})"
_TIME = re.compile(rf"[ \t]*\[{_CLOCK}(?:[.,]([0-9]{{0,9}}))?\]")
_PRECISE_TIME = re.compile(rf"[ \t]*\[{_CLOCK}[.,][0-9]{{1,9}}\]")
_WORD_TIME = re.compile(r"([ \t]?)(?:<[0-9]{1,4}(?::[0-9]{1,4}){1,2}(?:[.,][0-9]{0,9})?>)+([ \t]?)")
_OFFSET = re.compile(r"[ \t]*\[offset:[ \t]*([+-]?)[ \t]*([0-9]{1,9})[ \t]*\]", re.IGNORECASE)
_ABOUT = re.compile(r"[ \t]*\[(?:[a-z]{2,3}|length|offset|tool|encoding):[^\]]{0,1000}\][ \t]*\Z", re.IGNORECASE)
"""Pattern of a line that is about the song or the file: title, artist, album, author, editor, length …"""
_LONGEST_REPEATED = 4000
"""Maximum characters of a line at all its times, a chorus of forty a hundred times: a small file must not become a
huge one by a long line with thousands of times."""


def is_lrc(text: str) -> bool:
    """Whether most lines begin with a time that has hundredths: without them it may as well be the log of a chat."""
    return most_lines(text, lambda line: bool(_PRECISE_TIME.match(line) or _ABOUT.match(line))) and any(
        map(_PRECISE_TIME.match, text.split("\n", 100)[:100])
    )


def read_lrc(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order, each up to the next time there is; raises ``CueTooLong``."""
    found = Spool()
    starts = array("q")
    offset = 0
    for times, text in _blocks(lines):
        if not times:
            offset = int(text)
            continue
        for start in times[: max(1, _LONGEST_REPEATED // (len(text) + 1))]:
            starts.append(start)
            if text:
                found.append((start, text))
    starts = array("q", sorted(starts))
    return timed(_until_next(found, starts, offset))


def _until_next(
    found: Iterable[tuple[int, str]], starts: array[int], offset: int
) -> Iterator[tuple[int, int, str, None]]:
    """Start, end and text of each line; those that begin together, a line and its translation say, end together."""
    for start, text in found:
        following = bisect_right(starts, start)
        end = starts[following] if following < len(starts) else start + LAST_CUE_MS
        yield max(0, start - offset), max(0, end - offset), text, None


def _blocks(lines: Iterable[str]) -> Iterator[tuple[list[int], str]]:
    """The times and the text of each line with those below it; an offset has no times."""
    times: list[int] = []
    kept = CueLines()
    for line in lines:
        at, found = 0, list[int]()
        while match := _TIME.match(line, at):
            found.append(milliseconds(*match.groups()))
            at = match.end()
        if offset := None if found else _OFFSET.match(line):
            yield [], "".join(offset.groups())
        elif found or not line.strip():
            if times:
                yield times, tidy("\n".join(kept))
            times, kept = found, CueLines()
        if times and not _ABOUT.match(line):
            kept.append(_WORD_TIME.sub(_space, line[at:]))
    if times:
        yield times, tidy("\n".join(kept))


def _space(found: re.Match[str]) -> str:
    return " " if found[1] or found[2] else ""
