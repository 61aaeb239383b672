"""Cells of the terminal's screen as they were last sent, and the shortest text that changes them into what is drawn.

Over a slow line the bytes are what one waits for: a step of the cursor changes two words, but Textual sends every strip
of each widget that has changed. The sequences are those that every terminal since the VT102 knows: cursor addresses,
SGR, EL and ECH, and IL and DL between margins for what has scrolled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, groupby
from operator import ne
from typing import TypeAlias

from rich.cells import cell_len, split_graphemes
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from tui.text.cells import has_right_to_left
from tui.text.sgr import blank_style, change_style, find_background

MAX_GAP = 4
"""Cells between two changed ones that are sent again: a jump over them takes as many bytes."""
MIN_ERASED = 10
"""Blanks that are erased at least, rather than sent: to erase and to jump behind them takes as many bytes."""
_ERASED = " " * MIN_ERASED
MIN_SCROLLED = 4
"""Rows that are scrolled at least, rather than sent anew."""
_CHANGED = re.compile(b"\1+(?:\0{1,%d}\1+)*" % MAX_GAP)
"""Cells of one style that differ, with those between them that are sent again."""
_UNKNOWN = "\0"
"""Mark of a cell of which nothing is known."""
_TAIL = "\1"
"""Mark of the second cell of a wide character."""


@dataclass
class _Row:
    """Row of cells: the character in each, with its marks, and its style, as parameters of SGR.

    ``written`` are the styles in which it takes the fewest bytes to write them: they look the same.
    """

    chars: list[str]
    styles: list[str]
    written: list[str] = field(compare=False)

    @classmethod
    def make_unknown(cls, columns: int) -> _Row:
        """Make a row of which nothing is known."""
        return cls([_UNKNOWN] * columns, [""] * columns, [_UNKNOWN] * columns)

    @cached_property
    def text(self) -> str:
        return "".join(self.chars)

    @cached_property
    def is_plain(self) -> bool:
        """Whether each character takes one cell, and has no marks."""
        return len(self.text) == len(self.chars) and _TAIL not in self.text

    @cached_property
    def parts(self) -> Sequence[tuple[str, int]]:
        """Styles that it is written in, each with the cell behind its last one."""
        counts = accumulate(len(list(same)) for _, same in groupby(self.written))
        return [(self.written[end - 1], end) for end in counts]


_Piece: TypeAlias = tuple[int, Iterable[Segment]]
"""Piece of a row: the column that it begins at, and its segments."""


class ScreenCells:
    """Grid of the cells that a terminal shows.

    Where something else may have written on the screen, ``forget`` what is known: what is drawn next is sent whole.
    ``erases_in_colour`` tells that the terminal erases in the colour of the background (bce in its terminfo).
    """

    def __init__(self, *, erases_in_colour: bool = False) -> None:
        self._erases_in_colour = erases_in_colour
        self._size = (0, 0)
        self._colours: ColorSystem | None = None
        self._rows: list[_Row] = []
        self._laid: dict[int, list[_Piece]] = {}
        """By row what was laid on it last, from which column on; the same once more changes nothing."""

    def forget(self) -> None:
        """Know nothing of the screen any more."""
        self._size = (0, 0)

    def draw(
        self, pieces: Iterable[tuple[int, int, Iterable[Segment]]], size: tuple[int, int], colours: ColorSystem
    ) -> str:
        """Draw pieces, each a row, a column and what stands from there on; gives what the terminal has to be sent.

        They are kept, and compared with what is drawn next: most of a screen that is drawn anew is still the same.
        ``size`` is the screen's, in columns and rows; what does not fit on it is left out. "" where the screen shows
        all of it already. The terminal's style is the default one before and after it.
        """
        columns, height = size
        if size != self._size or colours != self._colours:
            self._size, self._colours = size, colours
            self._rows = [_Row.make_unknown(columns)] * height
            self._laid = {}
        drawn: dict[int, list[_Piece]] = {}
        for y, x, segments in pieces:
            if 0 <= y < height and 0 <= x < columns:
                drawn.setdefault(y, []).append((x, segments))
        wanted: dict[int, _Row] = {}
        for y, laid in drawn.items():
            if laid != self._laid.get(y):
                self._laid[y] = laid
                parts = tuple((x, tuple(segments)) for x, segments in laid)
                row = None if laid[0][0] else _draw_whole(columns, parts, colours)
                row = row or _draw_over(self._rows[y], parts, colours)
                if row != self._rows[y]:
                    wanted[y] = row
        pen = _Pen(columns, erases_in_colour=self._erases_in_colour)
        if len(wanted) > MIN_SCROLLED and (up := _find_scroll(self._rows, wanted)):
            self._scroll(pen, wanted, up)
        for y in sorted(wanted):
            row, self._rows[y] = self._rows[y], wanted[y]
            _write_changes(pen, y, row, wanted[y])
        return pen.take_text()

    def _scroll(self, pen: _Pen, wanted: dict[int, _Row], up: int) -> None:
        """Move the rows that change up (or down), with what stands between them, if that leaves fewer cells to send."""
        top, bottom = min(wanted), max(wanted)
        rows = self._rows[top : bottom + 1]
        if abs(up) >= len(rows):
            return
        drawn = [wanted.get(y, row) for y, row in enumerate(rows, top)]
        new = [_Row.make_unknown(self._size[0])] * abs(up)
        moved = [*rows[up:], *new] if up > 0 else [*new, *rows[:up]]
        if _count_changes(moved, drawn) < _count_changes(rows, drawn):
            pen.scroll(top, bottom, up)
            self._rows[top : bottom + 1] = moved
            wanted.update(enumerate(drawn, top))


@lru_cache(maxsize=512)
def _draw_whole(columns: int, pieces: tuple[tuple[int, tuple[Segment, ...]], ...], colours: ColorSystem) -> _Row | None:
    """Draw a row that consists of pieces, most come again and again; None where they leave something of it."""
    row = _draw_over(_Row.make_unknown(columns), pieces, colours)
    return None if _UNKNOWN in row.text else row


def _draw_over(before: _Row, pieces: Iterable[tuple[int, tuple[Segment, ...]]], colours: ColorSystem) -> _Row:
    """Draw pieces over a row."""
    row = _Row(before.chars.copy(), before.styles.copy(), before.written.copy())
    for x, segments in pieces:
        _lay(row, x, _cells(segments, colours))
    return row


def _lay(row: _Row, x: int, cells: _Row) -> None:
    """Lay cells over those of a row from a column on. Of a wide character half of which is covered, a blank stays."""
    known = row.chars
    chars, styles, written = cells.chars, cells.styles, cells.written
    if len(chars) > (room := len(known) - x):
        last = " " if chars[room] == _TAIL else chars[room - 1]
        chars, styles, written = [*chars[: room - 1], last], styles[:room], written[:room]
    if not chars:
        return
    end = x + len(chars)
    if known[x] == _TAIL and chars[0] != _TAIL:
        known[x - 1] = " "
    if end < len(known) and known[end] == _TAIL:
        known[end] = " "
    known[x:end], row.styles[x:end], row.written[x:end] = chars, styles, written


def _find_scroll(before: Sequence[_Row], wanted: Mapping[int, _Row]) -> int:
    """Find by how many rows most of those that are there again have moved up (below 0: down); 0 for too few."""
    keys = [row.text for row in before]
    count = Counter(keys)
    places = {key: y for y, key in enumerate(keys) if count[key] == 1}
    steps = Counter(places[key] - y for y, row in wanted.items() if (key := row.text) in places)
    step, rows = steps.most_common(1)[0] if steps else (0, 0)
    return step if rows >= MIN_SCROLLED else 0


def _count_changes(before: Iterable[_Row], after: Iterable[_Row]) -> int:
    """Count the characters and styles that are not the same."""
    return sum(
        0 if old == new else sum(map(ne, old.chars, new.chars)) + sum(map(ne, old.styles, new.styles))
        for old, new in zip(before, after, strict=True)
    )


def _write_changes(pen: _Pen, y: int, before: _Row, row: _Row) -> None:
    """Write the cells of a row that differ, style by style."""
    cells = row.text if row.is_plain else row.chars
    differ = _find_changes(before, row)
    parts, style, end = iter(row.parts), "", 0
    for run in _CHANGED.finditer(differ):
        first, last = run.span() if row.is_plain else _whole(*run.span(), row.chars)
        while first < last:
            while end <= first:
                style, end = next(parts)
            upto = min(end, last)
            if style != _UNKNOWN and differ.find(1, first, upto) >= 0:
                pen.write(y, first, cells[first:upto], style)
            first = upto


def _find_changes(before: _Row, row: _Row) -> bytearray:
    """Find the cells of a row that are to be sent: a byte for each, 1 or 0."""
    chars = row.chars
    differ = bytearray(map(ne, zip(chars, row.styles, strict=True), zip(before.chars, before.styles, strict=True)))
    begin = len(chars)
    if has_right_to_left(row.text):  # terminals that turn such text move its cells themselves: all of it anew
        begin = 0
    elif not row.is_plain:  # terminals that draw the parts of a joined character apart draw them over what follows
        joined = (at for at, char in enumerate(chars) if differ[at] and len(char) > 1 and _is_joined(char))
        begin = next(joined, begin)
    differ[begin:] = b"\1" * (len(chars) - begin)
    return differ


class _Pen:
    """Writer of cells in as few bytes as possible, which knows where the terminal's cursor is and in which style."""

    def __init__(self, columns: int, *, erases_in_colour: bool) -> None:
        self._columns = columns
        self._erases_in_colour = erases_in_colour
        self._text: list[str] = []
        self._place: tuple[int, int] | None = None
        """Row and column of the cursor; None at the end of a row, where terminals differ."""
        self._style = ""

    def write(self, y: int, x: int, chars: Sequence[str], style: str) -> None:
        """Write cells of one row and style."""
        text, blanks = "".join(chars), 0
        if text.endswith(_ERASED) and self._can_erase(style):
            blanks = len(text) - len(text.rstrip(" "))
            chars, text = chars[:-blanks], text[:-blanks]
        end = x + len(chars)
        if text:
            self._go(y, x)
            if style != self._style:
                self._take(style, is_blank=text.isspace())
            if text.isascii() or len(max(chars, key=len)) < 2:
                self._text.append(text.replace(_TAIL, ""))
                self._place = (y, end) if end < self._columns else None
            else:
                self._write_marked(y, x, chars)
        if blanks:
            self._go(y, end)
            self._take(style, is_blank=True)
            self._text.append("\x1b[K" if end + blanks == self._columns else f"\x1b[{blanks}X")

    def _write_marked(self, y: int, x: int, chars: Sequence[str]) -> None:
        """Write cells one by one: how wide characters with marks are, or those joined of several, terminals differ."""
        for at, char in enumerate(chars, x):
            if char != _TAIL:
                self._go(y, at)
                end = at + 1 + (chars[at + 1 - x : at + 2 - x] == [_TAIL])
                if _is_joined(char):  # by terminals that draw less of it, what stood there would be left
                    self._text.append(" " * (end - at) + f"\x1b[{at + 1}G")
                self._text.append(char)
                self._place = (y, end) if len(char) == 1 and end < self._columns else None

    def _can_erase(self, style: str) -> bool:
        background = find_background(style)
        return background is not None and (self._erases_in_colour or not background)

    def _go(self, y: int, x: int) -> None:
        if self._place == (y, x):
            return
        if self._place is not None and self._place[0] == y and self._place[1] < x:
            self._text.append(f"\x1b[{x - self._place[1]}C")
        else:
            self._text.append(f"\x1b[{y + 1};{x + 1}H")
        self._place = (y, x)

    def _take(self, style: str, *, is_blank: bool) -> None:
        """Take up a style; any will do for blanks that look the same in it."""
        if not is_blank or blank_style(self._style) != blank_style(style):
            self._text.append(change_style(self._style, style))
            self._style = style

    def scroll(self, top: int, bottom: int, up: int) -> None:
        """Move rows up, or down."""
        self._text.append(f"\x1b[{top + 1};{bottom + 1}r\x1b[{top + 1}H\x1b[{abs(up)}{'M' if up > 0 else 'L'}\x1b[r")
        self._place = (0, 0)

    def take_text(self) -> str:
        """Give all that is to be sent; the style is the default one behind it."""
        return "".join(self._text) + change_style(self._style, "")


