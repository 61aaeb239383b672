"""The history of answers: what it lists, what it gives back, and deleting from it."""

from __future__ import annotations

import re

import pytest

from tests.llm.fakes.fake_server import Gate, answer, error_mid_stream, is_stream, slow, stream
from tests.screens.asking import FOCUS, MODEL, REQUEST, SENTENCE, asked, text
from tests.screens.driving import lines, until, until_rows, until_shown, until_told
from tui.config import Settings
from tui.records.clips import NewClip
from tui.screens.messages import OpenBreakdown


async def test_the_history_names_model_state_tokens_and_seconds_and_shows_what_came(settings: Settings) -> None:
    async with asked(settings, lambda: error_mid_stream("It leaves")) as (pilot, server, _service):
        await until_shown(pilot, "partial")
        server.on_chat = lambda request: stream("It goes.") if is_stream(request) else answer(FOCUS)
        await pilot.press("r")
        await until_shown(pilot, "done")
        await pilot.press("H")
        await until_rows(pilot, 2)
        newest, older = lines(pilot)[3:5]
        assert newest.split()[-3] == "24", "tokens, and seconds after them"
        assert newest.endswith(" s")
        assert MODEL in newest
        assert re.search(r"partial [0-9]+ s", older), "however long it took"
        await pilot.press("j", "enter")
        await until_shown(pilot, "It leaves")
        assert "Fake broke off with an error: the engine fell over partial" in text(pilot)


async def test_the_same_asked_again_answers_from_the_history_at_once(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, server, _service):
        await until_shown(pilot, "done")
        before = len(server.chats)
        pilot.app.screen.post_message(OpenBreakdown(REQUEST, NewClip(SENTENCE)))
        await until_shown(pilot, "kept answer of")
        assert len(server.chats) == before
        await pilot.press("r")
        await until(pilot, lambda: len(server.chats) > before)


async def test_an_answer_is_deleted_and_brought_back(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, _, service):
        await until_shown(pilot, "done")
        await pilot.press("H")
        await until_rows(pilot, 1)
        await pilot.press("d")
        await until_shown(pilot, "Delete this answer")
        await pilot.press("y")
        await until_told(pilot, "1 answer deleted · u undoes it")
        await until_shown(pilot, "No model has been asked yet.")
        assert (await service.history.page()).total == 0
        await pilot.press("u")
        await until_told(pilot, "back again")
        await until_rows(pilot, 1)
        assert MODEL in lines(pilot)[3]


@pytest.mark.exhaustive
async def test_an_answer_that_is_deleted_while_it_comes_goes_on_coming(settings: Settings) -> None:
    gate = Gate()
    async with asked(settings, lambda: slow(["It leaves"], gate, [" at eight."])) as (pilot, _, service):
        await until_shown(pilot, "It leaves")
        await pilot.press("H")
        await until_rows(pilot, 1)
        await pilot.press("d")
        await until_shown(pilot, "Delete this answer")
        await pilot.press("y")
        await until_told(pilot, "1 answer deleted")
        await pilot.press("escape")
        gate.opened.set()
        await until_shown(pilot, "It leaves at eight.")
        await until_shown(pilot, "done")
        assert "unexpected" not in text(pilot)
        assert (await service.history.page()).total == 0
