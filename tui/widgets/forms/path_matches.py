"""List of the names that a typed path may become, in columns, as a shell shows them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from tui.text.cells import fit
from tui.text.sanitize import one_line
from tui.widgets.forms.path_completion import MAX_MATCHES, Match

_WIDEST = 28


class PathMatches(Widget):
    """List of matches, the chosen one marked; the last line says how many more there are."""

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._matches: tuple[Match, ...] = ()
        self._chosen = -1

    def show(self, matches: Sequence[Match], chosen: int = -1) -> None:
        self._matches = tuple(matches)
        self._chosen = chosen
        self.refresh()

    def render(self) -> Content:
        width, height = self.size
        if not self._matches or width <= 0 or height <= 0:
            return Content("")
        names = [one_line(match.name) for match in self._matches]
        column = min(max(cell_len(name) for name in names) + 2, max(_WIDEST, 8), width)
        columns = max(1, width // column)
        rows = -(-len(names) // columns)
        room = rows if rows <= height else height - 1
        first = 0
        if self._chosen >= 0:  # keep the chosen name in view
            first = max(0, min(self._chosen // columns - room // 2, rows - room))
        lines = []
        for row in range(first, min(first + room, rows)):
            line = Content("")
            for index in range(row * columns, min((row + 1) * columns, len(names))):
                cell = Content(fit(names[index], column - 2))
                if index == self._chosen:
                    cell = cell.stylize("reverse")
                elif self._matches[index].is_directory:
                    cell = cell.stylize("bold")
                line = line + cell + Content("  ")
            lines.append(line)
        rest = len(names) - (first + room) * columns
        if room < rows:
            more = f"{MAX_MATCHES} or more" if len(names) >= MAX_MATCHES else str(len(names))
            lines.append(Content(f"… {max(rest, 0)} more of {more}"))
        return Content("\n").join(lines)
