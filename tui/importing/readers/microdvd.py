"""Reader of MicroDVD (.sub): a cue a line, ``{start}{end}text``, whose times are frames of the film.

The format: wiki.multimedia.cx/index.php/MicroDVD. A line without frames belongs to the cue above.
The rate of the frames stands in the first cue, ``{1}{1}25``, as players write and read it. Where it does not, nothing
but the film could tell; it is then taken for 23.976 a second, as FFmpeg does (libavformat/microdvddec.c).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import LAST_CUE_MS, CueLines, lines_of_bars, most_lines, timed
from tui.importing.readers.srt import without_tags
from tui.records.transcripts import Cue

_LINE = re.compile(r"[ \t]*\{[ \t]*([0-9]{1,9})[ \t]*\}[ \t]*\{[ \t]*([0-9]{0,9})[ \t]*\}")
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
    return most_lines(text, lambda line: _LINE.match(line) is not None)


def read_microdvd(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; one without an end lasts up to the next; raises ``CueTooLong``."""
    return timed(_timed_texts(lines))


def _timed_texts(lines: Iterable[str]) -> Iterator[tuple[int, int, str, None]]:
    rate = _USUAL_RATE
    waiting: tuple[int, str] | None = None
    for number, (start, end, raw) in enumerate(_blocks(lines)):
        if number == 0 and start <= 1 and (end or 0) <= 1 and (named := _rate(raw)):
            rate = named
            continue
        start_ms = round(start * 1000 / rate)
        if waiting is not None:
            yield waiting[0], start_ms, waiting[1], None
            waiting = None
        text = lines_of_bars(without_tags(_CODES.sub("", raw)))
        if end is None:
            waiting = start_ms, text
        else:
            yield start_ms, round(end * 1000 / rate), text, None
    if waiting is not None:
        yield waiting[0], waiting[0] + LAST_CUE_MS, waiting[1], None


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, int | None, str]]:
    """First frame, last frame and raw text of each cue, with the lines below it that have no frames."""
    frames: tuple[int, int | None] | None = None
    kept = CueLines()
    for line in lines:
        if match := _LINE.match(line):
            if frames is not None:
                yield *frames, "\n".join(kept)
            frames, kept = (int(match[1]), int(match[2]) if match[2] else None), CueLines()
            kept.append(line[match.end() :])
        elif frames is not None and not _DEFAULTS.match(line):
            kept.append(line)
    if frames is not None:
        yield *frames, "\n".join(kept)


def _rate(raw: str) -> float | None:
    match = _RATE.match(raw.rstrip())
    rate = float(match[1].replace(",", ".")) if match else 0.0
    return rate if _RATES[0] <= rate <= _RATES[1] else None
