"""Any list is exported as a table: what is marked, or all that the filter finds."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.screens.driving import Typed, opened, press_until, submit_text
from tui.service.local import LocalService


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory in which the app was started."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_what_is_marked_or_all_that_is_found_becomes_a_table(service: LocalService, here: Path) -> None:
    async with opened(service, (100, 30), files=["zug", "bus", "metro"]) as pilot:
        await press_until(pilot, "slash", Typed("bus"), "enter", rows=1)
        await press_until(pilot, "space", "escape", "escape", rows=3)
        await press_until(pilot, "colon", Typed("as a table"), "enter", shown="Export 3 files as a table")
        await submit_text(pilot, "all.xls", shown="a table ends in .csv, .tsv, .jsonl")
        await submit_text(pilot, "none/all.csv", shown="there is no directory")
        await submit_text(pilot, "all.csv", told="all.csv written: 3 files")
        with (here / "all.csv").open(encoding="utf-8-sig", newline="") as table:
            assert {row["name"] for row in csv.DictReader(table)} == {"zug", "bus", "metro"}
        await press_until(pilot, "space", "slash", Typed("bus"), "enter", rows=1)
        await press_until(pilot, "colon", Typed("as a table"), "enter", shown="Export 1 file as a table")
        await submit_text(pilot, "all.csv", shown="is there already")
        await press_until(pilot, "n", shown="Export 1 file as a table")
        await submit_text(pilot, "one.jsonl", told="one.jsonl written: 1 file")
        (line,) = (here / "one.jsonl").read_text("utf-8").splitlines()
        assert json.loads(line)["name"] == "metro", "what is marked, though the filter leaves it out"
