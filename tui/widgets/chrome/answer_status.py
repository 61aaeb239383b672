"""Status line above an answer that stands beside another one: its model, state, rate and seconds."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.text.cells import cut
from tui.text.sanitize import one_line

_LEAD = 3
_LEAST_MODEL = 6
_BETWEEN = " · "


class AnswerStatus(Widget):
    """Status line; ``here``: the keys are for this answer. In a short width the status says less, then the name."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"answer-status--model", "answer-status--here"}
    DEFAULT_CSS = """
    AnswerStatus {
        height: 1; background: $background; color: $text-muted;
        & > .answer-status--model { color: $foreground; }
        & > .answer-status--here { color: $accent; text-style: bold; }
    }
    """

    model: reactive[str] = reactive("")
    state: reactive[str] = reactive("")
    here: reactive[bool] = reactive(False)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        plain = self.rich_style
        name = self.get_component_rich_style("answer-status--here" if self.here else "answer-status--model")
        room = width - _LEAD - 1
        whole = one_line(self.model)
        parts = [part for part in one_line(self.state).split(_BETWEEN) if part]
        while len(parts) > 2 and cell_len(_BETWEEN.join((whole, *parts))) > room:
            del parts[1]  # the rate or the tokens: what it does and how long stay
        said = _BETWEEN.join(parts)
        model = cut(whole, max(_LEAST_MODEL, room - cell_len(said) - cell_len(_BETWEEN)))
        rest = _BETWEEN + said if model and said else said
        segments = [
            Segment(" ▌ " if self.here else " " * _LEAD, name),
            Segment(model, name),
            Segment(cut(rest, room - cell_len(model)), plain),
        ]
        return Strip(segments).adjust_cell_length(width, plain)
