"""Pages of words' states: each is asked for once, whatever comes of it."""

from __future__ import annotations

import pytest

from tui.errors import StoreError
from tui.records.words import CueStates
from tui.widgets.table.rows import PAGE
from tui.widgets.transcript.pages import WordStatePages


@pytest.mark.parametrize("fails", [False, True])
async def test_pages_that_say_nothing_are_not_read_over_and_over(fails: bool) -> None:
    asked: list[int] = []

    async def fetch(*, offset: int, limit: int) -> tuple[CueStates, ...]:
        asked.append(offset)
        if fails:
            raise StoreError("the library is damaged")
        return ()

    states = WordStatePages(fetch)
    in_sight = PAGE - 5, PAGE + 5
    while len(asked) < 10 and (number := states.next_page(*in_sight)) is not None:
        await states.read(number, 3 * PAGE)
    assert asked == [0, PAGE]
    states.expire()
    assert states.next_page(*in_sight) == 0
