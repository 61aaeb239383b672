"""The transcripts' list: what it shows, opening, deleting, and what it says when it is empty."""

from __future__ import annotations

import pytest

from tests.screens.driving import add_files, lines, opened, shows, until_rows, until_shown, until_told
from tui.service.local import LocalService


async def test_without_transcripts_it_says_where_they_come_from(service: LocalService) -> None:
    async with opened(service, section="2") as pilot:
        await until_shown(pilot, "No transcripts yet.")
        await pilot.press("1")
        await until_shown(pilot, "Nothing here yet.")


async def test_a_transcript_shows_its_cues_length_and_age(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        await until_shown(pilot, "0%")
        row = next(line for line in lines(pilot) if "zug" in line)
        assert row.split()[-5:] == ["de", "2", "0:06", "0%", "now"]


@pytest.mark.exhaustive
async def test_enter_opens_the_reader_esc_and_2_come_back_to_the_list(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        for back in ("escape", "2"):
            await pilot.press("enter")
            await until_shown(pilot, "Hoffentlich fährt er")
            await pilot.press(back)
            await until_shown(pilot, "Length")


async def test_a_deleted_transcript_leaves_its_file(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("d")
        await until_shown(pilot, 'Delete this transcript: "zug"?')
        assert shows(pilot, "The file it came from and the clips from it stay.")
        await pilot.press("y")
        await until_told(pilot, "1 transcript deleted")
        await until_shown(pilot, "No transcripts yet.")
        await pilot.press("1")
        await until_rows(pilot, 1)
        await pilot.press("u", "2")
        await until_rows(pilot, 1)


@pytest.mark.exhaustive
async def test_the_filter_stays_while_another_section_is_shown(service: LocalService) -> None:
    await add_files(service, "zug.srt", "faro.srt")
    async with opened(service, section="2", rows=2) as pilot:
        await pilot.press("slash", *"faro")
        await until_rows(pilot, 1)
        await pilot.press("enter", "3")
        await until_shown(pilot, "No clips yet.")
        await pilot.press("2")
        await until_rows(pilot, 1)
        assert shows(pilot, "1 found")
