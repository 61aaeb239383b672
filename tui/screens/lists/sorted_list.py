"""Base class of the list screens: what a list is sorted and grouped by, which columns it shows, and reading it so."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from textual import work
from textual.binding import Binding, BindingType

from tui.errors import InvalidInput
from tui.records.sorting import GROUPS, MAX_SORTED, SORT_COLUMNS, RowGroup, Sort, goes_at_any_size
from tui.screens.looks import ListLook, list_look
from tui.screens.messages import ListLookChosen
from tui.screens.section import SectionScreen
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.records.pages import Page
    from tui.screens.dialogs.list_look_choice import SortEntry
    from tui.service.protocol import Service
    from tui.service.protocol.records import Records
    from tui.widgets.table.columns import Column


class Record(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Record)


class SortedListScreen(SectionScreen, Generic[T]):
    """Screen with a table of records, in an order and in columns that are chosen and kept."""

    LOOK: ClassVar[Any] = ""
    """Name under which the look of the list is kept; one that ``SORT_COLUMNS`` has is sorted by the service."""
    OWN_SORT: ClassVar[Sort] = Sort("age")
    OWN_ORDER: ClassVar[str] = ""
    """Name of its own order, where that is none of a column."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sort", "sort", tooltip="sort; tab: columns, groups", show=False, id="list.sort")
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._look = ListLook()
        self._is_ordered = True
        """Whether the list stands in the order that was chosen; one that is too long for it does not."""

    @abstractmethod
    def columns(self) -> Sequence[Column[T]]:
        """Columns of the table."""

    @property
    def records(self) -> Records[T]:
        """Part of the service that has the records, where they are read and deleted as usual."""
        raise NotImplementedError

    @property
    def table(self) -> RecordTable[T]:
        return self.query_one(RecordTable)

    @property
    def has_newest_first(self) -> bool:
        """Whether what is added comes to stand at the top."""
        return self.sort == self.OWN_SORT

    # Reading

    async def fetch(self, offset: int, limit: int, q: str) -> Page[T]:
        """Read one page of the records; a list that is too long for its order comes in its own."""
        sort, is_ordered = self.sort, True
        try:
            page = await self.fetch_sorted(offset, limit, q, str(sort))
        except InvalidInput as error:
            if error.code != "too_many_to_sort":
                raise
            page, is_ordered = await self.fetch_sorted(offset, limit, q, str(self.OWN_SORT)), False
        if is_ordered != self._is_ordered:
            self._is_ordered = is_ordered
            self._show_look()
        return page

    async def fetch_sorted(self, offset: int, limit: int, q: str, sort: str) -> Page[T]:
        """Read one page of the records in an order."""
        return await self.records.page(offset=offset, limit=limit, q=q, sort=sort)

    async def fetch_groups(self, q: str) -> Sequence[RowGroup]:
        """Read the groups that the rows stand in; none where that was not chosen, or there are too many rows."""
        if not self._group:
            return ()
        try:
            found = await self.records.find_groups(str(self.sort), q=q)
        except InvalidInput as error:
            if error.code != "too_many_to_sort":
                raise
            return ()
        return [group if group.name else replace(group, name=f"no {self._group}") for group in found]

    @property
    def _group(self) -> str:
        """Name of what the rows are grouped by, "" for nothing."""
        return self._look.group if GROUPS.get(self.LOOK, {}).get(self.sort.column) == self._look.group else ""

    # The order

    @property
    def sort(self) -> Sort:
        """The order that was chosen for the list, its own where there is none."""
        return self.OWN_SORT if self._column_of(self._look.sort) is None else self._look.sort

    @property
    def sort_text(self) -> str:
        """Order of the list as a view keeps it, "" for the usual one."""
        return "" if self.sort == self.OWN_SORT else str(self.sort)

    def sort_as(self, sort: str) -> None:
        """Take the order of a view for now; "" leaves the list as it is."""
        if sort:
            self._look = replace(self._look, sort=Sort(sort.removeprefix("-"), sort.startswith("-")))
            self._is_ordered = True
            self._show_look()
            self.table.reload(follows=True)

    def _column_of(self, sort: Sort) -> Column[T] | None:
        return next((each for each in self.columns() if each.sort and each.sort == sort.column), None)

    def is_descending(self, column: Column[T], sort: Sort) -> bool:
        """Whether what stands in a column goes down in this order: ages go up from the newest on."""
        own = SORT_COLUMNS.get(self.LOOK, {}).get(column.sort)
        goes_down = own == "down" if own is not None else column.align == "right"
        return (goes_down != column.ages) != sort.is_turned

    def sorted_here(self, records: Sequence[T], sort: str) -> Sequence[T]:
        """Sort records that are all at hand; those without a value come last."""
        column = self._column_of(Sort(sort.removeprefix("-")))
        if column is None:
            return records
        is_descending = self.is_descending(column, self.sort)

        def key(record: T) -> tuple[bool, float, str]:
            text = column.text(record)
            number = "".join(filter(str.isdecimal, text)) if column.align == "right" else ""
            return bool(number if column.align == "right" else text), float(number or 0), text.casefold()

        empty = [record for record in records if not key(record)[0]]
        return [*sorted((each for each in records if key(each)[0]), key=key, reverse=is_descending), *empty]

    def read_look(self) -> None:
        """Take the look that was chosen for the list before."""
        self._look = list_look(self.app, self.LOOK)

    def on_mount(self) -> None:
        self._show_look()

    def _show_look(self) -> None:
        """Show the columns that are wanted, and a sign at that which sorts the list, unless headings say it."""
        sort = self.sort if self._is_ordered else self.OWN_SORT
        column = None if self._group else self._column_of(sort)
        sign = "" if column is None else "▼" if self.is_descending(column, sort) else "▲"
        hidden = [each.title for each in self.columns() if not self._look.shows(each)]
        for table in self.query(RecordTable):
            table.show_columns(hidden, "" if column is None else column.sort, sign)

    def _orders(self) -> Iterator[SortEntry]:
        """The orders that can be chosen."""
        from tui.screens.dialogs.list_look_choice import TOO_MANY, SortEntry, first_of

        is_long = self.table.total > MAX_SORTED and self.LOOK in SORT_COLUMNS
        if not self.OWN_SORT.column:
            yield SortEntry("", self.OWN_ORDER, False, ("", ""))
        for column in self.columns():
            if column.sort:
                goes_down = self.is_descending(column, Sort(column.sort))
                refusal = TOO_MANY if is_long and not goes_at_any_size(self.LOOK, column.sort) else ""
                yield SortEntry(column.sort, column.title, goes_down, first_of(column, goes_down=goes_down), refusal)

    @work(exclusive=True, group="look", exit_on_error=False)
    async def action_sort(self) -> None:
        """Let an order and columns be chosen."""
        from tui.screens.dialogs.list_look_choice import ListLookChoice

        before = self._look
        columns = [column for column in self.columns() if not column.is_of_search]
        groups = {group: column for column, group in GROUPS.get(self.LOOK, {}).items()}
        orders = tuple(self._orders())
        self._look = await self.app.push_screen_wait(ListLookChoice(before, self.sort, orders, columns, groups))
        if self._look == before:
            return
        self.post_message(ListLookChosen(self.LOOK, self._look))
        self._is_ordered = True
        self._show_look()
        if (self._look.sort, self._look.group) != (before.sort, before.group):
            self.table.reload(follows=True)
