"""Dialog of a word's dictionary entries: from the reader and from an answer, and what it says where there are none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.dictionaries.making import dictd, held_dictionary, term_row, yomitan
from tests.screens.driving import assert_is_clean, opened, press_until, shows, until, until_shown
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


async def test_entries_of_the_word_are_shown_until_the_key_is_pressed_again(app: Stage, service: LocalService) -> None:
    add_dictionary(service, replace(WAIT, senses=(*WAIT.senses, *(Sense((f"meaning {at}",)) for at in range(50)))))
    async with running(app, (120, 40)) as pilot:
        keys = app.screen.query_one(KeyLine)
        before = keys.entries()
        for size in ((120, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await press_until(pilot, "D", shown="to service a machine")
            assert isinstance(app.screen, DictionaryEntryScreen)
            assert not shows(pilot, ADVICE)
            assert not shows(pilot, "meaning 49")
            assert shows(pilot, "Small German · MIT")
            assert_is_clean(pilot)
            if size == (120, 40):
                assert keys.entries() == before  # no "space pause": there is no mpv
            await press_until(pilot, "G", shown="meaning 49")
            await pilot.press("D")
            await until(pilot, lambda: isinstance(app.screen, ReaderScreen))


async def test_without_a_dictionary_of_the_language_it_says_how_to_add_one(app: Stage) -> None:
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "j", "j", "j", "h")
        await press_until(pilot, "D", shown=ADVICE)


async def test_of_an_unknown_word_that_is_said_or_what_is_being_added(service: LocalService, tmp_path: Path) -> None:
    add_dictionary(service)
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(["Xyzzy!"]))))
    path = yomitan(tmp_path / "magic.zip", [term_row("Xyzzy", "a magic word")])
    async with running(app) as pilot:
        await press_until(pilot, "D", shown="Nothing is known of this word.")
        await pilot.press("D")
        with held_dictionary() as go_on:
            await service.dictionaries.add([path])
            await press_until(pilot, "D", shown="magic.zip is being added")
            assert not shows(pilot, "Nothing is known")
            assert not shows(pilot, "No dictionary of German")
            go_on.set()
            await until_shown(pilot, "a magic word")
        assert not shows(pilot, "is being added")


@pytest.mark.exhaustive
async def test_the_word_of_an_answer_has_its_entries_too_and_a_key_leads_to_the_list_that_adds_what_the_system_has(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dictd").mkdir()
    dictd(tmp_path / "dictd", {"fahren": "fahren <v>\nto drive\n"})
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    await add_transcript(service, timed(STATION))
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await press_until(pilot, "enter", shown="Warten Sie")
        said = "This system has a dictionary of German, freedict-deu-eng: a goes to it."
        await press_until(pilot, "D", shown=said)
        await press_until(pilot, "a", at=DictionariesScreen, shown="enter adds")
        add_dictionary(service)
        await press_until(pilot, "escape", shown="Warten Sie")
        await press_until(pilot, "enter", shown="D entry")
        await press_until(pilot, "D", at=DictionaryEntryScreen, shown="to service a machine")
