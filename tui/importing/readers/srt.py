"""Reader of SubRip (.srt), as tolerant as the files need, and YouTube's SBV, which goes about under the same ending.

There is no standard; read are missing numbers and hours, any number of digits, no blank line between cues, blank lines
inside a cue, and dots for commas. Only the tags that players know are taken out, so that "a < b > c" survives.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tui.importing.readers.cue_text import CueLines, count_milliseconds, make_timed_cues, tidy
from tui.records.transcripts import Cue

_TIME = r"(?:([0-9]{1,9}) ?: ?)?([0-9]{1,9}) ?: ?([0-9]{1,9})(?: ?[.,:] ?([0-9]{0,9}))?"
_TIMES = re.compile(rf"[ \t]*{_TIME}[ \t]*-{{2,3}}(?:>|&gt;)[ \t]*{_TIME}(?![0-9:])(.*)\Z")
_SBV_TIME = r"([0-9]{1,9}):([0-9]{1,2}):([0-9]{1,2})\.([0-9]{1,9})"
_SBV_TIMES = re.compile(rf"[ \t]*{_SBV_TIME},{_SBV_TIME}[ \t]*\Z")
_SETTING = r"[A-Za-z][A-Za-z0-9-]{0,20}[:=][^ \t]{1,60}"
_SETTINGS = re.compile(rf"[ \t]*{_SETTING}(?:[ \t]+{_SETTING}){{0,9}}[ \t]*\Z")
"""Settings that may follow the times: places (X1:100 …) and WebVTT's settings."""
_NUMBER = re.compile(r"[ \t]*([0-9]{1,9})[ \t]*\Z")
_TAGS = re.compile(r"</?(?:i|b|u|s|font)(?:[ \t/=][^<>\n]{0,300})?>", re.IGNORECASE)
_BRACES = re.compile(r"\{\\[^{}\n]{0,1000}\}|\{/?[ibus]\}|\{[yY]:[ibus,]{1,8}\}")
"""Override tags of ASS, SubRip's own braces, and MicroDVD's."""

_LINES_LOOKED_AT = 500


@dataclass(slots=True)
class _Block:
    """Block of a time line and the lines below it, up to the next time line; ``number`` is the one above it."""

    start_ms: int
    end_ms: int
    number: int | None
    lines: CueLines = field(default_factory=CueLines)
    is_sbv: bool = False


def read_srt(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return make_timed_cues((block.start_ms, block.end_ms, _shown(block), None) for block in _blocks(lines))


def _shown(block: _Block) -> str:
    text = "\n".join(_spoken(block))
    if block.is_sbv:
        text = text.replace("[br]", "\n")
    return tidy(strip_tags(text))


def is_srt(text: str) -> bool:
    """Whether so many lines are times that this must be a subtitle."""
    lines = [line for line in text.split("\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT] if line.strip()]
    times = sum(has_times(line) for line in lines)
    return times > 0 and times * 8 >= len(lines)


def has_times(line: str) -> bool:
    """Whether this is a time line, of SubRip or SBV."""
    return _times(line) is not None


def strip_tags(text: str) -> str:
    """The text without the tags and override braces that players hide."""
    if "<" in text:
        text = _TAGS.sub("", text)
    if "{" in text:
        text = _BRACES.sub("", text)
    return text


def _times(line: str) -> tuple[int, int, str, bool] | None:
    """Start, end, what follows them, and whether they are SBV's."""
    if "-" in line and (match := _TIMES.match(line)):
        groups = match.groups()
        rest = "" if _SETTINGS.match(groups[8]) else groups[8].strip()
        return count_milliseconds(*groups[0:4]), count_milliseconds(*groups[4:8]), rest, False
    if "," in line and (match := _SBV_TIMES.match(line)):
        groups = match.groups()
        return count_milliseconds(*groups[0:4]), count_milliseconds(*groups[4:8]), "", True
    return None


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    block: _Block | None = None
    above: list[str] = []
    for line in lines:
        times = _times(line)
        if times is None:
            if block is not None:
                block.lines.append(line)
            elif line.strip() or (above and above[-1].strip()):
                above = [*above[-2:], line]  # no more are looked at
            continue
        start, end, rest, is_sbv = times
        number = _take_number(block, above)
        if block is not None:
            yield block
        block = _Block(start, end, number, is_sbv=is_sbv)
        if rest:
            block.lines.append(rest)
    if block is not None:
        yield block


def _take_number(block: _Block | None, above: list[str]) -> int | None:
    """Take the next cue's number off the end of the lines above its times, if that is what stands there."""
    lines = above if block is None else block.lines
    last = len(lines) - 1
    while last >= 0 and not lines[last].strip():
        last -= 1
    match = _NUMBER.match(lines[last]) if last >= 0 else None
    if match is None:
        return None
    number = int(match.group(1))
    is_apart = last > 0 and not lines[last - 1].strip()
    follows = block is not None and block.number is not None and number == block.number + 1
    if block is None or is_apart or follows:
        del lines[last:]
        return number
    return None


def _spoken(block: _Block) -> Iterator[str]:
    """The lines of the cue, and of cues below it without times, less their numbers and what was meant for times."""
    number = block.number
    is_below_number = False
    for above, line in pairwise(["-", *block.lines]):
        if not line.strip():
            continue
        match = _NUMBER.match(line) if number is not None and not above.strip() else None
        if number is not None and match is not None and int(match.group(1)) == number + 1:
            number += 1
            is_below_number = True
        elif not (is_below_number and "-->" in line):
            yield line
            is_below_number = False
