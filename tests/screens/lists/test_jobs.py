"""The jobs' list: how work goes, cancelling, trying again, and errors in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.driving import Typed, add_files, held_import, lines, opened, press_until, shows, until, until_shown
from tests.service.jobs import halved
from tui.records.jobs import Job
from tui.screens.messages import LibraryChanged
from tui.service.jobs.kinds import KINDS
from tui.service.local import LocalService


async def fail_one(service: LocalService, folder: Path) -> Job:
    """An import that is refused."""
    (folder / "broken.srt").write_bytes(b"\x00\x01\x02" * 100)
    (queued,) = await service.files.add([folder / "broken.srt"])
    changes = [job async for job in service.jobs.follow([queued.id])]
    assert changes[-1].state == "failed"
    return changes[-1]


async def test_what_has_succeeded_is_neither_tried_again_nor_cancelled(service: LocalService) -> None:
    async with opened(service, section="6") as pilot:
        await until_shown(pilot, "No jobs.")
        assert lines(pilot)[-1] == " ? keys"
        await add_files(service, "zug.srt")
        await press_until(pilot, "r", rows=1)
        row = next(line for line in lines(pilot) if "zug.srt" in line)
        assert "succeeded" in row
        assert "delete" not in lines(pilot)[-1]
        await press_until(pilot, "R", told="has succeeded")
        await press_until(pilot, "c", told="this import is over: succeeded")


async def test_a_running_job_has_a_bar_is_cancelled_by_two_keys_and_tried_again(service: LocalService) -> None:
    async with held_import(service) as go_on, opened(service, section="6", rows=1) as pilot:
        await until(pilot, lambda: any("zug.srt" in line and "succeeded" not in line for line in lines(pilot)))
        for key in ("c", "x"):
            await press_until(pilot, key, shown="cancelled")
            assert (await service.files.page()).total == 0
            await press_until(pilot, "R", gone="cancelled")
        await until_shown(pilot, "1 job")
        go_on.set()
        await until_shown(pilot, "succeeded")  # without a key
        await until(pilot, lambda: not shows(pilot, "1 job"))
        assert (await service.files.page()).total == 1


async def test_a_job_at_work_says_how_long_it_may_take(service: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "halved", halved.ROW)
    monkeypatch.setattr("tui.text.time_left._LOOKED_SECONDS", 0.0)
    async with opened(service, section="6") as pilot:
        await service.jobs.start("halved")
        await press_until(pilot, "r", shown="half done · 5 s left")
        await press_until(pilot, "enter", shown="50% · 5 s left · begun")
        await press_until(pilot, "escape", gone="50%")
        halved.may_go_on.set()
        await press_until(pilot, "r", shown="succeeded")
        assert not shows(pilot, "left")


async def test_a_failure_has_its_cause_and_enter_shows_the_whole_error(service: LocalService, tmp_path: Path) -> None:
    job = await fail_one(service, tmp_path)
    assert job.error
    async with opened(service, section="6", rows=1) as pilot:
        (row,) = [line for line in lines(pilot) if "broken.srt" in line]
        assert row.count("broken.srt") == 1, "the name is not said twice"
        assert "failed" in row
        assert row.endswith("now"), "the age has room at 80 columns"
        await press_until(pilot, "enter", shown="import · failed")
        await press_until(pilot, "y", told="sent to the clipboard")
        assert pilot.app.clipboard == job.error
        await press_until(pilot, "escape", gone="import · failed")


@pytest.mark.exhaustive
async def test_failures_stand_first_and_are_in_sight_for_who_comes(service: LocalService, tmp_path: Path) -> None:
    await add_files(service, *(f"zug{number}.srt" for number in range(15)))
    async with opened(service, (80, 16), section="6", rows=15) as pilot:
        await pilot.press("G", "1")
        await fail_one(service, tmp_path)
        pilot.app.post_message(LibraryChanged("job", jobs=(await service.jobs.page(limit=1)).items))
        await until_shown(pilot, "1 refused · 6 shows why")
        await press_until(pilot, "6", rows=16)
        await until(pilot, lambda: lines(pilot)[2].startswith("▌  broken.srt"))
        assert "✗ failed" in lines(pilot)[2]
        await press_until(pilot, "slash", Typed("refused"), "enter", rows=1)
        await press_until(pilot, "enter", shown="import · failed")
        assert not shows(pilot, "0%")
