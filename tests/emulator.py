"""A terminal's screen, emulated by pyte, with what pyte does otherwise than terminals do made good here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import pyte
from pyte import modes
from pyte.screens import Char
from rich.cells import split_graphemes
from wcwidth import wcwidth

Cells: TypeAlias = tuple[tuple[Char, ...], ...]

UNTOUCHED = "\N{REPLACEMENT CHARACTER}"
"""Stands in each cell that nothing was written to since the screen was ``spoilt``."""
_KITTY_KEYS = re.compile(rb"\x1b\[[<>=?]\d*u")
"""Sequences of kitty's keyboard protocol, which pyte would print in part."""
_SIGN_BEGUN = re.compile(rb"[\x80-\xff]+\Z")
"""End of an output in which a sign that is joined of several may have been cut in two."""
_ALTERNATE_SCREEN = 1049
_DIM, _NOT_BOLD = 2, 22
_NO_BLINK = 25


class Emulator(pyte.Screen):
    """A screen that is fed with what a program writes.

    ``joins`` says that several characters that make one sign (emoji, flags, letters with marks) take the cells of one,
    as new terminals have it and Textual counts; old ones give each character its own.
    """

    def __init__(self, columns: int, lines: int, *, joins: bool = True) -> None:
        self._joins = joins
        self._held = b""
        """The end of what was fed last, where that may be half of a sign."""
        super().__init__(columns, lines)
        self._stream = pyte.ByteStream(self)
        self.spoil()

    def feed(self, output: bytes) -> None:
        """Take what a program has written; sequences may be cut in two, those of kitty's protocol may not."""
        output = self._held + output
        begun = _SIGN_BEGUN.search(output)
        self._held = begun[0] if begun else b""
        self._stream.feed(_KITTY_KEYS.sub(b"", output.removesuffix(self._held)))

    def spoil(self) -> None:
        """Let something stand in each cell that no program writes."""
        mess = Char(UNTOUCHED, fg="magenta", bg="green")
        for line in range(self.lines):
            for column in range(self.columns):
                self.buffer[line][column] = mess

    def resize_spoilt(self, columns: int, lines: int) -> None:
        """Take a new size: terminals wrap anew, move or clear what stands there."""
        self.resize(lines, columns)
        self.spoil()

    def cells(self) -> Cells:
        """What is to be seen: of a blank without lines, its background."""
        self._stream.feed(self._held)
        self._held = b""
        lines = map(self.buffer.__getitem__, range(self.lines))
        return tuple(tuple(_seen(line[column]) for column in range(self.columns)) for line in lines)

    def text(self) -> str:
        return "\n".join("".join(cell.data for cell in line) for line in self.cells())

    def draw(self, data: str) -> None:
        """Print text. pyte drops all that follows a character of no width, and leaves halves of wide ones standing."""
        for sign, width in self._signs(data):
            line, cursor = self.buffer[self.cursor.y], self.cursor
            if width == 0:
                self._join(sign)
                continue
            if cursor.x + width > self.columns:
                if modes.DECAWM in self.mode:
                    self.carriage_return()
                    self.linefeed()
                    line = self.buffer[cursor.y]
                else:
                    cursor.x = self.columns - width
            if cursor.x and line[cursor.x].data == "":
                line[cursor.x - 1] = line[cursor.x - 1]._replace(data=" ")
            line[cursor.x] = cursor.attrs._replace(data=sign)
            for tail in range(cursor.x + 1, cursor.x + width):
                line[tail] = cursor.attrs._replace(data="")
            cursor.x += width
            if cursor.x < self.columns and line[cursor.x].data == "":
                line[cursor.x] = line[cursor.x]._replace(data=" ")

    def _signs(self, data: str) -> Iterator[tuple[str, int]]:
        if self._joins and not data.isascii():
            yield from ((data[start:end], width) for start, end, width in split_graphemes(data)[0])
        else:
            yield from ((letter, max(0, wcwidth(letter))) for letter in data)

    def _join(self, mark: str) -> None:
        """Add a mark to the character before the cursor; none stands there at the beginning of a line."""
        line, at = self.buffer[self.cursor.y], self.cursor.x - 1
        if at > 0 and line[at].data == "":
            at -= 1
        if at >= 0:
            line[at] = line[at]._replace(data=line[at].data + mark)

    def select_graphic_rendition(self, *attrs: int) -> None:
        """Set the style. pyte knows no dim text: it counts as blinking here, which nothing in Lode does."""
        codes = iter(attrs)
        known: list[int] = []
        for code in codes:
            if code in (38, 48):
                kind = next(codes)
                known += [code, kind, *(next(codes) for _ in range(3 if kind == 2 else 1))]
            else:
                known += {_DIM: [5], _NOT_BOLD: [_NOT_BOLD, _NO_BLINK]}.get(code, [code])
        super().select_graphic_rendition(*known)

    def set_mode(self, *numbers: int, **options: Any) -> None:
        super().set_mode(*numbers, **options)
        self._show_other_screen(numbers)

    def reset_mode(self, *numbers: int, **options: Any) -> None:
        super().reset_mode(*numbers, **options)
        self._show_other_screen(numbers)

    def _show_other_screen(self, numbers: tuple[int, ...]) -> None:
        """pyte has one screen; what stands on the other one is anything."""
        if _ALTERNATE_SCREEN in numbers:
            self.spoil()

    def debug(self, *args: Any, **options: Any) -> None:
        raise AssertionError(f"a sequence that the emulator does not know: {args}, {options}")


def _seen(cell: Char) -> Char:
    is_blank = cell.data == " " and not (cell.underscore or cell.strikethrough or cell.reverse)
    return Char(" ", bg=cell.bg) if is_blank else cell
