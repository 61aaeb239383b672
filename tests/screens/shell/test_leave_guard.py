"""Quitting: at once where nothing is lost, and never past what is unsaved, wherever it is and whatever lies over it."""

import pytest
from textual.pilot import Pilot

from tests.screens.driving import Typed, held_import, opened, paste_prompt, press_until, shows, until, until_shown
from tui.config import Settings
from tui.screens.dialogs.key_help import KeysScreen
from tui.screens.forms.template import TemplateScreen
from tui.screens.shell.minimum_size import TooSmall
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

UNSAVED = "The template has unsaved changes."


async def change_template(pilot: Pilot[None]) -> None:
    await press_until(pilot, "4", shown="Explain")
    await paste_prompt(pilot, "Say {{ sentence }}")
    await until_shown(pilot, "unsaved changes")


async def test_it_quits_at_once_when_nothing_is_at_work(service: LocalService) -> None:
    async with opened(service) as pilot:
        await press_until(pilot, "q", holds=lambda: not pilot.app.is_running)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_it_asks_while_jobs_are_at_work(service: LocalService, key: str) -> None:
    async with held_import(service), opened(service) as pilot:
        await until_shown(pilot, "1 job")
        await press_until(pilot, "a", Typed("half a "), shown="half a")
        await press_until(pilot, "ctrl+q", shown="A job is still at work. Quit?")
        await press_until(pilot, "n", holds=lambda: not shows(pilot, "Quit?"))
        await press_until(pilot, Typed("path"), shown="half a path")  # what is being typed stays
        await press_until(pilot, "escape", holds=lambda: not pilot.app.screen.is_modal)
        await press_until(pilot, key, shown="Quit?")
        await press_until(pilot, "y", holds=lambda: not pilot.app.is_running)


async def test_ctrl_q_in_the_changed_form_asks_once_and_stays(service: LocalService) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await press_until(pilot, "ctrl+q", shown=UNSAVED)
        await press_until(pilot, "escape", holds=lambda: not shows(pilot, UNSAVED))
        assert pilot.app.is_running
        assert shows(pilot, "Say {{ sentence }}")
        await press_until(pilot, "ctrl+q", shown=UNSAVED)
        await pilot.press("ctrl+q", "ctrl+q")
        assert len(pilot.app.screen_stack) == 2
        await press_until(pilot, "d", holds=lambda: not pilot.app.is_running)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_in_a_terminal_that_is_too_small_what_lies_underneath_is_asked_about(
    service: LocalService, settings: Settings, key: str
) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await paste_prompt(pilot, "Say {{ sentnce }}")
        await pilot.resize_terminal(50, 12)
        await until(pilot, lambda: isinstance(pilot.app.screen, TooSmall))
        await press_until(pilot, key, shown=UNSAVED)
        await press_until(pilot, "s", holds=lambda: isinstance(pilot.app.screen, TemplateScreen))
        await pilot.app.workers.wait_for_complete()
        assert pilot.app.is_running, "it cannot be saved like that"
        await pilot.resize_terminal(80, 30)
        await until_shown(pilot, "{{ sentnce }}")
        await paste_prompt(pilot, "Say {{ sentence }}")
        await pilot.resize_terminal(50, 12)
        await until(pilot, lambda: isinstance(pilot.app.screen, TooSmall))
        await press_until(pilot, key, shown=UNSAVED)
        await press_until(pilot, "s", holds=lambda: not pilot.app.is_running)
        kept = await LocalService(settings).template.get()
        assert kept is not None and kept.prompt == "Say {{ sentence }}"


async def test_what_is_unsaved_under_a_list_or_elsewhere_is_shown_and_asked_about(service: LocalService) -> None:
    async with opened(service) as pilot:
        await change_template(pilot)
        await press_until(pilot, "f1", holds=lambda: isinstance(pilot.app.screen, KeysScreen))
        await press_until(pilot, "ctrl+q", shown=UNSAVED)
        await press_until(pilot, "escape", holds=lambda: isinstance(pilot.app.screen, TemplateScreen))
        assert shows(pilot, "Say {{ sentence }}")
        await pilot.app.switch_mode("jobs")
        await press_until(pilot, "q", shown=UNSAVED)
        assert pilot.app.current_mode == "template"
        await press_until(pilot, "d", holds=lambda: not pilot.app.is_running)


async def test_ctrl_c_says_how_to_quit_and_closes_a_question(service: LocalService) -> None:
    async with opened(service, files=("zug.srt",), rows=1) as pilot:
        await press_until(pilot, "ctrl+c", told="q quits")
        for key, shown in (("d", "Delete this file"), ("question_mark", "tab all"), ("a", "Add subtitles")):
            await press_until(pilot, key, shown=shown)
            if key == "d":
                await pilot.press("2")
                await pilot.pause()
                assert (pilot.app.current_mode, shows(pilot, shown)) == ("files", True), "a digit leads nowhere"
            await press_until(pilot, "ctrl+c", holds=lambda: not shows(pilot, shown))
        assert pilot.app.is_running
        assert (await service.files.page()).total == 1
