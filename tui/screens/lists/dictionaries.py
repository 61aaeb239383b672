"""Dictionaries: the list of those that the library has, those being added, and those that the system has."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from tui.errors import LodeError
from tui.records.dictionaries import Dictionary, OfferedDictionary
from tui.records.jobs import Job
from tui.records.pages import Page
from tui.records.sorting import Sort
from tui.screens.dialogs.panels import Details
from tui.screens.dialogs.path_prompt import PathsPrompt
from tui.screens.dialogs.questions import Confirm, ask_until_taken
from tui.screens.lists.record_list import RecordListScreen, Total, styled_cell
from tui.screens.messages import LibraryChanged
from tui.text import display
from tui.text.sanitize import one_line, without_controls
from tui.text.search_query import Matches
from tui.widgets.chrome.scroll_panel import ScrollPanel
from tui.widgets.forms.path_completion import split_paths
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.service.protocol import Service

_BAR_CELLS = 8


@dataclass(frozen=True, slots=True)
class DictionaryRow:
    """Row of the list; its ``id`` is that of what it shows, of an offered dictionary the path."""

    id: str
    shows: Dictionary | OfferedDictionary | Job


def languages_of(shows: Dictionary | OfferedDictionary) -> str:
    """The languages of a dictionary: "German → English", a tag's name where only one is known."""
    names = [display.language(tag) for tag in (shows.source_language, shows.target_language) if tag]
    return " → ".join(names)


def _title(row: DictionaryRow) -> Text | str:
    match row.shows:
        case Dictionary(title=title):
            return title
        case OfferedDictionary(name=name):
            return styled_cell("muted", one_line(name))
        case Job(source=source):
            return styled_cell("muted", one_line(display.source_name(source)))


def _languages(row: DictionaryRow) -> Text | str:
    if isinstance(row.shows, Job):
        return ""
    shown = languages_of(row.shows)
    return shown if isinstance(row.shows, Dictionary) else styled_cell("muted", shown)


def _entries(row: DictionaryRow) -> Text | str:
    match row.shows:
        case Dictionary(entry_count=count):
            return display.number(count)
        case OfferedDictionary():
            return styled_cell("muted", "enter adds")
        case Job(state="queued"):
            return styled_cell("muted", "queued")
        case Job(progress=progress):
            return styled_cell("running", display.bar(progress, _BAR_CELLS))


def _fact(name: str, row: DictionaryRow) -> str:
    """Value of a column: what a dictionary says of itself, nothing of what is none yet."""
    return str(getattr(row.shows, name)) if isinstance(row.shows, Dictionary) else ""


COLUMNS: tuple[Column[DictionaryRow], ...] = (
    Column("Dictionary", _title, share=3, cut="inside", sort="title"),
    Column("Languages", _languages, most=24, sort="languages"),
    Column("Entries", _entries, align="right", sort="entries"),
    Column("Format", partial(_fact, "format"), style="muted", minimum_table_width=90, sort="format"),
    Column("Licence", partial(_fact, "license"), share=2, style="muted", minimum_table_width=90, sort="licence"),
)


class DictionaryDetails(Details[None]):
    def __init__(self, dictionary: Dictionary) -> None:
        super().__init__()
        self._dictionary = dictionary

    def compose(self) -> ComposeResult:
        each = self._dictionary
        with ScrollPanel() as panel:
            panel.border_subtitle = "esc closes"  # on the frame: what is said of a dictionary may be long
            yield Static(Content.styled(one_line(each.title), "bold"))
            facts = {
                "languages": languages_of(each),
                "has": f"{display.count_of(each.entry_count, 'entry', 'entries')} · {display.size(each.size_bytes)}",
                "format": each.format,
                "revision": each.revision,
                "added": display.ago(each.created_at),
                "from": each.file_name,
                "author": each.author,
                "licence": each.license,
                "source": each.attribution,
                "address": each.url,
            }
            for number, (name, value) in enumerate((name, value) for name, value in facts.items() if value):
                with Horizontal(classes="" if number else "part"):
                    yield Static(Content(name), classes="name")
                    yield Static(Content(one_line(value)))
            if each.description:
                yield Static(Content(without_controls(each.description)), classes="part")


_HINT = (
    "tab completes · several, quotes, * and ~ as in a shell · Yomitan (.zip), kaikki.org (.jsonl),"
    " dictd and FreeDict (.index), CC-CEDICT (.u8)"
)


_JOBS = 100
"""Newest jobs, the ones at work first, among which those are that add dictionaries."""


