"""Reader of YouTube's captions as JSON (.json3, "fmt=json3"): events with segments, one for a word where recognised.

There is no specification; read is what yt-dlp downloads. ``aAppend`` adds to what a window shows, most often a line
end; ``rbRuby`` of a pen tells the parts of ruby, as ``rb`` does in the XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import LATEST_MS, LONGEST_CUE, CueTooLong, timed
from tui.importing.readers.tables.json_objects import objects
from tui.importing.readers.youtube.caption_lines import Event, caption_lines
from tui.importing.readers.youtube.pens import PenText, text_of
from tui.records.transcripts import Cue

_MARK = re.compile(r"\s{0,1000}\{[^\[\]]{0,1000}\"(?:wireMagic\"\s{0,100}:\s{0,100}\"pb3|events\"\s{0,100}:)")
_START = re.compile(r"\"tStartMs\"\s{0,100}:")
_HEAD_CHARACTERS = 50_000


def is_json3(text: str) -> bool:
    """Whether this is a document of YouTube's player with timed events."""
    head = text[:_HEAD_CHARACTERS]
    return _MARK.match(head) is not None and _START.search(head) is not None


def read_json3(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return timed(caption_lines(_events(lines)))


def _events(lines: Iterable[str]) -> Iterator[Event]:
    pens: list[int] = []
    for name, given in objects(lines):
        if name == "pens" and len(pens) < 1000:
            pens.append(_integer(given.get("rbRuby")) or 0)
        elif name == "events" and (start := _integer(given.get("tStartMs"))) is not None:
            text = text_of(_segments(given.get("segs"), pens))
            if len(text) > LONGEST_CUE:
                raise CueTooLong
            if text:
                yield Event(
                    start,
                    _integer(given.get("dDurationMs")),
                    text,
                    str(_integer(given.get("wWinId")) or ""),
                    given.get("aAppend") == 1,
                )


def _segments(given: object, pens: list[int]) -> Iterator[PenText]:
    for segment in given if isinstance(given, list) else ():
        if isinstance(segment, dict) and isinstance(text := segment.get("utf8"), str):
            pen = _integer(segment.get("pPenId")) or 0
            yield pens[pen] if pen < len(pens) else 0, text


def _integer(value: object) -> int | None:
    """A number that is no less than 0, cut where no time can be."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return min(max(value, 0), LATEST_MS)
