"""Last answers: the list that a breakdown with nothing asked shows in the place of an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from tui.records.answers import Answer
from tui.text.cells import cut, fit
from tui.text.display import LONGEST_AGE, age
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

MAX_ANSWERS = 20
"""Answers that are listed at most; all of them are in the history."""
_FOCUS_CELLS = 16
_GAP = "  "


class LastAnswers(OptionList):
    """List of answers, the newest first, a line each: when, the word, the sentence."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", show=False),
        Binding("k", "cursor_up", show=False),
        Binding("g", "first", show=False),
        Binding("G", "last", show=False),
    ]

    @dataclass(eq=False)
    class Chosen(Message):
        """Sent when an answer is to be opened."""

        answer: Answer

    def __init__(self) -> None:
        super().__init__(markup=False, compact=True)
        self._answers: Sequence[Answer] = ()

    def show(self, answers: Sequence[Answer]) -> None:
        """List these; the cursor stays where it is."""
        here = self.highlighted
        self._answers = answers
        self.set_options(self._line(answer) for answer in answers)
        self.highlighted = min(here or 0, len(answers) - 1) if answers else None

    def on_resize(self, _: events.Resize) -> None:
        self.show(self._answers)

    def _line(self, answer: Answer) -> Content:
        when = age(answer.created_at).rjust(LONGEST_AGE)
        focus = fit(one_line(answer.focus) or "(sentence)", _FOCUS_CELLS)
        before = f"{when}{_GAP}{focus}{_GAP}"
        sentence = cut(one_line(answer.sentence), max(0, self.size.width - cell_len(before) - 1))
        return Content.styled(when + _GAP, MUTED) + Content(focus + _GAP) + Content.styled(sentence, MUTED)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(self._answers[event.option_index]))
