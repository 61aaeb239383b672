"""Places that one came from: back and forward as in a web browser, across all screens, also those of days before."""

from __future__ import annotations

import asyncio

import pytest
from textual.pilot import Pilot

from tests.screens.driving import opened, press_until, shows, until
from tests.screens.stage import STATION, add_transcript, timed
from tests.server.serving import serving
from tui.config import Settings
from tui.records.transcripts import ReadingPlace
from tui.remote.service import RemoteService
from tui.screens.messages import OpenTranscript
from tui.screens.places import MAX_PLACES, Place, Places
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.service.protocol import Service


def test_one_goes_back_and_forth_until_another_way_is_taken() -> None:
    places = Places()
    first, second, third = (Place("text", cue) for cue in range(3))
    places.leave(first)
    places.leave(second)
    assert places.step(third, -1) == second
    assert places.step(second, -1) == first
    assert places.step(first, -1) is None
    assert places.step(first, 1) == second
    places.leave(second)
    assert (places.step(third, 1), places.has_way_back) == (None, True)


def test_a_place_counts_once_where_one_stays_and_none_is_kept_of_what_cannot_be_shown_again() -> None:
    places = Places()
    for place in ("files", "files", Place("text", 3), "clips"):
        places.leave(place)
    assert places.step("clips", -1) == Place("text", 3), "not where one is"
    assert places.step(None, -1) == "files"
    assert places.step("files", 1) == "clips"


def test_places_of_days_before_come_behind_those_of_today_and_there_is_an_end_to_them() -> None:
    places = Places()
    places.leave(Place("today", 1))
    places.add_older([Place("yesterday", 5), Place("today", 0), Place("before", 2)])
    went = [places.step("files", -1) for _ in range(4)]
    assert went == [Place("today", 1), Place("yesterday", 5), Place("before", 2), None]
    for cue in range(2 * MAX_PLACES):
        places.leave(Place("today", cue))
    assert sum(places.step(None, -1) is not None for _ in range(2 * MAX_PLACES)) == MAX_PLACES


def eye(pilot: Pilot[None]) -> tuple[str, int] | None:
    """Transcript and cue under the eye, None where there is no reader."""
    screen = pilot.app.screen
    return (screen.transcript_id, screen.reader.cue_index) if isinstance(screen, ReaderScreen) else None


async def open_at(pilot: Pilot[None], transcript: str, cue: int | None = None) -> None:
    pilot.app.post_message(OpenTranscript(transcript, cue))
    await until(pilot, lambda: eye(pilot) == (transcript, cue or 0) and shows(pilot, STATION[cue or 0][:20]))


async def test_back_and_forward_lead_across_the_screens(service: LocalService) -> None:
    zug = await add_transcript(service, timed(STATION))
    bus = await add_transcript(service, timed(STATION[::-1]), title="Der Bus")
    async with opened(service, rows=2) as pilot:
        await open_at(pilot, zug)
        await press_until(pilot, *"jjj", holds=lambda: eye(pilot) == (zug, 3))
        await press_until(pilot, "3", holds=lambda: pilot.app.current_mode == "clips")
        await press_until(pilot, "less_than_sign", holds=lambda: eye(pilot) == (zug, 3))
        await press_until(pilot, "greater_than_sign", holds=lambda: pilot.app.current_mode == "clips")
        await press_until(pilot, "ctrl+o", holds=lambda: eye(pilot) == (zug, 3))
        pilot.app.post_message(OpenTranscript(bus, 5))
        await until(pilot, lambda: eye(pilot) == (bus, 5))
        await press_until(pilot, ":", "2", "enter", holds=lambda: eye(pilot) == (bus, 1))
        await press_until(pilot, "less_than_sign", holds=lambda: eye(pilot) == (bus, 5))
        await press_until(pilot, "less_than_sign", holds=lambda: eye(pilot) == (zug, 3))
        await press_until(pilot, "less_than_sign", holds=lambda: pilot.app.current_mode == "files")
        await press_until(pilot, "less_than_sign", told="there is no place to go back to")
        for place in ((zug, 3), (bus, 5), (bus, 1)):
            await press_until(pilot, "greater_than_sign", holds=lambda place=place: eye(pilot) == place)
        await press_until(pilot, "greater_than_sign", told="there is no place to go forward to")
        await press_until(pilot, "2", rows=2)
        await press_until(pilot, "less_than_sign", holds=lambda: eye(pilot) == (bus, 1))


async def test_the_keys_are_letters_in_a_field_and_nothing_in_a_dialog(service: LocalService) -> None:
    zug = await add_transcript(service, timed(STATION))
    async with opened(service, rows=1) as pilot:
        await open_at(pilot, zug)
        await press_until(pilot, "2", rows=1)
        await press_until(pilot, "slash", *"<>'", holds=lambda: pilot.app.focused is not None)
        assert pilot.app.focused is not None
        assert getattr(pilot.app.focused, "value", "") == "<>'"
        await press_until(pilot, "escape", "d", shown="Delete this transcript")
        await pilot.press("less_than_sign", "apostrophe")
        assert shows(pilot, "Delete this transcript")


async def test_a_place_in_a_transcript_that_has_gone_says_so(service: LocalService) -> None:
    zug = await add_transcript(service, timed(STATION))
    async with opened(service, rows=1) as pilot:
        await open_at(pilot, zug)
        await press_until(pilot, "escape", rows=1)
        await service.transcripts.delete(zug)
        await press_until(pilot, "less_than_sign", shown="there is no transcript")
        await press_until(pilot, "less_than_sign", shown="Size")


async def leave_two(service: LocalService) -> tuple[str, str]:
    zug = await add_transcript(service, timed(STATION))
    bus = await add_transcript(service, timed(STATION[::-1]), title="Der Bus")
    for transcript, cue in ((zug, 4), (bus, 2)):
        await service.transcripts.leave_at(transcript, ReadingPlace(cue, 0, cue + 1))
        await asyncio.sleep(0.002)  # they are told apart by milliseconds
    return zug, bus


async def _go_through(service: Service, zug: str, bus: str) -> None:
    async with opened(service, rows=2) as pilot:
        await press_until(pilot, "less_than_sign", holds=lambda: eye(pilot) == (bus, 2))
        await press_until(pilot, "less_than_sign", holds=lambda: eye(pilot) == (zug, 4))
        await press_until(pilot, "greater_than_sign", holds=lambda: eye(pilot) == (bus, 2))
        await press_until(pilot, "greater_than_sign", holds=lambda: eye(pilot) is None)
        assert pilot.app.current_mode == "files"


async def test_right_after_a_start_back_leads_to_where_one_read_before(service: LocalService) -> None:
    await _go_through(service, *await leave_two(service))


@pytest.mark.exhaustive
async def test_over_http_too(service: LocalService, settings: Settings) -> None:
    places = await leave_two(service)
    async with serving(settings) as server:
        await _go_through(RemoteService(server.url), *places)
