"""Dictionaries: those of the library in the order in which they are asked, and those that the system offers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from tui.errors import LodeError, in_one_line
from tui.records.dictionaries import Dictionary, OfferedDictionary
from tui.records.jobs import Job
from tui.records.pages import Page
from tui.screens.dictionaries.rows import COLUMNS, DictionaryRow, rows_of
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import GoBack, LibraryChanged
from tui.service.protocol import Service
from tui.service.protocol.records import Records
from tui.text.display import count_of, source_name
from tui.text.sanitize import one_line
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable
from tui.widgets.table.word_matches import Matches

_JOBS = 100
"""Newest jobs, the ones at work first, among which those are that add dictionaries."""


class DictionariesScreen(RecordListScreen[DictionaryRow]):
    """List over the files, which all profiles share; it goes back where it was opened from."""

    SECTION = "files"
    NOUN = "dictionary"
    SHOWS = frozenset({"dictionary", "job"})
    EMPTY = "No dictionaries yet: Yomitan, kaikki.org, FreeDict and CC-CEDICT can be added."
    EMPTY_KEYS = (("dictionaries.add", "adds some by their files"), ("dictionaries.back", "goes back"))
    LIES_OVER = True
    RECORD_ACTIONS = ("move",)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add", "add", tooltip="add dictionaries by their files", id="dictionaries.add"),
        Binding("J", "move(1)", "later", tooltip="ask it later", id="dictionaries.later"),
        Binding("K", "move(-1)", "earlier", tooltip="ask it earlier", id="dictionaries.earlier"),
        Binding("escape", "back", "back", id="dictionaries.back"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._ordering = asyncio.Lock()
        self._typed = ""

    def columns(self) -> Sequence[Column[DictionaryRow]]:
        return COLUMNS

    @property
    def records(self) -> Records[DictionaryRow]:
        raise NotImplementedError  # they are read and deleted below: no undo brings a dictionary back

    def is_added_by(self, record: DictionaryRow, job: Job) -> bool:
        return isinstance(record.shows, Dictionary) and record.shows.file_name == source_name(job.source)

    async def fetch(self, offset: int, limit: int, q: str) -> Page[DictionaryRow]:
        dictionaries = self.service.dictionaries
        known, offered = await dictionaries.all(), await dictionaries.offered()
        jobs = await self.service.jobs.page(limit=_JOBS, order="attention")
        rows = rows_of(known, jobs.items, offered)
        wanted = Matches(q)
        found = [row for row in rows if len(wanted.found_in(_searched(row))) == len(wanted.words)]
        return Page(tuple(found[offset : offset + limit]), len(found), offset)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("delete", "move"):
            for table in self.query(RecordTable).results(RecordTable):  # none before it is composed, and once it goes
                if table.is_loaded:
                    current = table.current
                    return bool(table.marked) or (current is not None and isinstance(current.shows, Dictionary))
        return super().check_action(action, parameters)

    @on(RecordTable.Highlighted)
    def _highlighted(self) -> None:
        self.refresh_bindings()

    def leave(self) -> None:
        self.post_message(GoBack())  # it may have been opened from another section

    # Details, and adding

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        match event.record.shows:
            case Dictionary() as dictionary:
                from tui.screens.dictionaries.details import DictionaryDetails

                self.app.push_screen(DictionaryDetails(dictionary))
            case OfferedDictionary(path=path):
                self.add([path])

    @work(group="add", exit_on_error=False)
    async def add(self, paths: Sequence[str]) -> None:
        try:
            jobs = await self.service.dictionaries.add(paths)
        except LodeError as error:
            self.say_error(error)
        else:
            self.post_message(LibraryChanged("job", jobs=jobs))

    @work(exclusive=True, group="add-prompt", exit_on_error=False)
    async def action_add(self) -> None:
        """Ask for files until they can be taken or the question is closed; what was typed stays."""
        from tui.screens.dictionaries.add_prompt import AddDictionaries
        from tui.widgets.forms.path_completion import split_paths

        refusal = ""
        while True:
            typed = await self.app.push_screen_wait(AddDictionaries(self._typed, error=refusal))
            if typed is None:
                return
            self._typed = typed
            try:
                jobs = await self.service.dictionaries.add(split_paths(typed))
            except LodeError as error:
                refusal = in_one_line(error)
                self.post_message(LibraryChanged("job"))  # some may have been sent to a server by now
                continue
            self._typed = ""
            self.post_message(LibraryChanged("job", jobs=jobs))
            return

    # The order

    def action_move(self, step: int) -> None:
        self.move(step)

    @work(group="order", exit_on_error=False)
    async def move(self, step: int) -> None:
        """Let the dictionary under the cursor change places with the next one; each key waits for the one before."""
        async with self._ordering:
            current = self.table.current
            if current is None or not isinstance(current.shows, Dictionary):
                return
            try:
                ids = [each.id for each in await self.service.dictionaries.all()]
                at = ids.index(current.id) if current.id in ids else -1
                to = at + step
                if at < 0 or not 0 <= to < len(ids):
                    return
                ids[at], ids[to] = ids[to], ids[at]
                await self.service.dictionaries.reorder(*ids)
            except LodeError as error:
                self.say_error(error)
                return
            self.post_message(LibraryChanged("dictionary"))  # which has the list read anew: the cursor stays on it

    # Deleting

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def ask_and_delete(self, ids: Sequence[str]) -> None:
        from tui.screens.dialogs.questions import Confirm

        try:
            known = {each.id: each for each in await self.service.dictionaries.all()}
            wanted = [known[each] for each in ids if each in known]
            if not wanted:
                return
            files = ", ".join(sorted({one_line(each.file_name) or "its file" for each in wanted}))
            one = len(wanted) == 1
            question = (
                f'Delete this dictionary: "{one_line(wanted[0].title)}"?'
                if one
                else f"Delete {count_of(len(wanted), 'dictionary', 'dictionaries')}?"
            )
            details = [
                *(() if one else (one_line(each.title) for each in wanted)),
                "It goes for all profiles, and no undo brings it back:"
                if one
                else "They go for all profiles, for good:",
                f"add it again from {files}." if one else f"add them again from {files}.",
            ]
            if not await self.app.push_screen_wait(Confirm(question, details)):
                return
            deleted = await self.service.dictionaries.delete(*(each.id for each in wanted))
        except LodeError as error:
            self.say_error(error)
            return
        self.table.clear_marks()
        self.say(f"{count_of(len(deleted), 'dictionary', 'dictionaries')} deleted")
        self.post_message(LibraryChanged("dictionary"))


def _searched(row: DictionaryRow) -> str:
    """The texts by which a row is found, those of its columns."""
    return " ".join(column.text(row) for column in COLUMNS) + f" {Path(row.id).name}"
