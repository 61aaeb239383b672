"""A list of a million records reads and draws only what is visible, and keeps its place when it changes."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pytest
from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot

from tests.hostile import FORBIDDEN, HOSTILE
from tests.settling import press, running, settled
from tui.errors import StoreError
from tui.records.pages import Page
from tui.widgets.table.columns import Column
from tui.widgets.table.marks import MAX_RANGE
from tui.widgets.table.record_table import RecordTable
from tui.widgets.table.rows import PAGE

M = TypeVar("M", bound=Message)


@dataclass(frozen=True, slots=True)
class Row:
    id: str
    text: str
    count: int


def rows(count: int) -> list[Row]:
    return [Row(f"id{n}", f"row {n}", n) for n in range(count)]


class Source:
    """An async list that remembers what was asked of it; ``q`` filters by containment."""

    def __init__(self, items: Sequence[Row]) -> None:
        self.items = list(items)
        self.asked: list[tuple[int, int, str]] = []
        self.error: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def fetch(self, offset: int, limit: int, q: str) -> Page[Row]:
        self.asked.append((offset, limit, q))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        found = [row for row in self.items if q in row.text] if q else self.items
        return Page(tuple(found[offset : offset + limit]), len(found), offset)


class TableApp(App[None]):
    def __init__(
        self,
        source: Source,
        columns: Sequence[Column[Row]] | None = None,
        amounts: Callable[[Row], tuple[int, ...]] = lambda row: (),
    ) -> None:
        super().__init__()
        self.source = source
        self.columns = columns or (
            Column("Text", lambda row: row.text, share=1),
            Column("Count", lambda row: str(row.count), align="right"),
        )
        self.amounts = amounts
        self.said: list[Message] = []

    def compose(self) -> ComposeResult:
        yield RecordTable(self.columns, self.source.fetch, key=lambda row: row.id, amounts=self.amounts)

    @property
    def table(self) -> RecordTable[Row]:
        return self.query_one(RecordTable)

    @on(RecordTable.Opened)
    @on(RecordTable.Loaded)
    @on(RecordTable.LoadFailed)
    @on(RecordTable.Highlighted)
    def _remember(self, message: Message) -> None:
        self.said.append(message)

    def heard(self, kind: type[M]) -> list[M]:
        return [message for message in self.said if isinstance(message, kind)]

    @property
    def opened(self) -> list[object]:
        return [message.record for message in self.heard(RecordTable.Opened)]

    async def reload(self, pilot: Pilot[None]) -> None:
        self.table.reload()
        await settled(pilot)


def lines(app: TableApp) -> list[str]:
    return [app.table.render_line(y).text for y in range(app.table.size.height)]


async def test_the_first_page_is_read_after_the_first_paint_and_shown_in_straight_columns() -> None:
    app = TableApp(Source(rows(200)))
    async with running(app, (40, 10)):
        shown = lines(app)
        assert shown[0].split() == ["Text", "Count"]
        assert [line.split() for line in shown[1:4]] == [["▌", "row", "0", "0"], ["row", "1", "1"], ["row", "2", "2"]]
        assert app.table.current == Row("id0", "row 0", 0)
        assert [message.total for message in app.heard(RecordTable.Loaded)] == [app.table.total] == [200]
        assert {cell_len(line) for line in shown} == {app.table.scrollable_content_region.width}
        assert len({len(line.rstrip()) for line in shown}) == 1


async def test_the_end_of_very_many_rows_reads_only_what_is_visible() -> None:
    app = TableApp(Source(rows(20_000)))
    async with running(app, (60, 24)) as pilot:
        app.source.asked.clear()
        for key, row, line in (("G", 19_999, -1), ("g", 0, 1)):
            await press(pilot, key)
            assert app.source.asked == [(19_900, 100, "")]
            assert app.table.cursor_row == row
            assert f"row {row}" in lines(app)[line]


async def test_keys_move_the_cursor_and_keep_it_visible() -> None:
    app = TableApp(Source(rows(500)))
    async with running(app, (60, 21)) as pilot:
        for keys, row in (
            *(("j j down", 3), ("j j k", 1), ("k", 0), ("up", 0), ("end", 499), ("G home", 0), ("ctrl+d", 10)),
            *(("pagedown", 20), ("pagedown ctrl+u", 10), ("pagedown pageup", 0), ("space space", 2)),
        ):
            await press(pilot, "g", *keys.split())
            assert app.table.cursor_row == row, keys
            assert any(line.startswith("▌") and f"row {row} " in line for line in lines(app)), keys


async def test_marks_are_kept_in_the_order_of_marking() -> None:
    app = TableApp(Source(rows(10)))
    async with running(app, (60, 21)) as pilot:
        assert list(app.table.marked_or_current) == ["id0"]
        await pilot.press("j", "j", "space", "k", "k", "k", "space")
        assert list(app.table.marked) == ["id2", "id0"]
        assert list(app.table.marked_or_current) == ["id2", "id0"]
        assert "✓" in lines(app)[3]
        await pilot.press("k", "space")
        assert list(app.table.marked) == ["id2"]
        app.table.clear_marks()
        assert not app.table.marked
        assert "✓" not in "".join(lines(app))


async def test_a_range_goes_with_the_cursor_until_it_ends_and_keeps_what_was_marked_before() -> None:
    app = TableApp(Source(rows(500)))
    async with running(app, (60, 21)) as pilot:
        for keys, marked in (
            ("space V", ["id0", "id1"]),
            ("j j", ["id0", "id1", "id2", "id3"]),
            ("k", ["id0", "id1", "id2"]),
            ("g", ["id0", "id1"]),
            ("G", [f"id{number}" for number in range(500)]),
            ("k V j", [f"id{number}" for number in range(499)]),
            ("V k", [f"id{number}" for number in range(500)]),
            ("space", [f"id{number}" for number in range(500) if number != 498]),
            ("k", [f"id{number}" for number in range(500) if number != 498]),
        ):
            await press(pilot, *keys.split())
            assert list(app.table.marked) == marked, keys
        assert not app.table.marks.has_range


async def test_a_long_range_is_read_in_few_requests_and_once() -> None:
    app = TableApp(Source(rows(20_500)))
    async with running(app, (60, 24)) as pilot:
        await press(pilot, "V")
        app.source.asked.clear()
        await press(pilot, "G")
        assert len(app.table.marked) == MAX_RANGE
        assert any("at most" in each.message for each in app._notifications)
        assert len(app.source.asked) <= 22
        app.source.asked.clear()
        await press(pilot, "g", "ctrl+d")
        assert len(app.table.marked) == app.table.cursor_row + 1 < PAGE
        assert [limit for _, limit, _ in app.source.asked] == [PAGE] * len(app.source.asked)


async def test_a_range_follows_the_cursor_that_went_on_while_it_was_read() -> None:
    all_rows = rows(3 * PAGE)
    app = TableApp(Source(all_rows))
    async with running(app, (60, 21)) as pilot:
        await press(pilot, "V")
        app.source.gate.clear()
        await pilot.press("G")
        for number in range(3):  # what else is read comes first
            app.table._rows.pages.put(number, tuple(all_rows[number * PAGE :][:PAGE]), len(all_rows))
        await pilot.press("k")
        app.source.gate.set()
        await settled(pilot)
        assert len(app.table.marked) == len(all_rows) - 1


async def test_a_range_ends_where_the_rows_become_others_and_where_they_cannot_be_read() -> None:
    app = TableApp(Source(rows(3_000)))
    async with running(app, (60, 21)) as pilot:
        await press(pilot, "V", "j")
        app.source.items.insert(0, Row("new", "new", 0))
        await app.reload(pilot)
        assert not app.table.marks.has_range
        await press(pilot, "j")
        assert list(app.table.marked) == ["id0", "id1"]
        await press(pilot, "V")
        app.source.error = StoreError("the disk is gone")
        await press(pilot, "G")
        assert not app.table.marks.has_range
        assert list(app.table.marked) == ["id0", "id1", "id2"]


async def test_what_is_marked_is_summed_up_as_far_as_it_is_known() -> None:
    app = TableApp(Source(rows(3_000)), amounts=lambda row: (row.count, 1))
    async with running(app, (60, 21)) as pilot:
        assert not app.table.marks.totals()
        await press(pilot, "j", "space", "space", "G", "space")
        assert app.table.marks.totals() == (1 + 2 + 2_999, 3)
        app.source.items[2_999] = Row("id2999", "row 2999", 5)
        app.table.marks.forget_amounts()
        assert app.table.marks.totals() is None
        await app.reload(pilot)
        assert app.table.marks.totals() is None, "those of the first rows are not known again"
        await press(pilot, "g")
        assert app.table.marks.totals() == (1 + 2 + 5, 3)


async def test_enter_and_a_second_click_open_the_record() -> None:
    app = TableApp(Source(rows(10)))
    app.source.gate.clear()
    async with app.run_test(size=(60, 21)) as pilot:
        await pilot.press("enter")
        assert app.opened == []
        app.source.gate.set()
        await settled(pilot)
        assert app.opened == [app.source.items[0]], "the first of them, once they are there"
        await pilot.press("j", "enter")
        await pilot.click(RecordTable, offset=(5, 5))
        assert app.table.cursor_row == 4
        assert len(app.opened) == 2
        await pilot.click(RecordTable, offset=(5, 5))
        assert app.opened[1:] == [app.source.items[1], app.source.items[4]]


async def test_a_new_search_starts_at_the_top_and_the_latest_wins() -> None:
    app = TableApp(Source(rows(1000)))
    async with running(app, (60, 21)) as pilot:
        await pilot.press("pagedown", "pagedown")
        app.source.gate.clear()
        app.table.q = "99"
        await pilot.pause()
        assert "row 40" in "".join(lines(app)), "the old rows stay until the new ones came"
        app.table.q = "998"
        app.source.gate.set()
        await settled(pilot)
        assert (app.table.total, app.table.cursor_row, app.table.current) == (1, 0, app.source.items[998])
        assert [message.q for message in app.heard(RecordTable.Loaded)] == ["", "998"]


async def test_after_a_reload_the_cursor_stays_on_its_record_however_many_come_above_it() -> None:
    app = TableApp(Source(rows(500)))
    async with running(app, (60, 21)) as pilot:
        await press(pilot, "j", "j", "space", "pagedown", "pagedown")
        screen_row = app.table.cursor_row - app.table.scroll_offset.y
        current = app.table.current
        for count in (2, 700):
            app.source.items = [*(Row(f"new{n}", f"new {n}", n) for n in range(count)), *rows(500)]
            await app.reload(pilot)
            assert (app.table.current, app.table.cursor_row) == (current, 43 + count)
            assert app.table.cursor_row - app.table.scroll_offset.y == screen_row, "nothing moves on the screen"
            assert "row 43" in "\n".join(lines(app))
            assert app.table.marked == ("id2",)


async def test_when_its_record_is_gone_the_cursor_stays_in_its_row() -> None:
    app = TableApp(Source(rows(50)))
    async with running(app, (60, 21)) as pilot:
        await pilot.press("j", "j")
        del app.source.items[2]
        await app.reload(pilot)
        assert (app.table.cursor_row, app.table.current) == (2, app.source.items[2])
        await press(pilot, "G")
        del app.source.items[10:]
        await app.reload(pilot)
        assert app.table.current == app.source.items[-1]
        app.source.items.clear()
        await app.reload(pilot)
        assert app.table.current is None
        assert app.table.marked_or_current == ()


async def test_a_failed_reading_says_so_and_what_was_shown_stays() -> None:
    app = TableApp(Source(rows(50)))
    async with running(app, (60, 21)) as pilot:
        app.source.error = StoreError("the database is locked", hint="close the other program")
        await app.reload(pilot)
        assert [failed.error.message for failed in app.heard(RecordTable.LoadFailed)] == ["the database is locked"]
        assert "row 0" in lines(app)[1]
        app.source.error = None
        await app.reload(pilot)
        assert len(app.heard(RecordTable.Loaded)) == 1, "the rows are the same: there is nothing to be told of"
        app.source.items = rows(51)
        await app.reload(pilot)
        assert len(app.heard(RecordTable.Loaded)) == 2
        app.source.error = ZeroDivisionError("bug")
        app.table.reload()
        while len(app.heard(RecordTable.LoadFailed)) < 2:
            await pilot.pause()
        assert "bug" in app.heard(RecordTable.LoadFailed)[1].error.message, "one that nobody foresaw is told too"


async def test_rows_that_have_not_come_yet_are_a_quiet_dot() -> None:
    app = TableApp(Source(rows(1000)))
    async with running(app, (60, 21)) as pilot:
        app.source.gate.clear()
        await pilot.press("G")
        await pilot.pause()
        assert {line.strip(" ▌") for line in lines(app)[1:]} == {"·"}
        assert app.table.current is None
        await pilot.press("enter", "space")
        assert not app.opened
        app.source.gate.set()
        await settled(pilot)
        assert "row 999" in lines(app)[-1]
        assert app.heard(RecordTable.Highlighted)[-1].record


async def test_a_cursor_key_draws_two_lines_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    app = TableApp(Source(rows(1000)))
    async with running(app, (60, 21)) as pilot:
        drawn: list[int] = []
        render_line = app.table.render_line

        def watched(y: int) -> object:
            drawn.append(y)
            return render_line(y)

        monkeypatch.setattr(app.table, "render_line", watched)
        await pilot.press("j")
        await pilot.pause()
        assert sorted(drawn) == [1, 2]


async def test_hostile_texts_are_literal_harmless_and_keep_the_columns_straight() -> None:
    columns: tuple[Column[Row], ...] = (
        Column("Text", lambda row: row.text, share=1),
        Column("Styled", lambda row: Text(row.text), most=12),
        Column("Count", lambda row: str(row.count), align="right", minimum_table_width=58),
    )
    app = TableApp(Source([Row(name, text, 7) for name, text in HOSTILE.items()]), columns)
    async with running(app, (60, len(HOSTILE) + 1)) as pilot:
        for name, line in zip(HOSTILE, lines(app)[1:], strict=True):
            assert not set(line) & set(FORBIDDEN + "\n\r"), name
            assert cell_len(line) == app.table.scrollable_content_region.width, name
        assert len({cell_len(line[: line.rindex("7")]) for line in lines(app)[1:]}) == 1
        assert any(HOSTILE["sound"] in line for line in lines(app))
        await pilot.resize_terminal(57, 20)
        await settled(pilot)
        assert "Count" not in lines(app)[0], "a column that asks for room goes when the terminal shrinks"
        assert "[b" in lines(app)[2]
