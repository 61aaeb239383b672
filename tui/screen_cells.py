"""Cells of the terminal's screen as they were last sent, and the shortest text that changes them into what is drawn.

Over a slow line the bytes are what one waits for: a step of the cursor changes two words, but Textual sends every strip
of each widget that has changed. The sequences are those that every terminal since the VT102 knows: cursor addresses,
SGR, EL and ECH, and IL and DL between margins for what has scrolled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, groupby
from operator import ne, or_
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from tui.text.cells import has_right_to_left

MAX_GAP = 4
"""Cells between two changed ones that are sent again: a jump over them takes as many bytes."""
MIN_ERASED = 10
"""Blanks that are erased at least, rather than sent: to erase and to jump behind them takes as many bytes."""
MIN_SCROLLED = 4
"""Rows that are scrolled at least, rather than sent anew."""
_UNKNOWN = "\0"
"""Mark of a cell of which nothing is known."""
_TAIL = ""
"""Mark of the second cell of a wide character."""
_SHOWN_ON_BLANKS = frozenset(("4", "7", "9", "21", "51", "52", "53"))
"""Attributes of SGR that are seen where nothing stands."""
_ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "9": "29"}
"""Attributes of SGR, and what ends each: bold and dim end together."""


class _Row(NamedTuple):
    """Row of cells: the character in each, with its marks, and its style, as parameters of SGR."""

    chars: list[str]
    styles: list[str]


class ScreenCells:
    """Grid of the cells that a terminal shows.

    Where something else may have written on the screen, ``forget`` what is known: what is drawn next is sent whole.
    ``erases_in_colour`` tells that the terminal erases in the colour of the background (bce in its terminfo).
    """

    def __init__(self, *, erases_in_colour: bool = False) -> None:
        self._erases_in_colour = erases_in_colour
        self._size = (0, 0)
        self._rows: list[_Row] = []

    def forget(self) -> None:
        """Know nothing of the screen any more."""
        self._size = (0, 0)

    def draw(
        self, pieces: Iterable[tuple[int, int, Iterable[Segment]]], size: tuple[int, int], colours: ColorSystem
    ) -> str:
        """Draw pieces, each a row, a column and what stands from there on; gives what the terminal has to be sent.

        ``size`` is the screen's, in columns and rows; what does not fit on it is left out. "" where the screen shows
        all of it already. The terminal's style is the default one before and after it.
        """
        columns, height = size
        if size != self._size:
            self._size = size
            self._rows = [_make_row(columns) for _ in range(height)]
        wanted: dict[int, _Row] = {}
        for y, x, segments in pieces:
            if 0 <= y < height and 0 <= x < columns:
                if y not in wanted:
                    wanted[y] = _Row(*(each.copy() for each in self._rows[y]))
                _lay(wanted[y], x, *_cells(segments, colours))
        wanted = {y: row for y, row in wanted.items() if row != self._rows[y]}
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
        new = [_make_row(self._size[0]) for _ in range(abs(up))]
        moved = [*rows[up:], *new] if up > 0 else [*new, *rows[:up]]
        if _count_changes(moved, drawn) < _count_changes(rows, drawn):
            pen.scroll(top, bottom, up)
            self._rows[top : bottom + 1] = moved
            wanted.update(enumerate(drawn, top))


def _make_row(columns: int) -> _Row:
    """Make a row of which nothing is known."""
    return _Row([_UNKNOWN] * columns, [""] * columns)


def _lay(row: _Row, x: int, chars: list[str], styles: list[str]) -> None:
    """Lay cells over those of a row from a column on. Of a wide character half of which is covered, a blank stays."""
    known = row.chars
    if len(chars) > (room := len(known) - x):
        if chars[room] == _TAIL:
            chars[room - 1] = " "
        del chars[room:], styles[room:]
    if not chars:
        return
    end = x + len(chars)
    if known[x] == _TAIL and chars[0] != _TAIL:
        known[x - 1] = " "
    if end < len(known) and known[end] == _TAIL:
        known[end] = " "
    known[x:end], row.styles[x:end] = chars, styles


def _find_scroll(before: Sequence[_Row], wanted: Mapping[int, _Row]) -> int:
    """Find by how many rows most of those that are there again have moved up (below 0: down); 0 for too few."""
    keys = [_key(row) for row in before]
    count = Counter(keys)
    places = {key: y for y, key in enumerate(keys) if count[key] == 1}
    steps = Counter(places[key] - y for y, row in wanted.items() if (key := _key(row)) in places)
    step, rows = steps.most_common(1)[0] if steps else (0, 0)
    return step if rows >= MIN_SCROLLED else 0


def _key(row: _Row) -> str:
    return "\n".join(("".join(row.chars), *row.styles))


def _count_changes(before: Iterable[_Row], after: Iterable[_Row]) -> int:
    """Count the characters and styles that are not the same."""
    return sum(
        0 if old == new else sum(map(ne, old.chars, new.chars)) + sum(map(ne, old.styles, new.styles))
        for old, new in zip(before, after, strict=True)
    )


def _write_changes(pen: _Pen, y: int, before: _Row, row: _Row) -> None:
    if before == row:
        return
    chars, styles = row
    if has_right_to_left("".join(chars)):  # terminals that turn such text move its cells themselves: all of it anew
        changed = [at for at, char in enumerate(chars) if char != _UNKNOWN]
    else:
        differ = map(or_, map(ne, chars, before.chars), map(ne, styles, before.styles))
        changed = list(compress(range(len(chars)), differ))
        if (joined := next((at for at in changed if len(chars[at]) > 1 and _is_joined(chars[at])), None)) is not None:
            # A terminal that draws its parts one after the other draws them over what follows.
            changed = [at for at in changed if at < joined]
            changed += [at for at in range(joined, len(chars)) if chars[at] != _UNKNOWN]
    written = _written_styles(chars, styles)
    for first, last in _runs(changed, chars, written):
        pen.write(y, first, chars[first:last], written[first:last])


class _Pen:
    """Writer of cells in as few bytes as possible, which knows where the terminal's cursor is and in which style."""

    def __init__(self, columns: int, *, erases_in_colour: bool) -> None:
        self._columns = columns
        self._erases_in_colour = erases_in_colour
        self._text: list[str] = []
        self._place: tuple[int, int] | None = None
        """Row and column of the cursor; None at the end of a row, where terminals differ."""
        self._style = ""

    def write(self, y: int, x: int, chars: Sequence[str], styles: Sequence[str]) -> None:
        """Write cells of one row."""
        first = 0
        for style, same in groupby(styles):
            part = chars[first : (last := first + len(list(same)))]
            joined = "".join(part)
            blanks = len(joined) - len(joined.rstrip(" "))
            if blanks < MIN_ERASED or not self._can_erase(style):
                self._write_part(y, x + first, part, joined, style)
            else:
                if visible := joined[:-blanks]:
                    self._write_part(y, x + first, part[:-blanks], visible, style)
                self._erase(y, x + last - blanks, blanks, style)
            first = last

    def _write_part(self, y: int, x: int, chars: Sequence[str], joined: str, style: str) -> None:
        self._go(y, x)
        self._take(style, is_blank=joined.isspace())
        end = x + len(chars)
        if joined.isascii() or len(max(chars, key=len)) < 2:
            self._text.append(joined)
            self._place = (y, end) if end < self._columns else None
            return
        for at, char in enumerate(chars, x):
            if char != _TAIL:
                self._go(y, at)
                width = 1 + (at + 1 < end and chars[at + 1 - x] == _TAIL)
                if _is_joined(char):  # by terminals that draw less of it, what stood there would be left
                    self._text.append(" " * width + f"\x1b[{at + 1}G")
                self._text.append(char)
                # How wide a character with marks, or one joined of several, is, terminals do not agree upon.
                is_sure = len(char) == 1
                self._place = (y, at + width) if is_sure and at + width < self._columns else None

    def _can_erase(self, style: str) -> bool:
        attributes, _, background = _parts(style)
        return (self._erases_in_colour or not background) and _SHOWN_ON_BLANKS.isdisjoint(attributes)

    def _erase(self, y: int, x: int, count: int, style: str) -> None:
        self._go(y, x)
        self._take(style, is_blank=True)
        self._text.append("\x1b[K" if x + count == self._columns else f"\x1b[{count}X")

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
        if not is_blank or _blank(self._style) != _blank(style):
            self._text.append(_change(self._style, style))
            self._style = style

    def scroll(self, top: int, bottom: int, up: int) -> None:
        """Move rows up, or down."""
        self._text.append(f"\x1b[{top + 1};{bottom + 1}r\x1b[{top + 1}H\x1b[{abs(up)}{'M' if up > 0 else 'L'}\x1b[r")
        self._place = (0, 0)

    def take_text(self) -> str:
        """Give all that is to be sent; the style is the default one behind it."""
        return "".join(self._text) + _change(self._style, "")


