"""What a start offers first: to read on where one left off; every other key means what it means without that."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from textual.pilot import Pilot

from tests.hostile import WORST
from tests.screens.driving import assert_is_clean, lines, opened, press_until, shows, table, type_at_once, until
from tests.screens.stage import STATION, add_transcript, timed
from tests.server.serving import serving
from tui.app import LodeApp
from tui.config import Settings
from tui.errors import StoreError
from tui.records.transcripts import LastRead, ReadingPlace
from tui.remote.service import RemoteService
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService

OFFER = "Continue  Der letzte Zug · 2:00 · 50%"


async def left(service: LocalService, title: str = "Der letzte Zug") -> str:
    """A transcript that was left at its fourth line, and a newer one that was never opened."""
    transcript = await add_transcript(service, timed(STATION), title=title)
    await add_transcript(service, timed(STATION[::-1]), title="Der Bus")
    await service.transcripts.leave_at(transcript, ReadingPlace(3, 1, 5))
    return transcript


def is_at_yesterdays_line(pilot: Pilot[None], transcript: str) -> bool:
    screen = pilot.app.screen
    if not isinstance(screen, ReaderScreen) or screen.reader.focused is None:
        return False
    return (screen.transcript_id, screen.reader.cue_index, screen.reader.word_index) == (transcript, 3, 1)


async def test_enter_is_at_yesterdays_line_and_the_line_is_not_there_any_more(service: LocalService) -> None:
    transcript = await left(service)
    async with opened(service, rows=2) as pilot:
        assert [line for line in lines(pilot)[:3] if OFFER in line] == [lines(pilot)[1]], "in place of the free line"
        await press_until(pilot, "enter", holds=lambda: is_at_yesterdays_line(pilot, transcript))
        await press_until(pilot, "escape", shown="Size")
        assert not shows(pilot, "Continue")


async def test_enter_that_is_typed_ahead_is_at_yesterdays_line_too(service: LocalService) -> None:
    transcript = await left(service)
    app = LodeApp(service, service._settings)
    async with app.run_test(size=(80, 24)) as pilot:
        type_at_once(pilot, "\r")
        await until(pilot, lambda: is_at_yesterdays_line(pilot, transcript))


async def test_keys_that_are_typed_ahead_are_those_of_the_list(service: LocalService) -> None:
    transcript = await left(service)
    for title in ("Der dritte", "Der vierte"):  # the key may find the first row or go to the second
        await add_transcript(service, timed(STATION[1:]), title=title)
    app = LodeApp(service, service._settings)
    async with app.run_test(size=(80, 24)) as pilot:
        type_at_once(pilot, "j\r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen))
        assert not is_at_yesterdays_line(pilot, transcript)


async def test_a_key_before_the_list_has_the_focus_is_that_of_the_list(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = await left(service)
    last_read, is_asked, goes_on = service.transcripts.last_read, asyncio.Event(), asyncio.Event()

    async def hold() -> Sequence[LastRead]:
        is_asked.set()
        await goes_on.wait()
        return await last_read()

    monkeypatch.setattr(service.transcripts, "last_read", hold)
    app = LodeApp(service, service._settings)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, is_asked.is_set)
        app.screen.set_focus(None)
        await pilot.press("j")
        goes_on.set()
        await until(pilot, lambda: table(pilot).is_loaded)
        await pilot.pause()
        assert not app.screen.query("ContinueLine")
        app.screen.set_focus(table(pilot))
        await press_until(pilot, "enter", at=ReaderScreen)
        assert not is_at_yesterdays_line(pilot, transcript)


@pytest.mark.parametrize(
    ("key", "comes"),
    [("j", "row"), ("G", "row"), ("space", "mark"), ("slash", "filter"), ("3", "section"), ("f", "labels")],
)
async def test_any_other_key_is_that_of_the_list_and_takes_the_offer_away(
    service: LocalService, key: str, comes: str
) -> None:
    await left(service)
    async with opened(service, rows=2) as pilot:
        files = pilot.app.screen
        listed = table(pilot)
        await until(pilot, lambda: shows(pilot, OFFER))
        await pilot.press(key)
        came = {
            "row": lambda: listed.cursor_row == 1,
            "mark": lambda: len(listed.marked) == 1,
            "filter": lambda: bool(files.query("FilterBar")),
            "section": lambda: pilot.app.current_mode == "clips",
            "labels": lambda: pilot.app.screen.is_modal,
        }[comes]
        await until(pilot, came)
        await until(pilot, lambda: not any("Continue" in line for line in lines(pilot)))
        await press_until(pilot, "escape", "2", "1", holds=lambda: not files.query("ContinueLine"))


async def test_a_terminal_that_is_looked_away_from_keeps_the_offer(service: LocalService) -> None:
    transcript = await left(service)
    async with opened(service, rows=2) as pilot:
        await until(pilot, lambda: shows(pilot, OFFER))
        pilot.app.app_focus = False
        await pilot.pause()
        assert shows(pilot, OFFER)
        pilot.app.app_focus = True
        await pilot.pause()
        await press_until(pilot, "enter", holds=lambda: is_at_yesterdays_line(pilot, transcript))


async def test_a_library_in_which_nothing_was_read_is_as_it_was(service: LocalService) -> None:
    async with opened(service) as pilot:
        assert shows(pilot, "Nothing here yet")
        assert not shows(pilot, "Continue")


async def test_where_nothing_was_read_enter_opens_the_first_row(service: LocalService) -> None:
    await add_transcript(service, timed(STATION))
    async with opened(service, rows=1) as pilot:
        assert not shows(pilot, "Continue")
        await press_until(pilot, "enter", at=ReaderScreen)


async def test_it_is_offered_where_the_file_has_gone(service: LocalService) -> None:
    transcript = await left(service)
    await service.files.delete(*(each.id for each in (await service.files.page()).items))
    async with opened(service, rows=0) as pilot:
        await until(pilot, lambda: shows(pilot, OFFER) and shows(pilot, "Nothing here yet"))
        await press_until(pilot, "enter", holds=lambda: is_at_yesterdays_line(pilot, transcript))


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (160, 50)])
async def test_titles_of_all_kinds_fit_into_the_line(service: LocalService, size: tuple[int, int]) -> None:
    for title in (*WORST.values(), "駅" * 90, "مرحبا"):
        here = LocalService(service._settings)  # the app closes it
        transcript = await add_transcript(here, timed([title * 2]), title=f"{title}.")
        await here.transcripts.leave_at(transcript, ReadingPlace(0))
        async with opened(here, size) as pilot:
            await until(pilot, lambda: shows(pilot, "Continue"))
            assert_is_clean(pilot)
            (line,) = [line for line in lines(pilot) if "Continue" in line]
            assert "0%" in line and "⏎" in line


async def test_a_library_that_cannot_say_what_was_read_lists_its_files_all_the_same(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await left(service)

    async def fail(*, limit: int = 1) -> tuple[LastRead, ...]:
        raise StoreError("no answer")

    monkeypatch.setattr(service.transcripts, "last_read", fail)
    async with opened(service, rows=2) as pilot:
        await asyncio.sleep(0)
        assert not shows(pilot, "Continue")


async def test_how_much_is_read_is_a_column_that_follows_the_reading(service: LocalService) -> None:
    transcript = await left(service)
    async with opened(service, section="2", rows=2) as pilot:
        assert shows(pilot, "Read") and shows(pilot, "50%")
        await press_until(pilot, "j", "enter", holds=lambda: is_at_yesterdays_line(pilot, transcript))
        await press_until(pilot, *"jjjjjj", "escape", shown="✓")
        await press_until(pilot, "1", shown="✓")
        assert (await service.transcripts.get(transcript)).read_cues == len(STATION)


@pytest.mark.exhaustive
async def test_it_is_the_same_over_http(service: LocalService, settings: Settings) -> None:
    transcript = await left(service)
    async with serving(settings) as server, opened(RemoteService(server.url), rows=2) as pilot:
        await until(pilot, lambda: shows(pilot, OFFER))
        await press_until(pilot, "enter", holds=lambda: is_at_yesterdays_line(pilot, transcript))
