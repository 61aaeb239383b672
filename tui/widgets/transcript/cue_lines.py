"""Lines of a transcript as strips: signs at the left, time, speaker, and the text with the marks that stand in it."""

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.strip import Strip

from tui.text.cells import direction_mark, fit
from tui.text.display import clock
from tui.text.readings import bracketed
from tui.text.search_query import Matches, parse_query
from tui.widgets.transcript.cue_focus import CueFocus, selected_spans, sentence_span
from tui.widgets.transcript.cue_layout import CueLayout, CueLine, CueView, Row
from tui.widgets.transcript.pages import Tints

_GUTTER = 3
_BEHIND_TIME = 2
_DOUBTFUL = "?"
"""Sign of a cue that a model may have made up."""
_KEPT = {(True, False): "•", (False, True): "◆", (True, True): "◈"}
"""Sign of a cue that has a clip, a bookmark, or both."""
_NOTED = ";"
"""Sign of a cue that something was noted at: the key that notes."""
_MARKED = "+"
"""Sign of a cue in which something is marked for the batch, instead of that."""
WHOLE_CUE = (0, sys.maxsize)
"""Span of a mark on a whole sentence."""

STYLE_NAMES = ("bar", "context", "kept", "time", "speaker", "here", "word", "anchor", "reading", "translation")
"""Names of what is drawn each in its own style."""
OVERLAYS = ("hit", "new", "learning", "marked")
"""Names of what is laid over the style of the text: hits of a search, the states of words, marks for the batch."""

Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Code point offsets in the cue's text."""
Styles: TypeAlias = Mapping[str, Style]
"""Styles by the names of the reader's component classes, and "plain" for the rest."""


@dataclass(frozen=True, slots=True)
class AtOffset:
    """Word of a cue that stands at a code point of its text, or the next one behind it."""

    offset: int


PlaceInCue: TypeAlias = int | AtOffset | Literal["first", "last", "hit"]
"""Word of a cue by its number (the nearest that there is), or by its place."""


@dataclass(frozen=True, slots=True)
class RowMark:
    """Marks of a row: a bar at the left, whether its cue has the focus, the focused spans in it, the sign of what is
    kept of it, a note.

    ``here`` is what of it belongs to the focused cue or sentence, ``anchor`` the word from which the focus is extended.
    """

    bar: str = " "
    is_here: bool = False
    spans: Spans = ()
    kept: str = " "
    anchor: Spans = ()
    here: tuple[int, int] = (0, 0)
    has_note: bool = False


@dataclass(frozen=True, slots=True)
class CueSigns:
    """Cues before which a quiet sign stands: they have clips, bookmarks, notes or marks."""

    clips: frozenset[int] = frozenset()
    bookmarks: frozenset[int] = frozenset()
    notes: frozenset[int] = frozenset()
    marked: Mapping[int, Spans] = field(default_factory=dict)
    """What is marked for the batch, by cues."""


