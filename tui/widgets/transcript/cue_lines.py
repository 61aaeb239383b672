"""The lines of a transcript as the reader draws them: which of its marks stand where."""

from __future__ import annotations

from typing import Literal, TypeAlias

from textual.strip import Strip

from tui.text.display import clock
from tui.widgets.transcript.cue_focus import CueFocus, selected_spans
from tui.widgets.transcript.cue_layout import CueLayout
from tui.widgets.transcript.cue_strip import CueStyles, RowMark, cue_strip, text_column
from tui.widgets.transcript.search_hits import CueHits
from tui.widgets.transcript.viewport import CueView, Row

WordPlace: TypeAlias = int | Literal["first", "last", "hit"]
"""A word of a cue by its number (the nearest that there is), or by what it is."""


class CueLines:
    """Draws what ``view`` has in sight; ``duration_ms`` None: there are no times.

    ``hits`` are underlined, ``kept`` are the cues that have clips: a quiet sign stands before them.
    """

    def __init__(self, view: CueView, duration_ms: int | None = None) -> None:
        self._view = view
        self._time_cells = len(clock(duration_ms))
        self.hits = CueHits()
        self.kept: frozenset[int] = frozenset()

    @property
    def text_column(self) -> int:
        """Where the text begins, in cells."""
        return text_column(self._time_cells)

    def word_index(self, layout: CueLayout, place: WordPlace) -> int | None:
        """The word that is meant, None in a cue without words."""
        if not layout.words:
            return None
        if place == "hit":
            start = next((start for start, _ in self.hits.spans(layout.text)), 0)
            return next((index for index, word in enumerate(layout.words) if word.end > start), 0)
        last = len(layout.words) - 1
        if place == "first":
            return 0
        return last if place == "last" else max(0, min(place, last))

    def changed(self, old: CueFocus, new: CueFocus) -> list[int]:
        """The numbers of the lines that look different when the focus goes from one to the other."""
        rows = self._view.rows()
        return [number for number, row in enumerate(rows) if self._mark(row, old) != self._mark(row, new)]

    def strip(self, number: int, focus: CueFocus, styles: CueStyles, width: int) -> Strip:
        """One line in exactly ``width`` cells; blank where there is no cue, or it is not at hand."""
        rows = self._view.rows()
        row = rows[number] if number < len(rows) else None
        layout = self._view.layout(row.cue) if row is not None else None
        record = self._view.record(row.cue) if row is not None else None
        if row is None or layout is None or record is None:
            return Strip.blank(width, styles.plain)
        time = clock(record.start_ms) if row.line == 0 else ""
        hits = self.hits.spans(layout.text)
        return cue_strip(layout, row.line, time, self._time_cells, self._mark(row, focus), hits, styles, width)

    def _mark(self, row: Row, focus: CueFocus) -> RowMark:
        is_kept = row.line == 0 and row.cue in self.kept
        if focus.takes_in(row.cue):
            return RowMark("▏", is_kept=is_kept)
        layout = self._view.layout(row.cue)
        if row.cue != focus.cue or layout is None:
            return RowMark(is_kept=is_kept)
        line = layout.lines[row.line]
        anchor = () if focus.anchor is None else (focus.anchor,)
        spans, anchored = (
            tuple(
                (max(start, line.start), min(end, line.end))
                for start, end in selected_spans(words, layout.words)
                if start < line.end and end > line.start
            )
            for words in (focus.selected, anchor)
        )
        return RowMark("▌", True, spans, is_kept, anchored)
