"""The files' list: importing, the sample library, opening, filtering, deleting, and what it says when it is empty."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.screens.driving import (
    add_files,
    assert_is_clean,
    held_import,
    lines,
    opened,
    shows,
    submit_text,
    table,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tui.service.local import LocalService
from tui.text import display
from tui.widgets.table import record_table


async def test_an_empty_library_says_what_to_press(service: LocalService) -> None:
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet.")
        assert shows(pilot, "a   add subtitles or texts")
        assert shows(pilot, "S   load the sample library")
        assert "delete" not in lines(pilot)[-1]
        assert "a add" in lines(pilot)[-1]


@pytest.mark.exhaustive
async def test_a_asks_for_a_path_and_imports_what_it_names(service: LocalService, tmp_path: Path) -> None:
    (tmp_path / "Der letzte Zug.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    async with opened(service) as pilot:
        await pilot.press("a")
        await until_shown(pilot, "Add subtitles")
        await submit_text(pilot, f"'{tmp_path}/Der letzte Zug.srt'")
        await until_rows(pilot, 1)
        await until_told(pilot, "1 imported")
        row = next(line for line in lines(pilot) if "Der letzte Zug.srt" in line)
        assert "srt" in row
        assert row.endswith("now")


async def test_a_path_that_does_not_exist_is_explained_and_what_was_typed_stays(
    service: LocalService, tmp_path: Path
) -> None:
    async with opened(service) as pilot:
        await pilot.press("a")
        await until_shown(pilot, "Add subtitles")
        typed = f"{tmp_path}/[b]nowhere.srt"
        await submit_text(pilot, typed)
        await until(pilot, lambda: any("nowhere.srt" in line and "no" in line for line in lines(pilot)))
        await until(pilot, lambda: isinstance(pilot.app.focused, Input) and pilot.app.focused.value == typed)
        assert_is_clean(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "Add subtitles"))


async def test_capital_s_loads_the_sample_library(service: LocalService) -> None:
    async with opened(service) as pilot:
        await pilot.press("S")
        await until_told(pilot, "imported")
        await until(pilot, lambda: table(pilot).total >= 4)


async def test_enter_on_a_file_whose_transcript_is_gone_says_so(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    (transcript,) = (await service.transcripts.page()).items
    await service.transcripts.delete(transcript.id)
    async with opened(service, rows=1) as pilot:
        await pilot.press("enter")
        await until_told(pilot, "The transcript of this file was deleted")
        assert pilot.app.current_mode == "files"


@pytest.mark.exhaustive
async def test_deleting_says_which_jobs_go_and_that_transcripts_stay(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("d")
        await until_shown(pilot, 'Delete this file: "zug.srt"?')
        assert shows(pilot, "1 job will go too.")
        assert shows(pilot, "Its transcript and clips stay.")
        await pilot.press("n")
        await until(pilot, lambda: not shows(pilot, "Delete this file"))
        assert table(pilot).total == 1
        await pilot.press("d")
        await until_shown(pilot, "Delete this file")
        await pilot.press("y")
        await until_shown(pilot, "Nothing here yet.")
        await until_told(pilot, "1 file with 1 job deleted")
        await pilot.press("6")
        await until_shown(pilot, "No jobs.")
        await pilot.press("2")
        await until_rows(pilot, 1)


@pytest.mark.exhaustive
async def test_marked_files_are_deleted_together_and_one_undo_brings_them_back(service: LocalService) -> None:
    await add_files(service, "a.srt", "b.srt", "c.srt")
    async with opened(service, rows=3) as pilot:
        await pilot.press("space", "space")
        await until_shown(pilot, "2 marked")
        await pilot.press("d")
        await until_shown(pilot, "Delete 2 files?")
        await pilot.press("y")
        await until_rows(pilot, 1)
        assert not shows(pilot, "marked")
        await pilot.press("u")
        await until_rows(pilot, 3)
        await until_told(pilot, "back again")


async def test_r_reads_the_list_again(service: LocalService) -> None:
    async with opened(service) as pilot:
        await add_files(service, "zug.srt")
        await pilot.press("r")
        await until_rows(pilot, 1)


async def test_a_running_import_is_counted_in_the_top_line_and_shows_up_when_it_is_done(service: LocalService) -> None:
    async with held_import(service) as go_on, opened(service) as pilot:
        await until_shown(pilot, "1 job")
        assert table(pilot).total == 0
        go_on.set()
        await until_rows(pilot, 1)
        await until(pilot, lambda: not shows(pilot, "1 job"))


@pytest.mark.exhaustive
async def test_the_files_to_be_deleted_are_named_however_many_they_are(service: LocalService) -> None:
    await add_files(service, *(f"film {number}.srt" for number in range(6)))
    async with opened(service, (60, 16), rows=6) as pilot:
        await pilot.press(*["space"] * 5, "d")
        await until_shown(pilot, "Delete 5 files?")
        for said in (
            "film 5.srt",
            "and 2 more",
            "5 jobs will go too.",
            "transcripts and clips stay.",
            "u brings",
            "y  D",
        ):
            assert shows(pilot, said), said
        assert_is_clean(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "Delete 5"))
        await pilot.press("escape", "space", "d")
        await until_shown(pilot, 'Delete this file: "film 0.srt"?')


async def test_at_80_columns_a_name_has_room_and_at_60_too(service: LocalService) -> None:
    await add_files(service, "Der letzte Zug nach Norden.srt")
    async with opened(service) as pilot:
        await until_shown(pilot, "Der letzte Zug nach Norden.srt")
        await pilot.resize_terminal(60, 16)
        await until_shown(pilot, "Der letzte Zug nach Norden.srt")


@pytest.mark.exhaustive
async def test_ages_go_on_while_the_list_is_looked_at_and_only_then(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_table, "AGES_SECONDS", 0.02)
    await add_files(service, "zug.srt", "bus.srt")
    begun, later, told_at = display.now(), timedelta(), list[timedelta]()

    def now() -> datetime:
        told_at.append(later)
        return begun + later

    monkeypatch.setattr(display, "now", now)
    async with opened(service, rows=2) as pilot:
        await until_shown(pilot, "now")
        later = timedelta(minutes=6)
        await until_shown(pilot, "6 min")
        files = table(pilot)
        await pilot.press("3")
        await until(pilot, lambda: table(pilot) is not files)
        later = timedelta(hours=5)
        told = len(told_at)
        await pilot.pause(0.1)
        assert len(told_at) == told, "a list that is not in sight costs nothing"
        await pilot.press("1")
        await until_shown(pilot, "5 h")


async def test_only_lines_whose_age_changed_are_drawn_again(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_files(service, "zug.srt", "bus.srt")
    async with opened(service, rows=2) as pilot:
        files, drawn = table(pilot), list[int]()
        monkeypatch.setattr(files, "_redraw_row", drawn.append)
        files.draw_ages()
        assert drawn == []
        later = display.now() + timedelta(minutes=6)
        monkeypatch.setattr(display, "now", lambda: later)
        files.draw_ages()
        assert drawn == [0, 1]


@pytest.mark.parametrize("width", [80, 120, 160, 200])
async def test_a_list_is_no_wider_than_the_eye_follows_and_begins_at_the_left(
    service: LocalService, width: int
) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, (width, 30), rows=1) as pilot:
        region = table(pilot).region
        assert region.width == min(width, 140)
        assert region.x == 0
        await pilot.press("slash")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.region.x == region.x)


@pytest.mark.exhaustive
async def test_after_the_samples_came_the_cursor_stands_on_the_story_that_the_readme_names(
    service: LocalService,
) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("S")
        await until_rows(pilot, 5)
        await until(pilot, lambda: shows(pilot, "▌  Der letzte Zug.de.srt"))
        await pilot.press("2")
        await until_rows(pilot, 5)
        assert shows(pilot, "▌  Der letzte Zug ")


async def _type_path(pilot: Pilot[None], path: Path) -> None:
    await pilot.press("a")
    await until_shown(pilot, "Add subtitles")
    await submit_text(pilot, f"'{path}'")


async def test_the_cursor_stands_on_what_was_added_in_both_lists(service: LocalService, tmp_path: Path) -> None:
    (tmp_path / "neu.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    await add_files(service, "eins.srt", "zwei.srt")
    async with opened(service, rows=2) as pilot:
        await pilot.press("2")
        await until_rows(pilot, 2)
        await pilot.press("j", "1")
        await until_rows(pilot, 2)
        await pilot.press("j")
        await until(pilot, lambda: shows(pilot, "▌  eins.srt"))
        await _type_path(pilot, tmp_path / "neu.srt")
        await until(pilot, lambda: shows(pilot, "▌  neu.srt"))
        await pilot.press("2")
        await until_rows(pilot, 3)
        await until(pilot, lambda: shows(pilot, "▌  neu "))
        await pilot.press("1", "G")
        await until(pilot, lambda: shows(pilot, "▌  eins.srt"))
        await _type_path(pilot, tmp_path / "neu.srt")  # which is there already
        await until(pilot, lambda: shows(pilot, "▌  neu.srt"))


async def test_a_cursor_that_is_moved_before_the_import_is_over_stays(service: LocalService, tmp_path: Path) -> None:
    (tmp_path / "neu.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    await add_files(service, "eins.srt", "zwei.srt")
    async with opened(service, rows=2) as pilot:
        async with held_import(service):
            await _type_path(pilot, tmp_path / "neu.srt")
            await until(pilot, lambda: any(worker.group == "added" for worker in pilot.app.workers))
            await pilot.press("j")
            await until(pilot, lambda: shows(pilot, "▌  eins.srt"))
        await until_told(pilot, "imported")
        await until_rows(pilot, len((await service.files.page()).items))
        assert shows(pilot, "▌  eins.srt")


@pytest.mark.exhaustive
async def test_a_cursor_far_from_the_top_goes_to_what_was_added(service: LocalService, tmp_path: Path) -> None:
    (tmp_path / "neu.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    await add_files(service, *(f"film {number}.srt" for number in range(320)))
    async with opened(service, rows=320) as pilot:
        await pilot.press("G")
        await until(pilot, lambda: shows(pilot, "▌  film 0.srt"))
        await _type_path(pilot, tmp_path / "neu.srt")
        await until(pilot, lambda: shows(pilot, "▌  neu.srt"))