class CueHits:
    """Search hits: ``cues`` are the indexes of the cues that match ``query``, in order.

    As in every search of Lode, words are matched as prefixes and without their accents, in scripts without spaces as
    substrings. ``forms`` are words that each of the query's stands for, too.
    """

    def __init__(self, cues: Sequence[int] = (), query: str = "", forms: Collection[str] = ()) -> None:
        self.cues = tuple(cues)
        terms = parse_query(query) if self.cues else ()
        self._matches = Matches(terms, dict.fromkeys(terms, forms))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Spans of the matches in a text, in code points and in order; those of two words may overlap."""
        return sorted((start, end) for start, end, _ in self._matches.spans(text))

    def number(self, cue: int) -> int:
        """Number of the hit that a cue is, from 1; 0 when it is none."""
        place = bisect_left(self.cues, cue)
        return place + 1 if place < len(self.cues) and self.cues[place] == cue else 0

    def following(self, cue: int, *, inclusive: bool = False) -> int | None:
        """First hit behind a cue (``inclusive``: or the cue itself), from the end on to the first again."""
        if not self.cues:
            return None
        place = bisect_left(self.cues, cue) if inclusive else bisect_right(self.cues, cue)
        return self.cues[place % len(self.cues)]

    def preceding(self, cue: int) -> int | None:
        """Last hit before a cue, from the first on to the last again."""
        return self.cues[bisect_left(self.cues, cue) - 1] if self.cues else None


class CueLines:
    """Strips of what ``view`` has in sight; ``duration_ms`` None: there are no times.

    ``tints`` gives the tints of a cue's words. ``hits`` are underlined. ``is_alone``: nothing but the focused cue or
    sentence and its context is drawn.
    """

    def __init__(
        self, view: CueView, duration_ms: int | None = None, tints: Callable[[int], Tints] = lambda cue: {}
    ) -> None:
        self._view = view
        self._tints = tints
        self.show_times(duration_ms)
        self.hits = CueHits()
        self.signs = CueSigns()
        self.is_alone = False

    def show_times(self, duration_ms: int | None) -> None:
        """Leave room for times up to that of the end; None for none."""
        self._time_cells = len(clock(duration_ms))

    @property
    def text_column(self) -> int:
        """Cells at the left of the text."""
        return _GUTTER + (self._time_cells + _BEHIND_TIME if self._time_cells else 0)

    def word_index(self, layout: CueLayout, place: PlaceInCue) -> int | None:
        """Index of the word that is meant, None in a cue without words."""
        if not layout.words:
            return None
        if place == "hit":
            place = AtOffset(next((start for start, _ in self.hits.spans(layout.text)), 0))
        if isinstance(place, AtOffset):
            return next((index for index, word in enumerate(layout.words) if word.end > place.offset), 0)
        last = len(layout.words) - 1
        if place == "first":
            return 0
        return last if place == "last" else max(0, min(place, last))

    def places(self, cue: int | None = None) -> Iterator[tuple[Offset, int, int, int]]:
        """Places of the words in sight, or of those of one cue: each with its cue, its number there, its code point."""
        for number, row in enumerate(self._view.rows()):
            if cue not in (None, row.cue) or (layout := self._view.layout(row.cue)) is None:
                continue
            for index, word in enumerate(layout.words):
                if (cells := layout.cells_before(row.line, index)) is not None:
                    yield Offset(self.text_column + cells, number), row.cue, index, word.start

    def changed(self, old: CueFocus, new: CueFocus) -> list[int]:
        """Numbers of the lines that look different when the focus goes from one to the other."""
        return [number for number, row in enumerate(self._view.rows()) if self._mark(row, old) != self._mark(row, new)]

    def strip(self, number: int, focus: CueFocus, styles: Styles, width: int) -> Strip:
        """Draw one line in exactly ``width`` cells; blank where there is no cue, or it is not at hand.

        Marks change colours only, so that nothing is shifted.
        """
        rows, plain = self._view.rows(), styles["plain"]
        if number >= len(rows):
            return Strip.blank(width, plain)
        row = rows[number]
        layout, record = self._view.layout(row.cue), self._view.record(row.cue)
        if layout is None or record is None or row.line >= layout.height:
            return Strip.blank(width, plain)
        mark = self._mark(row, focus)
        if self.is_alone and mark.bar == " ":
            return Strip.blank(width, plain)
        bar = Segment(mark.bar, styles["bar" if mark.is_here else "context"])
        marked = self.signs.marked.get(row.cue, ())
        is_marked = bool(marked) and row.line == 0
        kept, noted = (
            Segment(sign, plain if sign == " " else styles["kept"])
            for sign in (mark.kept, _MARKED if is_marked else _NOTED if mark.has_note else " ")
        )
        segments = [kept, bar, noted]
        if self._time_cells:
            time = clock(record.start_ms) if row.line == 0 else ""
            segments.append(Segment(fit(time, self._time_cells, "right"), styles["time"]))
            is_doubtful = row.line == 0 and record.doubt is not None
            segments.append(Segment(_DOUBTFUL if is_doubtful else " ", styles["kept"] if is_doubtful else plain))
            segments.append(Segment(" " * (_BEHIND_TIME - 1), plain))
        if row.line < len(layout.lines):
            if layout.lines[row.line].indent:
                segments.append(Segment(layout.speaker, styles["speaker"]))
            segments += self._text(layout, layout.lines[row.line], mark, styles, self._tints(row.cue), marked)
            shown = layout.text
        else:
            shown = layout.below[row.line - len(layout.lines)]
            segments.append(Segment(shown, styles["translation"]))
        if sign := direction_mark(shown):
            segments.append(Segment(sign, plain))
        return Strip(segments).adjust_cell_length(width, plain)

    def _text(
        self, layout: CueLayout, line: CueLine, mark: RowMark, styles: Styles, tints: Tints, marked: Spans
    ) -> Iterator[Segment]:
        hits = self.hits.spans(layout.text)
        readings = {reading.offset: bracketed(reading) for reading in layout.readings_in(line)}
        spans = (
            *mark.spans,
            *mark.anchor,
            mark.here,
            *hits,
            *marked,
            *((start, end) for start, (end, _) in tints.items()),
        )
        edges = {edge for span in spans for edge in span if line.start < edge < line.end}
        tinted, tint = 0, ""
        for start, end in pairwise(sorted(edges | readings.keys() | {line.start, line.end})):
            if start in tints:
                tinted, tint = tints[start]
            style = styles["here" if mark.here[0] <= start < mark.here[1] else "plain"]
            if start < tinted:
                style = style + styles[tint]
            if any(low <= start < high for low, high in mark.spans):
                style = styles["word"]
            if any(low <= start < high for low, high in mark.anchor):
                style = styles["anchor"]
            if any(low <= start < high for low, high in marked):
                style = style + styles["marked"]
            if any(low <= start < high for low, high in hits):
                style = style + styles["hit"]
            is_hidden = self.is_alone and mark.is_here and not mark.here[0] <= start < mark.here[1]
            text = layout.text[start:end]
            yield Segment(" " * cell_len(text) if is_hidden else text, style)
            if end in readings:
                yield Segment(" " * cell_len(readings[end]) if is_hidden else readings[end], styles["reading"])

    def _mark(self, row: Row, focus: CueFocus) -> RowMark:
        kept = " "
        if row.line == 0:
            kept = _KEPT.get((row.cue in self.signs.clips, row.cue in self.signs.bookmarks), " ")
        has_note = row.line == 0 and row.cue in self.signs.notes
        layout = self._view.layout(row.cue)
        if layout is not None and row.line >= layout.height:
            return RowMark()
        if focus.is_context(row.cue):
            return RowMark("▏", kept=kept, has_note=has_note)
        if not focus.first_cue <= row.cue <= focus.last_cue or layout is None:
            return RowMark(kept=kept, has_note=has_note)
        bar = "▌" if row.cue == focus.cue else "▎"
        if row.line >= len(layout.lines):
            return RowMark(bar, True)
        line = layout.lines[row.line]
        anchor = () if focus.anchor is None or focus.anchor[0] != row.cue else (focus.anchor[1],)
        spans, anchored = (
            tuple(
                (max(start, line.start), min(end, line.end))
                for start, end in selected_spans(words, layout.words)
                if start < line.end and end > line.start
            )
            for words in (focus.selected(row.cue, len(layout.words)), anchor)
        )
        return RowMark(bar, True, spans, kept, anchored, sentence_span(focus, layout, row.cue), has_note)
