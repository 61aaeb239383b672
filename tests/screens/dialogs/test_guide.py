"""Guides in the app: found in the palette and behind the list of keys, read, and closed."""

from __future__ import annotations

import pytest

from tests.screens.driving import assert_is_clean, opened, shows, until, until_shown
from tui.guides import list_guides
from tui.screens.dialogs.command_palette import Palette
from tui.screens.dialogs.panels import GuideScreen
from tui.service.local import LocalService


async def test_the_palette_has_every_guide(service: LocalService) -> None:
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet.")
        await pilot.press("ctrl+p", *"guide")
        await until_shown(pilot, "Guide: anki")
        assert isinstance(pilot.app.screen, Palette)
        offered = [command.name for command in pilot.app.screen.answers]
        assert offered[: len(list_guides())] == [f"Guide: {guide.topic}" for guide in list_guides()]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 16)])
async def test_from_the_keys_to_a_guide_and_back(service: LocalService, size: tuple[int, int]) -> None:
    async with opened(service, size) as pilot:
        await until_shown(pilot, "Nothing here yet.")
        await pilot.press("question_mark")
        await until_shown(pilot, "⏎ guides")
        await pilot.press("enter")
        await until_shown(pilot, "Guides")
        await pilot.press(*"films", "enter")
        await until_shown(pilot, "Films and recordings")
        assert isinstance(pilot.app.screen, GuideScreen)
        assert_is_clean(pilot)
        await pilot.press("G")
        await until_shown(pilot, "Without --media")
        await pilot.press("g")
        await until_shown(pilot, "Films and recordings")
        await pilot.press("escape")
        await until_shown(pilot, "Nothing here yet.")
        assert not shows(pilot, "Films and recordings")


async def test_the_guide_about_keys_has_the_keys_of_the_settings(service: LocalService) -> None:
    async with opened(service, (100, 40), keys={"undo": "f9"}) as pilot:
        await until_shown(pilot, "Nothing here yet.")
        await pilot.press("ctrl+p", *"guide: keys", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, GuideScreen))
        await pilot.press("pagedown")
        await until(pilot, lambda: any("f9" in line and "undo" in line for line in _lines(pilot.app.screen)))


def _lines(screen: object) -> list[str]:
    from tui.widgets.markdown.token_log import TokenLog

    return screen.query_one(TokenLog).lines if isinstance(screen, GuideScreen) else []
