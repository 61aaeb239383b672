"""Readers of formats with a line for each cue: MicroDVD (.sub), MPL2 and TMPlayer (.txt, in Poland), and LRC (.lrc)."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from tui.importing.readers import cue_text
from tui.importing.readers.block_formats import strip_tags
from tui.records.transcripts import Cue
from tui.system.spool import Spool

# Reader of MicroDVD (.sub): a cue a line, ``{start}{end}text``, whose times are frames of the film.
#
# The format: wiki.multimedia.cx/index.php/MicroDVD. A line without frames belongs to the cue above. The rate of the
# frames stands in the first cue, ``{1}{1}25``, as players write and read it. Where it does not, nothing but the film
# could tell; it is then taken for 23.976 a second, as FFmpeg does (libavformat/microdvddec.c).

_FRAMES = re.compile(r"[ \t]*\{[ \t]*([0-9]{1,9})[ \t]*\}[ \t]*\{[ \t]*([0-9]{0,9})[ \t]*\}")
_DEFAULTS = re.compile(r"[ \t]*\{DEFAULT\}", re.IGNORECASE)
"""Pattern of a line with the codes of all cues that have none of their own."""
_CODES = re.compile(r"\{[CFHOPSY]:[^{}\n]{0,200}\}", re.IGNORECASE)
"""Pattern of the codes of colour, font, encoding, place, size and style."""
_RATE = re.compile(r"[ \t]*([0-9]{1,3}(?:[.,][0-9]{1,9})?)[ \t]*\Z")
_USUAL_RATE = 23.976
_RATES = (5, 120)
"""Least and most frames a second of a film; a number beyond is what somebody says in the first cue."""


def is_microdvd(text: str) -> bool:
    """Whether most lines begin with two numbers in braces."""
    return cue_text.match_most_lines(text, lambda line: _FRAMES.match(line) is not None)


def read_microdvd(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; one without an end lasts up to the next; raises ``CueTooLong``."""
    return cue_text.make_timed_cues(_time_frames(lines))


def _time_frames(lines: Iterable[str]) -> Iterator[tuple[int, int, str, None]]:
    rate = _USUAL_RATE
    blocks = _blocks((line for line in lines if not _DEFAULTS.match(line)), _FRAMES)
    for number, ((start, end, raw), (following, _, _)) in enumerate(pairwise(chain(blocks, ((-1, None, ""),)))):
        if number == 0 and start <= 1 and (end or 0) <= 1 and (named := _rate(raw)):
            rate = named
            continue
        start_ms = round(start * 1000 / rate)
        last = following if end is None else end
        end_ms = round(last * 1000 / rate) if last >= 0 else start_ms + cue_text.LAST_CUE_MS
        yield start_ms, end_ms, _show(_CODES.sub("", raw)), None


def _blocks(lines: Iterable[str], numbers: re.Pattern[str]) -> Iterator[tuple[int, int | None, str]]:
    """The two numbers of each cue (None: no second one) and its raw text, with the lines below that have no numbers."""

    def begin(line: str) -> tuple[re.Match[str], str] | None:
        found = numbers.match(line)
        return None if found is None else (found, line[found.end() :])

    return (
        (int(found[1]), int(found[2]) if found[2] else None, text)
        for found, text in cue_text.gather_blocks(lines, begin)
    )


def _show(raw: str) -> str:
    """Tidy a text: bars break its lines, and a slash before one, which sets it in italics, goes."""
    lines = strip_tags(raw).replace("|", "\n").split("\n")
    return cue_text.tidy("\n".join(line.lstrip().removeprefix("/") for line in lines))


def _rate(raw: str) -> float | None:
    match = _RATE.match(raw.rstrip())
    rate = float(match[1].replace(",", ".")) if match else 0.0
    return rate if _RATES[0] <= rate <= _RATES[1] else None


# Reader of MPL2, common in Poland as .txt and .sub: a cue a line, ``[start][end]text``, in tenths of a second.
#
# The format: wiki.multimedia.cx/index.php/MPL2. ``|`` breaks lines, and a slash at the beginning of one sets it in
# italics. A line without times belongs to the cue above.

_TENTHS = re.compile(r"[ \t]*\[[ \t]*([0-9]{1,9})[ \t]*\][ \t]*\[[ \t]*([0-9]{0,9})[ \t]*\]")


def is_mpl2(text: str) -> bool:
    """Whether most lines begin with two numbers in square brackets."""
    return cue_text.match_most_lines(text, lambda line: _TENTHS.match(line) is not None)


