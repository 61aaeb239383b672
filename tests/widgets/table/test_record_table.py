"""A list of a million records reads and draws only what is visible, and keeps its place when it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.message import Message

from tests.hostile import FORBIDDEN, WORST
from tests.settling import press, running, settled
from tui.errors import StoreError
from tui.records.pages import Page
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable


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
    def __init__(self, source: Source, columns: Sequence[Column[Row]] | None = None) -> None:
        super().__init__()
        self.source = source
        self.columns = columns or (
            Column("Text", lambda row: row.text, share=1),
            Column("Count", lambda row: str(row.count), align="right"),
        )
        self.said: list[Message] = []

    def compose(self) -> ComposeResult:
        yield RecordTable(self.columns, self.source.fetch, key=lambda row: row.id)

    @property
    def table(self) -> RecordTable[Row]:
        return self.query_one(RecordTable)

    @on(RecordTable.Opened)
    @on(RecordTable.Loaded)
    @on(RecordTable.LoadFailed)
    @on(RecordTable.Highlighted)
    def _remember(self, message: Message) -> None:
        self.said.append(message)

    def heard(self, kind: type[Message]) -> list[Message]:
        return [message for message in self.said if isinstance(message, kind)]


def lines(app: TableApp) -> list[str]:
    return [app.table.render_line(y).text for y in range(app.table.size.height)]


async def test_the_first_page_is_read_after_the_first_paint_and_shown() -> None:
    app = TableApp(Source(rows(3)))
    async with running(app, (40, 10)):
        shown = lines(app)
        assert shown[0].split() == ["Text", "Count"]
        assert [line.split() for line in shown[1:4]] == [["▌", "row", "0", "0"], ["row", "1", "1"], ["row", "2", "2"]]
        assert app.table.total == 3
        assert app.table.current == Row("id0", "row 0", 0)
        assert [
            message.total for message in app.heard(RecordTable.Loaded) if isinstance(message, app.table.Loaded)
        ] == [3]


async def test_numbers_stand_at_the_right_and_every_line_fills_the_width() -> None:
    app = TableApp(Source(rows(200)))
    async with running(app, (40, 10)):
        assert {cell_len(line) for line in lines(app)} == {app.table.scrollable_content_region.width}
        ends = {len(line.rstrip()) for line in lines(app)}
        assert len(ends) == 1


@pytest.mark.exhaustive
async def test_the_end_of_a_million_rows_reads_only_what_is_visible() -> None:
    app = TableApp(Source(rows(1_000_000)))
    async with running(app, (60, 24)) as pilot:
        app.source.asked.clear()
        await press(pilot, "G")
        assert app.source.asked == [(999_900, 100, "")]
        assert app.table.cursor_row == 999_999
        assert "row 999999" in lines(app)[-1]
        await press(pilot, "g")
        assert app.source.asked == [(999_900, 100, "")]
        assert "row 0" in lines(app)[1]


@pytest.mark.parametrize(
    ("keys", "row"),
    [
        (["j", "j", "down"], 3),
        (["j", "j", "k"], 1),
        (["k"], 0),
        (["up"], 0),
        (["end"], 499),
        (["G", "home"], 0),
        (["ctrl+d"], 10),
        (["pagedown"], 20),
        (["pagedown", "ctrl+u"], 10),
        (["pagedown", "pageup"], 0),
        (["space", "space"], 2),
    ],
)
async def test_keys_move_the_cursor_and_keep_it_visible(keys: list[str], row: int) -> None:
    app = TableApp(Source(rows(500)))
    async with running(app, (60, 21)) as pilot:
        await press(pilot, *keys)
        assert app.table.cursor_row == row
        assert any(line.startswith("▌") and f"row {row} " in line for line in lines(app))


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


async def test_enter_that_is_pressed_before_the_rows_are_there_opens_the_first_of_them() -> None:
    app = TableApp(Source(rows(10)))
    app.source.gate.clear()
    async with app.run_test(size=(60, 21)) as pilot:
        await pilot.press("enter")
        assert app.heard(RecordTable.Opened) == []
        app.source.gate.set()
        await settled(pilot)
        opened = [m.record for m in app.heard(RecordTable.Opened) if isinstance(m, RecordTable.Opened)]
        assert opened == [app.source.items[0]]


async def test_enter_and_a_second_click_open_the_record() -> None:
    app = TableApp(Source(rows(10)))
    async with running(app, (60, 21)) as pilot:
        await pilot.press("j", "enter")
        await pilot.click(RecordTable, offset=(5, 5))
        assert app.table.cursor_row == 4
        assert len(app.heard(RecordTable.Opened)) == 1
        await pilot.click(RecordTable, offset=(5, 5))
        opened = [m.record for m in app.heard(RecordTable.Opened) if isinstance(m, RecordTable.Opened)]
        assert opened == [app.source.items[1], app.source.items[4]]


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
        assert app.table.total == 1
        assert app.table.cursor_row == 0
        assert app.table.current == app.source.items[998]
        loaded = [m.q for m in app.heard(RecordTable.Loaded) if isinstance(m, RecordTable.Loaded)]
        assert loaded == ["", "998"]


async def test_after_a_reload_the_cursor_stays_on_its_record() -> None:
    app = TableApp(Source(rows(300)))
    async with running(app, (60, 21)) as pilot:
        await pilot.press("pagedown", "pagedown", "j")
        screen_row = app.table.cursor_row - app.table.scroll_offset.y
        current = app.table.current
        app.source.items[:0] = [Row("new1", "new", 0), Row("new2", "new", 0)]
        app.table.reload()
        await settled(pilot)
        assert app.table.current == current
        assert app.table.cursor_row - app.table.scroll_offset.y == screen_row, "nothing moves on the screen"


async def test_the_cursor_stays_on_its_record_however_many_come_above_it() -> None:
    app = TableApp(Source(rows(500)))
    async with running(app, (60, 21)) as pilot:
        await press(pilot, "j", "j", "space")
        app.source.items = [*(Row(f"new{n}", f"new {n}", n) for n in range(700)), *rows(500)]
        app.table.reload()
        await settled(pilot)
        assert app.table.cursor_row == 703
        assert "row 3" in "\n".join(lines(app))
        assert app.table.marked == ("id2",)


async def test_when_its_record_is_gone_the_cursor_stays_in_its_row() -> None:
    app = TableApp(Source(rows(50)))
    async with running(app, (60, 21)) as pilot:
        await pilot.press("j", "j")
        del app.source.items[2]
        app.table.reload()
        await settled(pilot)
        assert app.table.cursor_row == 2
        assert app.table.current == app.source.items[2]
        await press(pilot, "G")
        del app.source.items[10:]
        app.table.reload()
        await settled(pilot)
        assert app.table.current == app.source.items[-1]
        app.source.items.clear()
        app.table.reload()
        await settled(pilot)
        assert app.table.current is None
        assert app.table.marked_or_current == ()


async def test_a_failed_reading_says_so_and_what_was_shown_stays() -> None:
    app = TableApp(Source(rows(50)))
    async with running(app, (60, 21)) as pilot:
        app.source.error = StoreError("the database is locked", hint="close the other program")
        app.table.reload()
        await settled(pilot)
        failed = app.heard(RecordTable.LoadFailed)
        assert [m.error.message for m in failed if isinstance(m, RecordTable.LoadFailed)] == ["the database is locked"]
        assert "row 0" in lines(app)[1]
        app.source.error = None
        app.table.reload()
        await settled(pilot)
        assert len(app.heard(RecordTable.Loaded)) == 1, "the rows are the same: there is nothing to be told of"
        app.source.items = rows(51)
        app.table.reload()
        await settled(pilot)
        assert len(app.heard(RecordTable.Loaded)) == 2


async def test_a_failure_nobody_foresaw_is_told_too() -> None:
    app = TableApp(Source(rows(50)))
    app.source.error = ZeroDivisionError("bug")
    async with app.run_test(size=(60, 21)) as pilot:
        while not app.heard(RecordTable.LoadFailed):
            await pilot.pause()
        (failed,) = app.heard(RecordTable.LoadFailed)
        assert isinstance(failed, RecordTable.LoadFailed)
        assert "bug" in failed.error.message


async def test_rows_that_have_not_come_yet_are_a_quiet_dot() -> None:
    app = TableApp(Source(rows(1000)))
    async with running(app, (60, 21)) as pilot:
        app.source.gate.clear()
        await pilot.press("G")
        await pilot.pause()
        assert {line.strip(" ▌") for line in lines(app)[1:]} == {"·"}
        assert app.table.current is None
        await pilot.press("enter", "space")
        assert not app.heard(RecordTable.Opened)
        app.source.gate.set()
        await settled(pilot)
        assert "row 999" in lines(app)[-1]
        assert [m.record for m in app.heard(RecordTable.Highlighted) if isinstance(m, RecordTable.Highlighted)][-1]


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


@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_hostile_text_is_literal_harmless_and_keeps_the_columns_straight(text: str) -> None:
    columns: tuple[Column[Row], ...] = (
        Column("Text", lambda row: row.text, share=1),
        Column("Styled", lambda row: Text(row.text), most=12),
        Column("Count", lambda row: str(row.count), align="right"),
    )
    app = TableApp(Source([Row("a", text, 7), Row("b", "plain", 7)]), columns)
    async with running(app, (60, 21)):
        hostile, plain = lines(app)[1:3]
        assert not set(hostile) & set(FORBIDDEN)
        assert "\n" not in hostile
        assert "\r" not in hostile
        assert cell_len(hostile) == cell_len(plain) == app.table.scrollable_content_region.width
        assert cell_len(hostile[: hostile.rindex("7")]) == cell_len(plain[: plain.rindex("7")])
        if text == "[music] la la":
            assert "[music] la la" in hostile


async def test_a_column_that_asks_for_room_goes_when_the_terminal_shrinks() -> None:
    columns: tuple[Column[Row], ...] = (
        Column("Text", lambda row: row.text, share=1),
        Column("Count", lambda row: str(row.count), minimum_table_width=80),
    )
    app = TableApp(Source(rows(5)), columns)
    async with running(app, (100, 21)) as pilot:
        assert "Count" in lines(app)[0]
        await pilot.resize_terminal(60, 20)
        await settled(pilot)
        assert "Count" not in lines(app)[0]
        assert "row 0" in lines(app)[1]
