"""Drawing of a record table: strips of its header and rows with cursor bar and mark, kept until they change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip
from textual.widget import Widget

from tui.text.cells import cut_start
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import LANGUAGE_COLOURS
from tui.widgets.table.cells import CellText
from tui.widgets.table.columns import LEAD, Column, ColumnWidths
from tui.widgets.table.word_matches import Matches

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
