"""Bookmarks in the app: set and taken away where one reads, listed, named, found, opened, deleted and undone."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.screens.driving import lines, opened, press_until, shows, until
from tests.screens.stage import STATION, add_transcript, timed
from tests.server.serving import serving
from tests.waiting import HANGS
from tui.app import LodeApp
from tui.config import Settings
from tui.records.clips import NewClip
from tui.remote.service import RemoteService
from tui.screens.lists.bookmarks import BookmarksScreen
from tui.screens.messages import OpenTranscript
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.service.protocol import Service


def signs(pilot: Pilot[None]) -> list[str]:
    """Signs in the margin of the lines that have one."""
    return [line[0] for line in lines(pilot) if line[:1] in ("•", "◆", "◈")]


async def open_reader(pilot: Pilot[None], transcript: str, cue: int | None = None) -> ReaderScreen:
    pilot.app.post_message(OpenTranscript(transcript, cue))
    await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen) and shows(pilot, "Hoffentlich"))
    screen = pilot.app.screen
    assert isinstance(screen, ReaderScreen)
    return screen


async def test_a_key_sets_a_bookmark_which_a_sign_shows_and_takes_it_away_again(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    await service.clips.add(NewClip(STATION[3], transcript_id=transcript, cue_index=3))
    async with opened(service) as pilot:
        await open_reader(pilot, transcript, 3)
        await until(pilot, lambda: signs(pilot) == ["•"])
        await press_until(pilot, "b", told="a bookmark is set · ' lists them", holds=lambda: signs(pilot) == ["◈"])
        await press_until(pilot, "j", "b", holds=lambda: signs(pilot) == ["◈", "◆"])
        await press_until(
            pilot, "b", told="the bookmark is gone · u brings it back", holds=lambda: signs(pilot) == ["◈"]
        )
        await press_until(pilot, "u", holds=lambda: signs(pilot) == ["◈", "◆"])
        assert [mark.cue_index for mark in await service.bookmarks.of(transcript)] == [3, 4]


async def _go_through_the_list(service: Service, transcript: str) -> None:
    for cue in (2, 5):
        await service.bookmarks.put(transcript, cue)
    async with opened(service) as pilot:
        reader = await open_reader(pilot, transcript)
        await press_until(pilot, "j", "apostrophe", at=BookmarksScreen, rows=2)
        assert shows(pilot, "Der letzte Zug")
        assert not shows(pilot, "Name"), "an empty column takes no room"
        await press_until(pilot, "E", shown="The name of this bookmark")
        await press_until(pilot, *"the query", "enter", shown="the query")
        await press_until(pilot, "slash", *"query", "enter", rows=1)
        await press_until(pilot, "escape", rows=2)
        await press_until(pilot, "escape", holds=lambda: pilot.app.screen is reader)
        assert reader.reader.cue_index == 1, "esc leads back to where one was"
        await press_until(pilot, "apostrophe", at=BookmarksScreen, rows=2)
        await press_until(pilot, "j", "d", "y", rows=1, told="1 bookmark deleted · u undoes it")
        await press_until(pilot, "u", rows=2)
        await press_until(pilot, "g", "enter", at=ReaderScreen)
        opened_there = pilot.app.screen
        assert isinstance(opened_there, ReaderScreen)
        await until(pilot, lambda: opened_there.reader.cue is not None and opened_there.reader.cue_index == 5)
        await press_until(pilot, "less_than_sign", holds=lambda: opened_there.reader.cue_index == 1)


async def test_the_list_names_filters_deletes_and_opens_them(service: LocalService) -> None:
    await _go_through_the_list(service, await add_transcript(service, timed(STATION)))


@pytest.mark.exhaustive
async def test_it_is_the_same_over_http(service: LocalService, settings: Settings) -> None:
    transcript = await add_transcript(service, timed(STATION))
    async with serving(settings) as server:
        await _go_through_the_list(RemoteService(server.url), transcript)


async def test_without_bookmarks_the_list_says_how_one_is_set(service: LocalService) -> None:
    async with opened(service, section="3") as pilot:
        await press_until(pilot, "apostrophe", shown="No bookmarks yet: b sets one")
        await press_until(pilot, "apostrophe", "escape", holds=lambda: pilot.app.current_mode == "clips")
        assert not isinstance(pilot.app.screen, BookmarksScreen)


async def test_a_bookmark_of_a_transcript_that_has_gone_meanwhile_opens_with_the_reason(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.app.LOOK_SECONDS", HANGS)  # else the list may know of it before the key comes
    transcript = await add_transcript(service, timed(STATION))
    await service.bookmarks.put(transcript, 2)
    async with opened(service) as pilot:
        await press_until(pilot, "apostrophe", rows=1)
        await service.transcripts.delete(transcript)
        await press_until(pilot, "enter", shown="there is no transcript")
        app = pilot.app
        assert isinstance(app, LodeApp)
        app._updates.look()
        await press_until(pilot, "escape", "apostrophe", rows=0)


async def test_a_hostile_name_is_shown_as_text(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    await service.bookmarks.put(transcript, 2, name="[b]x[/b] \x1b[31m\nred")
    async with opened(service, (120, 30)) as pilot:
        await press_until(pilot, "apostrophe", shown="[b]x[/b] red")
