"""Readers of formats with a block of lines for each cue: SubRip (.srt) with YouTube's SBV, and WebVTT (.vtt)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tui.importing.readers import cue_text
from tui.records.transcripts import Cue

# Reader of SubRip (.srt), as tolerant as the files need, and YouTube's SBV, which goes about under the same ending.
#
# There is no standard; read are missing numbers and hours, any number of digits, no blank line between cues, blank
# lines inside a cue, and dots for commas. Only the tags that players know are taken out, so that "a < b > c" survives.

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
    lines: cue_text.CueLines = field(default_factory=cue_text.CueLines)
    is_sbv: bool = False


def read_srt(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return cue_text.make_timed_cues((block.start_ms, block.end_ms, _shown(block), None) for block in _blocks(lines))


def _shown(block: _Block) -> str:
    text = "\n".join(_spoken(block))
    if block.is_sbv:
        text = text.replace("[br]", "\n")
    return cue_text.tidy(strip_tags(text))


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
        return cue_text.count_milliseconds(*groups[0:4]), cue_text.count_milliseconds(*groups[4:8]), rest, False
    if "," in line and (match := _SBV_TIMES.match(line)):
        groups = match.groups()
        return cue_text.count_milliseconds(*groups[0:4]), cue_text.count_milliseconds(*groups[4:8]), "", True
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


# Reader of WebVTT (.vtt) after the standard's parser (www.w3.org/TR/webvtt1, sections 4 and 6), but more tolerant.
#
# Beyond the standard: commas, one-digit hours and missing milliseconds are read, and of tags only the known ones are
# taken out, so that "a < b > c" survives. Ruby becomes the cue's readings, voices become its speaker.

_VTT_TIME = r"(?:([0-9]{1,9}):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]{1,9}))?"
_VTT_TIMES = re.compile(rf"[ \t\f]*{_VTT_TIME}[ \t\f]*-->[ \t\f]*{_VTT_TIME}(?=[ \t\f]|\Z)")
_LANGUAGE = re.compile(r"Language:[ \t]*([A-Za-z0-9_-]{2,35})[ \t]*\Z", re.IGNORECASE)
_TAG = re.compile(
    r"<(?:(?P<close>/)?(?P<name>ruby|rt|lang|font|[cibuvs])(?P<classes>\.[^\s<>]{0,200})?"
    r"(?:[ \t\n](?P<annotation>[^<>]{0,1000}))?"
    r"|(?P<time>[0-9:.,]{5,20})|/)>"
)


def is_vtt(text: str) -> bool:
    """Whether the text has WebVTT's signature."""
    return text.startswith("WEBVTT") and text[6:7] in ("", " ", "\t", "\n")


def read_vtt(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return cue_text.make_timed_cues((*times, *_plain(raw)) for times, raw in _vtt_blocks(lines))


def find_header_language(text: str) -> str | None:
    """The ``Language:`` of the header, as YouTube writes it."""
    for line in text.split("\n", 20)[:20]:
        if not line or "-->" in line:
            return None
        if match := _LANGUAGE.match(line):
            return match.group(1)
    return None


def _vtt_blocks(lines: Iterable[str]) -> Iterator[tuple[tuple[int, int], str]]:
    """The times and the raw text of each cue; comments, styles, regions and blocks with unreadable times are left out.

    A time line ends the block before it even without a blank line; the line above it is then taken for the next cue's
    identifier only if it has an arrow itself, as in the standard.
    """
    times: tuple[int, int] | None = None
    seen_arrow = False
    kept = cue_text.CueLines()
    count = 0  # of the block's lines
    for line in _behind_header(line.replace("\x00", "\ufffd") for line in lines):
        is_arrow = "-->" in line
        if not line or (is_arrow and (count > 1 or seen_arrow)):
            if times is not None:
                yield times, "\n".join(kept)
            times, seen_arrow, count, kept = None, False, 0, cue_text.CueLines()
        count += bool(line)
        if is_arrow:
            seen_arrow, times = True, _vtt_times(line)
        elif seen_arrow and line:
            kept.append(line)
    if times is not None:
        yield times, "\n".join(kept)


def _plain(raw: str) -> tuple[str, str | None]:
    """The text of a cue without markup, and who speaks ("Fred, Bill" where several do), None where nothing says so."""
    pieces: list[str] = []
    speakers: list[str] = []
    ruby = _Ruby(pieces)
    at = 0
    for tag in _TAG.finditer(raw):
        pieces.append(cue_text.unescape_text(raw[at : tag.start()]))
        at = tag.end()
        name = tag["name"]
        if name == "v" and not tag["close"] and tag["annotation"]:
            speaker = " ".join(cue_text.tidy(cue_text.unescape_text(tag["annotation"])).split())
            if speaker and speaker not in speakers:
                speakers.append(speaker)
        elif name in ("ruby", "rt"):
            ruby.meet(name, is_end=bool(tag["close"]))
    pieces.append(cue_text.unescape_text(raw[at:]))
    ruby.meet("ruby", is_end=True)
    return cue_text.tidy("".join(pieces)), ", ".join(speakers) or None


class _Ruby:
    """Marks base texts and their annotations while a cue's pieces are gathered."""

    def __init__(self, pieces: list[str]) -> None:
        self._pieces = pieces
        self._base: int | None = None
        self._annotation: int | None = None

    def meet(self, name: str, *, is_end: bool) -> None:
        if self._base is not None and self._annotation is not None:
            base = "".join(self._pieces[self._base : self._annotation])
            self._pieces[self._base :] = [cue_text.mark_reading(base, "".join(self._pieces[self._annotation :]))]
            self._base = len(self._pieces)
        self._annotation = None
        if name == "ruby":
            self._base = None if is_end else len(self._pieces)
        elif self._base is not None and not is_end:
            self._annotation = len(self._pieces)


def _behind_header(lines: Iterable[str]) -> Iterator[str]:
    """The lines behind the header, which ends at a blank line or at a time line."""
    in_header = False
    for number, line in enumerate(lines):
        in_header = (number == 0 and line.startswith("WEBVTT")) or (in_header and bool(line) and "-->" not in line)
        if not in_header:
            yield line


def _vtt_times(line: str) -> tuple[int, int] | None:
    match = _VTT_TIMES.match(line)
    if match is None:
        return None
    groups = match.groups()
    return cue_text.count_milliseconds(*groups[0:4]), cue_text.count_milliseconds(*groups[4:8])
