"""Lines of Markdown in terminal cells: styled pieces, tables, blocks, and the whole as Textual's content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntFlag
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.cells import cell_len
from textual.content import Content

from tui.text.cells import shared_widths
from tui.text.sanitize import without_controls
from tui.text.wrapping import Span, chop, wrap
from tui.widgets.chrome.themes import MUTED

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_GAP = 2
_NARROWEST_COLUMN = 3
_NARROWEST = 8
"""Cells that a block deep in lists and quotations gets at least."""
_BULLET = "• "
_BAR = "│ "
_CODE_INDENT = "  "
MAX_CHARS = 4000
"""Characters shown at most: more than fill the tallest terminal, few enough to lay out while the cursor moves."""


class Look(IntFlag):
    """Style of a piece of text, as flags; the widget that draws it has the colours."""

    PLAIN = 0
    STRONG = 1
    EMPHASIS = 2
    CODE = 4
    MUTED = 8
    LINK = 16
    STRUCK = 32
    ERROR = 64
    TAIL = 128
    FOCUS = 256


Piece: TypeAlias = tuple[str, Look]
Line: TypeAlias = tuple[Piece, ...]
TableCell: TypeAlias = tuple[list[Piece], str]
"""Pieces of a cell, and its style as markdown-it writes it: "", "text-align:left", "…:center" or "…:right"."""


def line_text(line: Line) -> str:
    return "".join(text for text, _ in line)


def line_cells(line: Line) -> int:
    return sum(cell_len(text) for text, _ in line)


def wrapped(pieces: Sequence[Piece], width: int, wrapper: Callable[[str, int], list[Span]] = wrap) -> list[Line]:
    """Wrap pieces that follow each other into lines of at most ``width`` cells."""
    text = "".join(piece for piece, _ in pieces)
    return [tuple(_between(pieces, first, last)) for first, last in wrapper(text, width)]


def _between(pieces: Sequence[Piece], first: int, last: int) -> Iterator[Piece]:
    start = 0
    for text, look in pieces:
        if start >= last:
            return
        if part := text[max(0, first - start) : last - start]:
            yield part, look
        start += len(text)


def table_lines(rows: Sequence[Sequence[TableCell]], width: int) -> list[Line]:
    """Lines of a table whose first row is the header, in ``width`` cells."""
    count = max((len(row) for row in rows), default=0)
    if not count:
        return []
    natural = [
        max((line_cells(line) for row in rows if at < len(row) for line in wrapped(row[at][0], 1 << 16)), default=0)
        for at in range(count)
    ]
    widths = [max(1, cells) for cells in shared_widths(natural, width - _GAP * (count - 1), least=_NARROWEST_COLUMN)]
    if sum(widths) + _GAP * (count - 1) > width:
        return [line for row in rows for line in wrapped(_joined(row), width)]
    lines: list[Line] = []
    for number, row in enumerate(rows):
        lines += _row_lines(row, widths, Look.STRONG if number == 0 else Look.PLAIN)
        if number == 0:
            lines.append((("  ".join("─" * cells for cells in widths), Look.MUTED),))
    return lines


def _row_lines(row: Sequence[TableCell], widths: Sequence[int], look: Look) -> list[Line]:
    columns = list(zip(row, widths, strict=False))  # a row may end before the header does
    cells = [wrapped([(text, own | look) for text, own in pieces], width) for (pieces, _), width in columns]
    lines: list[Line] = []
    for at in range(max((len(cell) for cell in cells), default=0)):
        line: list[Piece] = []
        due = 0
        for cell, ((_, style), width) in zip(cells, columns, strict=True):
            content = cell[at] if at < len(cell) else ()
            free = width - line_cells(content)
            before = free if style.endswith("right") else free // 2 if style.endswith("center") else 0
            if due + before:
                line.append((" " * (due + before), Look.PLAIN))
            line += content
            due = free - before + _GAP
        lines.append(tuple(line))
    return lines


def _joined(row: Sequence[TableCell]) -> list[Piece]:
    """Cells of a row one after the other, for a terminal too narrow for columns."""
    pieces: list[Piece] = []
    for cell, _ in row:
        if pieces:
            pieces.append((" · ", Look.MUTED))
        pieces += cell
    return pieces


_INLINE = {"strong": Look.STRONG, "em": Look.EMPHASIS, "s": Look.STRUCK, "link": Look.LINK}


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """Parser of CommonMark with tables and strikethrough, without HTML."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def markdown_lines(tokens: Sequence[Token], width: int) -> list[Line]:
    """Lines of parsed blocks, with a blank line between blocks that Markdown sets apart."""
    return _Writer(width).write(tokens)


