"""Reader of TTML (.ttml), DFXP (.dfxp) by its older name: the ``p`` elements of an XML document and their times.

Source: Timed Text Markup Language 2 (www.w3.org/TR/ttml2, sections 8 and 12). Names count without their namespace,
which differs between versions. Times add up from ``body`` and ``div``; those of spans, and ``timeContainer="seq"``, are
not read. What is kept of broken and of hostile XML: ``trees.py``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tui.importing.readers import cue_text
from tui.importing.readers.trees import Elements, read_xml, root_follows
from tui.records.transcripts import Cue

_ROOT = re.compile(r"<(?:[\w-]{1,40}:)?tt[\s>/]")
_LANGUAGE = re.compile(
    r"<(?:[\w-]{1,40}:)?(?:tt|body|div)\s(?:[^<>]{0,5000}?\s)?xml:lang\s{0,10}=\s{0,10}[\"']([A-Za-z0-9-]{2,35})[\"']"
)
_HEAD_CHARACTERS = 20_000
_CLOCK = re.compile(r"(?:([0-9]{1,9}):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]{1,9})|:([0-9]{1,3})(?:\.[0-9]{1,9})?)?")
_OFFSET = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)(ms|[hmsft])")
_UNITS_MS = {"h": 3_600_000.0, "m": 60_000.0, "s": 1000.0, "ms": 1.0}
_RUBY_MARKS = {"base": (cue_text.ANCHOR, ""), "text": (cue_text.SEPARATOR, cue_text.TERMINATOR)}
_UNSHOWN = frozenset(("head", "metadata", "title", "desc", "copyright", "agent", "name", "actor"))


def is_ttml(text: str) -> bool:
    """Whether the root element of this XML is TTML's."""
    return root_follows(text[:_HEAD_CHARACTERS], _ROOT)


def find_root_language(text: str) -> str | None:
    """The first ``xml:lang`` of the root, the body or a div."""
    found = _LANGUAGE.search(text[:_HEAD_CHARACTERS])
    return found[1] if found else None


def read_ttml(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return cue_text.make_timed_cues(read_xml(lines, _Document()))


@dataclass(frozen=True, slots=True)
class _Element:
    """An open element: its times, and how the text in it is read; ``begin_ms`` is None where none has been told yet."""

    begin_ms: int | None = None
    end_ms: int | None = None
    keeps_space: bool = False
    is_shown: bool = True
    closes_with: str = ""


class _Document(Elements[tuple[int, int, str, str | None]]):
    """The open elements of a document, and start, end and text of the cues in it."""

    def __init__(self) -> None:
        super().__init__()
        self._open = [_Element()]
        self._paragraph_at: int | None = None
        self._text: list[str] = []
        self._length = 0
        self._frame_rate = 30.0
        self._tick_rate = 1.0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) == 1:
            self._read_rates(attributes)
        above = self._open[-1]
        begin, end = above.begin_ms, above.end_ms
        if self._paragraph_at is None:
            begin, end = self._times(above, attributes)
        ruby = attributes.get("ruby", "")
        is_shown = above.is_shown and name not in _UNSHOWN and ruby != "delimiter"
        space = attributes.get("space")
        keeps_space = space == "preserve" if space else above.keeps_space
        opens_with, closes_with = _RUBY_MARKS.get(ruby, ("", "")) if is_shown else ("", "")
        self._open.append(_Element(begin, end, keeps_space, is_shown, closes_with))
        if name == "p" and is_shown and self._paragraph_at is None:
            self._paragraph_at = len(self._open)
        elif opens_with:
            self._add(opens_with)
        elif name == "br" and is_shown:
            self._add("\n")

    def end(self, name: str) -> None:
        element = self._open.pop()
        self._add(element.closes_with)
        if self._paragraph_at is None or self._paragraph_at <= len(self._open):
            return
        text = cue_text.tidy(re.sub(" {2,}", " ", "".join(self._text)))
        self._paragraph_at, self._text, self._length = None, [], 0
        if element.begin_ms is not None:
            end = element.begin_ms + cue_text.LAST_CUE_MS if element.end_ms is None else element.end_ms
            self.found.append((element.begin_ms, end, text, None))

    def characters(self, text: str) -> None:
        element = self._open[-1]
        if element.is_shown:
            self._add(text if element.keeps_space else re.sub(r"[ \t\r\n]+", " ", text))

    def _add(self, text: str) -> None:
        if self._paragraph_at is None or not text:
            return
        self._length += len(text)
        if self._length > cue_text.MAX_CUE_LENGTH:
            raise cue_text.CueTooLong
        self._text.append(text)

    def _read_rates(self, attributes: dict[str, str]) -> None:
        rate = _positive(attributes.get("frameRate", ""))
        above, _, below = attributes.get("frameRateMultiplier", "").replace(":", " ").strip().partition(" ")
        multiplier = (_positive(above) or 1.0) / (_positive(below) or 1.0)
        self._frame_rate = (rate or 30.0) * multiplier
        sub_frames = _positive(attributes.get("subFrameRate", "")) or 1.0
        self._tick_rate = _positive(attributes.get("tickRate", "")) or (rate * sub_frames if rate else 1.0)

    def _times(self, above: _Element, attributes: dict[str, str]) -> tuple[int | None, int | None]:
        """Begin and end of an element after those above it, on which its own times count."""
        base = above.begin_ms or 0
        begin, end, duration = (self._time(attributes.get(name, "")) for name in ("begin", "end", "dur"))
        start = above.begin_ms if begin is None else min(base + begin, cue_text.LATEST_MS)
        if start is None and (end is not None or duration is not None):
            start = 0
        ends = (
            above.end_ms,
            None if end is None else base + end,
            None if duration is None else (start or 0) + duration,
        )
        return start, min((min(each, cue_text.LATEST_MS) for each in ends if each is not None), default=None)

    def _time(self, written: str) -> int | None:
        """The time of an expression in milliseconds, None for none that can be read."""
        written = written.strip()
        if clock := _CLOCK.fullmatch(written):
            frames = round(int(clock[5] or 0) * 1000 / self._frame_rate)
            return min(cue_text.count_milliseconds(clock[1], clock[2], clock[3], clock[4]) + frames, cue_text.LATEST_MS)
        if offset := _OFFSET.fullmatch(written):
            ms = {**_UNITS_MS, "f": 1000 / self._frame_rate, "t": 1000 / self._tick_rate}[offset[2]]
            return round(min(float(offset[1]) * ms, cue_text.LATEST_MS))
        return None


def _positive(written: str) -> float | None:
    return float(written) if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", written) and float(written) > 0 else None
