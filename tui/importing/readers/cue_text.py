"""Cue texts and times, for all readers: times as the formats write them, and the text of a cue as it is kept."""

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import TypeVar

from tui import bounds
from tui.records.transcripts import Cue, Ruby
from tui.text.sanitize import without_controls

K = TypeVar("K")

OVERRIDE = re.compile(r"\{[^}]*\}?")
"""Pattern of a brace and all up to the next closing one; without one, the rest, so that no text is searched twice."""

MAX_CUE_LENGTH = bounds.SUBTITLE.entry_bytes
"""Maximum characters of a cue: far above what anybody can read while it is shown."""

LAST_CUE_MS = 5000
"""Duration of a cue whose end the file does not tell: time to read or to sing two lines."""

LATEST_MS = 10**15
"""Maximum time: later ones are cut to it, so that no sum of them is more than the library's numbers hold."""

_LINES_LOOKED_AT = 500
_REFERENCE = re.compile(r"&#0*([0-9]+)")


class Unreadable(ValueError):
    """Raised for a file that cannot be read, or is not; ``reason`` goes on where its name ended ("is locked")."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.reason, self.hint = reason, hint


class CueTooLong(Unreadable):
    """Raised for a cue that is longer than ``MAX_CUE_LENGTH``."""

    def __init__(self) -> None:
        super().__init__("has a cue of more than 1 MB of text", "rename it to .txt to import it as plain text")


def unescape_text(text: str) -> str:
    """The text with HTML's character references as characters, however many digits they have."""
    return unescape(shorten_references(text)) if "&" in text else text


def shorten_references(text: str) -> str:
    """Cut decimal character references to eight digits, as what has more than seven stands for no character.

    ``html.unescape`` hands all digits to ``int``, which refuses more than 4300.
    """
    return _REFERENCE.sub(lambda found: "&#" + found.group(1)[:8], text)


def count_milliseconds(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> int:
    """The time in milliseconds; the fraction's digits are those behind the point ("5" is 500 ms)."""
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int(((fraction or "") + "000")[:3])


def match_most_lines(text: str, matches: Callable[[str], bool]) -> bool:
    """Whether more than half of the lines at the beginning of the text match, blank ones left out."""
    lines = [line for line in text.split("\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT] if line.strip()]
    return sum(map(matches, lines)) * 2 > len(lines)


def tidy(text: str) -> str:
    """The text without control characters, its lines trimmed, blank lines dropped."""
    lines = (line.strip() for line in without_controls(text).split("\n"))
    return "\n".join(line for line in lines if line)


def make_timed_cues(found: Iterable[tuple[int, int, str, str | None]]) -> Iterator[Cue]:
    """Cues in file order from start, end, text and speaker, less those without text; ruby may be marked in the text."""
    index = 0
    for start, end, text, speaker in found:
        plain, ruby = unmark_readings(text)
        if plain:
            yield Cue(index, start, end, plain, speaker, ruby)
            index += 1


class CueLines(list[str]):
    """The lines of one cue, of blank ones in a row one; raises ``CueTooLong`` beyond ``MAX_CUE_LENGTH`` characters."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._length = 0
        for line in lines:
            self.append(line)

    def append(self, line: str) -> None:
        if not line.strip():
            if self and not self[-1].strip():
                return
            line = ""
        self._length += len(line) + 1
        if self._length > MAX_CUE_LENGTH:
            raise CueTooLong
        super().append(line)


def gather_blocks(lines: Iterable[str], begin: Callable[[str], tuple[K, str] | None]) -> Iterator[tuple[K, str]]:
    """Gather lines below those of which ``begin`` gives a key and what is left of them; raises ``CueTooLong``."""
    key: K | None = None
    kept = CueLines()
    for line in lines:
        if (begun := begin(line)) is not None:
            if key is not None:
                yield key, "\n".join(kept)
            key, kept = begun[0], CueLines(begun[1:])
        elif key is not None:
            kept.append(line)
    if key is not None:
        yield key, "\n".join(kept)


def join_same_starts(found: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Join texts that begin at the same time and follow each other; raises ``CueTooLong``."""
    for start, same in groupby(found, key=itemgetter(0)):
        yield start, "\n".join(CueLines(text for _, text in same))


def end_at_next(found: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Start, end and text of what lasts up to the next; where that is no later, the end is as unknown as the last's."""
    for (start, text), (following, _) in pairwise(chain(found, ((-1, ""),))):
        yield start, following if following > start else start + LAST_CUE_MS, text


# Ruby annotations on their way out of a reader: marked in the text, until the text is as it is kept.
#
# The marks are those that Unicode has for it, which no file should hold (Unicode Standard, 23.8, "Interlinear
# Annotation Characters"): anchor, base text, separator, annotation, terminator.

ANCHOR, SEPARATOR, TERMINATOR = "\ufff9", "\ufffa", "\ufffb"
_ANNOTATED = re.compile(f"{ANCHOR}([^{ANCHOR}-{TERMINATOR}]*){SEPARATOR}([^{ANCHOR}-{TERMINATOR}]*){TERMINATOR}")
_MARKS = re.compile(f"[{ANCHOR}-{TERMINATOR}]")


def mark_reading(base: str, reading: str) -> str:
    """The base text with a mark that carries its reading; just the base where one of them is blank."""
    if not base.strip() or not reading.strip():
        return base
    return f"{ANCHOR}{base}{SEPARATOR}{reading}{TERMINATOR}"


def unmark_readings(text: str) -> tuple[str, tuple[Ruby, ...]]:
    """The text without marks, and the readings at their places in it."""
    if not _MARKS.search(text):
        return text, ()
    pieces: list[str] = []
    ruby: list[Ruby] = []
    length = at = 0
    for found in _ANNOTATED.finditer(text):
        plain = _MARKS.sub("", text[at : found.start()])
        base, reading = found.group(1), " ".join(found.group(2).split())
        pieces += (plain, base)
        length += len(plain)
        if base and reading:
            ruby.append(Ruby(length, length + len(base), reading))
        length += len(base)
        at = found.end()
    pieces.append(_MARKS.sub("", text[at:]))
    return "".join(pieces), tuple(ruby)


def bracket_readings(cue: Cue) -> str:
    """The text of a cue with each reading in brackets behind what it belongs to."""
    text = cue.text
    for ruby in reversed(cue.ruby):
        text = f"{text[: ruby.end]}[{ruby.text}]{text[ruby.end :]}"
    return text
