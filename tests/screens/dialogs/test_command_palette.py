"""The palette: what it offers on each screen, in which order, with which keys, and where what is chosen runs."""

from __future__ import annotations

import re

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from tests.screens.driving import (
    add_files,
    assert_is_clean,
    keep_clips,
    lines,
    opened,
    shows,
    until,
    until_rows,
    until_shown,
)
from tui.app import LodeApp
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.dialogs.command_palette import Palette, commands
from tui.screens.forms.clip_form import ClipForm
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService


def offered(pilot: Pilot[None]) -> list[tuple[str, str]]:
    """Names and keys of what is listed."""
    assert isinstance(pilot.app.screen, Palette)
    return [(command.name, command.keys) for command in pilot.app.screen.answers]


async def open_palette(pilot: Pilot[None], *typed: str) -> None:
    await pilot.press("ctrl+p", *typed)
    await until(pilot, lambda: isinstance(pilot.app.screen, Palette) and pilot.app.screen.answers)


async def test_what_the_focus_and_the_screen_can_do_comes_first_and_each_with_its_key(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug fährt ab."})
    async with opened(service, keys={"clips.edit": "f9", "section.jobs": "f12"}, section="3", rows=1) as pilot:
        await open_palette(pilot)
        found = offered(pilot)
        assert found[0] == ("Open", "⏎")
        assert found.index(("Edit", "f9")) < found.index(("Down", "j ↓")) < found.index(("Files", "1"))
        assert ("Export", "e") in found
        assert ("Export the deck", "") not in found, "it is the same"
        elsewhere = [entry for entry in found if not entry[0].startswith("Guide: ")]
        assert elsewhere[-14:] == [
            ("Jobs", "f12"),
            ("Words", "7"),
            ("Add files", ""),
            ("Load the sample library", ""),
            ("Profiles", "@"),
            ("Languages", ""),
            ("Mark common words", ""),
            ("Cards", ""),
            ("Dictionaries", ""),
            ("Undo", "u"),
            ("Keys", "?"),
            ("Theme", ""),
            ("Word tints", ""),
            ("Quit", "q"),
        ]
        assert any(re.search(r"│  Edit  edit the clip\b.* f9  +│|│  Edit +f9\b", line) for line in lines(pilot))
        assert_is_clean(pilot)


async def test_what_cannot_be_done_now_is_not_offered(service: LocalService) -> None:
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet.")
        await open_palette(pilot)
        names = [name for name, _ in offered(pilot)]
        assert names[0] == "Add"
        assert not {"Open", "Delete", "Filter", "Mark"} & set(names)
        await pilot.press("escape", "5")
        await until_shown(pilot, "Nothing has been asked yet.")
        await open_palette(pilot)
        names = [name for name, _ in offered(pilot)]
        assert not {"Stop", "Again", "Copy", "Clip"} & set(names)
        assert "History" in names


async def test_what_is_chosen_runs_on_the_screen_below(service: LocalService) -> None:
    await add_files(service, "zug.de.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Hoffentlich")
        await pilot.press("ctrl+p", *"next word", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen))
        reader = pilot.app.screen
        assert isinstance(reader, ReaderScreen)
        await until(pilot, lambda: reader.reader.word_index == 1)
        await pilot.press("ctrl+p", *"explain", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "Hoffentlich fährt")


@pytest.mark.exhaustive
async def test_an_action_that_asks_opens_its_question_and_one_elsewhere_goes_there_first(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug fährt ab."})
    async with opened(service, section="3", rows=1) as pilot:
        await pilot.press("ctrl+p", *"edit", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ClipForm))
        await pilot.press("escape")
        await until_rows(pilot, 1)
        await pilot.press("ctrl+p", *"add fil", "enter")
        await until_shown(pilot, "Add subtitles or texts")
        assert pilot.app.current_mode == "files"


@pytest.mark.exhaustive
async def test_all_words_count_and_a_name_that_begins_so_goes_before(service: LocalService) -> None:
    async with opened(service) as pilot:
        await open_palette(pilot, *"anki deck")
        assert [name for name, _ in offered(pilot)] == ["Export the deck"]
        await pilot.press(*["backspace"] * 9, *"clips")
        await until(pilot, lambda: offered(pilot)[0] == ("Clips", "3"))
        await pilot.press(*" [b]x")
        await until_shown(pilot, "nothing is called so")
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, Palette)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: not isinstance(pilot.app.screen, Palette))


@pytest.mark.exhaustive
async def test_however_fast_it_is_typed_the_palette_stands(service: LocalService) -> None:
    async with opened(service) as pilot:
        for _ in range(3):
            await pilot.press("ctrl+p", *"quit", *["backspace"] * 4, *"exp", "down", "up", "escape")
        await pilot.press("ctrl+p", *"jo", "enter")
        await until(pilot, lambda: pilot.app.current_mode == "jobs")


async def test_a_theme_is_chosen_by_name_and_the_present_one_is_marked(service: LocalService) -> None:
    async with opened(service) as pilot:
        await pilot.press("ctrl+p", *"theme", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Palette) and shows(pilot, "Themes"))
        here = pilot.app.screen
        assert isinstance(here, Palette)
        assert here.highlighted == [name for name, _ in offered(pilot)].index("● lode-dark")
        await pilot.press(*"lode-li", "enter")
        await until(pilot, lambda: pilot.app.theme == "lode-light")


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 50)])
async def test_every_command_has_one_line_in_every_terminal(service: LocalService, size: tuple[int, int]) -> None:
    async with opened(service, size) as pilot:
        await open_palette(pilot)
        listed = pilot.app.screen.query_one(OptionList)
        assert listed.virtual_size.height == listed.option_count
        assert_is_clean(pilot)
        assert shows(pilot, "enter does it · esc closes")


async def test_in_a_dialog_there_is_no_palette(service: LocalService) -> None:
    async with opened(service) as pilot:
        await pilot.press("a")
        await until_shown(pilot, "Add subtitles or texts")
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert shows(pilot, "Add subtitles or texts")
        assert isinstance(pilot.app, LodeApp)
        assert commands(pilot.app)
