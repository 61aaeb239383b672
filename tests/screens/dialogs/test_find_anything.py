"""Finding anything: what is typed is found in everything, opened in its place and marked there."""

from functools import partial

from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from tests.screens.driving import Typed, opened, press_until, shows, until, until_shown
from tui.app import LodeApp
from tui.screens.dialogs.find_anything import FindAnything
from tui.screens.lists.clips import ClipsScreen
from tui.screens.reader.find_bar import FindBar
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService


async def go_to_clips(pilot: Pilot[None]) -> None:
    """Go to the group of the clips."""
    await until_shown(pilot, "clips")
    await pilot.press("enter")
    screen = pilot.app.screen
    assert isinstance(screen, FindAnything)
    while (here := screen._highlighted) is None or here[0] != "clips":
        await pilot.press("tab")
        await pilot.pause()


async def test_a_sentence_is_opened_in_ten_keys_and_marked_there(service: LocalService) -> None:
    async with opened(service, files=["zug", "bus"], clips={"Zug": "Der Zug hält."}) as pilot:
        await press_until(pilot, "ctrl+f", at=FindAnything)
        await pilot.press(*"Zug")
        await until(pilot, lambda: shows(pilot, "sentences") and shows(pilot, "clips"))  # the groups are named
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.focused, OptionList))
        await press_until(pilot, "enter", at=ReaderScreen)
        screen = pilot.app.screen
        assert isinstance(screen, ReaderScreen)
        await until(pilot, lambda: screen.query_one(FindBar).is_open and screen.reader.hit_number)
        assert screen.reader.focus_text.casefold() == "zug"
        assert pilot.app.focused is screen.reader, "n and N go on at once"


async def test_groups_are_gone_through_and_what_is_found_opens_where_it_belongs(service: LocalService) -> None:
    async with opened(service, files=["zug"], clips={"Zug": "Der Zug hält."}) as pilot:
        await press_until(pilot, "slash", holds=lambda: isinstance(pilot.app.focused, Input))
        await press_until(pilot, "ctrl+f", at=FindAnything)  # from a field too
        await pilot.press(*"der zug")
        await go_to_clips(pilot)
        await press_until(pilot, "enter", at=ClipsScreen, rows=1)
        await press_until(pilot, "ctrl+f", at=FindAnything)
        await pilot.press(*"nichtsdavon")
        await until_shown(pilot, "nothing has all of this")
        await press_until(pilot, "escape", at=ClipsScreen)
        app = pilot.app
        assert isinstance(app, LodeApp)
        assert not shows(pilot, "nothing has all of this")


async def test_a_form_that_is_not_saved_is_asked_about_before_what_was_found_is_opened(service: LocalService) -> None:
    async with opened(service, clips={"Zug": "Der Zug hält."}, section="3", rows=1) as pilot:
        await press_until(pilot, "E", shown="Translation")
        await press_until(pilot, Typed("Heute: "), shown="Heute: ")
        await press_until(pilot, "ctrl+f", Typed("zug"), at=FindAnything)
        await go_to_clips(pilot)
        await press_until(pilot, "enter", shown="This clip has unsaved changes.")
        await press_until(pilot, "n", gone="unsaved changes", shown="Heute: ")


async def test_enter_may_be_pressed_before_the_hits_have_come(service: LocalService) -> None:
    async with opened(service, files=["zug"]) as pilot:
        await press_until(pilot, "ctrl+f", at=FindAnything)
        await press_until(pilot, Typed("hoffentlich\r\r"), at=ReaderScreen)
        screen = pilot.app.screen
        assert isinstance(screen, ReaderScreen)
        await until(pilot, lambda: screen.reader.focus_text == "Hoffentlich")


async def test_fields_and_their_values_are_completed_as_in_filters(service: LocalService) -> None:
    async with opened(service, files=["zug"]) as pilot:
        await press_until(pilot, "ctrl+f", at=FindAnything)
        field = pilot.app.screen.query_one(Input)
        for typed, whole in (("re", "read:"), ("be", "read:begun"), (" lang:d", "read:begun lang:de")):
            await pilot.press(*typed)
            await press_until(pilot, "right", holds=partial(_has_value, field, whole))


def _has_value(field: Input, value: str) -> bool:
    return field.value == value


async def test_a_note_is_found_and_opened_at_its_sentence(service: LocalService) -> None:
    async with opened(service, files=["zug"]) as pilot:
        (transcript,) = (await service.transcripts.page()).items
        await service.transcripts.note(transcript.id, 1, "ask Anna")
        await press_until(pilot, "ctrl+f", at=FindAnything)
        await pilot.press(*"anna")
        await until_shown(pilot, "ask Anna")
        await press_until(pilot, "enter", holds=lambda: isinstance(pilot.app.focused, OptionList))
        await press_until(pilot, "enter", at=ReaderScreen)
        screen = pilot.app.screen
        assert isinstance(screen, ReaderScreen)
        await until(pilot, lambda: screen.reader.cue_index == 1)


async def test_up_brings_back_the_searches_of_which_a_hit_was_opened(service: LocalService) -> None:
    async with opened(service, files=["zug"]) as pilot:
        for q in ("zug", "noch"):
            await press_until(pilot, "ctrl+f", at=FindAnything)
            await pilot.press(*q)
            await until_shown(pilot, "sentences")
            await press_until(pilot, "enter", holds=lambda: isinstance(pilot.app.focused, OptionList))
            await press_until(pilot, "enter", at=ReaderScreen)
        await press_until(pilot, "ctrl+f", at=FindAnything)
        field = pilot.app.screen.query_one(Input)
        await press_until(pilot, "up", holds=partial(_has_value, field, "noch"))
        await press_until(pilot, "up", "up", holds=partial(_has_value, field, "zug"))
        await until_shown(pilot, "sentences")
        await press_until(pilot, "down", holds=lambda: isinstance(pilot.app.focused, OptionList))


async def test_a_terminal_without_room_for_the_hits_breaks_nothing(service: LocalService) -> None:
    async with opened(service, clips={"Haus": "Das Haus ist alt."}) as pilot:
        await press_until(pilot, "ctrl+f", at=FindAnything)
        await pilot.press(*"letzte")  # which stands in its source, and not in the sentence
        await until_shown(pilot, "Das Haus")
        screen = pilot.app.screen
        await pilot.resize_terminal(20, 5)
        await until(pilot, lambda: pilot.app.size.width == 20)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: pilot.app.screen is screen and shows(pilot, "Das Haus"))