@dataclass(slots=True)
class _Level:
    """List item or quotation around the blocks: the prefixes of its first line and of the others."""

    first: str
    rest: str
    used: bool = False


class _Writer:
    def __init__(self, width: int) -> None:
        self._width = width
        self._lines: list[Line] = []
        self._levels: list[_Level] = []
        self._numbers: list[int | None] = []
        """Next number of each open list, None where it has bullets."""
        self._gap = False
        """True if a blank line is due before the next block."""

    def write(self, tokens: Sequence[Token]) -> list[Line]:
        look = Look.PLAIN
        rows: list[list[tuple[list[Piece], str]]] | None = None
        align = ""
        for token in tokens:
            match token.type:
                case "inline" if rows is not None:
                    rows[-1].append((inline_pieces(token.children or (), Look.PLAIN), align))
                case "inline":
                    self._block(wrapped(inline_pieces(token.children or (), look), self._room))
                case "heading_open" | "heading_close":
                    look = Look.STRONG if token.nesting > 0 else Look.PLAIN
                    self._gap = self._gap or token.nesting < 0
                case "paragraph_close":
                    self._gap = not token.hidden
                case "fence" | "code_block":
                    self._code(token.content)
                case "hr":
                    self._block([(("─" * self._room, Look.MUTED),)], gap=True)
                case "table_open":
                    rows = []
                case "tr_open" if rows is not None:
                    rows.append([])
                case "th_open" | "td_open":
                    align = str(token.attrs.get("style", ""))
                case "table_close" if rows is not None:
                    self._block(table_lines(rows, self._room), gap=True)
                    rows = None
                case _:
                    self._container(token)
        return self._lines

    def _container(self, token: Token) -> None:
        match token.type:
            case "blockquote_open":
                self._open(_BAR, _BAR)
            case "bullet_list_open":
                self._numbers.append(None)
            case "ordered_list_open":
                self._numbers.append(int(token.attrs.get("start", 1)))
            case "list_item_open":
                number = self._numbers[-1]
                mark = _BULLET if number is None else f"{number}. "
                if number is not None:
                    self._numbers[-1] = number + 1
                self._open(mark, " " * cell_len(mark))
            case "list_item_close" | "blockquote_close":
                if not self._levels[-1].used:
                    self._block([()])
                self._levels.pop()
                self._gap = self._gap or token.type == "blockquote_close"
            case "bullet_list_close" | "ordered_list_close":
                self._numbers.pop()
                self._gap = self._gap or not self._numbers

    @property
    def _room(self) -> int:
        return max(_NARROWEST, self._width - sum(cell_len(level.rest) for level in self._levels))

    def _open(self, first: str, rest: str) -> None:
        fits = self._room - cell_len(rest) >= _NARROWEST
        self._levels.append(_Level(first, rest) if fits else _Level("", ""))

    def _code(self, content: str) -> None:
        room = self._room - len(_CODE_INDENT)
        lines: list[Line] = []
        for code in without_controls(content).removesuffix("\n").split("\n"):
            pieces = [(code.expandtabs(4), Look.CODE)]
            lines += [((_CODE_INDENT, Look.PLAIN), *line) for line in wrapped(pieces, room, chop)]
        self._block(lines, gap=True)

    def _block(self, lines: Sequence[Line], *, gap: bool = False) -> None:
        """Write the lines of one block after what stands before them; ``gap`` sets the next block apart."""
        if self._gap and self._lines:
            before = "".join(level.rest for level in self._levels if level.used).rstrip()
            self._lines.append(((before, Look.MUTED),) if before else ())
        for line in lines:
            before = "".join(level.rest if level.used else level.first for level in self._levels)
            for level in self._levels:
                level.used = True
            self._lines.append(((before, Look.MUTED), *line) if before else line)
        self._gap = gap


