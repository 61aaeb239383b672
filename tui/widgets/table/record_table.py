"""Table of records of any number: only what is visible is read, and only what changed is drawn."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.worker import Worker, WorkerCancelled, WorkerFailed, WorkerState

from tui.compat.app import FaultTolerantApp
from tui.errors import LodeError
from tui.records.search_fields import ALL_FIELDS
from tui.records.sorting import RowGroup
from tui.text.display import number
from tui.text.search_query import Matches
from tui.widgets.chrome.key_line import page_keys
from tui.widgets.chrome.targets import Target
from tui.widgets.table.columns import Column, ColumnWidths
from tui.widgets.table.drawing import STYLE_NAMES, TABLE_CSS, SearchTexts, TableLines, table_styles
from tui.widgets.table.groups import GroupHeadings
from tui.widgets.table.marks import MAX_RANGE, Amounts, Marks
from tui.widgets.table.rows import Fetch, Pages, TableRows, VisibleRows

T = TypeVar("T")
FetchGroups: TypeAlias = Callable[[str], Awaitable[Sequence[RowGroup]]]
"""Function from a search text to the groups of the rows, which have headings."""
_HEADER = 1
_FAR = 1_000_000_000  # rows, more than any list has
AGES_SECONDS = 20.0
"""Seconds between two looks at the ages: a third of the smallest step in which these are shown."""


class RecordTable(ScrollView, Generic[T], can_focus=True, inherit_bindings=False):
    """Table of records that ``fetch`` reads page by page; ``key`` is a record's id.

    The cursor is a row number from 0; marks are ids and outlive scrolling and searching. A row that has not been read
    yet shows a ``·``. Texts are literal, and control characters never get out. The words of the search are set off;
    ``search_texts`` gives what else a record is found by, ``amounts`` what is summed up of those that are marked.
    ``reading`` makes the context in which the records of a long range are read.
    Headings stand between the groups of ``fetch_groups``: they are no rows.
    """

    ALLOW_SELECT = False
    BINDING_GROUP_TITLE = "List"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"record-table--{name}" for name in (*STYLE_NAMES, "cursor")}
    DEFAULT_CSS = TABLE_CSS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", id="table.open"),
        Binding("ctrl+j", "open", show=False),  # enter, typed before the app had the terminal
        Binding("j,down", "move(1)", "down", show=False, id="table.down"),
        Binding("k,up", "move(-1)", "up", show=False, id="table.up"),
        Binding("g,home", f"move(-{_FAR})", "first", show=False, id="table.first"),
        Binding("G,end", f"move({_FAR})", "last", show=False, id="table.last"),
        *page_keys("table", "page"),
        Binding("space", "mark", "mark", show=False, id="table.mark"),
        Binding(
            "V", "mark_range", "mark a range: all from here to where the cursor goes", show=False, id="table.mark_range"
        ),
    ]

    @dataclass(eq=False)
    class Opened(Message):
        """Sent on enter, a second click or a double click on a record."""

        record: Any

    @dataclass(eq=False)
    class Highlighted(Message):
        """Sent when the cursor stands on another record (None: there is none, or it has not been read yet)."""

        record: Any | None

    class Marked(Message):
        """Sent when the marks changed."""

    @dataclass(eq=False)
    class Loaded(Message):
        """Sent when the list for ``q`` was read (again); ``total`` records match."""

        total: int
        q: str

    class RowsRead(Message):
        """Sent when more rows of the list were read."""

    @dataclass(eq=False)
    class LoadFailed(Message):
        """Sent when the list could not be read; what was shown stays."""

        error: LodeError

    q: reactive[str] = reactive("", init=False, repaint=False)

    def __init__(
        self,
        columns: Sequence[Column[T]],
        fetch: Fetch[T],
        *,
        key: Callable[[T], str],
        search_texts: SearchTexts[T] | None = None,
        amounts: Callable[[T], Amounts] = lambda record: (),
        reading: Callable[[], AbstractContextManager[None]] = nullcontext,
        fetch_groups: FetchGroups | None = None,
    ) -> None:
        super().__init__()
        self._widths = ColumnWidths(columns)
        self._search_texts = search_texts
        self._fetch_groups = fetch_groups
        self._headings = GroupHeadings()
        self._lines: TableLines[T] | None = None
        self._key = key
        self._rows = TableRows(fetch, key, self._visible_rows)
        self._to_top = False
        self._follows = False
        self._sort_sign = "", ""
        self.cursor_row = 0
        self.moves = 0
        """Times that the cursor was put into a row; it goes with its record uncounted."""
        self.open_first = False
        """True if enter was pressed before there was a record: it means the first one that comes."""
        self._clicked = -1
        self._announced: T | None = None
        self.marks = Marks(key, amounts)
        self._reading = reading
        self._reader: Worker[None] | None = None

    # What a screen reads

    @property
    def total(self) -> int:
        """Number of records that match; 0 until the first page came."""
        return self._rows.pages.total

    @property
    def is_loaded(self) -> bool:
        """Whether a first page came, for whatever search."""
        return self._rows.q is not None

    async def until_read(self) -> None:
        """Wait for what is being read."""
        while self._reader is not None and not self._reader.is_finished:
            with suppress(WorkerFailed, WorkerCancelled):
                await self._reader.wait()

    @property
    def current(self) -> T | None:
        """Record under the cursor; None in an empty list, and until it has been read."""
        return self._rows.pages.record(self.cursor_row)

    @property
    def marked(self) -> tuple[str, ...]:
        """Marked ids in the order of marking, also those that the search leaves out."""
        return tuple(self.marks.ids)

    @property
    def marked_or_current(self) -> tuple[str, ...]:
        current = self.current
        return self.marked or (() if current is None else (self._key(current),))

    def show_columns(self, hidden: Collection[str], sorted_by: str, sign: str) -> None:
        """Leave the columns with these titles out, and put a sign behind the title of that which sorts the list."""
        self._widths.hidden, self._widths.sorted_by = frozenset(hidden), sorted_by
        self._sort_sign = sorted_by, sign
        self.draw_again()

    def clear_marks(self) -> None:
        if self.marked or self.marks.has_range:
            self.marks.clear()
            self._show_marks()

    def end_range(self) -> None:
        """Let the range go with the cursor no longer; what is in it stays marked."""
        if self.marks.has_range:
            self.marks.end_range()
            self.post_message(self.Marked())

    def record_at(self, row: int) -> T | None:
        """Record in a row, None where it has not been read."""
        return self._rows.pages.record(row)

    def visible_records(self) -> list[T]:
        """Records in sight, as far as they have been read."""
        return [record for row in self._rows_in_sight() if (record := self.record_at(row)) is not None]

    def replace(self, row: int, record: T) -> None:
        """Show another record in a row, before the list is read again."""
        self._rows.pages.replace(row, record)
        self._redraw_row(row)

    def draw_again(self) -> None:
        """Draw all rows again: what the columns show of the records has changed."""
        self._lines = None
        self.refresh()

    def move_to(self, row: int) -> None:
        """Put the cursor into a row (the nearest there is) and scroll just so far that it is visible."""
        self.moves += 1
        row = max(0, min(row, self.total - 1))
        before, self.cursor_row = self.cursor_row, row
        self._show_row(row)
        if row != before:
            self._redraw_row(before)
            self._redraw_row(row)
            self._announce()
            if self.marks.has_range:
                self._extend_range()
        self._read_missing()

    def reload(self, keep_cursor: bool = True, *, follows: bool = False) -> None:
        """Read the list again; the rows that are shown stay until the new ones came.

        The cursor stays on its record if that is still near, else in its row; without ``keep_cursor`` it goes to the
        top. In another order it ``follows`` its record, in a list of a thousand, else it goes to the top too.
        """
        self._to_top = self._to_top or not keep_cursor
        self._follows = self._follows or follows
        if self.is_attached:
            self._reader = self._read(anew=True)

    # Reading

    def on_mount(self) -> None:
        if isinstance(self.app, FaultTolerantApp) and not self.app.goes_on:
            self.call_after_refresh(self.reload)  # what it imports and reads would keep the first frame waiting
        else:
            self.reload()
        self.set_interval(AGES_SECONDS, self.draw_ages)

    def watch_q(self) -> None:
        self.reload()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._read_missing()

    def _visible_rows(self) -> VisibleRows:
        return VisibleRows(self._headings.row(self.scroll_offset.y), self._height, self.cursor_row)

    def _rows_in_sight(self) -> range:
        top = self.scroll_offset.y
        return range(self._headings.row(top), min(self._headings.row(top + self._height), self.total))

    def _read_missing(self) -> None:
        """Start to read what is visible and not there, unless something is being read: that goes on with it."""
        reading = self._reader is not None and not self._reader.is_finished
        if not reading and self._rows.next_page() is not None:
            self._reader = self._read()

    @work(exclusive=True, group="rows", exit_on_error=False)
    async def _read(self, anew: bool = False) -> None:
        try:
            if anew:
                await self._read_anew()
            while (number := self._rows.next_page()) is not None:
                total = self.total
                self._show_more(await self._rows.read(number), total)
        except LodeError as error:
            self.post_message(self.LoadFailed(error))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Report an unforeseen failure like any other: rows that never come would say nothing."""
        if event.worker is self._reader and event.state is WorkerState.ERROR:
            self.post_message(self.LoadFailed(LodeError(f"the list could not be read: {event.worker.error!r}")))

    async def _read_anew(self) -> None:
        q = self.q
        from_top = self._to_top or q != self._rows.q
        follows, current = self._follows, self.current
        if follows and current is not None:
            fresh = await self._rows.read_whole(q)
            from_top = fresh.find(self._key(current), self._key, near=0) is None
        else:
            fresh = await self._rows.read_anew(q, from_top=from_top)
        groups = tuple(await self._fetch_groups(q)) if self._fetch_groups is not None and fresh.total else ()
        is_same = q == self._rows.q and groups == self._headings.groups
        if self.total and not from_top and is_same and fresh.is_part_of(self._rows.pages):
            self._rows.pages = fresh  # as it stands on the screen: nothing is drawn, and nothing to be told of
            self._look_again(fresh.records())
            self._follows = False
            self.post_message(self.RowsRead())
            return
        self._replace(fresh, groups, q, from_top)
        self._to_top = self._follows = False
        self.post_message(self.Loaded(self.total, q))
        if self.open_first and self.has_focus and self.screen.is_active:
            self.action_open()

    def _replace(self, fresh: Pages[T], groups: Sequence[RowGroup], q: str, from_top: bool) -> None:
        """Show what was read anew in place of what was there."""
        current, row, top = self.current, self.cursor_row, self.scroll_offset.y
        line, self._headings = self._headings.line(row), GroupHeadings(groups)
        if q != self._rows.q:
            self._widths.forget_search()
        self.marks.end_range()  # its rows are others now
        self.marks.look_again(fresh.records())
        self._rows.pages, self._rows.q = fresh, q
        self._widths.measure(fresh.records())
        if from_top:
            row, moved = 0, -top
        else:
            found = None if current is None else fresh.find(self._key(current), self._key, near=row)
            now = 0 if found is None else self._headings.line(found)
            moved = 0 if found is None or (top == 0 and now < self._height) else now - line
            row = max(0, min(row if found is None else found, self.total - 1))
        self.cursor_row = row
        self._clicked = -1
        self._fit_to_total()
        if moved:
            self.scroll_to(y=top + moved, animate=False, force=True)
        if from_top or top <= self._headings.line(self.cursor_row) < top + self._height:
            self._show_row(self.cursor_row)
        self.draw_again()
        self._announce()

    def _show_more(self, rows: range, total_before: int) -> None:
        """Show rows that came under those that are shown; a column is widened only where a number would be cut."""
        if self._widths.measure(filter(None, map(self.record_at, rows)), shared=False):
            self.draw_again()
        if self.total != total_before:
            self.marks.end_range()
            self.cursor_row = max(0, min(self.cursor_row, self.total - 1))
            self._fit_to_total()
            self.draw_again()
            self.post_message(self.Loaded(self.total, self._rows.q or ""))
        else:
            for row in rows:
                self._redraw_row(row)
        self._announce()
        self._look_again(filter(None, map(self.record_at, rows)))
        self.post_message(self.RowsRead())

    def _fit_to_total(self) -> None:
        self.virtual_size = Size(0, self.total + len(self._headings) + _HEADER)
        if self.scroll_offset.y > self.max_scroll_y:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True)

    # Moving, marking, opening

    @property
    def _height(self) -> int:
        """Number of visible rows."""
        return max(1, self.size.height - _HEADER)

    def _show_row(self, row: int) -> None:
        top, line = self.scroll_offset.y, self._headings.line(row)
        highest = line - 1 if line and self._headings.heading(line - 1) is not None and self._height > 1 else line
        if (shown := min(max(top, line - self._height + 1), highest)) != top:
            self.scroll_to(y=shown, animate=False, force=True)

    def _announce(self) -> None:
        if (current := self.current) is not self._announced:
            self._announced = current
            self.post_message(self.Highlighted(current))

    def action_move(self, rows: int) -> None:
        self._clicked = -1
        self.move_to(self.cursor_row + rows)

    def action_page(self, pages: float) -> None:
        self.action_move(round(pages * self._height) or (1 if pages > 0 else -1))

    def action_mark(self) -> None:
        """Mark the current record, or take its mark away, and go on to the next one."""
        if (current := self.current) is None:
            return
        self.marks.toggle(current)
        self._redraw_row(self.cursor_row)
        self.post_message(self.Marked())
        self.action_move(1)

    def action_mark_range(self) -> None:
        """Begin a range in the cursor's row, which goes with the cursor, or end it."""
        if self.marks.has_range:
            self.end_range()
        elif self.total:
            self.marks.begin_range(self.cursor_row)
            self._extend_range()

    def _extend_range(self) -> None:
        unread = self.marks.unread(self.marks.rows_to(self.cursor_row))
        records = [record for row in unread if (record := self.record_at(row)) is not None]
        if len(records) == len(unread):
            self._take_range(unread.start, records)
        else:
            self._read_range(unread)

    @work(exclusive=True, group="range", exit_on_error=False)
    async def _read_range(self, unread: range) -> None:
        try:
            with self._reading():
                records = await self._rows.records(unread)
                if self.marks.has_range:
                    self._take_range(unread.start, records)
        except LodeError as error:
            self.end_range()
            self.post_message(self.LoadFailed(error))

    def _take_range(self, first: int, records: Sequence[T]) -> None:
        """Let the range have these records, up to where the cursor is now: it may have gone on while they were read."""
        rows = self.marks.rows_to(self.cursor_row)
        self.marks.extend(rows, first, records)
        self._show_marks()
        if records and self.cursor_row not in rows:
            self.notify(f"a range has {number(MAX_RANGE)} rows at most", severity="warning", markup=False)

    def _look_again(self, records: Iterable[T]) -> None:
        if self.marked:
            self.marks.look_again(records)
            self.post_message(self.Marked())

    def _show_marks(self) -> None:
        self.refresh()
        self.post_message(self.Marked())

    def action_open(self) -> None:
        current = self.current
        self.open_first = current is None and not self.is_loaded
        if current is not None:
            self.post_message(self.Opened(current))

    def on_click(self, event: events.Click) -> None:
        line = event.y - _HEADER + self.scroll_offset.y
        row = self._headings.row(line)
        if event.y < _HEADER or row >= self.total or self._headings.heading(line) is not None:
            return
        again = row == self._clicked or event.chain == 2
        self.move_to(row)
        self._clicked = row
        if again:
            self.action_open()

    def targets(self) -> Iterator[Target]:
        """The rows in sight."""
        for row in self._rows_in_sight():
            yield Target(0, self._y_of(row), partial(self._go_to, row))

    def _y_of(self, row: int) -> int:
        return self._headings.line(row) - self.scroll_offset.y + _HEADER

    def _go_to(self, row: int) -> None:
        self.focus()
        self.action_move(row - self.cursor_row)

    @property
    def cursor_screen_offset(self) -> Offset:
        return self.content_region.offset + Offset(0, self._y_of(self.cursor_row))

    # Drawing

    def on_resize(self) -> None:
        self.draw_again()
        self._read_missing()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._lines = None

    def _redraw_row(self, row: int) -> None:
        """Draw one row again, if it is visible."""
        y = self._y_of(row)
        if _HEADER <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        if self._lines is None:
            width, matches = self.scrollable_content_region.width, Matches.of_query(self._rows.q or "", ALL_FIELDS)
            self._lines = TableLines(
                self._widths.fitted(width), width, table_styles(self), matches, self._search_texts, self._sort_sign
            )
        line = y - _HEADER + self.scroll_offset.y
        row = self._headings.row(line)
        if y < _HEADER:
            return self._lines.header()
        if row >= self.total:
            return self._lines.blank()
        if (group := self._headings.heading(line)) is not None:
            return self._lines.heading(group)
        record = self.record_at(row)
        marked = record is not None and self._key(record) in self.marks.ids
        return self._lines.row(row, record, has_cursor=row == self.cursor_row, marked=marked)

    def draw_ages(self) -> None:
        """Draw the visible rows again whose age reads otherwise by now; nothing while the list is not in sight."""
        if (lines := self._lines) is None or not self.screen.is_current:
            return
        for row in self._rows_in_sight():
            if (record := self.record_at(row)) is not None and lines.drop_aged(row, record):
                self._redraw_row(row)
