"""Layout of a cue in lines of terminal cells, and the words in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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

    def line_of(self, word: int) -> int:
        """Number of the line in which a word begins."""
        start = self.words[word].start
        return next((number for number, line in enumerate(self.lines) if start < line.end), len(self.lines) - 1)


def shown_text(cue: Cue) -> str:
    """Text of the cue without control characters, its own line ends kept, tabs as single spaces."""
    return laid_out(cue.text)


def lay_out(
    cue: Cue, language: str | None, width: int, found: tuple[Word, ...] | None = None, *, with_readings: bool = False
) -> CueLayout:
    """Lay a cue out in lines of at most ``width`` cells: a script without spaces is broken between words.

    ``found`` are its words where a segmenter cut them. Readings go behind what they read, as Anki writes them, and not
    above it: pinyin and many kana are wider than their characters, so that these would stand apart.
    """
    text = shown_text(cue)
    if found is None or any(text[word.start : word.end] != word.text for word in found):
        found = words(text, language)  # no segmenter, or it was given another text
    readings = placed_readings(cue, text, found) if with_readings else ()
    speaker = one_line(cue.speaker) + ": " if cue.speaker and one_line(cue.speaker) else ""
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
    return CueLayout(text, found, lines, speaker, readings)


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


def with_translation(layout: CueLayout, translation: str, width: int) -> CueLayout:
    """The layout with a translation in lines of at most ``width`` cells below the text."""
    shown = one_line(translation)
    return replace(layout, below=tuple(shown[start:end] for start, end in wrap(shown, width))) if shown else layout


def _distance(word: Word, offset: int) -> int:
    return max(word.start - offset, offset - word.end + 1, 0)