def _whole(first: int, last: int, chars: Sequence[str]) -> tuple[int, int]:
    """The ends of a run, moved so that it has whole characters only."""
    while first > 0 and chars[first] == _TAIL:
        first -= 1
    while last < len(chars) and chars[last] == _TAIL:
        last += 1
    return first, last


@lru_cache(maxsize=1024)
def _cells(segments: tuple[Segment, ...], colours: ColorSystem) -> _Row:
    """Split segments into their cells; most are drawn again and again."""
    row = _Row([], [], [])
    chars, styles, written = row.chars, row.styles, row.written
    waiting = 0
    """Blanks at the end that are written in the style of the text that follows, if they look the same in it."""
    for text, style, control in segments:
        if control:
            continue
        marks, cells = ("", text) if text.isascii() and text.isprintable() else _split(text)
        if marks and chars:
            head = _head(chars)
            chars[head] += marks
            written[head], waiting = styles[head], 0
        shown, blank = _parameters(style, colours)
        if shown == blank or " " not in text:
            styles += [shown] * len(cells)
        else:
            styles += [blank if cell == " " else shown for cell in cells]
        if text.strip(" "):
            if waiting and written[-1] == blank:
                written[-waiting:] = [shown] * waiting
            waiting = 0
        elif written and blank_style(written[-1]) == blank:
            shown = written[-1]
            waiting += len(cells) if waiting else 0
        else:
            shown, waiting = blank, len(cells)
        chars += cells
        written += [shown] * len(cells)
    return row


