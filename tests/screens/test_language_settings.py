"""Languages of the profile: asked for once at the first start of a new library, and changed whenever one likes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.dictionaries.making import dictd
from tests.screens.driving import shows, until, until_shown, until_told
from tui.app import LodeApp
from tui.config import Settings
from tui.records.clips import NewClip
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.screens.dialogs.fields_prompt import FieldsPrompt
from tui.screens.profile_settings import ask_at_first_start
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive


@pytest.fixture(autouse=True)
def locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")


@asynccontextmanager
async def started(settings: Settings, *, asks_first: bool = True) -> AsyncIterator[Pilot[None]]:
    app = LodeApp(LocalService(settings, environ={}), settings, asks_first=asks_first)
    async with app.run_test(size=(80, 24)) as pilot:
        yield pilot


def is_asked(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, FieldsPrompt)


async def read_saved(pilot: Pilot[None]) -> ProfileSettings:
    assert isinstance(pilot.app, LodeApp)
    settings = await pilot.app.service.settings.get()
    assert settings.updated_at is not None
    return ProfileSettings(settings.explain_in, settings.learning)


async def would_ask(pilot: Pilot[None]) -> None:
    """Do what the first start does; fails where it asks, which only a worker can."""
    assert isinstance(pilot.app, LodeApp)
    await ask_at_first_start(pilot.app, pilot.app.service)


async def until_saved(pilot: Pilot[None]) -> ProfileSettings:
    assert isinstance(pilot.app, LodeApp)
    while (await pilot.app.service.settings.get()).updated_at is None:
        await pilot.pause()
    return await read_saved(pilot)


async def test_enter_takes_the_language_of_the_locale_and_it_is_never_asked_again(settings: Settings) -> None:
    async with started(settings) as pilot:
        await until(pilot, lambda: is_asked(pilot))
        await until_shown(pilot, "German")
        assert shows(pilot, "enter takes it · esc leaves English")
        await pilot.press("enter")
        assert await until_saved(pilot) == ProfileSettings("de")
    async with started(settings, asks_first=False) as pilot:
        await would_ask(pilot)


async def test_esc_leaves_english_and_it_is_never_asked_again(settings: Settings) -> None:
    async with started(settings) as pilot:
        await until(pilot, lambda: is_asked(pilot))
        await pilot.press("escape")
        assert await until_saved(pilot) == ProfileSettings()


async def test_nobody_is_asked_who_has_a_library_already(settings: Settings) -> None:
    service = LocalService(settings, environ={})
    await service.clips.add(NewClip("Der Zug fährt ab."))
    await service.close()
    async with started(settings, asks_first=False) as pilot:
        await would_ask(pilot)


async def test_they_are_changed_by_names_or_tags_and_a_wrong_one_is_asked_for_again(settings: Settings) -> None:
    async with started(settings, asks_first=False) as pilot:
        await pilot.press("4")
        await until(pilot, lambda: shows(pilot, "languages"))
        await pilot.press("f6")
        await until(pilot, lambda: is_asked(pilot))
        await until_shown(pilot, "English")
        await pilot.press("ctrl+u", *"portuguese (brazil)", "tab", *"Japanese n4, zh-hans hsk 3, nowhere", "enter")
        await until(pilot, lambda: shows(pilot, "'nowhere' is no language tag"))
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == "learning"
        await pilot.press(*["backspace"] * len(", nowhere"), "enter")
        expected = (LearnedLanguage("ja", "N4"), LearnedLanguage("zh-Hans", "HSK3"))
        assert await until_saved(pilot) == ProfileSettings("pt-BR", expected)
        await until(pilot, lambda: not is_asked(pilot))
        await pilot.press("f6")
        await until(pilot, lambda: shows(pilot, "Japanese N4, Chinese (simplified) HSK3"))


async def test_who_learns_a_language_hears_of_the_dictionaries_that_the_system_has_of_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dictd").mkdir()
    for name in ("freedict-spa-eng", "freedict-fra-eng"):
        dictd(tmp_path / "dictd", {"word": "meaning"}, name=name)
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    async with started(settings) as pilot:
        await until(pilot, lambda: is_asked(pilot))
        await pilot.press("tab", *"Spanish", "enter")
        await until_told(pilot, "this system has dictionaries of Spanish: ctrl+p, Dictionaries")