def read_mpl2(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return cue_text.make_timed_cues(
        (start * 100, start * 100 + cue_text.LAST_CUE_MS if end is None else end * 100, _show(raw), None)
        for start, end, raw in _blocks(lines, _TENTHS)
    )


# Reader of TMPlayer, common in Poland as .txt and .tmp: a cue a line, ``00:00:01:text``, without an end.
#
# There is no specification; players also read ``0:00:01=text``, tenths (``00:00:01,5:text``), and a second line of a
# cue by its number (``00:00:01,2=text``) only. A cue lasts to the next, or as long as two lines take to read.

_CLOCK_LINE = re.compile(r"[ \t]*([0-9]{1,3}):([0-9]{2}):([0-9]{2})(?:,[0-9])?[:=]")
_SURE_CLOCK_LINE = re.compile(rf"{_CLOCK_LINE.pattern}(?:[^ \t]|\Z)")
"""Pattern of a line as players write it: behind a time in a log there is a space."""


def is_tmplayer(text: str) -> bool:
    """Whether most lines begin with a time, and the text right behind it."""
    return cue_text.match_most_lines(text, lambda line: _SURE_CLOCK_LINE.match(line) is not None)


def read_tmplayer(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    clocks = ((found, line) for line in lines if (found := _CLOCK_LINE.match(line)))
    starts = (
        (cue_text.count_milliseconds(found[1], found[2], found[3], None), line[found.end() :]) for found, line in clocks
    )
    # Lines of the same time are one, and an empty one only ends the cue before.
    spans = cue_text.end_at_next(cue_text.join_same_starts(starts))
    return cue_text.make_timed_cues(
        (start, min(end, start + cue_text.LAST_CUE_MS), _show(raw), None) for start, end, raw in spans
    )


# Reader of LRC (.lrc): the lyrics of a song, each line with the time at which it begins.
#
# There is no standard, only players that agree (wiki.mobileread.com/wiki/LRC): one or several times before a line, one
# cue for each; ``[ti:…]`` and the like say what the song is; ``[offset:500]`` lets all lines come half a second sooner.
# An enhanced file has a time before each word as well. A line without a time belongs to the one right above it; behind
# a blank line it is a note of whoever wrote the file, and left out.

_CLOCK = r"(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{1,2})"
_TIME = re.compile(rf"[ \t]*\[{_CLOCK}(?:[.,]([0-9]{{0,9}}))?\]")
_PRECISE_TIME = re.compile(rf"[ \t]*\[{_CLOCK}[.,][0-9]{{1,9}}\]")
_WORD_TIME = re.compile(r"([ \t]?)(?:<[0-9]{1,4}(?::[0-9]{1,4}){1,2}(?:[.,][0-9]{0,9})?>)+([ \t]?)")
_OFFSET = re.compile(r"[ \t]*\[offset:[ \t]*([+-]?)[ \t]*([0-9]{1,9})[ \t]*\]", re.IGNORECASE)
_ABOUT = re.compile(r"[ \t]*\[(?:[a-z]{2,3}|length|offset|tool|encoding):[^\]]{0,1000}\][ \t]*\Z", re.IGNORECASE)
"""Pattern of a line that is about the song or the file: title, artist, album, author, editor, length …"""
_MAX_REPEATED_LENGTH = 4000
"""Maximum characters of a line at all its times, a chorus of forty a hundred times: a small file must not become a
huge one by a long line with thousands of times."""


def is_lrc(text: str) -> bool:
    """Whether most lines begin with a time that has hundredths: without them it may as well be the log of a chat."""
    return cue_text.match_most_lines(text, lambda line: bool(_PRECISE_TIME.match(line) or _ABOUT.match(line))) and any(
        map(_PRECISE_TIME.match, text.split("\n", 100)[:100])
    )


def read_lrc(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order, each up to the next time there is; raises ``CueTooLong``."""
    return cue_text.make_timed_cues(_time_lyrics(lines))


def _time_lyrics(lines: Iterable[str]) -> Iterator[tuple[int, int, str, None]]:
    """Start, end and text of each line; those that begin together, a line and its translation say, end together."""
    found = Spool()
    starts = array("q")
    offset = 0
    for times, text in _lyrics(lines):
        if not times:
            offset = int(text)
            continue
        for start in times[: max(1, _MAX_REPEATED_LENGTH // (len(text) + 1))]:
            starts.append(start)
            if text:
                found.append((start, text))
    starts = array("q", sorted(starts))
    for start, text in found:
        following = bisect_right(starts, start)
        end = starts[following] if following < len(starts) else start + cue_text.LAST_CUE_MS
        yield max(0, start - offset), max(0, end - offset), text, None


def _lyrics(lines: Iterable[str]) -> Iterator[tuple[list[int], str]]:
    """The times and the text of each line with those below it; an offset has no times."""
    times: list[int] = []
    kept = cue_text.CueLines()
    for line in lines:
        at, found = 0, list[int]()
        while match := _TIME.match(line, at):
            found.append(cue_text.count_milliseconds(*match.groups()))
            at = match.end()
        if offset := None if found else _OFFSET.match(line):
            yield [], "".join(offset.groups())
        elif found or not line.strip():
            if times:
                yield times, cue_text.tidy("\n".join(kept))
            times, kept = found, cue_text.CueLines()
        if times and not _ABOUT.match(line):
            kept.append(_WORD_TIME.sub(lambda found: " " if found[1] or found[2] else "", line[at:]))
    if times:
        yield times, cue_text.tidy("\n".join(kept))