def inline_pieces(tokens: Sequence[Token], look: Look) -> list[Piece]:
    """Pieces of one paragraph, heading or cell, laid over ``look``; a hard line break is a line feed."""
    pieces: list[Piece] = []
    opened: list[Look] = []
    targets: list[tuple[str, int]] = []
    for token in tokens:
        now = look
        for part in opened:
            now |= part
        match token.type:
            case "text" | "image" | "text_special" | "html_inline":
                pieces.append((token.content, now))
            case "code_inline":
                pieces.append((token.content, now | Look.CODE))
            case "softbreak":
                pieces.append((" ", now))
            case "hardbreak":
                pieces.append(("\n", now))
            case _ if token.nesting > 0:
                opened.append(_INLINE.get(token.type.removesuffix("_open"), Look.PLAIN))
                if token.type == "link_open":
                    targets.append((str(token.attrs.get("href", "")), len(pieces)))
            case _ if token.nesting < 0:
                opened.pop()
                if token.type == "link_close":
                    pieces += _target(*targets.pop(), pieces, look)
    return [(without_controls(text).replace("\t", " "), piece_look) for text, piece_look in pieces if text]


def _target(address: str, first: int, pieces: Sequence[Piece], look: Look) -> list[Piece]:
    """Address of a link, in brackets after its words, unless they are the address."""
    words = "".join(text for text, _ in pieces[first:])
    if not address.startswith(("http://", "https://")) or words.strip() == address:
        return []
    return [(f" ({address})", look | Look.MUTED)]


_STYLES = {
    Look.STRONG: "bold",
    Look.EMPHASIS: "italic",
    Look.STRUCK: "strike",
    Look.LINK: "underline",
    Look.CODE: "on $panel",
    Look.MUTED: MUTED,
}


@lru_cache(maxsize=4)
def markdown_content(text: str, width: int) -> Content:
    """Lay out the beginning of a Markdown text for ``width`` cells; every word of it is literal.

    The first one imports the parser: whoever may not wait calls ``parser`` in a thread before.
    """
    blocks = parser().parse(without_controls(text[:MAX_CHARS]))
    lines = markdown_lines(blocks, max(1, width))
    return Content("\n").join(Content.assemble(*((text, _style(look)) for text, look in line)) for line in lines)


def _style(look: Look) -> str:
    return " ".join(style for part, style in _STYLES.items() if part in look)


class StreamedMarkdown:
    """Lines of the text so far, wrapped to ``width`` cells.

    A top-level block is finished once another one begins in a line that is complete. The one thing this can get wrong
    is a link whose definition comes later; its words are shown all the same.
    """

    def __init__(self, width: int) -> None:
        self.text = ""
        self.lines: list[Line] = []
        self._width = width
        self._finished = 0
        """Number of lines that can't change any more."""
        self._open_from = 0
        """Offset in the text at which the open block begins."""
        self._definitions: dict[str, Any] = {}

    def append(self, text: str) -> int:
        """Append text; the lines before the returned number are as they were."""
        self.text += text
        unchanged = self._finished
        self._write_open()
        return unchanged

    def wrap_to(self, width: int) -> None:
        """Wrap all lines to another width."""
        if width != self._width:
            self._width = width
            self._finished = self._open_from = 0
            if self.text:
                self._write_open()

    def _write_open(self) -> None:
        source = self.text[self._open_from :]
        tokens = parser().parse(source, self._definitions)
        self._definitions.pop("duplicate_refs", None)  # each parsing of the open block would add to them
        blocks, complete = _top_level(tokens), source.count("\n")
        closed = max((number for number, (_, first_line) in enumerate(blocks) if first_line < complete), default=0)
        del self.lines[self._finished :]
        for block, _ in blocks[:closed]:
            self._add(block)
        self._finished = len(self.lines)
        if closed:
            self._open_from += len(source) - len(source.split("\n", blocks[closed][1])[-1])
        for block, _ in blocks[closed:]:
            self._add(block)

    def _add(self, block: list[Token]) -> None:
        lines = markdown_lines(block, self._width)
        if self.lines and lines:
            self.lines.append(())
        self.lines += lines


def _top_level(tokens: list[Token]) -> list[tuple[list[Token], int]]:
    """Tokens of each top-level block, with the line of the source it begins in."""
    blocks: list[tuple[list[Token], int]] = []
    for token in tokens:
        if token.level == 0 and token.nesting >= 0:
            blocks.append(([], token.map[0] if token.map else 0))
        blocks[-1][0].append(token)
    return blocks