def _written_styles(chars: Sequence[str], styles: Sequence[str]) -> list[str]:
    """The styles that cells are written in: a blank in that of the text beside it, where it looks the same in it."""
    written = list(styles)
    for places in (range(1, len(chars)), range(len(chars) - 2, -1, -1)):
        step = -1 if places.step > 0 else 1
        for at in places:
            if chars[at] == " " and written[at] == styles[at] == _blank(written[at + step]):
                written[at] = written[at + step]
    return written


def _runs(changed: Sequence[int], chars: Sequence[str], styles: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first cell, and the one behind the last, of what is sent at once, with what stands between changed cells."""
    first = last = -1
    for at in changed:
        if at != last:  # else they stand side by side, as most do
            is_near = first >= 0 and at - last <= MAX_GAP and _UNKNOWN not in chars[last:at]
            if not is_near or len(set(styles[last - 1 : at])) > 1:
                if first >= 0:
                    yield _whole(first, last, chars)
                first = at
        last = at + 1
    if first >= 0:
        yield _whole(first, last, chars)


def _whole(first: int, last: int, chars: Sequence[str]) -> tuple[int, int]:
    """The ends of a run, moved so that it has whole characters only."""
    while first > 0 and chars[first] == _TAIL:
        first -= 1
    while last < len(chars) and chars[last] == _TAIL:
        last += 1
    return first, last


def _cells(segments: Iterable[Segment], colours: ColorSystem) -> tuple[list[str], list[str]]:
    """Split segments into their cells, and the style of each."""
    chars, styles = list[str](), list[str]()
    for text, style, control in segments:
        if control:
            continue
        marks, cells = ("", text) if text.isascii() and text.isprintable() else _split(text)
        if marks and chars:
            chars[_head(chars)] += marks
        chars.extend(cells)
        shown, blank = _parameters(style, colours)
        if shown == blank or " " not in text:
            styles.extend([shown] * len(cells))
        else:
            styles.extend([blank if cell == " " else shown for cell in cells])
    return chars, styles


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
        return ("", (text, *[_TAIL] * (width - 1))) if width else (text, ())
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
    return shown, _blank(shown)


@lru_cache(maxsize=8192)
def _blank(parameters: str) -> str:
    """The parameters that a blank in this style needs: the background's, where nothing but that is seen of it."""
    attributes, _, background = _parts(parameters)
    return background if _SHOWN_ON_BLANKS.isdisjoint(attributes) else parameters


@lru_cache(maxsize=8192)
def _change(before: str, after: str) -> str:
    """The sequence that changes one style into another: what differs, or all of it from the default on."""
    if before == after:
        return ""
    (old, *old_colours), (new, *new_colours) = _parts(before), _parts(after)
    ended = dict.fromkeys(_ENDS.get(each, "") for each in old if each not in new)
    kept = [each for each in old if each in new and _ENDS.get(each) not in ended]
    parts = [*ended, *(each for each in new if each not in kept)]
    parts += [
        wanted or default
        for had, wanted, default in zip(old_colours, new_colours, ("39", "49"), strict=True)
        if had != wanted
    ]
    if not parts:
        return ""
    whole = f"\x1b[0;{after}m" if after else "\x1b[m"
    changes = f"\x1b[{';'.join(parts)}m"
    return whole if "" in ended or len(whole) <= len(changes) else changes


@lru_cache(maxsize=8192)
def _parts(parameters: str) -> tuple[tuple[str, ...], str, str]:
    """The attributes, the colour and the background of a style."""
    attributes, colour, background = list[str](), "", ""
    codes = iter(parameters.split(";") if parameters else ())
    for code in codes:
        number = int(code)
        if number in (38, 48):
            kind = next(codes)
            value = ";".join((code, kind, *(next(codes) for _ in range(3 if kind == "2" else 1))))
        else:
            value = code
        if number in range(30, 40) or number in range(90, 98):
            colour = value
        elif number in range(40, 50) or number in range(100, 108):
            background = value
        else:
            attributes.append(code)
    return tuple(attributes), colour, background
