"""Layout of a cue in lines of terminal cells, and the words in them."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len, split_graphemes

from tui.language.scripts import is_spaceless
from tui.language.word import Word
from tui.language.words import words
from tui.records import Cue
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
    """Layout: the text as it is shown, its words and lines; ``speaker`` stands before the first line."""

    text: str
    words: tuple[Word, ...]
    lines: tuple[CueLine, ...]
    speaker: str = ""

    def word_near(self, line: int, cells: int) -> int | None:
        """Word at ``cells`` from the left of a line, else the nearest in that line; None where there is no word."""
        place = self.lines[line]
        offset, used = place.end, place.indent
        # By graphemes, what the terminal draws as one: no accent or emoji is torn apart.
        for start, _, width in split_graphemes(self.text[place.start : place.end])[0]:
            used += width
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


def lay_out(cue: Cue, language: str | None, width: int) -> CueLayout:
    """Lay a cue out in lines of at most ``width`` cells: a script without spaces is broken between words."""
    text = shown_text(cue)
    found = words(text, language)
    speaker = one_line(cue.speaker) + ": " if cue.speaker and one_line(cue.speaker) else ""
    indent = cell_len(speaker)
    if indent > width // 2:
        speaker, indent = "", 0
    starts = {word.start for word in found} if is_spaceless(text) else None
    places = wrap(text, width, indent=indent, word_starts=starts)
    lines = tuple(CueLine(*place, 0 if number else indent) for number, place in enumerate(places))
    return CueLayout(text, found, lines, speaker)


def _distance(word: Word, offset: int) -> int:
    return max(word.start - offset, offset - word.end + 1, 0)
