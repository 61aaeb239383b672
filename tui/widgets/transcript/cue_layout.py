"""A cue in lines of terminal cells: where it may be broken, which words stand where, how its time is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import split_graphemes

from tui.language.scripts import SPACELESS, is_spaceless, one_of
from tui.language.words import Word, words
from tui.records import Cue
from tui.text.sanitize import one_line, without_controls

TIME_CELLS = 9
_BREAKS_BEHIND = "-‐–—/…"
_OPENING = "「『（〔［｛〈《【〖“‘([{«‹"
_AS_SPACE = {0x09: " ", 0x2028: "\n", 0x2029: "\n"}


@dataclass(frozen=True, slots=True)
class CueLine:
    """``text[start:end]`` of the cue, in code points; the first line begins ``indent`` cells to the right."""

    start: int
    end: int
    indent: int = 0


@dataclass(frozen=True, slots=True)
class CueLayout:
    """A cue's text as it is shown, the words to step over, and its lines; ``speaker`` stands before the first line."""

    text: str
    words: tuple[Word, ...]
    lines: tuple[CueLine, ...]
    speaker: str = ""

    def word_near(self, line: int, cells: int) -> int | None:
        """The word at ``cells`` from the left of a line, else the nearest in that line; None where there is no word."""
        place = self.lines[line]
        offset, used = place.end, place.indent
        for start, end, width in _graphemes(self.text, place.start, place.end):
            if used + width > cells:
                offset = start
                break
            used, offset = used + width, end
        inside = [index for index, word in enumerate(self.words) if word.start < place.end and word.end > place.start]
        if not inside:
            return None
        return min(inside, key=lambda index: _distance(self.words[index], offset))

    def line_of(self, word: int) -> int:
        """The line in which a word begins."""
        start = self.words[word].start
        return next((number for number, line in enumerate(self.lines) if start < line.end), len(self.lines) - 1)


def shown_text(cue: Cue) -> str:
    """The cue's text without control characters, its own line ends kept, tabs as single spaces."""
    return without_controls(cue.text).translate(_AS_SPACE)


def lay_out(cue: Cue, language: str | None, width: int) -> CueLayout:
    """The cue in lines of at most ``width`` cells: broken at spaces, without spaces between words, else hard."""
    text = shown_text(cue)
    found = words(text, language)
    speaker = one_line(cue.speaker) + ": " if cue.speaker and one_line(cue.speaker) else ""
    indent = sum(cells for _, _, cells in _graphemes(speaker, 0, len(speaker)))
    if indent > width // 2:
        speaker, indent = "", 0
    starts = frozenset(word.start for word in found) if is_spaceless(text) else frozenset[int]()
    lines: list[CueLine] = []
    begin = 0
    for hard_line in text.split("\n"):
        lines.extend(_wrapped(text, begin, begin + len(hard_line), max(1, width), starts, 0 if lines else indent))
        begin += len(hard_line) + 1
    return CueLayout(text, found, tuple(lines), speaker)


def time_of(milliseconds: int | None) -> str:
    """``01:47.250``, from the first hour on ``1:02:03.4``; "" for none."""
    if milliseconds is None:
        return ""
    milliseconds = max(0, milliseconds)
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes:02}:{seconds:02}.{rest:03}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}.{rest // 100}"


def _wrapped(text: str, begin: int, end: int, width: int, starts: frozenset[int], indent: int) -> Iterator[CueLine]:
    """Greedy lines of one line of the text; spaces at a break hang over the edge and are not shown."""
    line_start, line_indent, used = begin, indent, indent
    last_break, used_at_break = begin, 0
    for start, _, cells in _graphemes(text, begin, end):
        if start > line_start and _may_break(text, start, starts):
            last_break, used_at_break = start, used
        if used + cells > width and start > line_start and not text[start].isspace():
            cut, used_at_cut = (last_break, used_at_break) if last_break > line_start else (start, used)
            yield _line(text, line_start, cut, line_indent)
            line_start, line_indent, used = cut, 0, used - used_at_cut
        used += cells
    yield _line(text, line_start, end, line_indent)


def _line(text: str, start: int, end: int, indent: int) -> CueLine:
    while end > start and text[end - 1].isspace():
        end -= 1
    return CueLine(start, end, indent)


def _may_break(text: str, position: int, starts: frozenset[int]) -> bool:
    before, after = text[position - 1], text[position]
    if before.isspace():
        return not after.isspace()
    if before in _BREAKS_BEHIND:
        return after.isalnum()
    return position in starts and before not in _OPENING and one_of(*SPACELESS).match(after) is not None


def _graphemes(text: str, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Start, end and cells of what the terminal draws as one, so that no accent or emoji is torn apart."""
    piece = text[begin:end]
    if piece.isascii():
        yield from ((place, place + 1, 1) for place in range(begin, end))
        return
    for start, stop, cells in split_graphemes(piece)[0]:
        yield begin + start, begin + stop, cells


def _distance(word: Word, offset: int) -> int:
    return max(word.start - offset, offset - word.end + 1, 0)
