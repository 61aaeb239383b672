"""Episodes in the list of transcripts: together, in order, their number seen however long the series is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importing.archives.making import story, zipped
from tests.screens.driving import lines, opened, type_text, until, until_rows
from tests.service.steps import finished
from tui.records.transcripts import Transcript
from tui.screens.lists.transcripts import write_title
from tui.service.local import LocalService
from tui.text.display import within_series
from tui.widgets.table.drawing import CellText

SERIES = "Die sehr lange Geschichte vom letzten Zug nach Nirgendwo"


@pytest.mark.exhaustive
async def test_episodes_are_listed_in_order_and_found_by_number(service: LocalService, tmp_path: Path) -> None:
    members = {
        f"{SERIES}/Season {season}/{number:02} - Der Anfang.srt": story(f"{season} {number}")
        for season in (1, 2)
        for number in range(1, 13)
    }
    await finished(service, await service.files.add([zipped(tmp_path / "a.zip", members)]))
    async with opened(service, (80, 30), section="2", rows=24) as pilot:
        shown = [line for line in lines(pilot) if " · S0" in line]
        numbers = [f"S{season:02}E{number:02}" for season in (1, 2) for number in range(1, 13)]
        assert [number for line, number in zip(shown, numbers, strict=True) if number in line] == numbers
        await pilot.press("slash")
        await type_text(pilot, "geschichte s02e0")
        await until_rows(pilot, 9)
        await until(pilot, lambda: sum("S02E0" in line for line in lines(pilot)) >= 9)


def _transcript(title: str, series: str, season: int | None = None, episode: int | None = None) -> Transcript:
    return Transcript("a", None, title, "de", "import", 1, None, "", series=series, season=season, episode=episode)


def test_a_long_series_gives_way_before_the_number_does() -> None:
    cell = CellText.of(write_title(_transcript(f"{SERIES} · S01E03 · Der Anfang vom Ende", SERIES, 1, 3)))
    assert cell.shows(cell.text.index("S01"), cell.text.index("S01") + 6, 40, inside=True)
    assert cell.text.endswith("S01E03 · Der Anfang vom Ende")
    assert CellText.of(write_title(_transcript("Der letzte Zug", ""))).text == "Der letzte Zug"
    hostile = CellText.of(write_title(_transcript("\x1b[31m[b]x", "\x1b]0;y\x07[/b]", 1, 3)))
    assert hostile.text == "[/b] · S01E03 · [b]x"


def test_what_stands_behind_a_series_says_the_number_once() -> None:
    assert within_series("Dark · S01E03 · Lügen", "Dark", 1, 3) == "S01E03 · Lügen"
    assert within_series("Mein Titel", "Dark", 1, 3) == "S01E03 · Mein Titel"
    assert within_series("Erstes Kapitel", "Das Buch", None, 1) == "Erstes Kapitel"
    assert within_series("Dark · S01E03", "Dark", 1, 3) == "S01E03"
