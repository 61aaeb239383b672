"""The lists of files and transcripts: importing, samples, opening, deleting, and what they say when they are empty."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.screens.driving import (
    Typed,
    add_files,
    assert_is_clean,
    held_import,
    lines,
    opened,
    press_until,
    shows,
    submit_text,
    table,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tests.screens.stage import add_transcript, timed
from tui.service.local import LocalService
from tui.text import display
from tui.widgets.table import record_table, rows


async def type_path(pilot: Pilot[None], path: str | Path) -> None:
    await press_until(pilot, "a", shown="Add subtitles")
    await submit_text(pilot, f"'{path}'")


@pytest.fixture
def new_file(tmp_path: Path) -> Path:
    path = tmp_path / "Der letzte Zug.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    return path


async def test_an_empty_library_says_what_to_press_and_a_imports_a_path(service: LocalService, new_file: Path) -> None:
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet.")
        assert shows(pilot, "a   add subtitles or texts")
        assert shows(pilot, "S   load the sample library")
        assert "delete" not in lines(pilot)[-1]
        assert "a add" in lines(pilot)[-1]
        await press_until(pilot, "2", shown="No transcripts yet.")
        await press_until(pilot, "1", shown="Nothing here yet.")
        typed = f"{new_file.parent}/[b]nowhere.srt"
        await type_path(pilot, typed)
        await until(pilot, lambda: any("nowhere.srt" in line and "no" in line for line in lines(pilot)))
        await until(pilot, lambda: isinstance(pilot.app.focused, Input) and pilot.app.focused.value == f"'{typed}'")
        assert_is_clean(pilot)
        await submit_text(pilot, f"'{new_file}'", rows=1)
        await until_told(pilot, "1 imported")
        row = next(line for line in lines(pilot) if "Der letzte Zug.srt" in line)
        assert "srt" in row
        assert row.endswith("now")


async def test_the_samples_come_with_the_cursor_on_the_story_that_the_readme_names(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await press_until(pilot, "S", rows=5)
        await until(pilot, lambda: shows(pilot, "▌  Der letzte Zug.de.srt"))
        await press_until(pilot, "2", rows=5)
        assert shows(pilot, "▌  Der letzte Zug ")


async def test_a_list_is_no_wider_than_the_eye_follows_and_a_name_has_room(service: LocalService) -> None:
    await add_files(service, "Der letzte Zug nach Norden.srt")
    async with opened(service, rows=1) as pilot:
        for width in (60, 80, 120, 160, 200):
            await pilot.resize_terminal(width, 30)
            await until(pilot, lambda width=width: table(pilot).region.width == min(width, 140))  # type: ignore[misc]
            assert shows(pilot, "Der letzte Zug nach Norden.srt")
            assert table(pilot).region.x == 0
        await pilot.press("slash")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.region.x == 0)
        await pilot.press("escape")
        await service.transcripts.delete((await service.transcripts.page()).items[0].id)
        await add_files(service, "zug.srt")
        await press_until(pilot, "r", rows=2)  # reads the list again; the cursor stays
        await press_until(pilot, "enter", told="The transcript of this file was deleted")
        assert pilot.app.current_mode == "files"


async def test_files_to_be_deleted_are_named_and_one_undo_brings_them_back(service: LocalService) -> None:
    await add_files(service, *(f"film {number}.srt" for number in range(6)))
    async with opened(service, (60, 16), rows=6) as pilot:
        await press_until(pilot, *["space"] * 5, "d", shown="Delete 5 files?")
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
        await press_until(pilot, "escape", gone="Delete 5")
        await press_until(pilot, "escape", "space", "d", shown='Delete this file: "film 0.srt"?')
        assert shows(pilot, "1 job will go too.")
        assert shows(pilot, "Its transcript and clips stay.")
        await press_until(pilot, "n", gone="Delete this file")
        assert table(pilot).total == 6
        await press_until(pilot, "d", shown="Delete this file")
        await press_until(pilot, "y", told="1 file with 1 job deleted", rows=5)
        await press_until(pilot, "6", rows=5)
        await press_until(pilot, "2", rows=6)
        await press_until(pilot, "1", "g", "space", "space", shown="2 marked")
        await press_until(pilot, "d", shown="Delete 2 files?")
        await press_until(pilot, "y", rows=3)
        assert not shows(pilot, "marked")
        await press_until(pilot, "u", told="back again", rows=5)


async def test_a_transcript_is_opened_deleted_without_its_file_and_its_filter_stays(service: LocalService) -> None:
    await add_files(service, "zug.srt", "faro.srt")
    async with opened(service, section="2", rows=2) as pilot:
        await press_until(pilot, "slash", Typed("faro"), rows=1)
        await press_until(pilot, "enter", "3", shown="No clips yet.")
        await press_until(pilot, "2", rows=1)
        await until_shown(pilot, "1 found")
        await until_shown(pilot, "0%")
        row = next(line for line in lines(pilot) if "0:06" in line)
        assert row.split()[-6:] == ["faro", "de", "2", "0:06", "0%", "now"]
        for back in ("escape", "2"):
            await press_until(pilot, "enter", shown="Hoffentlich fährt er")
            await press_until(pilot, back, shown="Length")
        await press_until(pilot, "d", shown='Delete this transcript: "faro"?')
        assert shows(pilot, "The file it came from and the clips from it stay.")
        await press_until(pilot, "y", told="1 transcript deleted")
        await press_until(pilot, "escape", rows=1)
        await press_until(pilot, "1", rows=2)
        await press_until(pilot, "u", "2", rows=2)


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
        await press_until(pilot, "1", shown="5 h")


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


async def test_the_cursor_stands_on_what_was_added_in_both_lists(service: LocalService, new_file: Path) -> None:
    await add_files(service, "eins.srt", "zwei.srt")
    async with opened(service, section="2", rows=2) as pilot:
        await press_until(pilot, "j", "1", rows=2)
        await press_until(pilot, "j", shown="▌  eins.srt")
        await type_path(pilot, new_file)
        await until_shown(pilot, "▌  Der letzte Zug.srt")
        await press_until(pilot, "2", rows=3)
        await until_shown(pilot, "▌  Der letzte Zug ")
        await press_until(pilot, "1", "G", shown="▌  eins.srt")
        await type_path(pilot, new_file)  # which is there already
        await until_shown(pilot, "▌  Der letzte Zug.srt")


async def test_a_cursor_that_is_moved_before_the_import_is_over_stays(service: LocalService, new_file: Path) -> None:
    await add_files(service, "eins.srt", "zwei.srt")
    async with opened(service, rows=2) as pilot:
        async with held_import(service):
            await type_path(pilot, new_file)
            await until(pilot, lambda: any(worker.group == "added" for worker in pilot.app.workers))
            await press_until(pilot, "j", shown="▌  eins.srt")
        await until_told(pilot, "imported")
        await until_rows(pilot, len((await service.files.page()).items))
        assert shows(pilot, "▌  eins.srt")


@pytest.mark.exhaustive
async def test_a_cursor_pages_away_goes_to_what_was_added(
    service: LocalService, new_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PAGE", 10)
    monkeypatch.setattr(rows, "_NEAR", 10)
    for number in range(90):
        await add_transcript(service, timed(["Bestimmt."]), title=f"film {number}")
    async with opened(service, rows=90) as pilot:
        await press_until(pilot, "G", shown="▌  film 0.srt")
        await type_path(pilot, new_file)
        await until_shown(pilot, "▌  Der letzte Zug.srt")


async def test_marked_files_go_to_another_profile_after_a_look_at_what_goes_along(service: LocalService) -> None:
    await add_files(service, "zug.srt", "metro.srt", "bus.srt")
    async with opened(service, rows=3) as pilot:
        await press_until(pilot, "space", "space", "colon", Typed("move to"), "enter", shown="Move 2 files to")
        await press_until(pilot, Typed("berta"), shown="+ berta")
        await press_until(pilot, "enter", shown="Move 2 files to the profile berta?")
        assert shows(pilot, "They go with 2 transcripts.") and shows(pilot, "u brings them back.")
        await press_until(pilot, "y", told="2 files moved to berta · u takes it back", rows=1)
        there = service.of("berta")
        assert {file.name for file in (await there.files.page()).items} == {"metro.srt", "bus.srt"}
        await press_until(pilot, "2", rows=1)
        await press_until(pilot, "u", told="back again: 2 files, in this profile", rows=3)
        await press_until(pilot, "1", rows=3)
        assert (await there.files.page()).total == 0


async def test_what_cannot_be_moved_stays_and_says_why(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    await add_files(service.of("berta"), "zug.srt")
    async with opened(service, rows=1) as pilot:
        await press_until(pilot, "colon", Typed("move to"), "enter", shown="Move 1 file to")
        await press_until(pilot, "enter", told="it is in this profile")
        await press_until(pilot, "colon", Typed("move to"), "enter", shown="Move 1 file to")
        await press_until(pilot, Typed("berta"), shown="1 file")
        await press_until(pilot, "enter", told="the other profile has it already: zug.srt")
        assert table(pilot).total == 1
