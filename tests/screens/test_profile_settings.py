"""Settings of the profile: languages, asked for once at the first start of a new library, and options of its cards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.dictionaries.making import dictd
from tests.screens.driving import Typed, press_until, shows, until, until_shown
from tui.app import LodeApp
from tui.config import Settings
from tui.deck.note_fields import PRESETS, parse_note_fields
from tui.records.clips import FocusWord, NewClip
from tui.records.settings import CardOptions, LearnedLanguage, ProfileSettings
from tui.screens.dialogs.fields_prompt import FieldsPrompt
from tui.screens.profile_settings import ask_at_first_start
from tui.service.local import LocalService
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive


@pytest.fixture(autouse=True)
def locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")


@asynccontextmanager
async def started(
    settings: Settings, *, asks_first: bool = True, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Pilot[None]]:
    app = LodeApp(LocalService(settings, environ={}), settings, asks_first=asks_first)
    async with app.run_test(size=size) as pilot:
        yield pilot


def is_asked(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, FieldsPrompt)


def service_of(pilot: Pilot[None]) -> Service:
    assert isinstance(pilot.app, LodeApp)
    return pilot.app.service


async def until_saved(pilot: Pilot[None]) -> ProfileSettings:
    while (settings := await service_of(pilot).settings.get()).updated_at is None:
        await pilot.pause()
    return ProfileSettings(settings.explain_in, settings.learning)


async def test_the_first_start_asks_once_and_enter_takes_the_language_of_the_locale(settings: Settings) -> None:
    async with started(settings) as pilot:
        await until(pilot, lambda: is_asked(pilot))
        await until_shown(pilot, "German")
        assert shows(pilot, "enter takes it · esc leaves English")
        await pilot.press("enter")
        assert await until_saved(pilot) == ProfileSettings("de")
        await ask_at_first_start(pilot.app, service_of(pilot))  # fails where it asks, which only a worker can


async def test_esc_leaves_english_and_it_is_never_asked_again(settings: Settings) -> None:
    async with started(settings) as pilot:
        await until(pilot, lambda: is_asked(pilot))
        await pilot.press("escape")
        assert await until_saved(pilot) == ProfileSettings()
        await ask_at_first_start(pilot.app, service_of(pilot))


async def test_nobody_is_asked_who_has_a_library_and_languages_go_by_names_or_tags(settings: Settings) -> None:
    async with started(settings, asks_first=False) as pilot:
        await service_of(pilot).clips.add(NewClip("Der Zug fährt ab."))
        await ask_at_first_start(pilot.app, service_of(pilot))
        await pilot.press("4")
        await until(pilot, lambda: shows(pilot, "languages"))
        await pilot.press("f6")
        await until(pilot, lambda: is_asked(pilot))
        await until_shown(pilot, "English")
        await press_until(
            pilot, "ctrl+u", Typed("portuguese (brazil)"), "tab", Typed("Japanese n4, zh-hans hsk 3, nowhere"), "enter"
        )
        await until(pilot, lambda: shows(pilot, "'nowhere' is no language tag"))
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == "learning"
        await pilot.press(*["backspace"] * len(", nowhere"), "enter")
        expected = (LearnedLanguage("ja", "N4"), LearnedLanguage("zh-Hans", "HSK3"))
        assert await until_saved(pilot) == ProfileSettings("pt-BR", expected)
        await until(pilot, lambda: not is_asked(pilot))
        await press_until(pilot, "f6", shown="Japanese N4, Chinese (simplified) HSK3")


async def test_options_of_cards_are_chosen_in_the_palette_and_seen_beside_a_clip(settings: Settings) -> None:
    async with started(settings, asks_first=False, size=(120, 40)) as pilot:
        service, learning = service_of(pilot), (LearnedLanguage("de"),)
        await service.settings.save(ProfileSettings("fr", learning))
        focus = FocusWord("fährt ab", "abfahren")
        await service.clips.add(NewClip("Er fährt ab.", translation="He leaves.", focus=focus))
        await press_until(pilot, "ctrl+p", Typed("cards"), shown="what the front of a card asks with")
        await press_until(pilot, "enter", shown="changes all cards in Anki")
        await press_until(pilot, "ctrl+u", Typed("picture"), "enter", shown="'picture' is no front of a card")
        for value in ("Word", "translation"):
            await press_until(pilot, "ctrl+u", Typed(value), "tab")
        await press_until(pilot, "ctrl+u", Typed("Anki"), "enter")
        await until_shown(pilot, "there is no 'Anki' to begin with")
        await press_until(pilot, "ctrl+u", Typed("lapis"), "tab", "ctrl+u", Typed("Tag"), "tab")
        await press_until(pilot, "ctrl+u", Typed("Breakdown"), "enter")
        await until(pilot, lambda: not pilot.app.screen.is_modal)
        saved = await service.settings.get()
        assert (saved.card, saved.explain_in, saved.learning) == (CardOptions("word", "translation"), "fr", learning)
        assert saved.inbox_fill == "breakdown"
        assert (saved.deck_per, parse_note_fields(saved.note_fields)) == ("tag", PRESETS["lapis"])
        await press_until(pilot, "3", shown="Er fährt ab.")
        await press_until(pilot, "E", shown="Card · back")
        await pilot.press("f4")
        side = pilot.app.screen.query_one(".card-side", Static)
        await until(pilot, lambda: str(side.content) == "abfahren\n\nTranslation")


async def test_who_learns_a_language_hears_of_the_dictionaries_that_the_system_has_of_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dictd").mkdir()
    for name in ("freedict-spa-eng", "freedict-fra-eng"):
        dictd(tmp_path / "dictd", {"word": "meaning"}, name=name)
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    async with started(settings) as pilot:
        await until(pilot, lambda: is_asked(pilot))
        said = "this system has dictionaries of Spanish: ctrl+p, Dictionaries"
        await press_until(pilot, "tab", Typed("Spanish"), "enter", told=said)
