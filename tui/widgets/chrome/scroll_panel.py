"""Scroll panel: a text that is longer than its dialog, with the moving keys of every list and text."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll


class ScrollPanel(VerticalScroll):
    """Panel that scrolls by lines and pages at once, without gliding."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "lines(1)", show=False),
        Binding("k,up", "lines(-1)", show=False),
        Binding("ctrl+d,pagedown,space", "pages(1)", show=False),
        Binding("ctrl+u,pageup", "pages(-1)", show=False),
        Binding("g,home", "end(-1)", show=False),
        Binding("G,end", "end(1)", show=False),
    ]

    def action_lines(self, lines: int) -> None:
        self.scroll_relative(y=lines, animate=False)

    def action_pages(self, pages: int) -> None:
        self.scroll_relative(y=pages * max(1, self.size.height - 1), animate=False)

    def action_end(self, direction: int) -> None:
        self.scroll_to(y=self.max_scroll_y if direction > 0 else 0, animate=False)
