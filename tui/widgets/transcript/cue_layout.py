"""Layout of cues in lines of terminal cells, and the lines in sight: rows are laid out from the top one on."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, split_graphemes

from tui.language.scripts import is_spaceless
from tui.language.word import Word
from tui.language.words import words
from tui.records.transcripts import Cue
from tui.text.readings import PlacedReading, bracketed, placed_readings
from tui.text.sanitize import laid_out, one_line
from tui.text.wrapping import wrap


@dataclass(frozen=True, slots=True)
class CueLine:
    """Line ``text[start:end]`` of the cue, in code points; the first one begins ``indent`` cells to the right."""

    start: int
    end: int
    indent: int = 0


@dataclass(frozen=True, slots=True)
class CueLayout:
    """Layout: the text as it is shown, its words and lines; ``speaker`` stands before the first line.

    ``readings`` stand between the characters of the lines without being a part of the text.
    ``below`` are further lines under those of the text: its translation.
    """

    text: str
    words: tuple[Word, ...]
    lines: tuple[CueLine, ...]
    speaker: str = ""
    readings: tuple[PlacedReading, ...] = ()
    below: tuple[str, ...] = ()

    def readings_in(self, line: CueLine) -> tuple[PlacedReading, ...]:
        """The readings that stand in a line."""
        return tuple(reading for reading in self.readings if line.start < reading.offset <= line.end)

    @property
    def height(self) -> int:
        return len(self.lines) + len(self.below)

    def word_near(self, line: int, cells: int) -> int | None:
        """Word at ``cells`` from the left of a line, else the nearest in that line; None where there is no word."""
        place = self.lines[min(line, len(self.lines) - 1)]
        offset, used = place.end, place.indent
        readings = {reading.offset: cell_len(bracketed(reading)) for reading in self.readings_in(place)}
        # By graphemes, what the terminal draws as one: no accent or emoji is torn apart.
        for start, end, width in split_graphemes(self.text[place.start : place.end])[0]:
            used += width + readings.get(place.start + end, 0)
            if used > cells:
                offset = place.start + start
                break
        inside = [index for index, word in enumerate(self.words) if word.start < place.end and word.end > place.start]
        if not inside:
            return None
        return min(inside, key=lambda index: _distance(self.words[index], offset))

    def cells_before(self, line: int, word: int) -> int | None:
        """Cells before a word in a line, readings included; None where it does not begin in that line."""
        start = self.words[word].start
        if line >= len(self.lines) or not self.lines[line].start <= start < self.lines[line].end:
            return None
        place = self.lines[line]
        readings = sum(cell_len(bracketed(each)) for each in self.readings_in(place) if each.offset <= start)
        return place.indent + cell_len(self.text[place.start : start]) + readings

    def line_of(self, word: int) -> int:
        """Number of the line in which a word begins."""
        start = self.words[word].start
        return next((number for number, line in enumerate(self.lines) if start < line.end), len(self.lines) - 1)


def shown_text(cue: Cue) -> str:
    """Text of the cue without control characters, its own line ends kept, tabs as single spaces."""
    return laid_out(cue.text)


def lay_out(
    cue: Cue,
    language: str | None,
    width: int,
    found: tuple[Word, ...] | None = None,
    *,
    with_readings: bool = False,
    translation: str = "",
) -> CueLayout:
    """Lay a cue out in lines of at most ``width`` cells: a script without spaces is broken between words.

    ``found`` are its words where a segmenter cut them. Readings go behind what they read, as Anki writes them, and not
    above it: pinyin and many kana are wider than their characters, so that these would stand apart. The translation
    stands below the text.
    """
    text = shown_text(cue)
    if found is None or any(text[word.start : word.end] != word.text for word in found):
        found = words(text, language)  # no segmenter, or it was given another text
    readings = placed_readings(cue, text, found) if with_readings else ()
    speaker = f"{name}: " if (name := one_line(cue.speaker or "")) else ""
    indent = cell_len(speaker)
    if indent > width // 2:
        speaker, indent = "", 0
    full, offsets = _with_readings(text, readings)
    place_of = {offset: place for place, offset in enumerate(offsets)}  # behind a reading, not before it
    starts = {place_of[word.start] for word in found} if is_spaceless(text) else None
    places = wrap(full, width, indent=indent, word_starts=starts)
    lines = tuple(
        CueLine(offsets[start], offsets[end], 0 if number else indent) for number, (start, end) in enumerate(places)
    )
    said = one_line(translation)
    below = tuple(said[start:end] for start, end in wrap(said, width)) if said else ()
    return CueLayout(text, found, lines, speaker, readings, below)


def _with_readings(text: str, readings: Sequence[PlacedReading]) -> tuple[str, Sequence[int]]:
    """The text with its readings in it, and for each of its places the offset in the text alone."""
    if not readings:
        return text, range(len(text) + 1)
    full, offsets, at = "", list[int](), 0
    for reading in readings:
        between = bracketed(reading)
        full += text[at : reading.offset] + between
        offsets += [*range(at, reading.offset), *[reading.offset] * len(between)]
        at = reading.offset
    return full + text[at:], [*offsets, *range(at, len(text) + 1)]


def _distance(word: Word, offset: int) -> int:
    return max(word.start - offset, offset - word.end + 1, 0)


MARGIN = 2
"""Cues that stay in sight above and below the focused one, where there is room."""
NO_CUE = -1
"""Index in the rows that are of no cue."""
_MOST_LAYOUTS = 1000
_FURTHEST_AHEAD = 100


@dataclass(frozen=True, slots=True)
class Row:
    """Row of the screen: ``line`` of the cue with this index."""

    cue: int
    line: int


class CueView:
    """Viewport; ``record`` gives a cue that is at hand, one that is not yet there takes up one line.

    ``words`` gives the words of a cue where a segmenter cut them.
    """

    def __init__(
        self, record: Callable[[int], Cue | None], words: Callable[[int], tuple[Word, ...] | None] = lambda cue: None
    ) -> None:
        self.record = record
        self._words = words
        self.shows_readings = False
        self.spacing = 0
        """Free lines behind each cue."""
        self._alone: range | None = None
        self._layouts: OrderedDict[int, CueLayout] = OrderedDict()
        self._rows: list[Row] | None = None
        self.language: str | None = None
        self.translation_of: Callable[[Cue], str] | None = None
        self.total = 0
        self.width = self.height = 1
        self.top = 0
        self.skipped = 0  # lines of the top cue that are scrolled out

    def resize(self, width: int, height: int) -> None:
        if width != self.width:
            self.lay_out_anew()
        self.width, self.height = max(1, width), max(1, height)
        self._rows = None

    def lay_out_anew(self) -> None:
        """Lay all cues out again: there is another width, or more or less to show of each."""
        self._layouts.clear()
        self._rows, self.skipped = None, 0

    def invalidate(self) -> None:
        """Find the rows anew: cues have arrived that were not at hand before."""
        self._rows = None

    def layout(self, cue: int) -> CueLayout | None:
        """Layout of a cue, None while it is not at hand."""
        if cue == NO_CUE:
            return None
        if (known := self._layouts.get(cue)) is not None:
            self._layouts.move_to_end(cue)
            return known
        if (record := self.record(cue)) is None:
            return None
        made = self._layouts[cue] = lay_out(
            record,
            self.language,
            self.width,
            self._words(cue),
            with_readings=self.shows_readings,
            translation=self.translation_of(record) if self.translation_of is not None else "",
        )
        if len(self._layouts) > _MOST_LAYOUTS:
            self._layouts.popitem(last=False)
        return made

    def show_alone(self, cues: range | None) -> None:
        """Have nothing but these cues in sight, from the middle on; None for all of the text again."""
        if cues != self._alone:
            self._alone, self._rows = cues, None

    def _rows_alone(self, cues: range) -> list[Row]:
        """Rows of these cues, below such of no cue."""
        rows = [Row(cue, line) for cue in cues for line in range(self._lines(cue))][: self.height]
        above = max(0, min(self.height // 2 - 1, self.height - len(rows)))
        return [Row(NO_CUE, 0)] * above + rows

    def rows(self) -> list[Row]:
        """Rows in sight, top to bottom; fewer than ``height`` at the end of a short transcript."""
        if self._rows is None and self._alone is not None:
            self._rows = self._rows_alone(self._alone)
        if self._rows is None:
            self._rows = []
            cue, line = self.top, self.skipped
            while len(self._rows) < self.height and cue < self.total:
                self._rows.extend(Row(cue, number) for number in range(line, self._lines(cue)))
                cue, line = cue + 1, 0
            del self._rows[self.height :]
        return self._rows

    def around(self, cue: int | None) -> tuple[int, int]:
        """First and last cue of what is in sight, or this cue, with as much again on either side."""
        first = last = cue or 0
        if cue is None and (rows := self.rows()):
            first, last = max(0, rows[0].cue), rows[-1].cue
        ahead = min(self.height, _FURTHEST_AHEAD)
        return first - ahead, last + ahead

    def scroll(self, lines: int) -> bool:
        """Move the text up by ``lines`` (down if negative), to its ends at most; return whether anything moved."""
        before = self.top, self.skipped
        self._move(lines)
        return self._has_moved(before)

    def scroll_to_cue(self, cue: int, line: int) -> bool:
        """Bring this line of this cue into sight, the cue whole and ``MARGIN`` cues around it where there is room.

        Scrolls by as little as does; whether anything moved.
        """
        before = self.top, self.skipped
        if abs(cue - self.top) > 2 * self.height:
            self.top, self.skipped = cue, 0
            self._move(-(self.height // 3))
        size = self._lines(cue)
        if size > self.height:
            wanted_top, wanted_bottom = max(0, line - 1), min(size, line + 2)
        else:
            wanted_top, wanted_bottom = 0, size
            room, near = (self.height - size) // 2, range(1, MARGIN + 1)
            wanted_top -= min(room, sum(self._lines(cue - step) for step in near if cue >= step))
            wanted_bottom += min(room, sum(self._lines(cue + step) for step in near if cue + step < self.total))
        place = self._place(cue)
        if place + wanted_top < 0:
            self._move(place + wanted_top)
        elif place + wanted_bottom > self.height:
            self._move(place + wanted_bottom - self.height)
        return self._has_moved(before)

    def put_in_middle(self, cue: int, line: int) -> bool:
        """Scroll so that this line of this cue is in the middle, or as near as the ends allow; whether it moved."""
        before = self.top, self.skipped
        self.top, self.skipped = cue, line
        self._move(-(self.height // 2))
        return self._has_moved(before)

    def _lines(self, cue: int) -> int:
        layout = self.layout(cue)
        return (layout.height if layout is not None else 1) + self.spacing

    def _place(self, cue: int) -> int:
        """Row of a cue's first line, as if there were rows above and below."""
        if cue >= self.top:
            return sum(self._lines(index) for index in range(self.top, cue)) - self.skipped
        return -sum(self._lines(index) for index in range(cue, self.top)) - self.skipped

    def _move(self, lines: int) -> None:
        self.skipped += lines
        while self.skipped < 0 and self.top > 0:
            self.top -= 1
            self.skipped += self._lines(self.top)
        while self.top < self.total - 1 and self.skipped >= (size := self._lines(self.top)):
            self.skipped -= size
            self.top += 1
        self.skipped = max(0, min(self.skipped, self._lines(self.top) - 1 if self.total else 0))

    def _has_moved(self, before: tuple[int, int]) -> bool:
        """Leave no empty rows below the last cue while there are lines above; whether another line is at the top."""
        self.top = max(0, min(self.top, self.total - 1))
        if self.total - self.top <= self.height:
            below = sum(self._lines(index) for index in range(self.top, self.total)) - self.skipped
            self._move(min(0, below - self.height))
        self._rows = None
        return (self.top, self.skipped) != before
