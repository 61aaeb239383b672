"""Base class of the list screens: table, filter, a notice where the list is empty or unreadable, deleting.

And columns that several lists have: a language, how old a record is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from rich.text import Span, Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tui.errors import LodeError, in_two_lines
from tui.records.search_fields import VIEW_LISTS, ListName
from tui.screens.last_filters import last_filters
from tui.screens.lists.sorted_list import Record, SortedListScreen
from tui.screens.messages import GoBack, LibraryChanged
from tui.text import display
from tui.text.cells import cut
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.notice import Notice
from tui.widgets.chrome.themes import language_style
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.service.protocol import Service
    from tui.widgets.forms.text_fields import FilterBar


T = TypeVar("T", bound=Record)
U = TypeVar("U")
Keys = Sequence[tuple[str, str]]
"""Binding ids, each with what its key does."""
_NAMED = 3
"""Records named at most in the question before they are deleted."""
_NAME_CELLS = 100
_NEAR = 100
"""Rows from the cursor in which a marked record is looked for by its id, and from the top one that was added."""


@dataclass(frozen=True, slots=True)
class Total:
    """Sum over the marked records: what is summed up ``of`` one, and how the sum is ``said``."""

    of: Callable[[Any], int]
    said: Callable[[int], str]


class RecordListScreen(SortedListScreen[T]):
    """Screen that lists records of one kind; ``NOUN`` is what one is called."""

    NOUN: ClassVar[str] = "record"
    EMPTY: ClassVar[str] = "Nothing here yet."
    EMPTY_KEYS: ClassVar[Keys] = ()
    CAN_DELETE: ClassVar[bool] = True
    RECORD_ACTIONS: ClassVar[Collection[str]] = ()
    """Further actions that need a record to work on."""
    SEARCHED: ClassVar[Sequence[ListName]] = ()
    """Lists whose fields its filter takes; the first is the list's own."""
    TOTALS: ClassVar[Sequence[Total]] = ()
    """Sums over what is marked that the top line says, the most telling first."""
    LIES_OVER: ClassVar[bool] = False
    """Whether it lies over another screen, to which esc leads back where nothing is marked or filtered."""
    MOVES: ClassVar[bool] = False
    """Whether its records can go to another profile."""
    KEYLESS: ClassVar[Sequence[tuple[str, str, str]]] = (
        ("Save this filter as a view", "a name for it, under which the commands list it", "save_view"),
        ("Export the list as a table", "what is marked, or all that is found: .csv, .tsv, .jsonl", "export_list"),
        ("Move to another profile", "what is marked, with all that belongs to it", "move_records"),
    )
    TABLE: ClassVar[type[RecordTable[Any]]] = RecordTable
    LINES = "row"
    AUTO_FOCUS = "RecordTable"
    KEYED_WIDGETS = (RecordTable,)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "filter", key_display="/", priority=True, id="list.filter"),
        Binding("d", "delete", "delete", id="list.delete"),
        Binding("r", "refresh", "refresh", show=False, id="list.refresh"),
        Binding("escape", "back", "clear", tooltip="clear the marks, then the filter", id="list.back"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._is_unreadable = False
        self._added_by: Job | None = None
        """The job on whose record the cursor is to stand once the list shows it."""
        self._moves = 0

    # What each list says for itself

    def search_texts(self, record: T) -> Sequence[tuple[str, str]]:
        """Further texts by which the filter finds the record, each with a name."""
        return ()

    def empty_notice(self) -> tuple[str, Keys]:
        """What stands in the place of a list without records, and the keys that help."""
        return self.EMPTY, self.EMPTY_KEYS

    async def deletion_details(self, ids: Sequence[str]) -> Sequence[str]:
        """Lines that say what goes with these records, and what stays."""
        return ()

    def is_added_by(self, record: T, job: Job) -> bool:
        """Whether this is what a job, which is over, added or found to be there."""
        return False

    # The screen

    def compose_body(self) -> ComposeResult:
        yield from self.compose_list()

    def compose_list(self) -> ComposeResult:
        """Compose the table, and the notice that stands in its place."""
        self.read_look()
        yield self.TABLE(
            self.columns(),
            self.fetch,
            key=lambda record: record.id,
            search_texts=self.search_texts,
            amounts=lambda record: tuple(total.of(record) for total in self.TOTALS),
            reading=self.typed_kept,
            fetch_groups=self.fetch_groups,
        )
        notice = Notice()
        notice.display = False
        yield notice

    def read_anew(self) -> None:
        self.table.reload()

    def on_screen_resume(self) -> None:
        for table in self.query(RecordTable):
            table.draw_ages()

    @on(RecordTable.Loaded)
    def _loaded(self, event: RecordTable.Loaded) -> None:
        if event.total:
            self._show_notice(False)
            return
        notice = self.query_one(Notice)
        if event.q:
            q = cut(one_line(event.q), _NAME_CELLS // 2)
            notice.say(f"nothing matches {q}", self._shown(("list.back", "clears the filter")))
        else:
            headline, keys = self.empty_notice()
            notice.say(headline, self._shown(*keys))
        self._show_notice(True)

    def stand_on_added(self, job: Job) -> None:
        """Put the cursor on what this job added once the list shows it, unless the cursor is moved before."""
        self._added_by, self._moves = job, self.table.moves
        self._go_to_added()

    @on(RecordTable.Loaded)
    @on(RecordTable.RowsRead)
    def _go_to_added(self) -> None:
        job, table = self._added_by, self.table
        if job is None:
            return
        near = ((row, table.record_at(row)) for row in range(min(table.total, _NEAR)))
        row = next((row for row, each in near if each is not None and self.is_added_by(each, job)), None)
        if table.moves != self._moves:
            self._added_by = None
        elif row is not None:
            self._added_by = None
            table.move_to(row)
        elif table.total and table.record_at(0) is None and self.has_newest_first and not table.q:
            table.reload(keep_cursor=False)  # the cursor is far from the top, where only what is near it is read

    @on(RecordTable.LoadFailed)
    def _load_failed(self, event: RecordTable.LoadFailed) -> None:
        if self.table.is_loaded and self.table.total:
            self.say_error(event.error)
            return
        self.query_one(Notice).say_error(event.error, self._shown(("list.refresh", "tries again"), ("quit", "quits")))
        self._show_notice(True)
        self._is_unreadable = True
        self.refresh_bindings()

    def _shown(self, *keys: tuple[str, str]) -> Keys:
        return [(shown_key(self, binding_id), does) for binding_id, does in keys]

    def _show_notice(self, shown: bool) -> None:
        """Show the notice in the table's place, or the table; what had the focus keeps it where it can."""
        typing = self.focused is not None and not isinstance(self.focused, RecordTable)
        self.query_one(Notice).display = shown
        self.table.display = self.table.can_focus = not shown
        if not shown and not typing and self.is_current:
            self.table.focus()

    def say_error(self, error: LodeError) -> None:
        self.notify(in_two_lines(error), severity="error", markup=False)

    def is_writing(self, said: str) -> bool:
        """Whether a file is being written, which begun anew would be broken off; ``said`` says so."""
        if self.work_in_progress and not self.app.screen.is_modal:
            self.say(said)
        return bool(self.work_in_progress)

    # Filtering

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # "/" goes before what has the focus, so that what is typed right after it already finds the filter;
        # in the filter itself it is a letter
        if action == "filter":
            return (self.has_records or bool(self.table.q)) and not isinstance(self.focused, Input)
        if action == "delete":
            return self.CAN_DELETE and self.has_records
        if action == "sort":
            return self.has_records
        if action in self.RECORD_ACTIONS:
            return self.has_records
        if action == "save_view":
            return bool(self.SEARCHED) and self.SEARCHED[0] in VIEW_LISTS
        if action == "export_list":
            return self.has_records
        if action == "move_records":
            return self.MOVES and self.has_records
        if action == "back":
            return self.LIES_OVER or (self.is_mounted and bool(self.table.marked or self.query("FilterBar")))
        return super().check_action(action, parameters)

    @property
    def has_records(self) -> bool:
        """Whether there is a record to work on; until the list has been read that is taken for granted."""
        if not self.is_mounted or not self.table.is_loaded:
            return not self._is_unreadable
        return self.table.total > 0 or bool(self.table.marked)

    def action_filter(self) -> None:
        from tui.widgets.forms.text_fields import FilterBar

        if bars := self.query(FilterBar):
            bars.first().select_all()
        else:
            self.mount(self._filter_bar(), before=self.table)
        self.set_focus(self.query_one(FilterBar))
        self.refresh_bindings()

    def _filter_bar(self) -> FilterBar:
        from tui.widgets.forms.search_suggestions import SearchSuggestions
        from tui.widgets.forms.text_fields import FilterBar

        suggestions = SearchSuggestions(self.SEARCHED, self.service.search_values) if self.SEARCHED else None
        return FilterBar(suggestions, last_filters(self.app).of(self.NOUN))

    async def filter_by(self, q: str) -> None:
        """Show the records that match, with the filter above them as if it had been typed."""
        from tui.widgets.forms.text_fields import FilterBar

        if not self.query(FilterBar):
            await self.mount(self._filter_bar(), before=self.table)
        self.query_one(FilterBar).value = self.table.q = q
        self.set_focus(self.table)
        self.refresh_bindings()

    @work(exclusive=True, group="view", exit_on_error=False)
    async def action_save_view(self) -> None:
        from tui.screens.dialogs.views import save_view

        listed = next(each for each in VIEW_LISTS if each == self.SEARCHED[0])
        if not (self.table.q or self.sort_text):
            self.say(f"there is no filter to save: {shown_key(self, 'list.filter')} filters")
        else:
            await save_view(self, listed, self.table.q, self.sort_text)

    def on_filter_bar_filtered(self, event: FilterBar.Filtered) -> None:
        self.table.q = event.q

    def on_filter_bar_kept(self, event: FilterBar.Kept) -> None:
        last_filters(self.app).keep(self.NOUN, event.q)

    def on_filter_bar_closed(self) -> None:
        self.set_focus(self.table if self.table.display else None)
        if not self.table.q:
            self._remove_filter()

    def _remove_filter(self) -> None:
        self.query("FilterBar").remove()
        self.table.q = ""
        self.refresh_bindings()

    def action_back(self) -> None:
        if self.table.marks.has_range:
            self.table.end_range()
        elif self.table.marked:
            self.table.clear_marks()
        elif self.query("FilterBar"):
            self._remove_filter()
        elif self.LIES_OVER:
            self.leave()

    def leave(self) -> None:
        """Go back to where it was opened from, another section maybe."""
        self.post_message(GoBack())

    def go_to_line(self, number: int) -> None:
        self.table.move_to(number - 1)

    def action_refresh(self) -> None:
        self.read_anew()

    @on(RecordTable.Loaded)
    @on(RecordTable.Marked)
    def _say_counts(self) -> None:
        self.set_status(*self.ways_to_say_counts())
        self.refresh_bindings()

    def ways_to_say_counts(self) -> list[str]:
        """Ways to say in the top line what is marked and counted, each shorter than the one before."""
        marks, counts = self.marks_said(), self.counts_said()
        return [" · ".join((*marks[:some], *counts)) for some in range(len(marks), min(len(marks), 1) - 1, -1)]

    def marks_said(self) -> list[str]:
        """Sum up what is marked, for the top line: how many, then the sums over them."""
        table = self.table
        if not table.marked:
            return []
        sums = zip(self.TOTALS, table.marks.totals() or (), strict=False)  # none where some are not known
        many = f"{display.number(len(table.marked))} marked"
        return [f"V {many}" if table.marks.has_range else many, *(each.said(amount) for each, amount in sums if amount)]

    def counts_said(self) -> list[str]:
        """Further counts that stand in the top line: of what the filter found."""
        return [f"{display.number(self.table.total)} found"] if self.table.q else []

    # Deleting

    def action_delete(self) -> None:
        if ids := self.table.marked_or_current:
            self.ask_and_delete(ids)
        elif not self.table.is_loaded:
            self._delete_once_read()

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def _delete_once_read(self) -> None:
        """Delete the record that was meant by a key that came with the one that opened the list."""
        with self.typed_kept():
            await self.table.until_read()
        if self.is_current and self.table.is_loaded:
            self.action_delete()

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def ask_and_delete(self, ids: Sequence[str]) -> None:
        from tui.screens.dialogs.questions import Confirm

        names = self._names_of(ids)
        details: list[str] = []
        if len(ids) > 1:
            question = f"Delete {display.count_of(len(ids), self.NOUN)}?"
            rest = len(ids) - len(names)
            details = [*names, f"and {display.number(rest)} more"] if names and rest else names
        else:
            question = f'Delete this {self.NOUN}: "{names[0]}"?' if names else f"Delete this {self.NOUN}?"
        undo = f"{shown_key(self, 'undo')} brings {'it' if len(ids) == 1 else 'them'} back."
        with self.typed_kept():
            details += [*await self.deletion_details(ids), undo]
        if not await self.app.push_screen_wait(Confirm(question, details)):
            return
        deletion = await self.records.delete(*ids)
        self.table.clear_marks()
        jobs = f" with {display.count_of(len(deletion.job_ids), 'job')}" if deletion.job_ids else ""
        self.say(f"{display.count_of(deletion.count, self.NOUN)}{jobs} deleted · {shown_key(self, 'undo')} undoes it")
        self.post_message(LibraryChanged(self.NOUN, *(("job",) if deletion.job_ids else ())))

    @work(exclusive=True, group="move", exit_on_error=False)
    async def action_move_records(self) -> None:
        from tui.screens.dialogs.moving import move_records

        if (ids := self.table.marked_or_current) and await move_records(self, self.records, ids, self.NOUN):
            self.table.clear_marks()

    @work(exclusive=True, group="table", exit_on_error=False)
    async def action_export_list(self) -> None:
        from tui.screens.lists.list_export import export_list

        await export_list(self, self.table, self.NOUN, self.fetch)

    def _names_of(self, ids: Sequence[str]) -> list[str]:
        """Names of the first few, as far as they are near the cursor: what their widest column says."""
        name = next(column for column in self.columns() if column.share)
        row = self.table.cursor_row
        near = filter(None, map(self.table.record_at, range(max(0, row - _NEAR), row + _NEAR)))
        names = {record.id: name.text(record) for record in near}
        return [cut(names[record_id], _NAME_CELLS) for record_id in ids if record_id in names][:_NAMED]


def styled_cell(style: str, text: str) -> Text:
    """Cell in one of the table's styles ("" for the usual one)."""
    return Text(text, spans=[Span(0, len(text), style)])


def language_column(language: Callable[[U], str | None]) -> Column[U]:
    """Column of a language code in its language's colour; it is found by the language's name too."""

    def code(record: U) -> Text:
        tag = one_line(language(record) or "")
        return styled_cell(language_style(tag), tag)

    return Column("Lang", code, most=8, keywords=lambda record: display.language(language(record)), sort="lang")


def age_column(
    created_at: Callable[[U], str],
    *,
    title: str = "Age",
    minimum_table_width: int = 0,
    sort: str = "age",
    usual: bool = True,
) -> Column[U]:
    """Column of how long ago a record was made; ``RecordTable.draw_ages`` keeps it up to date."""
    return Column(
        title,
        lambda record: display.age(created_at(record)),
        least=display.LONGEST_AGE,
        align="right",
        style="muted",
        ages=True,
        minimum_table_width=minimum_table_width,
        sort=sort,
        usual=usual,
    )
