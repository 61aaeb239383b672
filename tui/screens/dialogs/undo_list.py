"""Dialog of the steps that undo can take back, newest first; one of them can be chosen."""

from collections.abc import Iterator

from rich.cells import cell_len
from textual import work
from textual.content import Content

from tui.errors import LodeError, in_one_line
from tui.records.library import UndoStep
from tui.screens.dialogs.list_choice import ListChoice
from tui.service.protocol import Service
from tui.text.cells import cut
from tui.text.display import ago, undo_step
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

_READ = 1000
"""Steps read at most; ``lode undo ID`` takes older ones back."""
_GAP = 2
_READING = "reading …"


class UndoList(ListChoice[UndoStep]):
    """Dialog whose answer is a step, None after esc.

    ``refusal`` says why the last answer could not be taken back, the step ``begin_at``.
    """

    WIDTH = 78

    def __init__(self, service: Service, *, refusal: str = "", begin_at: int | None = None) -> None:
        super().__init__("Undo", hint=_READING)
        self._service = service
        self._steps: tuple[UndoStep, ...] = ()
        self._refusal = refusal
        self._begin_at = begin_at

    @work(exclusive=True, group="steps", exit_on_error=False)
    async def read(self) -> None:
        try:
            self._steps = await self._service.undo_steps(limit=_READ)
        except LodeError as error:
            self.say(in_one_line(error), error=True)
            return
        self.refresh_list()
        some = "enter takes one back, and leaves what came later · esc closes"
        self.set_hint(some if self._steps else "there is nothing to undo · esc closes")
        if self._refusal:
            self.say(self._refusal, error=True)

    def listed(self, typed: str) -> Iterator[tuple[UndoStep, Content]]:
        words = typed.casefold().split()
        for step in self._steps:
            text = one_line(undo_step(step))
            if all(word in text.casefold() for word in words):
                yield step, self._entry(text, ago(step.created_at))

    def first(self, typed: str) -> int:
        places = (number for number, step in enumerate(self.answers) if step.id == self._begin_at)
        return 0 if typed else next(places, 0)

    def _entry(self, text: str, age: str) -> Content:
        text = cut(text, self.entry_width - cell_len(age) - _GAP)
        space = " " * (self.entry_width - cell_len(text) - cell_len(age))
        return Content(text) + Content.styled(space + age, MUTED)
