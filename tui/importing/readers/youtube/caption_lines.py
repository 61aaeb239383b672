"""Lines of YouTube's captions out of the events that draw them: words and line ends that are appended to a window.

What is recognised rolls up: a line stays while the next one is spoken. It is told up to where that begins, which is as
long as it is spoken. Captions outside a window are as somebody wrote them, and keep their times and overlaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tui.importing.readers.cue_text import LAST_CUE_MS, LONGEST_CUE, CueTooLong, tidy

_LONGEST_LINE = 1000
"""Characters of a line beyond which what is appended begins a new one: nobody ended it."""
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060"))
"""Characters with which makers of captions pad boxes."""

Line = tuple[int, int, str, str | None]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a track. ``window`` is "" where the captions are in none; ``appends`` to what that shows already."""

    start_ms: int
    duration_ms: int | None
    text: str
    window: str = ""
    appends: bool = False


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
        if self.length > LONGEST_CUE:
            raise CueTooLong

    def told(self, most_ms: int | None = None) -> Line:
        end = self.end_ms if most_ms is None else min(self.end_ms, max(most_ms, self.start_ms))
        return self.start_ms, end, tidy("".join(self.texts).translate(_INVISIBLE)), None


def caption_lines(events: Iterable[Event]) -> Iterator[Line]:
    """Start, end and text of each line, about in the order of the file; raises ``CueTooLong``."""
    shown: dict[str, _OpenLine] = {}
    for event in events:
        end = event.start_ms + (LAST_CUE_MS if event.duration_ms is None else event.duration_ms)
        above = shown.get(event.window)
        if event.appends and not event.text.strip():
            if above is not None:
                above.is_ended = above.is_ended or "\n" in event.text
                above.append(event.text)
            continue
        if event.appends and above is not None and not above.is_ended and above.length < _LONGEST_LINE:
            above.append(event.text)
            above.end_ms = max(above.end_ms, end)
            continue
        if above is not None:
            yield above.told(event.start_ms if event.window else None)
        line = shown[event.window] = _OpenLine(event.start_ms, end)
        line.append(event.text)
    for line in shown.values():
        yield line.told()
