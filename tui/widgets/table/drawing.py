"""Drawing of a record table: strips of its header and rows with cursor bar and mark, kept until they change."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeAlias, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.cache import LRUCache
from textual.strip import Strip
from textual.widget import Widget

from tui.language.folding import fold_accents, fold_with_offsets, split_search_words
from tui.language.scripts import is_spaceless
from tui.text.cells import cut_points, cut_start, direction_mark
from tui.text.display import UNKNOWN
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import LANGUAGE_COLOURS
from tui.widgets.table.columns import LEAD, Cell, Column, ColumnWidths

Span: TypeAlias = tuple[int, int, str]
"""Start and end in code points, and the name of a style."""
T = TypeVar("T")
SearchTexts: TypeAlias = Callable[[T], Sequence[tuple[str, str]]]
"""Further texts by which a record is found besides its columns, each with a name."""
Placed: TypeAlias = tuple[Column[T], int, int]
"""Column with its cells, and those of the gap behind it."""
STYLE_NAMES = ("header", "bar", "mark", "muted", "strong", "match", "failed", "running")
"""Styles without a background, laid over the table's own ("") or the cursor's ("cursor")."""
TABLE_CSS = """
RecordTable {
    width: 1fr; max-width: 140; height: 1fr;
    overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1;
    background: $background; color: $foreground;
    & > .record-table--header { color: $text-muted; }
    & > .record-table--cursor { background: $block-cursor-blurred-background; }
    & > .record-table--bar { color: $text-muted; }
    & > .record-table--mark { color: $accent; text-style: bold; }
    & > .record-table--muted { color: $text-muted; }
    & > .record-table--strong { text-style: bold; }
    & > .record-table--match { color: $foreground; text-style: bold underline; }
    & > .record-table--failed { color: $error; }
    & > .record-table--running { color: $success; }
    &:focus > .record-table--cursor { background: $block-cursor-background; }
    &:focus > .record-table--bar { color: $accent; }
}
"""
_MARK = "✓"
_NOT_YET = "·"
_ROWS = 512
"""Rows whose strips are kept."""
_AROUND_A_MATCH = 4
"""Code points shown in front of a match that is far inside a text, and behind one that others follow."""


class Matches:
    """Matches of the words of ``query``: prefixes, without accents; in scripts without spaces substrings.

    The same rule as the store's search. Words are known by their number here, spans are code points.
    """

    def __init__(self, query: str) -> None:
        self.words = tuple(filter(None, dict.fromkeys(map(fold_accents, split_search_words(query)))))
        self._patterns = [
            re.compile(re.escape(word) if is_spaceless(word) else rf"(?<![^\W_]){re.escape(word)}")
            for word in self.words
        ]

    def __bool__(self) -> bool:
        return bool(self.words)

    def spans(self, text: str) -> list[tuple[int, int, int]]:
        """Start, end and number of each word in the text, the words one after the other."""
        plain, places = fold_with_offsets(text, fold_accents)
        return [
            (places[found.start()], places[found.end() - 1] + 1, number)
            for number, pattern in enumerate(self._patterns)
            for found in pattern.finditer(plain)
        ]

    def found_in(self, text: str) -> set[int]:
        """Numbers of the words that the text has."""
        return {number for _, _, number in self.spans(text)}


@dataclass(frozen=True, slots=True)
class CellText:
    """Text of a cell in one line, with the styles of its parts; ``is_cut_at_end`` wins over what its column says."""

    text: str
    spans: tuple[Span, ...] = ()
    is_cut_at_end: bool = False

    @classmethod
    def of(cls, cell: Cell) -> CellText:
        """Text of a cell, a sign for an empty one. Spans of a text that had to be cleaned are left out.

        A ``Text`` whose ``overflow`` is "ellipsis" is cut at its end.
        """
        plain = cell.plain if isinstance(cell, Text) else cell
        clean = one_line(plain)
        if not clean:
            return cls(UNKNOWN, ((0, len(UNKNOWN), "muted"),))
        if isinstance(cell, str) or clean != plain:
            return cls(clean)
        spans = tuple((span.start, span.end, str(span.style)) for span in cell.spans)
        return cls(clean, spans, cell.overflow == "ellipsis")

    def with_style(self, style: str, places: Sequence[tuple[int, int]]) -> CellText:
        """Copy with one more style at these places."""
        return replace(self, spans=(*self.spans, *((start, end, style) for start, end in places)))

    def shows(self, span: tuple[int, int], width: int, *, inside: bool) -> bool:
        """Whether all of this part is seen in so many cells."""
        parts = cut_points(self.text, width, inside=inside and not self.is_cut_at_end)
        return parts is None or span[1] <= parts[0] or span[0] >= parts[1]

    def segments(
        self,
        width: int,
        base: Style,
        styles: Mapping[str, Style],
        *,
        align: Literal["left", "right"] = "left",
        inside: bool = False,
    ) -> list[Segment]:
        """Segments of exactly ``width`` cells."""
        inside = inside and not self.is_cut_at_end
        parts = cut_points(self.text, width, inside=inside) if width > 0 else (0, len(self.text))
        if parts is None:
            segments = self._style_segments(0, len(self.text), base, styles)
        else:
            ellipsis = [Segment("…", base)] if width > 0 else []
            segments = [
                *self._style_segments(0, parts[0], base, styles),
                *ellipsis,
                *self._style_segments(parts[1], len(self.text), base, styles),
            ]
        text = "".join(segment.text for segment in segments)
        padding = [Segment(" " * (width - cell_len(text)), base)]
        sign = direction_mark(text)
        mark = [Segment(sign, base)] if sign else []
        return [*padding, *segments, *mark] if align == "right" else [*segments, *mark, *padding]

    def _style_segments(self, start: int, end: int, base: Style, styles: Mapping[str, Style]) -> list[Segment]:
        edges = {start, end, *(edge for first, last, _ in self.spans for edge in (first, last) if start < edge < end)}
        places = sorted(edges)
        segments = []
        for first, last in itertools.pairwise(places):
            style = base
            for span_first, span_last, name in self.spans:
                if span_first <= first and last <= span_last:
                    style = style + styles.get(name, Style.null())
            segments.append(Segment(self.text[first:last], style))
        return segments


def table_styles(table: Widget) -> dict[str, Style]:
    """Styles of the component classes of ``table``, and those of the languages."""
    styles = {"": table.rich_style, "cursor": table.get_component_rich_style("record-table--cursor")}
    for name in STYLE_NAMES:
        style = table.get_component_rich_style(f"record-table--{name}")
        styles[name] = style.without_color + Style(color=style.color)
    colours = LANGUAGE_COLOURS[table.app.current_theme.dark]
    return styles | {f"language-{number}": Style(color=colour) for number, colour in enumerate(colours)}


class TableLines(Generic[T]):
    """Lines of ``width`` cells; ``styles`` are styles by the names in ``STYLE_NAMES`` (and of cells), "" and "cursor".

    The words of ``matches`` are set off. Where one of them cannot be seen in a row, the row says where it was found.
    """

    def __init__(
        self,
        columns: Sequence[Placed[T]],
        width: int,
        styles: Mapping[str, Style],
        matches: Matches,
        search_texts: SearchTexts[T] | None,
    ) -> None:
        self._columns = columns
        self._width = width
        self._styles = styles
        self._matches = matches
        self._search_texts = search_texts
        shared = [(size, place) for place, (column, size, _) in enumerate(columns) if column.share]
        widest, self._widest = max(shared, default=(0, 0))
        self._room_for_found = widest * 3 // 5

    def header(self) -> Strip:
        style = self._styles[""] + self._styles["header"]
        segments = [Segment(" " * LEAD, style)]
        for column, width, gap in self._columns:
            segments += CellText(column.title).segments(width, style, self._styles, align=column.align)
            segments.append(Segment(" " * gap, style))
        return Strip(segments).adjust_cell_length(self._width, style)

    def row(self, record: T | None, *, has_cursor: bool, marked: bool) -> Strip:
        """Draw one row; a record that has not been read yet (None) is a quiet dot."""
        styles = self._styles
        style = styles["cursor" if has_cursor else ""]
        segments = [
            Segment("▌", style + styles["bar"]) if has_cursor else Segment(" ", style),
            Segment(_MARK, style + styles["mark"]) if marked else Segment(" ", style),
            Segment(" ", style),
        ]
        if record is None:
            segments.append(Segment(_NOT_YET, style + styles["muted"]))
        else:
            segments += self._cells(record, style)
        return Strip(segments).simplify().adjust_cell_length(self._width, style)

    def blank(self) -> Strip:
        return Strip.blank(self._width, self._styles[""])

    def _cells(self, record: T, style: Style) -> list[Segment]:
        cells = [CellText.of(column.value(record)) for column, _, _ in self._columns]
        found: CellText | None = None
        if self._matches:
            cells, unseen = self._highlighted(record, cells)
            found = self._where_found(record, unseen, self._room_for_found) if unseen else None
        segments: list[Segment] = []
        for place, (cell, (column, width, gap)) in enumerate(zip(cells, self._columns, strict=True)):
            column_style = style + self._styles[column.style] if column.style else style
            inside = column.cut == "inside"
            if found is not None and place == self._widest:
                said = min(cell_len(found.text), self._room_for_found)
                text = max(0, min(cell_len(cell.text), width - said - gap))
                segments += cell.segments(text, column_style, self._styles, inside=inside)
                segments.append(Segment(" " * min(gap, width - text), style))
                rest = max(0, width - text - gap)
                segments += found.segments(rest, style + self._styles["muted"], self._styles)
            else:
                segments += cell.segments(width, column_style, self._styles, align=column.align, inside=inside)
            segments.append(Segment(" " * gap, style))
        return segments

    def _highlighted(self, record: T, cells: list[CellText]) -> tuple[list[CellText], set[int]]:
        """Highlight the words in the cells; return these, and the words that are not seen in any."""
        unseen = set(range(len(self._matches.words)))
        highlighted = []
        for whole, (column, width, _) in zip(cells, self._columns, strict=True):
            cell = self._from_match(whole, width) if column.is_of_search else whole
            spans = self._matches.spans(cell.text)
            places = [(start, end) for start, end, _ in spans]
            if column.keywords is not None and (called := self._matches.found_in(column.keywords(record))):
                places, unseen = [(0, len(cell.text))], unseen - called
            inside = column.cut == "inside"
            unseen -= {word for start, end, word in spans if cell.shows((start, end), width, inside=inside)}
            highlighted.append(cell.with_style("match", places))
        return highlighted, unseen

    def _from_match(self, cell: CellText, width: int) -> CellText:
        """The cell, from a little before its first match on where the match would be cut off."""
        match = min(self._matches.spans(cell.text), default=None)
        if match is None or cell.shows(match[:2], width, inside=False):
            return cell
        rest = "…" + cell.text[max(0, match[0] - _AROUND_A_MATCH) :]
        return CellText(rest if cell_len(rest) > width else cut_start(cell.text, width))

    def _where_found(self, record: T, unseen: set[int], room: int) -> CellText | None:
        """Excerpts of the texts with the words that cannot be seen, if possible within ``room``."""
        texts = [(column.title.lower(), column.text(record)) for column, _, _ in self._columns if column.title]
        texts += [(name, one_line(text)) for name, text in (self._search_texts(record) if self._search_texts else ())]
        said = CellText("")
        for name, text in texts:
            spans = [span for span in self._matches.spans(text) if span[2] in unseen]
            if not spans:
                continue
            unseen = unseen - {word for _, _, word in spans}
            first, last = 0, len(text)
            if len(said.text) + len(name) + spans[0][1] + 2 > room:
                first = max(0, spans[0][0] - _AROUND_A_MATCH)
            if unseen:
                last = max(end for _, end, _ in spans) + _AROUND_A_MATCH
            before = f"{' · ' if said.text else ''}{name}: {'…' if first else ''}"
            at = len(said.text) + len(before) - first
            places = [(start + at, end + at) for start, end, _ in spans]
            rest = "…" if last < len(text) else ""
            said = CellText(said.text + before + text[first:last] + rest, said.spans).with_style("match", places)
        return said if said.text else None


class TableDrawing(Generic[T]):
    """Cache of the drawn rows by number, and of the ``lines`` that draw them; both are kept until ``clear``."""

    def __init__(self, columns: Sequence[Column[T]], search_texts: SearchTexts[T] | None) -> None:
        self.widths = ColumnWidths(columns)
        self._ageing = tuple(column for column in columns if column.ages)
        self._search_texts = search_texts
        self._lines: TableLines[T] | None = None
        self._strips: LRUCache[tuple[int, bool], Strip] = LRUCache(_ROWS)
        self._ages: LRUCache[int, tuple[str, ...]] = LRUCache(_ROWS)
        """Ages as they stand in the drawn rows; on the screen they do so until these are drawn again."""

    def lines(self, width: int, styles: Callable[[], Mapping[str, Style]], q: str) -> TableLines[T]:
        """Drawing of single lines, made when it is needed."""
        if self._lines is None:
            self._lines = TableLines(self.widths.fitted(width), width, styles(), Matches(q), self._search_texts)
        return self._lines

    def cached(self, row: int, *, has_cursor: bool) -> Strip | None:
        """Row as it was drawn last, None where it styles otherwise now."""
        return self._strips.get((row, has_cursor))

    def draw(self, lines: TableLines[T], row: int, record: T | None, *, has_cursor: bool, marked: bool) -> Strip:
        """Draw the row, and keep it."""
        strip = self._strips[row, has_cursor] = lines.row(record, has_cursor=has_cursor, marked=marked)
        if record is not None:
            self._ages[row] = self._ages_in(record)
        return strip

    def aged(self, rows: Iterable[tuple[int, T | None]]) -> Iterator[int]:
        """Rows whose age reads otherwise than when they were drawn."""
        for row, record in rows:
            if record is not None and self._ages.get(row) != self._ages_in(record):
                yield row

    def _ages_in(self, record: T) -> tuple[str, ...]:
        return tuple(column.text(record) for column in self._ageing)

    def clear(self) -> None:
        """Drop all strips: everything styles otherwise now."""
        self._lines = None
        self._strips.clear()

    def drop_rows(self) -> None:
        """Drop all rows, and keep the columns."""
        self._strips.clear()

    def drop_row(self, row: int) -> None:
        self._strips.discard((row, True))
        self._strips.discard((row, False))
