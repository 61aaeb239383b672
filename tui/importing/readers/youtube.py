"""Readers of YouTube's captions, as XML (srv1, srv2, srv3) and as JSON (json3).

There is no specification; read is what yt-dlp downloads.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tui.importing.readers import cue_text
from tui.importing.readers.trees import Elements, read_objects, read_xml, root_follows
from tui.records.transcripts import Cue

PenText = tuple[int, str]
"""The part of ruby that a pen is for, 0 for none, and a text that it draws."""
Line = tuple[int, int, str, str | None]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a track. ``window`` is "" where the captions are in none; ``appends`` to what that shows already."""

    start_ms: int
    duration_ms: int | None
    text: str
    window: str = ""
    appends: bool = False


# Reader of YouTube's captions as XML: srv1 (``transcript``), srv2 and srv3 (``timedtext``), often called ``.xml``.
#
# There is no specification; read is what yt-dlp downloads. srv1 has seconds (``start``, ``dur``), the others
# milliseconds (``t``, ``d``); ``append`` or ``a`` adds to what the window ``w`` shows. References to characters are
# often escaped twice.

_ROOT = re.compile(r"<timedtext[\s>]|<transcript(?:\s[^<>]{0,1000})?>\s{0,1000}<text\s[^<>]{0,1000}\bstart\s{0,10}=")
_XML_HEAD_CHARACTERS = 20_000
_NUMBER = re.compile(r"\s*([0-9]{1,15}(?:\.[0-9]{0,30})?)\s*")


def is_timed_text(text: str) -> bool:
    """Whether the root element of this XML is one of YouTube's three."""
    return root_follows(text[:_XML_HEAD_CHARACTERS], _ROOT)


