"""The rows of a list are read page by page: those in sight first, then the neighbours."""

from dataclasses import dataclass

from tui.errors import StoreError
from tui.records.pages import Page
from tui.records.words import CueStates
from tui.widgets.table.rows import PAGE, TableRows, VisibleRows
from tui.widgets.transcript.pages import WordStatePages


@dataclass
class Looking:
    """A list of numbers, somebody who looks at it, and which pages were asked for."""

    total: int
    visible: VisibleRows
    asked: list[tuple[int, str]]

    def rows(self) -> TableRows[int]:
        return TableRows(self.fetch, str, lambda: self.visible)

    async def fetch(self, offset: int, limit: int, q: str) -> Page[int]:
        self.asked.append((offset // PAGE, q))
        return Page(tuple(range(offset, min(offset + limit, self.total))), self.total, offset)


def looking(total: int, top: int = 0, cursor: int = 0) -> Looking:
    return Looking(total, VisibleRows(top, 20, cursor), [])


async def test_nothing_is_asked_for_before_the_list_was_read_for_some_search() -> None:
    there = looking(1_000)
    rows = there.rows()
    assert rows.next_page() is None
    rows.pages, rows.q = await rows.read_anew("x", from_top=True), "x"
    assert (there.asked, rows.pages.total, rows.q) == ([(0, "x")], 1_000, "x")


async def test_what_is_in_sight_comes_before_its_neighbours_and_nothing_else_comes() -> None:
    there = looking(10_000)
    rows = there.rows()
    rows.pages, rows.q = await rows.read_anew("", from_top=True), ""
    there.visible = VisibleRows(4_990, 20, 4_990)
    while (number := rows.next_page()) is not None:
        came = await rows.read(number)
        assert [rows.pages.record(row) for row in came] == list(came)
    assert there.asked == [(0, ""), (49, ""), (50, "")]
    there.visible = VisibleRows(4_930, 20, 4_930)
    assert rows.next_page() == 48


async def test_the_rows_stay_until_the_new_ones_are_shown() -> None:
    there = looking(300, top=150, cursor=290)
    rows = there.rows()
    rows.pages, rows.q = await rows.read_anew("", from_top=True), ""
    there.total, there.asked = 250, []
    fresh = await rows.read_anew("", from_top=False)
    assert rows.pages.total == 300
    rows.pages, rows.q = fresh, ""
    assert rows.pages.total == 250
    assert {page for page, _ in there.asked} == {1, 2}
    assert rows.pages.find("249", str, near=0) == 249
    assert rows.pages.find("20", str, near=0) is None


async def test_pages_of_words_states_that_say_nothing_are_not_read_over_and_over() -> None:
    asked: list[int] = []

    async def fetch(*, offset: int, limit: int) -> tuple[CueStates, ...]:
        asked.append(offset)
        if offset:
            raise StoreError("the library is damaged")
        return ()

    states = WordStatePages(fetch)
    in_sight = PAGE - 5, PAGE + 5
    while len(asked) < 10 and (number := states.next_page(*in_sight)) is not None:
        await states.read(number, 3 * PAGE)
    assert asked == [0, PAGE]
    states.expire()
    assert states.next_page(*in_sight) == 0
