"""The editor of a prompt template: Jinja2's tags in colour, the place of an error underlined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from tui.widgets.text_fields import TextField

NAMES = ("sentence", "focus", "context", "language", "source")
"""What a template can say: the names that the renderer knows."""

_TAG = re.compile(r"\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z)|\{#.*?(?:#\}|\Z)", re.DOTALL)
_INSIDE = re.compile(
    r"(?P<delimiter>\A\{[{%][-+]?|[-+]?[%}]\}\Z)"
    r"|(?P<string>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
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
        super().__init__(text, numbered=True, id=id)

    def mark(self, line: int, column: int) -> None:
        """Underline the word at this place (from 1; 0: none)."""
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

    def _style_of(self, part: str) -> Style:
        """All but the background, which a selection may have changed."""
        style = self.get_component_rich_style(f"prompt-editor--{part}")
        return Style(color=style.color, bold=style.bold, italic=style.italic, underline=style.underline)


def highlights(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Row, start, end (in UTF-8 bytes of that row, as a TextArea counts) and name of each part of a tag."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    row = 0
    for start, end, part in _parts(text):
        while row + 1 < len(starts) and starts[row + 1] <= start:
            row += 1
        place, at = row, start
        while at < end:
            stop = min(end, starts[place + 1] - 1 if place + 1 < len(starts) else len(text))
            before = len(text[starts[place] : at].encode())
            if stop > at:
                yield place, before, before + len(text[at:stop].encode()), part
            if place + 1 >= len(starts):
                break
            place, at = place + 1, max(at, starts[place + 1])


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
