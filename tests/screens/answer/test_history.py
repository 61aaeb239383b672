"""The history of answers: what it lists, what it gives back, and deleting from it."""

from __future__ import annotations

import re

import pytest

from tests.llm.fakes.fake_server import Gate, answer, error_mid_stream, is_stream, slow, stream
from tests.screens.asking import FOCUS, MODEL, REQUEST, SENTENCE, asked, text
from tests.screens.driving import lines, opened, press_until, shows, until, until_shown
from tui.config import Settings
from tui.records.clips import NewClip
from tui.screens.messages import OpenBreakdown
from tui.service.local import LocalService


async def test_the_history_says_what_came_of_each_answer_gives_it_back_and_is_deleted_from(settings: Settings) -> None:
    async with asked(settings, lambda: error_mid_stream("It leaves")) as (pilot, server, service):
        await until_shown(pilot, "partial")
        server.on_chat = lambda request: stream("It goes.") if is_stream(request) else answer(FOCUS)
        await press_until(pilot, "r", shown="done")
        await press_until(pilot, "H", rows=2)
        newest, older = lines(pilot)[3:5]
        assert newest.split()[-3] == "24", "tokens, and seconds after them"
        assert newest.endswith(" s")
        assert MODEL in newest
        assert re.search(r"partial [0-9]+ s", older), "however long it took"
        await press_until(pilot, "j", "enter", shown="It leaves")
        assert "Fake broke off with an error: the engine fell over partial" in text(pilot)
        before = len(server.chats)
        pilot.app.screen.post_message(OpenBreakdown(REQUEST, NewClip(SENTENCE)))
        await until_shown(pilot, "It goes.")
        await until_shown(pilot, "kept answer of")
        assert len(server.chats) == before, "the same asked again is answered at once"
        await press_until(pilot, "H", rows=2)
        await press_until(pilot, "d", shown="Delete this answer")
        await press_until(pilot, "y", told="1 answer deleted · u undoes it", rows=1)
        assert (await service.history.page()).total == 1
        await press_until(pilot, "u", told="back again", rows=2)
        await pilot.press("escape", "r")
        await until(pilot, lambda: len(server.chats) > before)


@pytest.mark.exhaustive
async def test_an_answer_that_is_deleted_while_it_comes_goes_on_coming(settings: Settings) -> None:
    gate = Gate()
    async with asked(settings, lambda: slow(["It leaves"], gate, [" at eight."])) as (pilot, _, service):
        await until_shown(pilot, "It leaves")
        await press_until(pilot, "H", rows=1)
        await press_until(pilot, "d", shown="Delete this answer")
        await press_until(pilot, "y", told="1 answer deleted")
        await pilot.press("escape")
        gate.opened.set()
        await until_shown(pilot, "It leaves at eight.")
        await until_shown(pilot, "done")
        assert "unexpected" not in text(pilot)
        assert (await service.history.page()).total == 0


async def test_with_nothing_asked_the_last_answers_are_listed_and_enter_opens_one(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, _, _):
        await until_shown(pilot, "It leaves.")
        await until_shown(pilot, "done")
    again = LocalService(settings)
    async with opened(again, section="5") as pilot:
        await until_shown(pilot, "opens one of the last answers")
        row = next(line for line in lines(pilot) if SENTENCE in line)
        assert "fährt" in row
        await press_until(pilot, "k", "j", "enter", shown="It leaves.")
        assert not shows(pilot, "opens one of the last answers")
        assert (await again.history.page()).total == 1, "nobody was asked again"
