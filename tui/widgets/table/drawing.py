"""Drawing of a record table: strips of its header and rows with cursor bar and mark."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, Self, TypeAlias, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.cache import LRUCache
from textual.strip import Strip
from textual.widget import Widget

from tui.records.sorting import RowGroup
from tui.text.cells import cut_points, cut_start, direction_mark
from tui.text.display import UNKNOWN, number
from tui.text.sanitize import one_line
from tui.text.search_query import Matches
from tui.widgets.chrome.themes import LANGUAGE_COLOURS
from tui.widgets.table.columns import LEAD, Cell, Column

Span: TypeAlias = tuple[int, int, str]
"""Start and end in code points, and the name of a style."""
T = TypeVar("T")
SearchTexts: TypeAlias = Callable[[T], Sequence[tuple[str, str]]]
"""Further texts by which a record is found besides its columns, each with a name."""
Placed: TypeAlias = tuple[Column[T], int, int]
"""Column with its cells, and those of the gap behind it."""
STYLE_NAMES = ("header", "bar", "mark", "muted", "strong", "match", "failed", "running", "gone", "new")
"""Styles without a background, laid over the table's own ("") or the cursor's ("cursor")."""
TABLE_CSS = """
RecordTable {
    width: 1fr; max-width: 140; height: 1fr;
    overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1;
    background: $background; color: $foreground;
    & > .record-table--header, & > .record-table--bar, & > .record-table--muted { color: $text-muted; }
    & > .record-table--cursor { background: $block-cursor-blurred-background; }
    & > .record-table--mark { color: $accent; text-style: bold; }
    & > .record-table--strong { text-style: bold; }
    & > .record-table--match { color: $foreground; text-style: bold underline; }
    & > .record-table--failed { color: $error; }
    & > .record-table--running { color: $success; }
    & > .record-table--gone { color: $text-muted; text-style: strike; }
    & > .record-table--new { color: $success; text-style: bold; }
    &:focus > .record-table--cursor { background: $block-cursor-background; }
    &:focus > .record-table--bar { color: $accent; }
}
"""
_MARK = "✓"
_NOT_YET = "·"
_AROUND_A_MATCH = 4
_DRAWN = 512
"""Rows whose strips are kept."""
"""Code points shown in front of a match that is far inside a text, and behind one that others follow."""


@dataclass(frozen=True, slots=True)
class CellText:
    """Text of a cell in one line, with the styles of its parts; ``is_cut_at_end`` wins over what its column says."""

    text: str
    spans: tuple[Span, ...] = ()
    is_cut_at_end: bool = False

    @classmethod
    def of(cls, cell: Cell) -> Self:
        """Text of a cell, a sign for an empty one. Spans of a text that had to be cleaned are left out.

        A ``Text`` whose ``overflow`` is "ellipsis" is cut at its end.
        """
        plain = cell.plain if isinstance(cell, Text) else cell
        if not (clean := one_line(plain)):
            return cls(UNKNOWN, ((0, len(UNKNOWN), "muted"),))
        if isinstance(cell, str) or clean != plain:
            return cls(clean)
        spans = tuple((span.start, span.end, str(span.style)) for span in cell.spans)
        return cls(clean, spans, cell.overflow == "ellipsis")

    def with_matches(self, places: Sequence[tuple[int, int]]) -> Self:
        """Copy in which these places are set off as what was searched for."""
        return replace(self, spans=(*self.spans, *((start, end, "match") for start, end in places)))

    def shows(self, start: int, end: int, width: int, *, inside: bool) -> bool:
        """Whether all of this part is seen in so many cells."""
        parts = cut_points(self.text, width, inside=inside and not self.is_cut_at_end)
        return parts is None or end <= parts[0] or start >= parts[1]

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
        end = len(self.text)
        parts = cut_points(self.text, width, inside=inside) if width > 0 else (0, end)
        first, last = parts or (end, end)
        segments = self._style_segments(0, first, base, styles)
        if parts is not None and width > 0:
            segments.append(Segment("…", base))
        segments += self._style_segments(last, end, base, styles)
        text = "".join(segment.text for segment in segments)
        padding = Segment(" " * (width - cell_len(text)), base)
        if sign := direction_mark(text):
            segments.append(Segment(sign, base))
        return [padding, *segments] if align == "right" else [*segments, padding]

    def _style_segments(self, start: int, end: int, base: Style, styles: Mapping[str, Style]) -> list[Segment]:
        edges = {start, end, *(edge for first, last, _ in self.spans for edge in (first, last) if start < edge < end)}
        segments = []
        for first, last in itertools.pairwise(sorted(edges)):
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


@dataclass
class TableLines(Generic[T]):
    """Lines of ``width`` cells; ``styles`` are styles by the names in ``STYLE_NAMES`` (and of cells), "" and "cursor".

    The words of ``matches`` are set off. Where one of them cannot be seen in a row, the row says where it was found.
    """

    columns: Sequence[Placed[T]]
    width: int
    styles: Mapping[str, Style]
    matches: Matches
    search_texts: SearchTexts[T] | None
    sort_sign: tuple[str, str] = ("", "")
    """Name of the column that the list is sorted by, and the sign behind its title."""

    def __post_init__(self) -> None:
        shared = [(size, place) for place, (column, size, _) in enumerate(self.columns) if column.share]
        widest, self._widest = max(shared, default=(0, 0))
        self._room_for_found = widest * 3 // 5
        self._drawn: LRUCache[int, tuple[tuple[T | None, bool, bool], tuple[str, ...], Strip]] = LRUCache(_DRAWN)
        """Memory of what rows were drawn of, the ages that stand in them, and their strips."""

    def header(self) -> Strip:
        style = self.styles[""] + self.styles["header"]
        segments = [Segment(" " * LEAD, style)]
        name, sign = self.sort_sign
        for column, width, gap in self.columns:
            title = f"{column.title} {sign}" if name and column.sort == name else column.title
            segments += CellText(title).segments(width, style, self.styles, align=column.align)
            segments.append(Segment(" " * gap, style))
        return Strip(segments).adjust_cell_length(self.width, style)

    def heading(self, group: RowGroup) -> Strip:
        """Draw the heading of a group: its name and how many rows it has."""
        style = self.styles[""] + self.styles["header"]
        name, count = CellText(one_line(group.name)), f"  {number(group.count)}"
        width = min(max(0, self.width - 1 - len(count)), cell_len(name.text))
        said = name.segments(width, style + self.styles["strong"], self.styles)
        return Strip([Segment(" ", style), *said, Segment(count, style)]).adjust_cell_length(self.width, style)

    def row(self, number: int, record: T | None, *, has_cursor: bool, marked: bool) -> Strip:
        """Draw one row, anew if anything about it has changed; a record that has not been read yet is a quiet dot."""
        looks, drawn = (record, has_cursor, marked), self._drawn.get(number)
        if drawn is None or drawn[0] != looks:
            drawn = looks, self._ages(record), self._row(*looks)
            self._drawn[number] = drawn
        return drawn[2]

    def drop_aged(self, number: int, record: T) -> bool:
        """Have a row drawn anew whose ages read otherwise by now; whether they do."""
        drawn = self._drawn.get(number)
        if is_aged := drawn is not None and drawn[1] != self._ages(record):
            self._drawn.discard(number)
        return is_aged

    def _ages(self, record: T | None) -> tuple[str, ...]:
        return () if record is None else tuple(column.text(record) for column, _, _ in self.columns if column.ages)

    def _row(self, record: T | None, has_cursor: bool, marked: bool) -> Strip:
        styles, style = self.styles, self.styles["cursor" if has_cursor else ""]
        segments = [
            Segment("▌", style + styles["bar"]) if has_cursor else Segment(" ", style),
            Segment(_MARK, style + styles["mark"]) if marked else Segment(" ", style),
            Segment(" ", style),
        ]
        if record is None:
            segments.append(Segment(_NOT_YET, style + styles["muted"]))
        else:
            segments += self._cells(record, style)
        return Strip(segments).simplify().adjust_cell_length(self.width, style)

    def blank(self) -> Strip:
        return Strip.blank(self.width, self.styles[""])

    def _cells(self, record: T, style: Style) -> list[Segment]:
        cells = [CellText.of(column.value(record)) for column, _, _ in self.columns]
        found: CellText | None = None
        if self.matches:
            cells, unseen = self._highlighted(record, cells)
            found = self._where_found(record, unseen) if unseen else None
        segments: list[Segment] = []
        for place, (cell, (column, width, gap)) in enumerate(zip(cells, self.columns, strict=True)):
            column_style = style + self.styles[column.style] if column.style else style
            inside = column.cut == "inside"
            if found is not None and place == self._widest:
                said = min(cell_len(found.text), self._room_for_found)
                text = max(0, min(cell_len(cell.text), width - said - gap))
                segments += cell.segments(text, column_style, self.styles, inside=inside)
                segments.append(Segment(" " * min(gap, width - text), style))
                segments += found.segments(max(0, width - text - gap), style + self.styles["muted"], self.styles)
            else:
                segments += cell.segments(width, column_style, self.styles, align=column.align, inside=inside)
            segments.append(Segment(" " * gap, style))
        return segments

    def _highlighted(self, record: T, cells: list[CellText]) -> tuple[list[CellText], set[int]]:
        """Highlight the words in the cells; return these, and the words that are not seen in any."""
        unseen = set(range(len(self.matches)))
        highlighted = []
        for whole, (column, width, _) in zip(cells, self.columns, strict=True):
            cell = self._from_match(whole, width) if column.is_of_search else whole
            spans = self.matches.spans(cell.text)
            places = [(start, end) for start, end, _ in spans]
            if column.keywords is not None and (called := self.matches.found_in(column.keywords(record))):
                places, unseen = [(0, len(cell.text))], unseen - called
            inside = column.cut == "inside"
            unseen -= {word for start, end, word in spans if cell.shows(start, end, width, inside=inside)}
            highlighted.append(cell.with_matches(places))
        return highlighted, unseen

    def _from_match(self, cell: CellText, width: int) -> CellText:
        """The cell, from a little before its first match on where the match would be cut off."""
        match = min(self.matches.spans(cell.text), default=None)
        if match is None or cell.shows(match[0], match[1], width, inside=False):
            return cell
        rest = "…" + cell.text[max(0, match[0] - _AROUND_A_MATCH) :]
        return CellText(rest if cell_len(rest) > width else cut_start(cell.text, width))

    def _where_found(self, record: T, unseen: set[int]) -> CellText | None:
        """Excerpts of the texts with the words that cannot be seen, if possible within the room for them."""
        texts = [(column.title.lower(), column.text(record)) for column, _, _ in self.columns if column.title]
        texts += [(name, one_line(text)) for name, text in (self.search_texts(record) if self.search_texts else ())]
        said = CellText("")
        for name, text in texts:
            if not (spans := [span for span in self.matches.spans(text) if span[2] in unseen]):
                continue
            unseen = unseen - {word for _, _, word in spans}
            first, last = 0, len(text)
            if len(said.text) + len(name) + spans[0][1] + 2 > self._room_for_found:
                first = max(0, spans[0][0] - _AROUND_A_MATCH)
            if unseen:
                last = max(end for _, end, _ in spans) + _AROUND_A_MATCH
            before = f"{' · ' if said.text else ''}{name}: {'…' if first else ''}"
            at = len(said.text) + len(before) - first
            places = [(start + at, end + at) for start, end, _ in spans]
            rest = "…" if last < len(text) else ""
            said = CellText(said.text + before + text[first:last] + rest, said.spans).with_matches(places)
        return said if said.text else None
