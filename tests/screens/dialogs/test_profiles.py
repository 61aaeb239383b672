"""Going to another profile inside the app, and what becomes of the one before."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.llm.fakes.fake_server import Gate, slow
from tests.screens.asking import asked
from tests.screens.driving import (
    Typed,
    add_files,
    assert_is_clean,
    held_import,
    keep_clips,
    lines,
    opened,
    paste_prompt,
    press_until,
    shows,
    toasts,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tests.server.serving import serving
from tui.app import LodeApp
from tui.config import Settings
from tui.remote.service import RemoteService
from tui.screens.dialogs.profiles import ProfileChoice
from tui.screens.section import SectionScreen
from tui.service.local import LocalService
from tui.widgets.chrome.top_line import TopLine

pytestmark = pytest.mark.exhaustive


async def choose(pilot: Pilot[None], name: str) -> None:
    await pilot.press("at", *name, "enter")
    await until(pilot, lambda: working_in(pilot) == name and isinstance(pilot.app.screen, SectionScreen))


def working_in(pilot: Pilot[None]) -> str:
    assert isinstance(pilot.app, LodeApp)
    return pilot.app.service.profile


def place(pilot: Pilot[None]) -> str:
    return pilot.app.screen.query_one(TopLine).library


async def test_every_section_shows_the_other_profile_and_one_is_back_where_one_was(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    close = type(service._engine).close

    async def counted(engine: object) -> None:
        closed.append("engine")
        await close(service._engine)

    monkeypatch.setattr(type(service._engine), "close", counted)
    await add_files(service, "eins.de.srt", "zwei.de.srt")
    await keep_clips(service.of("anna"), {"Zug": "Der Zug fährt ab."})
    async with opened(service, rows=2) as pilot:
        await press_until(pilot, "enter", shown="Hoffentlich")
        await pilot.press("j")
        await choose(pilot, "anna")
        await until_rows(pilot, 0)
        assert not shows(pilot, "Hoffentlich")
        assert place(pilot) == "anna · local"
        await press_until(pilot, "3", rows=1)
        assert place(pilot) == "anna · local"
        await press_until(pilot, "2", rows=0)
        await choose(pilot, "default")
        await until_rows(pilot, 2)
        assert pilot.app.current_mode == "transcripts"
        await press_until(pilot, "3", rows=0)
        assert place(pilot) == "default · local"
        await press_until(pilot, "1", rows=2)
        await pilot.press("enter")
        await until(pilot, lambda: any("▌" in line and "Bestimmt" in line for line in lines(pilot)))
    assert closed == ["engine"], "the first service is closed once and all others never"


async def test_the_dialog_lists_them_narrows_and_takes_new_names(service: LocalService, settings: Settings) -> None:
    for name in ("anna", "berta", "Bernd"):
        await keep_clips(service.of(name), {"Zug": "Der Zug fährt ab."})
    async with opened(service, (120, 30)) as pilot:
        await pilot.click(TopLine, offset=(110, 0))
        await until_shown(pilot, "● default")
        assert [line.split()[1] for line in lines(pilot) if "1 clip" in line] == ["anna", "Bernd", "berta"]
        assert shows(pilot, "empty")
        await press_until(pilot, "escape", "at", "a", "exclamation_mark", "enter", shown="'a!' is no profile name")
        await press_until(pilot, "backspace", shown="+ a")
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ProfileChoice))
        assert working_in(pilot) == "default"
        await pilot.press("at", "enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ProfileChoice))
        assert (working_in(pilot), toasts(pilot)) == ("default", [])
        await press_until(pilot, "4", shown="Prompt")
        await pilot.click(pilot.app.screen.query_one(TopLine), offset=(110, 0))
        await until_shown(pilot, "● default")
        await press_until(pilot, "b", "e", gone="anna")
        assert shows(pilot, "+ be  a new profile")
        await pilot.press("down", "enter")
        await until(pilot, lambda: working_in(pilot) == "berta")
        await until_told(pilot, f'write profile = "berta" in {settings.config_path}')
        assert_is_clean(pilot)
        await press_until(pilot, "3", rows=1)
        await pilot.press("slash", "at")  # a letter, in a field
        await until(pilot, lambda: isinstance(pilot.app.focused, Input) and pilot.app.focused.value == "@")
        await pilot.press("escape", "1")
        await choose(pilot, "Zoe_2")
        assert "Zoe_2" not in [each.name for each in await service.profiles()]
        await press_until(pilot, "S", rows=4)
        assert ("Zoe_2", 4) in [(each.name, each.files) for each in await service.profiles()]
        await press_until(pilot, "at", shown="● Zoe_2")
        assert shows(pilot, "default"), "where one has been is listed even while it is empty"
        await pilot.press("escape")


async def test_an_unsaved_form_is_asked_about_first_and_one_is_back_where_one_was(service: LocalService) -> None:
    async with opened(service, section="4") as pilot:
        await until_shown(pilot, "Explain")
        await paste_prompt(pilot, "Say {{ sentence }}")
        await until_shown(pilot, "unsaved changes")
        app = pilot.app
        assert isinstance(app, LodeApp)
        await app._navigation.show("files")
        await press_until(pilot, "at", Typed("anna"), "enter", shown="The template has unsaved changes.")
        await press_until(pilot, "escape", gone="The template has")
        assert working_in(pilot) == "default"
        await app._navigation.show("files")
        await press_until(pilot, "at", Typed("anna"), "enter", shown="The template has unsaved changes.")
        await pilot.press("d")
        await until(pilot, lambda: working_in(pilot) == "anna" and app.current_mode == "files")
        await until_rows(pilot, 0)
        await press_until(pilot, "4", shown="Explain")
        assert not shows(pilot, "Say {{")


async def test_an_answer_in_progress_is_asked_about_and_what_came_is_kept_where_it_was(settings: Settings) -> None:
    gate = Gate()
    async with asked(settings, lambda: slow("Half of it", gate, " and the rest")) as (pilot, _, service):
        await until_shown(pilot, "Half of it")
        await press_until(pilot, "at", Typed("anna"), "enter", shown="An answer is still coming")
        await press_until(pilot, "n", gone="An answer is still coming")
        assert shows(pilot, "Half of it")
        await press_until(pilot, "at", Typed("anna"), "enter", shown="An answer is still coming")
        await pilot.press("y")
        await until(pilot, lambda: working_in(pilot) == "anna")
        await until_shown(pilot, "Nothing has been asked yet.")
        (kept,) = (await service.history.page()).items
        assert (kept.state, kept.text) == ("aborted", "Half of it")
        assert (await service.of("anna").history.page()).total == 0


async def test_imports_of_the_profile_that_was_left_go_on_and_quitting_asks_about_them(service: LocalService) -> None:
    async with held_import(service) as go_on, opened(service) as pilot:
        await until_shown(pilot, "1 job")
        await choose(pilot, "anna")
        await until_rows(pilot, 0)
        await until(pilot, lambda: not shows(pilot, "1 job"))
        await press_until(pilot, "q", shown="A job is still at work. Quit?")
        await press_until(pilot, "n", gone="Quit?")
        go_on.set()
        await choose(pilot, "default")
        await until_rows(pilot, 1)


async def test_it_is_the_same_over_http(settings: Settings) -> None:
    async with serving(settings) as served:
        service = RemoteService(served.url)
        await keep_clips(LocalService(settings, "anna", engine=served.engine), {"Zug": "Der Zug fährt ab."})
        async with opened(service, (120, 30)) as pilot:
            await press_until(pilot, "at", shown="1 clip")
            await pilot.press("escape")
            await choose(pilot, "anna")
            await press_until(pilot, "3", rows=1)
            assert place(pilot).startswith("anna · 127.0.0.1:")
            await choose(pilot, "default")
            await until_rows(pilot, 0)
