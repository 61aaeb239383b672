"""The editor of a prompt template: Jinja2's tags in colour, the place of an error and its line's number underlined."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.geometry import Region
from textual.strip import Strip

from tui.compat import Edit, EditResult
from tui.widgets.forms.text_fields import TextField

NAMES = ("sentence", "focus", "context", "language", "source")
"""What a template can say: the names that the renderer knows."""

_STRING = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_TAG = re.compile(
    rf"\{{\{{(?:{_STRING}|.)*?(?:\}}\}}|\Z)|\{{%(?:{_STRING}|.)*?(?:%\}}|\Z)|\{{\#.*?(?:\#\}}|\Z)", re.DOTALL
)
_INSIDE = re.compile(
    r"(?P<delimiter>\A\{[{%][-+]?|[-+]?[%}]\}\Z)"
    rf"|(?P<string>{_STRING})"
    r"|(?P<filter>(?<=\|)\s*\w+)"
    r"|(?P<word>[^\W\d]\w*)",
    re.DOTALL,
)
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "if elif else endif for in endfor set endset not and or is filter endfilter macro endmacro call endcall raw "
        "endraw with endwith true false none True False None loop",
    )
)
_PARTS = ("delimiter", "string", "filter", "keyword", "name", "comment", "error")


class PromptEditor(TextField):
    """Highlights by its own few expressions, as there is no grammar of Jinja2; ``mark`` shows an error."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"prompt-editor--{part}" for part in _PARTS}
    DEFAULT_CSS = """
    PromptEditor {
        & .prompt-editor--delimiter { color: $text-muted; }
        & .prompt-editor--keyword { color: $foreground; text-style: bold; }
        & .prompt-editor--name { color: $accent; text-style: bold; }
        & .prompt-editor--filter { color: $accent; }
        & .prompt-editor--string { color: $success; }
        & .prompt-editor--comment { color: $text-muted; text-style: italic; }
        & .prompt-editor--error { color: $text-error; text-style: underline; }
    }
    """

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        self._marked: tuple[int, int] | None = None
        self.on_edit: Callable[[], object] | None = None
        """Called with every edit, before it is painted: a message would come behind the painting of the key."""
        self._drawn: LRUCache[tuple[object, ...], Strip] = LRUCache(512)
        super().__init__(text, numbered=True, id=id)

    def edit(self, edit: Edit) -> EditResult:
        result = super().edit(edit)
        self._tell()
        return result

    def undo(self) -> None:
        super().undo()
        self._tell()

    def redo(self) -> None:
        super().redo()
        self._tell()

    def _tell(self) -> None:
        if self.on_edit is not None:
            self.on_edit()

    def mark(self, line: int, column: int) -> None:
        """Underline the word at this place (from 1; 0: none), and the number of its line."""
        marked = (line, max(1, column)) if line > 0 else None
        if marked != self._marked:
            self._marked = marked
            self._build_highlight_map()
            self.refresh()

    def _build_highlight_map(self) -> None:
        super()._build_highlight_map()
        for row, start, end, part in highlights(self.text):
            self._highlights[row].append((start, end, part))
        if self._marked is not None and self._marked[0] <= self.document.line_count:
            row, column = self._marked[0] - 1, self._marked[1] - 1
            text = self.document.get_line(row)
            word = re.compile(r"\w+|\S|\Z").search(text, min(column, len(text)))
            if word is not None:
                start, end = (len(text[:place].encode()) for place in word.span())
                self._highlights[row].append((start, max(end, start + 1), "error"))

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._theme:
            # The colours are the app's theme's, which may change at any time.
            self._theme.syntax_styles = {part: self._style_of(part) for part in _PARTS}
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A line away from the cursor is drawn once and kept: TextArea would draw every line anew for every key."""
        place = self._place_of(y)
        if place is None or not self.text:
            return super().render_line(y)
        strip = self._drawn_line(y, *place)
        return self._with_error(strip) if self._marked is not None and place == (self._marked[0] - 1, 0) else strip

    def _with_error(self, strip: Strip) -> Strip:
        """The first line of a row, its number in the colour of errors."""
        width = self.gutter_width
        gutter, rest = strip.crop(0, width), strip.crop(width)
        number = gutter.text.strip()
        before, behind = gutter.text.split(number, 1) if number else (gutter.text, "")
        plain = next((segment.style for segment in gutter if segment.style is not None), Style())
        marked = [Segment(before, plain), Segment(number, plain + self._style_of("error")), Segment(behind, plain)]
        return Strip.join([Strip(marked, width), rest])

    def _drawn_line(self, y: int, row: int, section: int) -> Strip:
        first, last = sorted(self.selection)
        bracket = self._matching_bracket_location
        if first[0] <= row <= last[0] or (bracket is not None and bracket[0] == row):
            return super().render_line(y)
        marks = tuple(self._highlights.get(row, ()))
        key = (self.size, self.gutter_width, self._theme.base_style, row, section, self.document.get_line(row), marks)
        strip = self._drawn.get(key)
        if strip is None:
            strip = self._drawn[key] = super().render_line(y)
        return strip

    def _place_of(self, y: int) -> tuple[int, int] | None:
        """The row of the text and the section of it that a line of the screen shows."""
        places = self.wrapped_document._offset_to_line_info
        y += self.scroll_offset.y
        return places[y] if y < len(places) else None

    def notify_style_update(self) -> None:
        self._drawn.clear()
        super().notify_style_update()

    def _style_of(self, part: str) -> Style:
        """All but the background, which a selection may have changed."""
        style = self.get_component_rich_style(f"prompt-editor--{part}")
        return Style(color=style.color, bold=style.bold, italic=style.italic, underline=style.underline)


def highlights(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Row, start, end (in UTF-8 bytes of that row, as a TextArea counts) and name of each part of a tag."""
    lines = text.split("\n")
    row = begin = 0
    for start, end, part in _parts(text):
        while start > begin + len(lines[row]):
            begin += len(lines[row]) + 1
            row += 1
        place, at = row, begin
        while at < end and place < len(lines):
            line = lines[place]
            first, last = max(start - at, 0), min(end - at, len(line))
            if last > first:
                if not line.isascii():
                    first, last = len(line[:first].encode()), len(line[:last].encode())
                yield place, first, last, part
            at += len(line) + 1
            place += 1


def _parts(text: str) -> Iterator[tuple[int, int, str]]:
    for tag in _TAG.finditer(text):
        inside = tag.group()
        if inside.startswith("{#"):
            yield tag.start(), tag.end(), "comment"
            continue
        for found in _INSIDE.finditer(inside):
            part = found.lastgroup or ""
            if part == "word":
                if found.group() in _KEYWORDS:
                    part = "keyword"
                elif found.group() in NAMES:
                    part = "name"
                else:
                    continue
            yield tag.start() + found.start(), tag.start() + found.end(), part
