"""Streamed Markdown, which grows at its end: finished blocks are parsed once, only the open last block again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tui.widgets.markdown.lines import Line, markdown_lines, parser

if TYPE_CHECKING:
    from markdown_it.token import Token


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
        blocks = _top_level(tokens)
        complete = source.count("\n")
        closed = 0
        for number, (_, first_line) in enumerate(blocks):
            if first_line < complete:
                closed = number
        del self.lines[self._finished :]
        for block, _ in blocks[:closed]:
            self._add(block)
        self._finished = len(self.lines)
        if closed:
            self._open_from += _offset_of_line(source, blocks[closed][1])
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


def _offset_of_line(source: str, number: int) -> int:
    offset = 0
    for _ in range(number):
        offset = source.index("\n", offset) + 1
    return offset
