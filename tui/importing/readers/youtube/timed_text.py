"""Reader of YouTube's captions as XML: srv1 (``transcript``), srv2 and srv3 (``timedtext``), often called ``.xml``.

There is no specification; read is what yt-dlp downloads. srv1 has seconds (``start``, ``dur``), the others milliseconds
(``t``, ``d``); ``append`` or ``a`` adds to what the window ``w`` shows. References to characters are often escaped
twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import LATEST_MS, LONGEST_CUE, CueTooLong, timed, unescaped
from tui.importing.readers.xml_elements import read_xml, root_follows
from tui.importing.readers.youtube.caption_lines import Event, caption_lines
from tui.importing.readers.youtube.pens import PenText, text_of
from tui.records.transcripts import Cue

_ROOT = re.compile(r"<timedtext[\s>]|<transcript(?:\s[^<>]{0,1000})?>\s{0,1000}<text\s[^<>]{0,1000}\bstart\s{0,10}=")
_HEAD_CHARACTERS = 20_000
_NUMBER = re.compile(r"\s*([0-9]{1,15}(?:\.[0-9]{0,30})?)\s*")


def is_timed_text(text: str) -> bool:
    """Whether the root element of this XML is one of YouTube's three."""
    return root_follows(text[:_HEAD_CHARACTERS], _ROOT)


def read_timed_text(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return timed(caption_lines(_events(lines)))


def _events(lines: Iterable[str]) -> Iterator[Event]:
    document = _Document()
    for _ in read_xml(lines, document):
        yield from document.take()


class _Document:
    """The paragraph that is open, and the events found since they were last taken."""

    def __init__(self) -> None:
        self._found: list[Event] = []
        self._pens: dict[str, int] = {}
        self._paragraph: dict[str, str] | None = None
        self._depth = 0
        self._pen = 0
        self._texts: list[PenText] = []
        self._length = 0

    def take(self) -> list[Event]:
        found, self._found = self._found, []
        return found

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
        paragraph, texts = self._paragraph, self._texts
        self._paragraph, self._texts, self._length = None, [], 0
        if (event := _event(paragraph, texts)) is not None:
            self._found.append(event)

    def characters(self, text: str) -> None:
        if self._paragraph is not None:
            self._length += len(text)
            if self._length > LONGEST_CUE:
                raise CueTooLong
            self._texts.append((self._pen, text))


def _event(given: dict[str, str], texts: list[PenText]) -> Event | None:
    """The event of a paragraph, None where its time cannot be read."""
    seconds = "start" in given
    start = _time(given.get("start" if seconds else "t", ""), seconds)
    duration = _time(given.get("dur" if seconds else "d", ""), seconds)
    appends = "1" in (given.get("a"), given.get("append"))
    text = unescaped(text_of(texts))
    return None if start is None or not text else Event(start, duration, text, given.get("w", ""), appends)


def _time(written: str, are_seconds: bool) -> int | None:
    number = _NUMBER.fullmatch(written)
    return round(min(float(number[1]) * (1000 if are_seconds else 1), LATEST_MS)) if number else None
