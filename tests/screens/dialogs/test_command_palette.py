"""The palette: what it offers on each screen, in which order, with which keys, and where what is chosen runs."""

from __future__ import annotations

import re

from textual.pilot import Pilot
from textual.widgets import OptionList

from tests.screens.driving import (
    Typed,
    add_files,
    assert_is_clean,
    keep_clips,
    lines,
    opened,
    press_until,
    shows,
    until,
)
from tests.screens.stage import add_transcript, timed
from tui.app import LodeApp
from tui.guides import list_guides
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.dialogs.command_palette import ANYWHERE_ACTIONS, Palette, commands
from tui.screens.forms.clip_form import ClipForm
from tui.screens.messages import OpenTranscript
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.widgets.chrome.key_line import declared_bindings


def offered(pilot: Pilot[None]) -> list[tuple[str, str]]:
    """Names and keys of what is listed."""
    assert isinstance(pilot.app.screen, Palette)
    return [(command.name, command.keys) for command in pilot.app.screen.answers]


async def open_palette(pilot: Pilot[None], *typed: str) -> None:
    await press_until(pilot, "ctrl+p", *typed)
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
        for elsewhere in (("Jobs", "f12"), ("Words", "7"), ("Add files", ""), ("Undo", "u"), ("Quit", "q")):
            assert elsewhere in found
        assert any(re.search(r"│  Edit  edit the clip\b.* f9  +│|│  Edit +f9\b", line) for line in lines(pilot))
        assert_is_clean(pilot)


async def test_every_command_that_can_be_done_now_has_one_line_and_is_found_by_all_words(service: LocalService) -> None:
    async with opened(service) as pilot:
        await until(pilot, lambda: shows(pilot, "Nothing here yet."))
        await open_palette(pilot)
        names = [name for name, _ in offered(pilot)]
        assert names[0] == "Add"
        assert not {"Open", "Delete", "Filter", "Mark"} & set(names)
        await press_until(pilot, "escape", "5", shown="Nothing has been asked yet.")
        await open_palette(pilot)
        names = [name for name, _ in offered(pilot)]
        assert not {"Stop", "Again", "Copy", "Clip"} & set(names)
        assert "History" in names
        await pilot.press("escape", "1")
        for size in ((60, 16), (200, 50), (80, 24)):
            await pilot.resize_terminal(*size)
            await open_palette(pilot)
            listed = pilot.app.screen.query_one(OptionList)
            assert listed.virtual_size.height == listed.option_count
            assert_is_clean(pilot)
            assert shows(pilot, "enter does it · esc closes")
            await pilot.press("escape")
        await open_palette(pilot, Typed("anki deck"))
        assert [name for name, _ in offered(pilot)] == ["Export the deck"]
        await press_until(pilot, "ctrl+u", Typed("clips"))
        await until(pilot, lambda: offered(pilot)[0] == ("Clips", "3"))  # the name that begins so goes before
        await press_until(pilot, "ctrl+u", Typed("guide"), shown="Guide: anki")
        guides = [f"Guide: {guide.topic}" for guide in list_guides()]
        assert [name for name, _ in offered(pilot)][: len(guides)] == guides
        await press_until(pilot, Typed(" [b]x"), shown="nothing is called so")
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, Palette)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: not isinstance(pilot.app.screen, Palette))
        for _ in range(3):  # however fast it is typed
            await press_until(pilot, "ctrl+p", Typed("quit\x7f\x7f\x7f\x7fexp"), "down", "up", "escape")
        await press_until(pilot, "ctrl+p", Typed("jo"), "enter")
        await until(pilot, lambda: pilot.app.current_mode == "jobs")


def test_whatever_has_a_key_everywhere_is_a_command_too() -> None:
    bound = {binding.action for binding in declared_bindings(LodeApp) if binding.id}
    assert bound - ANYWHERE_ACTIONS == {"command_palette"}


async def test_what_is_chosen_runs_on_the_screen_below(service: LocalService) -> None:
    await add_files(service, "zug.de.srt")
    async with opened(service, rows=1) as pilot:
        await press_until(pilot, "enter", shown="Hoffentlich")
        await press_until(pilot, "ctrl+p", Typed("next word"), "enter", at=ReaderScreen)
        reader = pilot.app.screen
        assert isinstance(reader, ReaderScreen)
        await until(pilot, lambda: reader.reader.word_index == 1)
        await press_until(pilot, "ctrl+p", Typed("explain"), "enter", at=BreakdownScreen, shown="Hoffentlich fährt")


async def test_an_action_asks_its_question_goes_elsewhere_first_or_lists_themes(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug fährt ab."})
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "ctrl+p", Typed("edit"), "enter", at=ClipForm)
        await press_until(pilot, "escape", rows=1)
        await press_until(pilot, "ctrl+p", Typed("add fil"), "enter", shown="Add subtitles or texts")
        assert pilot.app.current_mode == "files"
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert shows(pilot, "Add subtitles or texts"), "in a dialog there is no palette"
        assert isinstance(pilot.app, LodeApp)
        assert commands(pilot.app)
        await press_until(pilot, "escape", "ctrl+p", Typed("theme"), "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Palette) and shows(pilot, "Themes"))
        here = pilot.app.screen
        assert isinstance(here, Palette)
        assert here.highlighted == [name for name, _ in offered(pilot)].index("● lode-dark")
        await press_until(pilot, Typed("lode-li"), "enter")
        await until(pilot, lambda: pilot.app.theme == "lode-light")


async def test_commands_of_other_screens_go_there_first_or_say_where_they_work(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug fährt ab."})
    keys = {"clips.edit": "f9", "reader.explain": "f12"}
    async with opened(service, keys=keys) as pilot:
        await open_palette(pilot, *"clips: edit")
        assert offered(pilot) == [("Clips: edit", "f9")]
        await press_until(pilot, "enter", at=ClipForm)
        await press_until(pilot, "escape", rows=1)
        await press_until(pilot, "1", shown="Nothing here yet.")
        await open_palette(pilot, *"reader: explain")
        assert offered(pilot) == [("Reader: explain", "f12")]
        await press_until(pilot, "enter", told="f12 · explain: works in the reader")
        await press_until(pilot, *"::jobs: retry", "enter", told="there is nothing to retry there yet")
        assert pilot.app.current_mode == "jobs"


async def test_a_line_a_time_and_the_end_are_typed_behind_a_colon(service: LocalService) -> None:
    transcript = await add_transcript(service, timed([f"Satz {number}." for number in range(1, 101)]))
    async with opened(service) as pilot:
        pilot.app.post_message(OpenTranscript(transcript))
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen) and shows(pilot, "Satz 1."))
        reader = pilot.app.screen
        assert isinstance(reader, ReaderScreen)
        for typed, cue in (("42", 41), ("4:00", 29), ("0:0:1.5", 0), ("999", 99), ("99:00:00", 99), (":7", 6)):
            await press_until(pilot, *f":{typed}", "enter", holds=lambda cue=cue: reader.reader.cue_index == cue)
        await press_until(pilot, "less_than_sign", holds=lambda: reader.reader.cue_index == 99)
        await press_until(pilot, "2", ":", "1", shown="Go to row 1")
        await press_until(pilot, "backspace", *"0:30", shown="nothing is called so")
        await press_until(pilot, "escape", *":q", "enter", holds=lambda: not pilot.app.is_running)
