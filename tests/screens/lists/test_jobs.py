"""The jobs' list: how work goes, cancelling, trying again, and errors in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.driving import (
    add_files,
    held_import,
    lines,
    opened,
    shows,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tui.records.jobs import Job
from tui.screens.messages import LibraryChanged
from tui.service.local import LocalService


async def fail_one(service: LocalService, folder: Path) -> Job:
    """An import that is refused."""
    (folder / "broken.srt").write_bytes(b"\x00\x01\x02" * 100)
    (queued,) = await service.files.add([folder / "broken.srt"])
    changes = [job async for job in service.jobs.follow([queued.id])]
    assert changes[-1].state == "failed"
    return changes[-1]


async def test_a_finished_job_says_how_it_went(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="6", rows=1) as pilot:
        row = next(line for line in lines(pilot) if "zug.srt" in line)
        assert "succeeded" in row
        assert "delete" not in lines(pilot)[-1]


async def test_a_running_job_has_a_bar_that_becomes_its_end_without_a_key(service: LocalService) -> None:
    async with held_import(service) as go_on, opened(service, section="6") as pilot:
        await until(pilot, lambda: any("zug.srt" in line and "succeeded" not in line for line in lines(pilot)))
        go_on.set()
        await until_shown(pilot, "succeeded")


async def test_c_cancels_and_capital_r_tries_again(service: LocalService) -> None:
    async with held_import(service) as go_on, opened(service, section="6", rows=1) as pilot:
        await pilot.press("c")
        await until_shown(pilot, "cancelled")
        assert (await service.files.page()).total == 0
        go_on.set()
        await pilot.press("R")
        await until_shown(pilot, "succeeded")
        assert (await service.files.page()).total == 1


async def test_x_cancels_too(service: LocalService) -> None:
    async with held_import(service), opened(service, section="6", rows=1) as pilot:
        await pilot.press("x")
        await until_shown(pilot, "cancelled")


@pytest.mark.parametrize(("key", "said"), [("R", "has succeeded"), ("c", "this import is over: succeeded")])
async def test_what_has_succeeded_is_neither_tried_again_nor_cancelled(
    service: LocalService, key: str, said: str
) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="6", rows=1) as pilot:
        await pilot.press(key)
        await until_told(pilot, said)


async def test_the_list_gives_the_cause_without_saying_the_name_twice(service: LocalService, tmp_path: Path) -> None:
    await fail_one(service, tmp_path)
    async with opened(service, section="6", rows=1) as pilot:
        (row,) = [line for line in lines(pilot) if "broken.srt" in line]
        assert row.count("broken.srt") == 1
        assert "failed" in row
        assert row.endswith("now"), "the age has room at 80 columns"


async def test_without_jobs_it_says_so_and_there_is_nothing_to_cancel(service: LocalService) -> None:
    async with opened(service, section="6") as pilot:
        await until_shown(pilot, "No jobs.")
        assert lines(pilot)[-1] == " ? keys"


async def test_enter_shows_the_whole_error_and_y_copies_it(service: LocalService, tmp_path: Path) -> None:
    job = await fail_one(service, tmp_path)
    assert job.error
    async with opened(service, (100, 30), section="6", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "import · failed")
        await pilot.press("y")
        await until_told(pilot, "sent to the clipboard")
        assert pilot.app.clipboard == job.error
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "import · failed"))


@pytest.mark.exhaustive
async def test_failures_stand_first_and_who_comes_for_them_finds_them_in_sight(
    service: LocalService, tmp_path: Path
) -> None:
    await add_files(service, *(f"zug{number}.srt" for number in range(25)))
    async with opened(service, section="6", rows=25) as pilot:
        await pilot.press("G", "1")
        await fail_one(service, tmp_path)
        pilot.app.post_message(LibraryChanged("job", jobs=(await service.jobs.page(limit=1)).items))
        await until_told(pilot, "1 refused · 6 shows why")
        await pilot.press("6")
        await until_rows(pilot, 26)
        await until(pilot, lambda: lines(pilot)[3].startswith("▌  broken.srt"))
        assert "✗ failed" in lines(pilot)[3]
        await pilot.press("slash", *"refused", "enter")
        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "import · failed")
        assert not shows(pilot, "0%")
