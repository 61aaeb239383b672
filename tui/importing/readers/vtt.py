"""Reader of WebVTT (.vtt) after the standard's parser (www.w3.org/TR/webvtt1, sections 4 and 6), but more tolerant.

Beyond the standard: commas, one-digit hours and missing milliseconds are read, and of tags only the known ones are
taken out, so that "a < b > c" survives. Ruby becomes the cue's readings, voices become its speaker.
"""

import re
from collections.abc import Iterable, Iterator

from tui.importing.readers import cue_text
from tui.records.transcripts import Cue

_TIME = r"(?:([0-9]{1,9}):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]{1,9}))?"
_TIMES = re.compile(rf"[ \t\f]*{_TIME}[ \t\f]*-->[ \t\f]*{_TIME}(?=[ \t\f]|\Z)")
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
    return cue_text.make_timed_cues((*times, *_plain(raw)) for times, raw in _blocks(lines))


def find_header_language(text: str) -> str | None:
    """The ``Language:`` of the header, as YouTube writes it."""
    for line in text.split("\n", 20)[:20]:
        if not line or "-->" in line:
            return None
        if match := _LANGUAGE.match(line):
            return match.group(1)
    return None


def _blocks(lines: Iterable[str]) -> Iterator[tuple[tuple[int, int], str]]:
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
            seen_arrow, times = True, _times(line)
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


def _times(line: str) -> tuple[int, int] | None:
    match = _TIMES.match(line)
    if match is None:
        return None
    groups = match.groups()
    return cue_text.count_milliseconds(*groups[0:4]), cue_text.count_milliseconds(*groups[4:8])
