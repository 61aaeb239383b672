"""Asking on in the breakdown screen: the answer below the answer, its clip, failures, and what the history shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, answer, error_mid_stream, is_stream, slow, stream
from tests.screens.asking import FOCUS, asked, text
from tests.screens.driving import press_until, until_shown
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
    await press_until(pilot, "Q", at=FieldsPrompt)
    await pilot.press(*keys, "enter")


async def test_questions_are_answered_below_the_answer_and_go_into_its_clip_and_the_history(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves."), size=(120, 30)) as (pilot, server, service):
        await until_shown(pilot, "done")
        answers(server, lambda: stream("*ab* is separable."))
        await ask_on(pilot, *"Why ", "*", "?")
        await until_shown(pilot, "separable")
        await until_shown(pilot, "done")
        shown = text(pilot)
        assert shown.index("It leaves.") < shown.index("Why *?") < shown.index("ab is separable.")
        await press_until(pilot, "c", told="clip saved")
        saved = "It leaves.\n\n---\n\n**Why \\*?**\n\n*ab* is separable."
        assert [clip.explanation for clip in (await service.clips.page()).items] == [saved]
        answers(server, lambda: stream("Because."))
        await ask_on(pilot, *"So?")
        await until_shown(pilot, "Because.")
        await until_shown(pilot, "done")
        assert (await service.clips.page()).items[0].explanation == saved, "until the same key brings it up to date"
        await press_until(pilot, "c", told="brought up to date")
        (clip,) = (await service.clips.page()).items
        assert clip.explanation == saved + "\n\n---\n\n**So?**\n\nBecause."
        (kept,) = (await service.history.page()).items
        assert [each.question for each in kept.follow_ups] == ["Why *?", "So?"]
        await press_until(pilot, "H", rows=1)
        assert "Asked on" in text(pilot)
        await press_until(pilot, "enter", shown="kept answer of")
        assert "Why *?" in text(pilot)
        answers(server, lambda: stream("Always."))
        await ask_on(pilot, *"Always?")
        await until_shown(pilot, "Always.")
        assert "Because." in text(pilot)


async def test_a_question_that_fails_or_is_stopped_leaves_the_answer_and_may_be_asked_again(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves."), size=(120, 40)) as (pilot, server, service):
        await until_shown(pilot, "done")
        answers(server, lambda: error_mid_stream())
        await ask_on(pilot, *"Why?")
        await until_shown(pilot, "the engine fell over")
        assert "partial" not in text(pilot), "nothing came to this question"
        await press_until(pilot, "c", told="clip saved")
        assert (await service.clips.page()).items[0].explanation == "It leaves.", "a question without an answer is none"
        answers(server, lambda: stream("Because."))
        await press_until(pilot, "r", shown="Because.")
        await until_shown(pilot, "done")
        shown = text(pilot)
        assert shown.count("Why?") == 1
        assert "fell over" not in shown
        assert "It leaves." in shown
        answers(server, lambda: slow(["Perh"], Gate()))
        await ask_on(pilot, *"Ever?")
        await until_shown(pilot, "Perh")
        await press_until(pilot, "escape", shown="stopped")
        assert isinstance(pilot.app.screen, BreakdownScreen)
        assert "It leaves." in text(pilot)
        answers(server, lambda: stream("So."))
        await ask_on(pilot, *"And?")
        await until_shown(pilot, "So.")


async def test_the_lexicon_says_what_to_do_and_what_it_does_not_know_gets_onto_no_card(settings: Settings) -> None:
    model = "lexicon:concordance"
    async with asked(settings, lambda: stream(""), model=model) as (pilot, _server, service):
        await until_shown(pilot, "done")
        await ask_on(pilot, *"Why?")
        await until_shown(pilot, "cannot be asked on")
        assert "choose a model in Template" in text(pilot)
        request = BreakdownRequest("Xyzzy hat er gesagt.", "Xyzzy", model=model, language="de")
        pilot.app.screen.post_message(OpenBreakdown(request, NewClip(request.sentence)))
        await until_shown(pilot, "no dictionary has this word")
        assert "No dictionary here has the word “Xyzzy”." in text(pilot)
        await press_until(pilot, "c", told="clip saved")
        (clip,) = (await service.clips.page()).items
        assert clip.explanation == ""
        await press_until(pilot, "H", rows=2)
        await press_until(pilot, "enter", shown="no dictionary had the word then")
        screen = pilot.app.screen
        assert isinstance(screen, BreakdownScreen)
        assert screen.pane.draft is not None
        assert screen.pane.draft.explanation == ""
