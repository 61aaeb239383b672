"""Dialog of a word's dictionary entries: from the reader and from an answer, and what it says where there are none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.dictionaries.making import dictd, held_dictionary, term_row, yomitan
from tests.screens.driving import assert_is_clean, opened, shows, until, until_rows, until_shown
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import press, running
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Sense
from tui.screens.dialogs.dictionary_entry import DictionaryEntryScreen
from tui.screens.lists.dictionaries import DictionariesScreen
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.store.dictionaries.dictionary_store import DictionaryStore
from tui.widgets.chrome.key_line import KeyLine

ADVICE = "No dictionary of German was added yet: a goes to the dictionaries"
INFO = DictionaryInfo("Small German", "yomitan", source_language="de", target_language="en", license="MIT")
WAIT = DictionaryEntry("warten", "", ("verb",), (Sense(("to wait",)), Sense(("to service a machine",))), ("Warten",))


@pytest.fixture
async def app(service: LocalService) -> Stage:
    return Stage(ReaderScreen(service, await add_transcript(service, timed(STATION))))


def add_dictionary(service: LocalService, entry: DictionaryEntry = WAIT) -> None:
    store = DictionaryStore.open(service._settings.home)
    store.add(INFO, [entry])
    store.close()


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_entries_of_the_word_under_the_eye_are_shown_until_the_key_is_pressed_again(
    app: Stage, service: LocalService, size: tuple[int, int]
) -> None:
    add_dictionary(service)
    async with running(app, size) as pilot:
        await pilot.press("D")
        await until_shown(pilot, "to service a machine")
        assert shows(pilot, "Small German · MIT")
        assert not shows(pilot, ADVICE)
        assert_is_clean(pilot)
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen))


async def test_the_line_of_keys_below_the_dialog_stays_as_it_was(app: Stage) -> None:
    async with running(app, (120, 40)) as pilot:
        keys = app.screen.query_one(KeyLine)
        before = keys.entries()
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, DictionaryEntryScreen))
        assert keys.entries() == before  # no "space pause": there is no mpv


async def test_without_a_dictionary_of_the_language_it_says_how_to_add_one(app: Stage) -> None:
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "j", "j", "j", "h")
        await pilot.press("D")
        await until_shown(pilot, ADVICE)


@pytest.mark.exhaustive
async def test_one_that_the_system_has_is_named_and_a_key_leads_to_the_list_that_adds_it(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dictd").mkdir()
    dictd(tmp_path / "dictd", {"fahren": "fahren <v>\nto drive\n"})
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    await add_transcript(service, timed(STATION))
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "Warten Sie")
        await pilot.press("D")
        await until_shown(pilot, "This system has a dictionary of German, freedict-deu-eng: a goes to it.")
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, DictionariesScreen))
        await until_shown(pilot, "enter adds")


async def test_a_word_that_nothing_knows_is_said_to_be_unknown(service: LocalService) -> None:
    add_dictionary(service)
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(["Xyzzy!"]))))
    async with running(app) as pilot:
        await pilot.press("D")
        await until_shown(pilot, "Nothing is known of this word.")


async def test_while_a_dictionary_is_being_added_that_is_said_and_then_its_entries_are_shown(
    service: LocalService, tmp_path: Path
) -> None:
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(["Xyzzy!"]))))
    path = yomitan(tmp_path / "magic.zip", [term_row("Xyzzy", "a magic word")])
    async with running(app) as pilot:
        with held_dictionary() as go_on:
            await service.dictionaries.add([path])
            await pilot.press("D")
            await until_shown(pilot, "magic.zip is being added")
            assert not shows(pilot, "Nothing is known")
            assert not shows(pilot, "No dictionary of German")
            go_on.set()
            await until_shown(pilot, "a magic word")
        assert not shows(pilot, "is being added")


async def test_an_entry_longer_than_the_screen_is_scrolled_through(app: Stage, service: LocalService) -> None:
    add_dictionary(service, replace(WAIT, senses=tuple(Sense((f"meaning {number}",)) for number in range(50))))
    async with running(app) as pilot:
        await pilot.press("D")
        await until_shown(pilot, "meaning 0")
        assert not shows(pilot, "meaning 49")
        await pilot.press("G")
        await until_shown(pilot, "meaning 49")


@pytest.mark.exhaustive
async def test_the_word_of_an_answer_has_its_entries_too(service: LocalService) -> None:
    add_dictionary(service)
    await add_transcript(service, timed(STATION))
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "Warten Sie")
        await pilot.press("enter")
        await until_shown(pilot, "D entry")
        await pilot.press("D")
        await until(pilot, lambda: isinstance(pilot.app.screen, DictionaryEntryScreen))
        await until_shown(pilot, "to service a machine")
