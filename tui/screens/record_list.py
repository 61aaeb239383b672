"""What the list screens have in common: the table, its filter, what stands there when it is empty, and deleting."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tui.controls import one_line
from tui.errors import LodeError
from tui.formats import count_of, number
from tui.records import Deletion, Page
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.widgets.notice import Notice
from tui.widgets.record_table import Column, RecordTable

if TYPE_CHECKING:
    from tui.widgets.filter_bar import FilterBar

T = TypeVar("T")
Keys = Sequence[tuple[str, str]]


class RecordListScreen(SectionScreen, Generic[T]):
    """A section that lists records of one kind; ``NOUN`` is what one is called."""

    NOUN: ClassVar[str] = "record"
    EMPTY: ClassVar[str] = "Nothing here yet."
    EMPTY_KEYS: ClassVar[Keys] = ()
    CAN_DELETE: ClassVar[bool] = True
    AUTO_FOCUS = "RecordTable"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "filter", key_display="/", priority=True, id="list.filter"),
        Binding("d", "delete", "delete", id="list.delete"),
        Binding("r", "refresh", "refresh", show=False, id="list.refresh"),
        Binding("escape", "back", "clear the marks, then the filter", show=False, id="list.back"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._is_unreadable = False

    # What each list says for itself

    @abstractmethod
    def columns(self) -> Sequence[Column[T]]:
        """The table's columns."""

    @abstractmethod
    async def fetch(self, offset: int, limit: int, q: str) -> Page[T]:
        """One page of the records."""

    @abstractmethod
    def key(self, record: T) -> str:
        """The record's id."""

    @abstractmethod
    def name_of(self, record: T) -> str:
        """What the record is called when it is asked about."""

    async def delete(self, ids: Sequence[str]) -> Deletion:
        """Delete the records with these ids; only called where ``CAN_DELETE``."""
        return Deletion(0)

    async def goes_along(self, ids: Sequence[str]) -> Sequence[str]:
        """Lines that say what goes with these records, and what stays."""
        return ()

    # The screen

    def compose_body(self) -> ComposeResult:
        yield from self.compose_list()

    def compose_list(self) -> ComposeResult:
        """The table, and the notice that stands in its place."""
        yield RecordTable(self.columns(), self.fetch, key=self.key)
        notice = Notice()
        notice.display = False
        yield notice

    @property
    def table(self) -> RecordTable[T]:
        return self.query_one(RecordTable)

    def read_anew(self) -> None:
        self.table.reload()

    @on(RecordTable.Loaded)
    def _loaded(self, event: RecordTable.Loaded) -> None:
        if event.total:
            self._show_notice(False)
            return
        notice = self.query_one(Notice)
        if event.q:
            notice.say(f'No {self.NOUN} matches "{one_line(event.q)[:60]}".', (("esc", "clears the filter"),))
        else:
            notice.say(self.EMPTY, self.EMPTY_KEYS)
        self._show_notice(True)

    @on(RecordTable.LoadFailed)
    def _load_failed(self, event: RecordTable.LoadFailed) -> None:
        if self.table.is_loaded and self.table.total:
            self.say_error(event.error)
            return
        self.query_one(Notice).say_error(event.error, (("r", "tries again"), ("q", "quits")))
        self._show_notice(True)
        self._is_unreadable = True
        self.refresh_bindings()

    def _show_notice(self, shown: bool) -> None:
        """The notice in the table's place, or the table; what had the focus keeps it where it can."""
        typing = self.focused is not None and not isinstance(self.focused, RecordTable)
        self.query_one(Notice).display = shown
        self.table.display = not shown
        if not shown and not typing and self.is_current:
            self.table.focus()

    def say(self, message: str) -> None:
        self.notify(one_line(message), markup=False)

    def say_error(self, error: LodeError) -> None:
        text = one_line(error.message) + (f"\n{one_line(error.hint)}" if error.hint else "")
        self.notify(text, severity="error", markup=False)

    # Filtering

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # "/" goes before what has the focus, so that what is typed right after it already finds the filter;
        # in the filter itself it is a letter
        if action == "filter":
            return self._has_rows and not isinstance(self.focused, Input)
        if action == "delete":
            return self.CAN_DELETE and self._has_rows
        return super().check_action(action, parameters)

    @property
    def _has_rows(self) -> bool:
        """Whether there is something to filter or delete; until the list has been read it is taken for granted."""
        if not self.is_mounted or not self.table.is_loaded:
            return not self._is_unreadable
        return self.table.total > 0 or bool(self.table.q)

    def action_filter(self) -> None:
        from tui.widgets.filter_bar import FilterBar

        bars = self.query(FilterBar)
        bar = bars.first() if bars else FilterBar()
        if not bars:
            self.mount(bar, before=0)
        self.set_focus(bar)

    def on_filter_bar_told(self, event: FilterBar.Told) -> None:
        self.table.q = event.q

    def on_filter_bar_closed(self, event: FilterBar.Closed) -> None:
        self.set_focus(self.table if self.table.display else None)
        if not event.kept:
            self._remove_filter()

    def _remove_filter(self) -> None:
        self.query("FilterBar").remove()
        self.table.q = ""

    def action_back(self) -> None:
        if self.table.marked:
            self.table.clear_marks()
        elif self.query("FilterBar"):
            self._remove_filter()

    def action_refresh(self) -> None:
        self.table.reload()

    @on(RecordTable.Loaded)
    @on(RecordTable.Marked)
    def _say_counts(self) -> None:
        said = []
        if self.table.marked:
            said.append(f"{number(len(self.table.marked))} marked")
        if self.table.q:
            said.append(f"{number(self.table.total)} found")
        self.set_status(" · ".join(said))
        self.refresh_bindings()

    # Deleting

    def action_delete(self) -> None:
        ids = self.table.marked_or_current
        if ids:
            self.ask_and_delete(ids)

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def ask_and_delete(self, ids: Sequence[str]) -> None:
        from tui.screens.dialogs import Confirm

        current = self.table.current
        if len(ids) == 1 and current is not None and self.key(current) == ids[0]:
            what = f"this {self.NOUN}: {self.name_of(current)}"
        else:
            what = count_of(len(ids), self.NOUN)
        try:
            details = [*await self.goes_along(ids), "u brings it back." if len(ids) == 1 else "u brings them back."]
            if not await self.app.push_screen_wait(Confirm(f"Delete {what}?", details)):
                return
            deletion = await self.delete(ids)
        except LodeError as error:
            self.say_error(error)
            return
        self.table.clear_marks()
        jobs = f" with {count_of(len(deletion.job_ids), 'job')}" if deletion.job_ids else ""
        self.say(f"{count_of(deletion.count, self.NOUN)}{jobs} deleted · u undoes it")
        self.post_message(LibraryChanged(self.NOUN, *(("job",) if deletion.job_ids else ())))