@lru_cache(maxsize=4096)
def _split(text: str) -> tuple[str, Sequence[str]]:
    """Split a text into its cells, and the marks at its beginning, which belong to what stands before it."""
    cells, marks = list[str](), ""
    for start, end, width in split_graphemes(text)[0]:
        if width:
            cells += [text[start:end], *[_TAIL] * (width - 1)]
        elif cells:
            cells[_head(cells)] += text[start:end]
        else:
            marks += text[start:end]
    if len(cells) != (width := cell_len(text)):  # joined to what stands before: Textual counts it without
        if not width:
            return text, ()
        begins = next(at for at, char in enumerate(text) if cell_len(char))
        return "", (text[begins:], *[_TAIL] * (width - 1))  # a mark would stay on what stands before
    return marks, tuple(cells)


@lru_cache(maxsize=4096)
def _is_joined(char: str) -> bool:
    """Whether a character is joined of parts that take more cells, or fewer, where they are not joined."""
    return len(char) > 1 and sum(map(cell_len, char)) != cell_len(char)


def _head(cells: Sequence[str]) -> int:
    """The place of the last character, before its second cell."""
    return next(at for at in range(len(cells) - 1, -1, -1) if cells[at] != _TAIL)


@lru_cache(maxsize=8192)
def _parameters(style: Style | None, colours: ColorSystem) -> tuple[str, str]:
    """The parameters of SGR for a style, and for blanks in it; links are left out, Lode draws none."""
    if style is None:
        return "", ""
    rendered = style.update_link(None).render("|", color_system=colours)
    shown = rendered.partition("|")[0].removeprefix("\x1b[").removesuffix("m")
    return shown, blank_style(shown)
