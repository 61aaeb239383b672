"""Asking on in the breakdown screen: the answer below the answer, its clip, failures, and what the history shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, answer, error_mid_stream, is_stream, slow, stream
from tests.screens.asking import FOCUS, asked, text
from tests.screens.driving import until, until_rows, until_shown, until_told
from tui.config import Settings
from tui.records.clips import NewClip
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.dialogs.fields_prompt import FieldsPrompt
from tui.screens.messages import OpenBreakdown
from tui.service.requests import BreakdownRequest

pytestmark = pytest.mark.exhaustive


def answers(server: FakeModelServer, reply: Callable[[], Reply]) -> None:
    server.on_chat = lambda request: reply() if is_stream(request) else answer(FOCUS)


async def ask_on(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press("Q")
    await until(pilot, lambda: isinstance(pilot.app.screen, FieldsPrompt))
    await pilot.press(*keys, "enter")


async def test_a_question_is_answered_below_the_answer_and_goes_into_the_clip(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, server, service):
        await until_shown(pilot, "done")
        answers(server, lambda: stream("*ab* is separable."))
        await ask_on(pilot, *"Why ", "*", "?")
        await until_shown(pilot, "separable")
        await until_shown(pilot, "done")
        shown = text(pilot)
        assert shown.index("It leaves.") < shown.index("Why *?") < shown.index("ab is separable.")
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        (clip,) = (await service.clips.page()).items
        assert clip.explanation == "It leaves.\n\n---\n\n**Why \\*?**\n\n*ab* is separable."
        (kept,) = (await service.history.page()).items
        assert [each.question for each in kept.follow_ups] == ["Why *?"]


async def test_a_clip_that_was_saved_before_is_brought_up_to_date_by_the_same_key(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, server, service):
        await until_shown(pilot, "done")
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        answers(server, lambda: stream("Because."))
        await ask_on(pilot, *"Why?")
        await until_shown(pilot, "Because.")
        await until_shown(pilot, "done")
        assert (await service.clips.page()).items[0].explanation == "It leaves."
        await pilot.press("c")
        await until_told(pilot, "brought up to date")
        (clip,) = (await service.clips.page()).items
        assert clip.explanation.endswith("**Why?**\n\nBecause.")


async def test_a_question_that_fails_is_asked_again_with_the_same_key_as_an_answer(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, server, service):
        await until_shown(pilot, "done")
        answers(server, lambda: error_mid_stream())
        await ask_on(pilot, *"Why?")
        await until_shown(pilot, "the engine fell over")
        assert "partial" not in text(pilot), "nothing came to this question"
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        assert (await service.clips.page()).items[0].explanation == "It leaves.", "a question without an answer is none"
        answers(server, lambda: stream("Because."))
        await pilot.press("r")
        await until_shown(pilot, "Because.")
        await until_shown(pilot, "done")
        shown = text(pilot)
        assert shown.count("Why?") == 1
        assert "fell over" not in shown
        assert "It leaves." in shown


async def test_escape_stops_the_answer_and_what_came_stays(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, server, _service):
        await until_shown(pilot, "done")
        answers(server, lambda: slow(["Beca"], Gate()))
        await ask_on(pilot, *"Why?")
        await until_shown(pilot, "Beca")
        await pilot.press("escape")
        await until_shown(pilot, "stopped")
        assert isinstance(pilot.app.screen, BreakdownScreen)
        assert "It leaves." in text(pilot)
        answers(server, lambda: stream("So."))
        await ask_on(pilot, *"And?")
        await until_shown(pilot, "So.")


async def test_an_answer_of_the_history_comes_with_what_was_asked_on_it(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves."), size=(120, 30)) as (pilot, server, _service):
        await until_shown(pilot, "done")
        answers(server, lambda: stream("Because."))
        await ask_on(pilot, *"Why?")
        await until_shown(pilot, "Because.")
        await until_shown(pilot, "done")
        await pilot.press("H")
        await until_rows(pilot, 1)
        assert "Asked on" in text(pilot)
        await pilot.press("enter")
        await until_shown(pilot, "kept answer of")
        assert "Why?" in text(pilot)
        answers(server, lambda: stream("Always."))
        await ask_on(pilot, *"Always?")
        await until_shown(pilot, "Always.")
        assert "Because." in text(pilot)


async def test_the_lexicon_says_what_to_do(settings: Settings) -> None:
    model = "lexicon:concordance"
    async with asked(settings, lambda: stream(""), model=model) as (pilot, _server, _service):
        await until_shown(pilot, "done")
        await ask_on(pilot, *"Why?")
        await until_shown(pilot, "cannot be asked on")
        assert "choose a model in Template" in text(pilot)


async def test_what_the_lexicon_does_not_know_is_said_beside_its_answer_and_gets_onto_no_card(
    settings: Settings,
) -> None:
    async with asked(settings, lambda: stream(""), model="lexicon:concordance") as (pilot, _server, service):
        request = BreakdownRequest("Xyzzy hat er gesagt.", "Xyzzy", model="lexicon:concordance", language="de")
        pilot.app.screen.post_message(OpenBreakdown(request, NewClip(request.sentence)))
        await until_shown(pilot, "no dictionary has this word")
        assert "No dictionary here has the word “Xyzzy”." in text(pilot)
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        (clip,) = (await service.clips.page()).items
        assert clip.explanation == ""
        await pilot.press("H")
        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "no dictionary had the word then")
        screen = pilot.app.screen
        assert isinstance(screen, BreakdownScreen)
        assert screen.pane.draft is not None
        assert screen.pane.draft.explanation == ""