def read_timed_text(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return cue_text.make_timed_cues(join_caption_lines(read_xml(lines, _Document())))


class _Document(Elements[Event]):
    """The paragraph that is open, and the events found."""

    def __init__(self) -> None:
        super().__init__()
        self._pens: dict[str, int] = {}
        self._paragraph: dict[str, str] | None = None
        self._depth = 0
        self._pen = 0
        self._texts: list[PenText] = []
        self._length = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._paragraph is not None:
            self._depth += 1
            if name == "br":
                self.characters("\n")
            elif name == "s":
                self._pen = self._pens.get(attributes.get("p", ""), 0)
        elif name in ("p", "text"):
            self._paragraph = attributes
            self._pen = self._pens.get(attributes.get("p", ""), 0)
        elif name == "pen" and attributes.get("rb", "").isdecimal() and len(self._pens) < 1000:
            self._pens[attributes.get("id", "")] = int(attributes["rb"][:4])

    def end(self, name: str) -> None:
        if self._paragraph is None:
            return
        if self._depth:
            self._depth -= 1
            self._pen = 0
            return
        event = _event(self._paragraph, self._texts)
        self._paragraph, self._texts, self._length = None, [], 0
        if event is not None:
            self.found.append(event)

    def characters(self, text: str) -> None:
        if self._paragraph is not None:
            self._length += len(text)
            if self._length > cue_text.MAX_CUE_LENGTH:
                raise cue_text.CueTooLong
            self._texts.append((self._pen, text))


def _event(given: dict[str, str], texts: list[PenText]) -> Event | None:
    """The event of a paragraph, None where its time cannot be read."""
    seconds = "start" in given
    start = _time(given.get("start" if seconds else "t", ""), seconds)
    duration = _time(given.get("dur" if seconds else "d", ""), seconds)
    appends = "1" in (given.get("a"), given.get("append"))
    text = cue_text.unescape_text(join_pen_texts(texts))
    return None if start is None or not text else Event(start, duration, text, given.get("w", ""), appends)


def _time(written: str, are_seconds: bool) -> int | None:
    number = _NUMBER.fullmatch(written)
    return round(min(float(number[1]) * (1000 if are_seconds else 1), cue_text.LATEST_MS)) if number else None


# Reader of YouTube's captions as JSON (.json3, "fmt=json3"): events with segments, one for a word where recognised.
#
# There is no specification; read is what yt-dlp downloads. ``aAppend`` adds to what a window shows, most often a line
# end; ``rbRuby`` of a pen tells the parts of ruby, as ``rb`` does in the XML.

_MARK = re.compile(r"\s{0,1000}\{[^\[\]]{0,1000}\"(?:wireMagic\"\s{0,100}:\s{0,100}\"pb3|events\"\s{0,100}:)")
_START = re.compile(r"\"tStartMs\"\s{0,100}:")
_JSON_HEAD_CHARACTERS = 50_000


def is_json3(text: str) -> bool:
    """Whether this is a document of YouTube's player with timed events."""
    head = text[:_JSON_HEAD_CHARACTERS]
    return _MARK.match(head) is not None and _START.search(head) is not None


def read_json3(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return cue_text.make_timed_cues(join_caption_lines(_json_events(lines)))


def _json_events(lines: Iterable[str]) -> Iterator[Event]:
    pens: list[int] = []
    for name, given in read_objects(lines):
        if name == "pens" and len(pens) < 1000:
            pens.append(_integer(given.get("rbRuby")) or 0)
        elif name == "events" and (start := _integer(given.get("tStartMs"))) is not None:
            text = join_pen_texts(_segments(given.get("segs"), pens))
            if len(text) > cue_text.MAX_CUE_LENGTH:
                raise cue_text.CueTooLong
            if text:
                window = str(_integer(given.get("wWinId")) or "")
                yield Event(start, _integer(given.get("dDurationMs")), text, window, given.get("aAppend") == 1)


def _segments(given: object, pens: list[int]) -> Iterator[PenText]:
    for segment in given if isinstance(given, list) else ():
        if isinstance(segment, dict) and isinstance(text := segment.get("utf8"), str):
            pen = _integer(segment.get("pPenId")) or 0
            yield pens[pen] if pen < len(pens) else 0, text


def _integer(value: object) -> int | None:
    """A number that is no less than 0, cut where no time can be."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return min(max(value, 0), cue_text.LATEST_MS)


# Lines of YouTube's captions out of the events that draw them: words and line ends that are appended to a window.
#
# Captions of recognised speech roll up: a line stays while the next one is spoken. It is told up to where that begins,
# which is as long as it is spoken. Captions outside a window are as somebody wrote them, and keep times and overlaps.

_MAX_LINE_LENGTH = 1000
"""Characters of a line beyond which what is appended begins a new one: nobody ended it."""
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060"))
"""Characters with which makers of captions pad boxes."""


@dataclass(slots=True)
class _OpenLine:
    start_ms: int
    end_ms: int
    texts: list[str] = field(default_factory=list)
    length: int = 0
    is_ended: bool = False

    def append(self, text: str) -> None:
        self.texts.append(text)
        self.length += len(text)
        if self.length > cue_text.MAX_CUE_LENGTH:
            raise cue_text.CueTooLong

    def told(self, most_ms: int | None = None) -> Line:
        end = self.end_ms if most_ms is None else min(self.end_ms, max(most_ms, self.start_ms))
        return self.start_ms, end, cue_text.tidy("".join(self.texts).translate(_INVISIBLE)), None


def join_caption_lines(events: Iterable[Event]) -> Iterator[Line]:
    """Start, end and text of each line, about in the order of the file; raises ``CueTooLong``."""
    shown: dict[str, _OpenLine] = {}
    for event in events:
        end = event.start_ms + (cue_text.LAST_CUE_MS if event.duration_ms is None else event.duration_ms)
        above = shown.get(event.window)
        if event.appends and not event.text.strip():
            if above is not None:
                above.is_ended = above.is_ended or "\n" in event.text
                above.append(event.text)
            continue
        if event.appends and above is not None and not above.is_ended and above.length < _MAX_LINE_LENGTH:
            above.append(event.text)
            above.end_ms = max(above.end_ms, end)
            continue
        if above is not None:
            yield above.told(event.start_ms if event.window else None)
        line = shown[event.window] = _OpenLine(event.start_ms, end)
        line.append(event.text)
    for line in shown.values():
        yield line.told()


_BASE, _PARENTHESIS, _READINGS = 1, 2, (4, 5)
"""Values of ``rb``, taken from what YTSubConverter writes: above or below the base it is a reading either way."""


def join_pen_texts(pieces: Iterable[PenText]) -> str:
    """The text of the pieces, with marks for readings; parentheses, for players without ruby, are left out."""
    texts: list[str] = []
    base: str | None = None
    for part, text in pieces:
        if part == _BASE:
            texts.append(base or "")
            base = text
        elif part in _READINGS and base is not None:
            texts.append(cue_text.mark_reading(base, text))
            base = None
        elif part != _PARENTHESIS:
            texts += (base or "", text)
            base = None
    return "".join((*texts, base or ""))
