"""Quitting: at once where nothing is lost, and never past what is unsaved, wherever it is and whatever lies over it."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.screens.driving import (
    add_files,
    held_import,
    keep_clips,
    opened,
    paste_prompt,
    shows,
    until,
    until_shown,
    until_told,
)
from tui.config import Settings
from tui.screens.dialogs.key_help import KeysScreen
from tui.screens.forms.template import TemplateScreen
from tui.screens.shell.minimum_size import TooSmall
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

UNSAVED = "The template has unsaved changes."


async def change_template(pilot: Pilot[None]) -> None:
    await pilot.press("4")
    await until_shown(pilot, "Explain")
    await paste_prompt(pilot, "Say {{ sentence }}")
    await until_shown(pilot, "unsaved changes")


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_it_quits_at_once_when_nothing_is_at_work(service: LocalService, key: str) -> None:
    async with opened(service) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: not pilot.app.is_running)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_it_asks_while_jobs_are_at_work(service: LocalService, key: str) -> None:
    async with held_import(service), opened(service) as pilot:
        await until_shown(pilot, "1 job")
        await pilot.press(key)
        await until_shown(pilot, "A job is still at work. Quit?")
        await pilot.press("n")
        await until(pilot, lambda: not shows(pilot, "Quit?"))
        assert pilot.app.is_running
        await pilot.press(key)
        await until_shown(pilot, "Quit?")
        await pilot.press("y")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_ctrl_q_in_the_changed_form_asks_and_stays(service: LocalService) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await pilot.press("ctrl+q")
        await until_shown(pilot, UNSAVED)
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, UNSAVED))
        assert pilot.app.is_running
        assert shows(pilot, "Say {{ sentence }}")


async def test_pressing_it_again_asks_once(service: LocalService) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await pilot.press("ctrl+q")
        await until_shown(pilot, UNSAVED)
        await pilot.press("ctrl+q", "ctrl+q")
        assert len(pilot.app.screen_stack) == 2
        await pilot.press("d")
        await until(pilot, lambda: not pilot.app.is_running)


@pytest.mark.parametrize("key", ["q", "ctrl+q", "ctrl+c"])
async def test_in_a_terminal_that_is_too_small_what_lies_underneath_is_asked_about(
    service: LocalService, settings: Settings, key: str
) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await pilot.resize_terminal(50, 12)
        await until(pilot, lambda: isinstance(pilot.app.screen, TooSmall))
        await pilot.press(key)
        await until_shown(pilot, UNSAVED)
        await pilot.press("s")
        await until(pilot, lambda: not pilot.app.is_running)
        kept = await LocalService(settings).template.get()
        assert kept is not None
        assert kept.prompt == "Say {{ sentence }}"


async def test_a_list_that_lies_over_the_changed_form_does_not_hide_it_from_quitting(service: LocalService) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, KeysScreen))
        await pilot.press("ctrl+q")
        await until_shown(pilot, UNSAVED)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TemplateScreen))
        assert shows(pilot, "Say {{ sentence }}")


async def test_what_is_unsaved_in_another_section_is_shown_and_asked_about(service: LocalService) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await pilot.app.switch_mode("jobs")
        await pilot.press("q")
        await until_shown(pilot, UNSAVED)
        assert pilot.app.current_mode == "template"
        await pilot.press("d")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_a_template_that_cannot_be_saved_keeps_the_app_open(service: LocalService) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await paste_prompt(pilot, "Say {{ sentnce }}")
        await pilot.resize_terminal(50, 12)
        await until(pilot, lambda: isinstance(pilot.app.screen, TooSmall))
        await pilot.press("q")
        await until_shown(pilot, UNSAVED)
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, TemplateScreen))
        await pilot.app.workers.wait_for_complete()
        assert pilot.app.is_running
        await pilot.resize_terminal(80, 30)
        await until_shown(pilot, "{{ sentnce }}")


async def test_a_path_that_is_being_typed_stays_when_the_answer_is_to_stay(service: LocalService) -> None:
    async with held_import(service), opened(service) as pilot:
        await until_shown(pilot, "1 job")
        await pilot.press("a", *"half a ")
        await until_shown(pilot, "half a")
        await pilot.press("ctrl+q")
        await until_shown(pilot, "Quit?")
        await pilot.press("n")
        await until(pilot, lambda: not shows(pilot, "Quit?"))
        assert shows(pilot, "half a")
        await pilot.press(*"path")
        await until_shown(pilot, "half a path")


async def test_ctrl_c_says_how_to_quit_and_closes_a_question(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("ctrl+c")
        await until_told(pilot, "q quits")
        for key, shown in (("d", "Delete this file"), ("question_mark", "shows the ids"), ("a", "Add subtitles")):
            await pilot.press(key)
            await until_shown(pilot, shown)
            await pilot.press("ctrl+c")
            await until(pilot, lambda: not shows(pilot, shown))
        assert pilot.app.is_running
        assert (await service.files.page()).total == 1


async def test_a_digit_does_not_lead_away_from_under_a_question(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, section="3", rows=1) as pilot:
        await pilot.press("d")
        await until_shown(pilot, "Delete this clip")
        await pilot.press("1")
        await pilot.pause()
        assert pilot.app.current_mode == "clips"
        assert shows(pilot, "Delete this clip")
