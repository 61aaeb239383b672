"""The one line of chrome above: the sections, and at the right whose library this is and what is going on."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.controls import one_line

SECTIONS = ("files", "transcripts", "clips", "template", "breakdown", "jobs")


class TopLine(Widget):
    """``section`` is highlighted; ``status`` (a stream's state, unsaved changes) stands in place of ``place``."""

    DEFAULT_CSS = """
    TopLine { dock: top; height: 1; background: $background; color: $text-muted; }
    """

    section: reactive[str] = reactive("files")
    place: reactive[str] = reactive("")
    status: reactive[str] = reactive("")
    jobs: reactive[int] = reactive(0)

    class SectionChosen(Message):
        """A section's name was clicked."""

        def __init__(self, section: str) -> None:
            super().__init__()
            self.section = section

    def __init__(self, section: str, place: str) -> None:
        super().__init__()
        self.set_reactive(TopLine.section, section)
        self.set_reactive(TopLine.place, place)

    def render_line(self, y: int) -> Strip:
        raise NotImplementedError(y)  # written with the app shell

    def _on_click(self, event: events.Click) -> None: ...


_ = (cell_len, Segment, Style, one_line)
