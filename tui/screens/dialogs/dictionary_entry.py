"""Dialog of a word's dictionary entries: everything that the dictionaries say of it, to be scrolled through."""

from contextlib import aclosing
from typing import ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.worker import Worker

from tui.errors import LodeError, in_one_line
from tui.language.tags import base_language, language_name
from tui.records.dictionaries import LookUp
from tui.records.jobs import Job
from tui.screens.dialogs.panels import TextPanel
from tui.service.protocol import Service
from tui.text.cells import cut
from tui.text.display import source_name
from tui.text.sanitize import one_line
from tui.widgets.cards.dictionary_entries import entries_text
from tui.widgets.chrome.notice import show_worker_error
from tui.widgets.chrome.themes import MUTED

_WIDTH = 92
"""Cells of the frame at most: longer lines are hard to read."""
_JOBS = 100
"""Newest jobs among which those are looked for that add dictionaries."""
_FRAME = 7
"""Cells of border, padding and scroll bar."""


class DictionaryEntryScreen(TextPanel[None]):
    """Dialog of the entries of a word as it stands in its sentence; esc, q or the key that opened it closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("D", "dismiss(None)", "close", show=False),
        Binding("a", "add", "dictionaries", show=False),
    ]

    def __init__(self, service: Service, word: str, language: str | None, sentence: str) -> None:
        super().__init__()
        self._service = service
        self._word = word
        self._language = language
        self._sentence = sentence
        self._found: LookUp | None = None
        self._advice: tuple[str, ...] = ()
        self._adding: dict[str, Job] = {}
        """Imports of dictionaries that are queued or at work, by id."""

    def on_mount(self) -> None:
        self.write(Content.styled("looking it up …", MUTED))
        self.scroll.border_title = Content(cut(one_line(self._word), _WIDTH - _FRAME))
        self.scroll.border_subtitle = "esc closes · a dictionaries"
        self.read_entries()

    def on_resize(self, event: events.Resize) -> None:
        if self._found is not None:
            self._write()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        show_worker_error(self, event)

    @work(exclusive=True, group="entries", exit_on_error=False)
    async def read_entries(self) -> None:
        """Look the word up, and once more when the dictionaries are there that are being added."""
        try:
            await self._read()
            if self._adding:
                async with aclosing(self._service.jobs.follow(list(self._adding))) as changes:
                    async for job in changes:
                        self._adding[job.id] = job
                        self._write()
                await self._read()
        except LodeError as error:
            if self._found is None:
                self.write(Content.styled(in_one_line(error), "$error"))

    async def _read(self) -> None:
        jobs = await self._service.jobs.page(limit=_JOBS)
        self._adding = {job.id: job for job in jobs.items if job.kind == "dictionary" and not job.is_over}
        self._found = await self._service.dictionaries.look_up(
            self._word, language=self._language, sentence=self._sentence
        )
        self._advice = () if self._adding else await self._what_to_add()
        self._write()

    async def _what_to_add(self) -> tuple[str, ...]:
        """Advise on adding a dictionary where there is none of the language; nothing where there is one."""
        language = base_language(self._language)
        there = [base_language(each.source_language) for each in await self._service.dictionaries.all()]
        if language in there or (there and not language):
            return ()
        named = language_name(language) if language else "this language"
        for each in await self._service.dictionaries.find_offered() if language else ():
            if base_language(each.source_language) == language:
                return (f"This system has a dictionary of {named}, {one_line(each.name)}: a goes to it.",)
        return (f"No dictionary of {named} was added yet: a goes to the dictionaries, lode doctor names what to get.",)

    def _write(self) -> None:
        found, width = self._found, min(_WIDTH, self.app.size.width) - _FRAME
        parts = [entries_text(found, width)] if found is not None and found.entries else []
        for job in self._adding.values():
            if not job.is_over:
                name, progress = one_line(source_name(job.source)), f": {job.progress:.0%}" if job.progress else ""
                said = f"{name} is being added{progress}; its entries will be shown here."
                parts.append(Content.styled(said, MUTED))
        parts = parts or [Content("Nothing is known of this word.")]
        parts += [Content.styled(line, MUTED) for line in self._advice]
        self.write(Content("\n\n").join(parts))

    def action_add(self) -> None:
        """Go to the dictionaries, where some are added."""
        self.dismiss(None)
        self.app.call_later(self.app.run_action, "open_dictionaries")
