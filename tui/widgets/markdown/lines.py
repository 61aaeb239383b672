"""Markdown as styled lines of a given width. Raw HTML stays text, links are words, nothing can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tui.text.sanitize import without_controls
from tui.text.wrapping import chop
from tui.widgets.markdown.styled_lines import Line, Look, Piece, wrapped
from tui.widgets.markdown.table import table_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NARROWEST = 8
"""Cells that a block deep in lists and quotations gets at least."""
_INLINE = {"strong": Look.STRONG, "em": Look.EMPHASIS, "s": Look.STRUCK, "link": Look.LINK}
_BULLET = "• "
_BAR = "│ "
_CODE_INDENT = "  "


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
            case _:
                pass

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
            case _:
                pass
    return [(without_controls(text).replace("\t", " "), piece_look) for text, piece_look in pieces if text]


def _target(address: str, first: int, pieces: Sequence[Piece], look: Look) -> list[Piece]:
    """Address of a link, in brackets after its words, unless they are the address."""
    words = "".join(text for text, _ in pieces[first:])
    if not address.startswith(("http://", "https://")) or words.strip() == address:
        return []
    return [(f" ({address})", look | Look.MUTED)]
