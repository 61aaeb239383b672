"""Viewport of a transcript: the lines in sight; rows are laid out from the top one on, and no others."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from tui.language.word import Word
from tui.records.transcripts import Cue
from tui.widgets.transcript.cue_layout import CueLayout, lay_out, with_translation

MARGIN = 2
"""Cues that stay in sight above and below the focused one, where there is room."""
_MOST_LAYOUTS = 1000
_FURTHEST_AHEAD = 100


@dataclass(frozen=True, slots=True)
class Row:
    """Row of the screen: ``line`` of the cue with this index."""

    cue: int
    line: int


class CueView:
    """Viewport; ``record`` gives a cue that is at hand, one that is not yet there takes up one line.

    ``words`` gives the words of a cue where a segmenter cut them.
    """

    def __init__(
        self, record: Callable[[int], Cue | None], words: Callable[[int], tuple[Word, ...] | None] = lambda cue: None
    ) -> None:
        self.record = record
        self._words = words
        self._shows_readings = False
        self._layouts: OrderedDict[int, CueLayout] = OrderedDict()
        self._rows: list[Row] | None = None
        self.language: str | None = None
        self.translation_of: Callable[[Cue], str] | None = None
        self.total = 0
        self.width = 1
        self.height = 1
        self.top = 0
        self.skipped = 0  # lines of the top cue that are scrolled out

    def resize(self, width: int, height: int) -> None:
        if width != self.width:
            self._layouts.clear()
            self.skipped = 0
        self.width, self.height = max(1, width), max(1, height)
        self._rows = None

    @property
    def shows_readings(self) -> bool:
        return self._shows_readings

    @shows_readings.setter
    def shows_readings(self, shown: bool) -> None:
        if shown != self._shows_readings:
            self._shows_readings = shown
            self._layouts.clear()
            self._rows, self.skipped = None, 0

    def show_translations(self, translation_of: Callable[[Cue], str] | None) -> None:
        """Show what this says of each cue below its text, or nothing there."""
        self.translation_of = translation_of
        self._layouts.clear()
        self._rows = None
        self.skipped = 0

    def invalidate(self) -> None:
        """Lay out anew: cues have arrived that were not at hand before."""
        self._rows = None

    def layout(self, cue: int) -> CueLayout | None:
        """Layout of a cue, None while it is not at hand."""
        if (known := self._layouts.get(cue)) is not None:
            self._layouts.move_to_end(cue)
            return known
        if (record := self.record(cue)) is None:
            return None
        made = lay_out(record, self.language, self.width, self._words(cue), with_readings=self._shows_readings)
        if self.translation_of is not None:
            made = with_translation(made, self.translation_of(record), self.width)
        self._layouts[cue] = made
        if len(self._layouts) > _MOST_LAYOUTS:
            self._layouts.popitem(last=False)
        return made

    def rows(self) -> list[Row]:
        """Rows in sight, top to bottom; fewer than ``height`` at the end of a short transcript."""
        if self._rows is None:
            self._rows = []
            cue, line = self.top, self.skipped
            while len(self._rows) < self.height and cue < self.total:
                self._rows.extend(Row(cue, number) for number in range(line, self._lines(cue)))
                cue, line = cue + 1, 0
            del self._rows[self.height :]
        return self._rows

    def around(self, cue: int | None = None) -> tuple[int, int]:
        """First and last cue of what is in sight, or this cue, with as much again on either side."""
        first = last = cue or 0
        if cue is None and (rows := self.rows()):
            first, last = rows[0].cue, rows[-1].cue
        ahead = min(self.height, _FURTHEST_AHEAD)
        return first - ahead, last + ahead

    def scroll(self, lines: int) -> bool:
        """Move the text up by ``lines`` (down if negative), to its ends at most; return whether anything moved."""
        before = self.top, self.skipped
        self._move(lines)
        self._pull_back()
        self._rows = None
        return (self.top, self.skipped) != before

    def scroll_to_cue(self, cue: int, line: int) -> bool:
        """Bring this line of this cue into sight, the cue whole and ``MARGIN`` cues around it where there is room.

        Scrolls by as little as does; whether anything moved.
        """
        before = self.top, self.skipped
        if abs(cue - self.top) > 2 * self.height:
            self.top, self.skipped = cue, 0
            self._move(-(self.height // 3))
        size = self._lines(cue)
        if size > self.height:
            wanted_top, wanted_bottom = max(0, line - 1), min(size, line + 2)
        else:
            wanted_top, wanted_bottom = 0, size
        room = max(0, self.height - (wanted_bottom - wanted_top)) // 2
        if size <= self.height:
            near = range(1, MARGIN + 1)
            wanted_top -= min(room, sum(self._lines(cue - step) for step in near if cue >= step))
            wanted_bottom += min(room, sum(self._lines(cue + step) for step in near if cue + step < self.total))
        place = self._place(cue)
        if place + wanted_top < 0:
            self._move(place + wanted_top)
        elif place + wanted_bottom > self.height:
            self._move(place + wanted_bottom - self.height)
        self._pull_back()
        self._rows = None
        return (self.top, self.skipped) != before

    def _lines(self, cue: int) -> int:
        layout = self.layout(cue)
        return layout.height if layout is not None else 1

    def _place(self, cue: int) -> int:
        """Row of a cue's first line, as if there were rows above and below."""
        if cue >= self.top:
            return sum(self._lines(index) for index in range(self.top, cue)) - self.skipped
        return -sum(self._lines(index) for index in range(cue, self.top)) - self.skipped

    def _move(self, lines: int) -> None:
        self.skipped += lines
        while self.skipped < 0 and self.top > 0:
            self.top -= 1
            self.skipped += self._lines(self.top)
        while self.top < self.total - 1 and self.skipped >= (size := self._lines(self.top)):
            self.skipped -= size
            self.top += 1
        self.skipped = max(0, min(self.skipped, self._lines(self.top) - 1 if self.total else 0))

    def _pull_back(self) -> None:
        """Leave no empty rows below the last cue while there are lines above."""
        self.top = max(0, min(self.top, self.total - 1))
        if self.total - self.top > self.height:
            return
        below = sum(self._lines(index) for index in range(self.top, self.total)) - self.skipped
        if below < self.height:
            self._move(below - self.height)
