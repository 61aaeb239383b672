"""The list of what undo can take back, and redo."""

from __future__ import annotations

import pytest

from tests.screens.driving import keep_clips, lines, opened, press_until, shows, until
from tests.server.serving import serving
from tui.config import Settings
from tui.records.words import WordMark
from tui.remote.service import RemoteService
from tui.service.local import LocalService
from tui.service.protocol import Service

WORDS = {"Zug": "Der Zug hält.", "Bus": "Der Bus hält."}


async def prepared(service: Service) -> None:
    """A clip that was deleted, then a word that was marked twice."""
    zug, _ = await keep_clips(service, WORDS)
    await service.clips.delete(zug.id)
    for state in ("known", "ignored"):
        await service.known_words.mark([WordMark("de", "Rose", state=state)])


async def test_an_older_step_is_taken_back_from_the_list_and_redone_with_a_key(service: LocalService) -> None:
    await prepared(service)
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "U", shown="word marked: Rose")
        steps = [line for line in lines(pilot) if "ago" in line or "just now" in line]
        assert [line.split("│")[1].split("  ")[1].strip() for line in steps][:3] == [
            *("word marked: Rose", "word marked: Rose", "clip deleted: Der Zug hält.")
        ]
        await press_until(pilot, *"deleted", holds=lambda: not shows(pilot, "word marked"))
        await press_until(pilot, "enter", told="back again: Der Zug hält. · ^r redoes it", rows=2)
        await press_until(pilot, "ctrl+r", told="done again: clip deleted: Der Zug hält.", rows=1)
        await press_until(pilot, "ctrl+r", told="there is nothing to redo")
        await press_until(pilot, "u", told="back again", rows=1)


async def test_a_step_that_others_build_upon_stays_and_the_list_says_which(service: LocalService) -> None:
    await prepared(service)
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "U", shown="word marked: Rose")
        await press_until(pilot, "down", "enter", shown="what came later touches the same: word marked: Rose")
        await press_until(pilot, "up", "enter", told="back again: the state of Rose")


async def test_in_a_text_field_ctrl_r_changes_nothing(service: LocalService) -> None:
    await prepared(service)
    await service.undo()
    async with opened(service, section="3", rows=1) as pilot:
        before = await service.undo_steps()
        await pilot.press("slash", "ctrl+r", "escape")
        assert await service.undo_steps() == before
        await press_until(pilot, "ctrl+r", told="done again: word marked: Rose")


async def test_without_steps_the_list_says_so(service: LocalService) -> None:
    async with opened(service) as pilot:
        await press_until(pilot, "U", shown="there is nothing to undo")
        await pilot.press("enter", "escape")
        await until(pilot, lambda: not shows(pilot, "there is nothing to undo"))


@pytest.mark.exhaustive
async def test_it_is_the_same_over_http(settings: Settings) -> None:
    async with serving(settings) as served:
        service = RemoteService(served.url)
        await prepared(service)
        async with opened(service, section="3", rows=1) as pilot:
            await press_until(pilot, "U", shown="clip deleted: Der Zug hält.")
            await press_until(pilot, *"deleted", "enter", told="back again: Der Zug hält.", rows=2)
            await press_until(pilot, "ctrl+r", told="done again: clip deleted: Der Zug hält.", rows=1)
