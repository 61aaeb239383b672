"""The way from a file to a word and back again, esc by esc."""

from __future__ import annotations

import pytest

from tests.screens.driving import add_files, keep_clips, opened, shows, until, until_rows, until_shown
from tui.service.local import LocalService


@pytest.mark.exhaustive
async def test_esc_leads_back_from_the_breakdown_to_the_reader_to_the_file(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Bestimmt, der letzte Zug ist zug.")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.current_mode == "breakdown")
        await until_shown(pilot, "Hoffentlich fährt er")
        for section in ("transcripts", "files"):
            for _ in range(2):  # the first may still be needed to stop the answer
                if pilot.app.current_mode != section:
                    await pilot.press("escape")
                    await pilot.pause()
            await until(pilot, lambda: pilot.app.current_mode == section)
        await pilot.press("2")
        await until_rows(pilot, 1)


async def test_a_clip_opens_with_its_own_answer_and_esc_comes_back_to_the_clips(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, section="3", rows=1) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.current_mode == "breakdown")
        await until_shown(pilot, "meaning of Zug")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.current_mode == "clips")


async def test_choosing_a_section_forgets_the_way_back(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Bestimmt, der letzte Zug ist zug.")
        await pilot.press("6")
        await until_rows(pilot, 1)
        await pilot.press("2")
        await until_shown(pilot, "Bestimmt, der letzte Zug ist zug.")
        await pilot.press("escape")
        await until_shown(pilot, "Length")
        assert not shows(pilot, "Bestimmt")


@pytest.mark.exhaustive
async def test_opening_another_transcript_takes_the_place_of_the_one_before(service: LocalService) -> None:
    await add_files(service, "faro.srt", "zug.srt")
    async with opened(service, rows=2) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Bestimmt, der letzte Zug ist zug.")
        await pilot.press("1")
        await until_rows(pilot, 2)
        await pilot.press("j", "enter")
        await until_shown(pilot, "Bestimmt, der letzte Zug ist faro.")
        assert len(pilot.app.get_screen_stack("transcripts")) == 2
