"""Editor of a prompt template: Jinja2's tags in colour, the place of an error and its line's number underlined."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import ClassVar, Self

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.cache import LRUCache
from textual.geometry import Offset, Region
from textual.strip import Strip
from textual.widgets.text_area import Edit, EditResult, TextAreaTheme

from tui.prompts import MAX_TEMPLATE, NAMES
from tui.widgets.forms.text_area_field import TextField

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
        r"\w+", "if elif else endif for in endfor set not and or is raw endraw true false none True False None loop"
    )
)
_PARTS = ("delimiter", "string", "filter", "keyword", "name", "comment", "error")


class PromptEditor(TextField):
    """Editor that highlights by a few expressions, as there is no grammar of Jinja2; ``mark`` shows an error."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"prompt-editor--{part}" for part in _PARTS}

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        self._marked: tuple[int, int] | None = None
        self._parts: dict[int, list[tuple[int, int, str]]] | None = None
        self._styles: dict[str, Style] = {}
        self._drawn: LRUCache[tuple[object, ...], Strip] = LRUCache(512)
        self._painted: dict[int, Strip] = {}
        """By row of the widget, as it was painted last."""
        self._is_editing = False
        self.on_edit: Callable[[], object] | None = None
        """Called with every edit, before it is painted: a message would come behind the painting of the key."""
        super().__init__(text, limit=MAX_TEMPLATE, numbered=True, id=id, classes=classes)
        # The cursor's line has no colour of its own: it would lie over those of the tags.
        self.register_theme(TextAreaTheme("prompt", cursor_line_style=Style()))
        self.theme = "prompt"

    def edit(self, edit: Edit) -> EditResult:
        self._is_editing = True
        try:
            result = super().edit(edit)
        finally:
            self._is_editing = False
        self._tell()
        width, height = self.size
        self.refresh(*(Region(0, y, width, 1) for y in range(height) if self._line(y) != self._painted.get(y)))
        return result

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint what has changed; ``TextArea`` paints all lines anew for every key, ``edit`` those that differ."""
        if self._is_editing and not (layout or recompose):
            return self
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def undo(self) -> None:
        super().undo()
        self._tell()

    def redo(self) -> None:
        super().redo()
        self._tell()

    def load_text(self, text: str) -> None:
        super().load_text(text)
        self._parts = None

    def _tell(self) -> None:
        self._parts = None
        if self.on_edit is not None:
            self.on_edit()

    def mark(self, line: int, column: int) -> None:
        """Underline the word at this place (from 1; 0: none), and the number of its line."""
        marked = (line, max(1, column)) if line > 0 else None
        if marked != self._marked:
            self._marked = marked
            self.notify_style_update()  # lines that were drawn look otherwise now
            self.refresh()

    def get_line(self, line_index: int) -> Text:
        """Give a line to ``TextArea`` for drawing, with the parts of its tags and the error in their styles."""
        line = super().get_line(line_index)
        for start, end, part in self._parts_of(line_index):
            line.stylize(self._style_of(part), start, end)
        if self._marked is not None and self._marked[0] == line_index + 1:
            word = re.compile(r"\w+|\S|\Z").search(line.plain, min(self._marked[1] - 1, len(line)))
            if word is not None:
                line.stylize(self._style_of("error"), word.start(), word.end())
        return line

    def _parts_of(self, row: int) -> Sequence[tuple[int, int, str]]:
        if self._parts is None:
            self._parts = defaultdict(list)
            for place, start, end, part in highlights(self.text):
                self._parts[place].append((start, end, part))
        return self._parts.get(row, ())

    def render_line(self, y: int) -> Strip:
        strip = self._painted[y] = self._line(y)
        return strip

    def _line(self, y: int) -> Strip:
        """Draw a line, but one away from the cursor only where it changed: ``TextArea`` draws all for every key."""
        y_in_text = y + self.scroll_offset.y
        if not self.text or y_in_text >= self.wrapped_document.height:
            return super().render_line(y)
        row, column = self.wrapped_document.offset_to_location(Offset(0, y_in_text))
        first, last = sorted(self.selection)
        bracket = self.matching_bracket_location
        if first[0] <= row <= last[0] or (bracket is not None and bracket[0] == row):
            return self._with_number(super().render_line(y))
        key = (self.size, self.gutter_width, row, column, self.document.get_line(row), *self._parts_of(row))
        if (strip := self._drawn.get(key)) is None:
            strip = self._drawn[key] = self._with_number(super().render_line(y))
        return strip

    def _with_number(self, strip: Strip) -> Strip:
        """Show the number of the line with the error in the colour of errors."""
        if self._marked is None:
            return strip
        width = self.gutter_width
        gutter, rest = strip.crop(0, width), strip.crop(width)
        if (number := gutter.text.strip()) != str(self._marked[0]):
            return strip
        before, behind = gutter.text.split(number, 1)
        plain = next((segment.style for segment in gutter if segment.style is not None), Style())
        marked = [Segment(before, plain), Segment(number, plain + self._style_of("error")), Segment(behind, plain)]
        return Strip.join([Strip(marked, width), rest])

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()
        self._drawn.clear()

    def _style_of(self, part: str) -> Style:
        """Style of a part without its background, which a selection may have changed."""
        if part not in self._styles:
            style = self.get_component_rich_style(f"prompt-editor--{part}")
            own = Style(color=style.color, bold=style.bold, italic=style.italic, underline=style.underline)
            self._styles[part] = own
        return self._styles[part]


def highlights(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Row, start and end in it, and name of each part of a tag."""
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for start, end, part in _parts(text):
        row = bisect_right(starts, start) - 1
        while row < len(lines) and starts[row] < end:
            first, last = max(start - starts[row], 0), min(end - starts[row], len(lines[row]))
            if last > first:
                yield row, first, last, part
            row += 1


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