class DictionariesScreen(RecordListScreen[DictionaryRow]):
    """List over the files, which all profiles share; it goes back where it was opened from."""

    SECTION = "files"
    NOUN = "dictionary"
    SHOWS = frozenset({"dictionary", "job"})
    TOTALS = (
        Total(
            lambda row: row.shows.entry_count if isinstance(row.shows, Dictionary) else 0,
            lambda count: display.count_of(count, "entry", "entries"),
        ),
        Total(lambda row: row.shows.size_bytes if isinstance(row.shows, Dictionary) else 0, display.size),
    )
    EMPTY = "No dictionaries yet: Yomitan, kaikki.org, FreeDict and CC-CEDICT can be added."
    EMPTY_KEYS = (("dictionaries.add", "adds some by their files"), ("dictionaries.back", "goes back"))
    LOOK = "dictionaries"
    OWN_SORT = Sort()
    OWN_ORDER = "as they are asked"
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

    def is_added_by(self, record: DictionaryRow, job: Job) -> bool:
        return isinstance(record.shows, Dictionary) and record.shows.file_name == display.source_name(job.source)

    async def fetch_sorted(self, offset: int, limit: int, q: str, sort: str) -> Page[DictionaryRow]:
        dictionaries = self.service.dictionaries
        known, offered = await dictionaries.all(), await dictionaries.find_offered()
        jobs = reversed((await self.service.jobs.page(limit=_JOBS, order="attention")).items)
        adding = {job.source: job for job in jobs if job.kind == "dictionary" and not job.is_over}
        rows = (  # as they are asked, then what is being added, then what could be
            *(DictionaryRow(each.id, each) for each in known),
            *(DictionaryRow(each.id, each) for each in adding.values()),
            *(DictionaryRow(each.path, each) for each in offered if each.path not in adding),
        )
        wanted = Matches.of_query(q)
        found = self.sorted_here([row for row in rows if len(wanted.found_in(_searched(row))) == len(wanted)], sort)
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

    # Details, and adding

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        match event.record.shows:
            case Dictionary() as dictionary:
                self.app.push_screen(DictionaryDetails(dictionary))
            case OfferedDictionary(path=path):
                self.add([path])

    @work(group="add", exit_on_error=False)
    async def add(self, paths: Sequence[str]) -> None:
        self.post_message(LibraryChanged("job", jobs=await self.service.dictionaries.add(paths)))

    @work(exclusive=True, group="add-prompt", exit_on_error=False)
    async def action_add(self) -> None:
        """Ask for files until they can be taken or the question is closed; what was typed stays."""

        async def add(typed: str) -> bool:
            self._typed = typed
            try:
                jobs = await self.service.dictionaries.add(split_paths(typed))
            except LodeError:
                self.post_message(LibraryChanged("job"))  # some may have been sent to a server by now
                raise
            self._typed = ""
            self.post_message(LibraryChanged("job", jobs=jobs))
            return True

        prompt = partial(PathsPrompt, "Add dictionaries", hint=_HINT)
        await ask_until_taken(self.app, prompt, self._typed, add)

    # The order

    @work(group="order", exit_on_error=False)
    async def action_move(self, step: int) -> None:
        """Let the dictionary under the cursor change places with the next one; each key waits for the one before."""
        async with self._ordering:
            current = self.table.current
            ids = [each.id for each in await self.service.dictionaries.all()]
            if current is None or current.id not in ids:
                return
            at = ids.index(current.id)
            if not 0 <= at + step < len(ids):
                return
            ids[at], ids[at + step] = ids[at + step], ids[at]
            await self.service.dictionaries.reorder(*ids)
            self.post_message(LibraryChanged("dictionary"))  # which has the list read anew: the cursor stays on it

    # Deleting

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def ask_and_delete(self, ids: Sequence[str]) -> None:
        known = {each.id: each for each in await self.service.dictionaries.all()}
        wanted = [known[each] for each in ids if each in known]
        if not wanted:
            return
        files = ", ".join(sorted({one_line(each.file_name) or "its file" for each in wanted}))
        titles = [one_line(each.title) for each in wanted]
        if len(wanted) == 1:
            question = f'Delete this dictionary: "{titles[0]}"?'
            details = ["It goes for all profiles, and no undo brings it back:", f"add it again from {files}."]
        else:
            question = f"Delete {display.count_of(len(wanted), 'dictionary', 'dictionaries')}?"
            details = [*titles, "They go for all profiles, for good:", f"add them again from {files}."]
        if not await self.app.push_screen_wait(Confirm(question, details)):
            return
        deleted = await self.service.dictionaries.delete(*(each.id for each in wanted))
        self.table.clear_marks()
        self.say(f"{display.count_of(len(deleted), 'dictionary', 'dictionaries')} deleted")
        self.post_message(LibraryChanged("dictionary"))


def _searched(row: DictionaryRow) -> str:
    """The texts by which a row is found, those of its columns."""
    return " ".join(column.text(row) for column in COLUMNS) + f" {Path(row.id).name}"
