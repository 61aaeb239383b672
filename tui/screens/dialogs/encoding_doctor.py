"""Encoding doctor: a dialog with the same lines of a file as they read in several encodings, to pick one by eye."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from tui.records.files import EncodingReading
from tui.screens.dialogs.questions import Dialog
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

SIDE_BY_SIDE = 100
"""Minimum columns of a terminal in which the readings stand side by side."""
_WIDEST = 132
"""Maximum cells of the panel."""
_OTHER_LINES = 11
"""Lines of a terminal that are none of a reading's when three of them stand one below the other."""
ANOTHER = ""
"""The answer for an encoding that is none of those shown."""


class EncodingDoctor(Dialog[str | None]):
    """Dialog whose answer is the name of an encoding, ``ANOTHER`` for one that is not shown, None after esc.

    ``question`` names the file; ``can_name`` offers to name another.
    """

    DEFAULT_CSS = """
    EncodingDoctor > .dialog-panel {
        #readings { layout: horizontal; height: auto; margin: 1 0; }
        #readings.-stacked { layout: vertical; margin: 0 0 1 0; }
        .reading { width: 1fr; height: auto; padding: 0 1; margin: 0 1 0 0; border-left: outer $surface; }
        .-stacked > .reading { width: 1fr; margin: 1 0 0 0; }
        .reading.-chosen { border-left: outer $accent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "dismiss(None)", show=False),
        Binding("left,up,h,k,shift+tab", "move(-1)", show=False),
        Binding("right,down,l,j,tab", "move(1)", show=False),
        Binding("enter", "pick(0)", show=False),
        *(Binding(str(number), f"pick({number})", show=False) for number in (1, 2, 3)),
        Binding("a", "another", show=False),
    ]

    def __init__(self, question: str, readings: Sequence[EncodingReading], *, can_name: bool = False) -> None:
        super().__init__()
        self._question = question
        self._readings = tuple(readings)
        self._can_name = can_name
        self._chosen = 0

    def compose(self) -> ComposeResult:
        count = len(self._readings)
        keys = ["enter picks" if count == 1 else f"1–{count} or enter picks"]
        if self._can_name:
            keys.append("a names another")
        with Vertical(classes="dialog-panel"):
            yield Static(Content(one_line(self._question)), classes="dialog-question")
            with Container(id="readings"):
                for _ in self._readings:
                    yield Static(classes="reading")
            yield Static(Content(" · ".join((*keys, "esc closes"))), classes="dialog-hint")

    def on_mount(self) -> None:
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        self._show()

    def _show(self) -> None:
        size = self.app.size
        is_stacked = size.width < SIDE_BY_SIDE
        self.query_one(".dialog-panel").styles.width = min(_WIDEST, size.width - 2)
        self.query_one("#readings").set_class(is_stacked, "-stacked")
        count = max(1, (size.height - _OTHER_LINES) // len(self._readings)) if is_stacked else None
        panels = self.query(".reading").results(Static)
        for number, (panel, reading) in enumerate(zip(panels, self._readings, strict=True)):
            panel.set_class(number == self._chosen, "-chosen")
            panel.update(_written(number + 1, reading, count))

    def action_move(self, step: int) -> None:
        self._chosen = (self._chosen + step) % len(self._readings)
        self._show()

    def action_pick(self, number: int) -> None:
        """Take the reading of this number, counted from 1; 0 is the one that is highlighted."""
        index = number - 1 if number else self._chosen
        if index < len(self._readings):
            self.dismiss(self._readings[index].encoding)

    def action_another(self) -> None:
        if self._can_name:
            self.dismiss(ANOTHER)


def _written(number: int, reading: EncodingReading, count: int | None) -> Content:
    language = display.language(reading.language)
    head = Content.styled(f"{number}  {one_line(reading.encoding)}", "bold")
    if language:
        head += Content.styled(f" · {language}", MUTED)
    return Content("\n").join([head, *(Content(one_line(line)) for line in reading.lines[:count])])
