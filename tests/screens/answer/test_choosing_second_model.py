"""Choosing the model that answers beside the first."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from tests.hostile import WORST
from tests.llm.fakes.fake_server import json_reply
from tests.screens.answer.test_breakdown_beside import SMALL, choose, said_by_large, screen
from tests.screens.asking import MODEL, asked
from tests.screens.driving import assert_is_clean, shows, until, until_shown
from tui.config import Settings
from tui.screens.answer.answer_pane import AnswerPane
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.answer.model_choice import ModelChoice


def second(pilot: Pilot[None]) -> AnswerPane:
    _, pane = screen(pilot).panes
    return pane


@pytest.mark.exhaustive
async def test_the_list_narrows_while_one_types_and_takes_anything_else_too(settings: Settings) -> None:
    async with asked(settings, said_by_large) as (pilot, _, _service):
        await until_shown(pilot, "done")
        await pilot.press("vertical_line")
        await until_shown(pilot, "3 models")
        assert shows(pilot, "answers already")
        assert chosen(pilot) == SMALL, "the first that does not answer already"
        await pilot.press("down")
        assert chosen(pilot) == "lexicon:concordance"
        await pilot.press(*"small")
        assert chosen(pilot) == SMALL
        assert not shows(pilot, "lexicon:")
        await pilot.press("down")
        assert chosen(pilot) == "small"
        assert shows(pilot, "as it is typed")


def chosen(pilot: Pilot[None]) -> str:
    choice = pilot.app.screen
    assert isinstance(choice, ModelChoice)
    at = choice.query_one(OptionList).highlighted
    assert at is not None
    return choice.answers[at]


@pytest.mark.exhaustive
async def test_what_no_provider_is_called_is_said_in_the_second_half(settings: Settings) -> None:
    async with asked(settings, said_by_large, size=(100, 30)) as (pilot, _, _service):
        await until_shown(pilot, "done")
        await choose(pilot, "qwen3:8b")
        await until_shown(pilot, "did you mean")
        assert shows(pilot, "'ollama:qwen3:8b'?")
        assert shows(pilot, f"{MODEL} · done")


async def test_esc_chooses_nobody(settings: Settings) -> None:
    async with asked(settings, said_by_large) as (pilot, _, _service):
        await until_shown(pilot, "done")
        await pilot.press("vertical_line")
        await until(pilot, lambda: isinstance(pilot.app.screen, ModelChoice))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        assert len(screen(pilot).panes) == 1


@pytest.mark.exhaustive
async def test_a_provider_without_a_list_is_named_and_f5_asks_it_again(settings: Settings) -> None:
    async with asked(settings, said_by_large) as (pilot, server, _):
        models, server.models = server.models, json_reply({"error": "no"}, 404)
        await until_shown(pilot, "done")
        await pilot.press("vertical_line")
        await until_shown(pilot, "1 model · no list from Fake")
        server.models = models
        await pilot.press("f5")
        await until_shown(pilot, "3 models · enter asks")


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", WORST.values(), ids=WORST)
async def test_a_models_name_is_literal_and_harmless(settings: Settings, name: str) -> None:
    async with asked(settings, said_by_large, size=(100, 24)) as (pilot, server, _):
        server.models = json_reply({"data": [{"id": name}, {"id": "fake-small"}]})
        await until_shown(pilot, "done")
        await pilot.press("vertical_line")
        await until_shown(pilot, "enter asks")
        assert_is_clean(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until(pilot, lambda: len(screen(pilot).panes) == 2 and not second(pilot).is_streaming)
        await pilot.pause()
        assert_is_clean(pilot)
