"""Where the reader's parts stand in terminals of every width, and how it shows that the focus is being extended."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tests.screens.driving import lines, until
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tui.screens.reader.reader import ReaderScreen
from tui.screens.reader.side_pane import SidePane
from tui.service.local import LocalService
from tui.widgets.cards.focus_card import WordLine
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.transcript.cue_layout import lay_out
from tui.widgets.transcript.cue_reader import CueReader


@pytest.fixture
async def app(service: LocalService) -> Stage:
    """The reader at the fourth cue; of an unknown language, so that nothing depends on a dictionary."""
    return Stage(ReaderScreen(service, await add_transcript(service, timed(STATION), language=None), 3))


async def read(pilot: Pilot[None]) -> CueReader:
    """The reader, its cue under the eye."""
    await until(pilot, lambda: pilot.app.screen.query(CueReader))
    reader = pilot.app.screen.query_one(CueReader)
    await until(pilot, lambda: reader.cue is not None)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    return reader


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
async def test_the_text_is_laid_out_in_one_width_from_the_first_frame_on(
    app: Stage, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    widths = []

    def watched(cue: Any, language: str | None, cells: int, *words: Any, **options: Any) -> Any:
        widths.append(cells)
        return lay_out(cue, language, cells, *words, **options)

    monkeypatch.setattr("tui.widgets.transcript.cue_layout.lay_out", watched)
    async with app.run_test(size=(width, 24)) as pilot:
        reader = await read(pilot)
        assert set(widths) == {reader.size.width - 10}, "the gutter with the times and the edge take 10"


async def test_on_a_wide_terminal_text_and_pane_stand_together_in_the_middle(app: Stage) -> None:
    async with app.run_test(size=(200, 50)) as pilot:
        reader = (await read(pilot)).region
        pane = pilot.app.screen.query_one(SidePane).region
        assert pane.x == reader.right
        assert 80 <= reader.width - 15 <= 100
        assert pane.width <= 42
        assert abs(reader.x - (200 - pane.right)) <= 1


async def test_at_120_columns_they_take_the_whole_width(app: Stage) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        reader = (await read(pilot)).region
        assert (reader.x, pilot.app.screen.query_one(SidePane).region.right) == (0, 120)


async def test_without_the_pane_the_word_and_its_count_stand_on_the_titles_line(app: Stage) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await read(pilot)
        await pilot.press("l")
        await until(pilot, lambda: lines(pilot)[2].rstrip().endswith("fährt · new · 2×"))
        assert lines(pilot)[2].lstrip().startswith("Der letzte Zug · ")
        await pilot.press("v", "l")
        await until(pilot, lambda: lines(pilot)[2].rstrip().endswith("fährt er · 1×"))
        await pilot.resize_terminal(100, 24)
        await until(pilot, lambda: not pilot.app.screen.query_one(WordLine).display)
        await pilot.press("l")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: lines(pilot)[2].rstrip().endswith("fährt er überhaupt · 1×"))


async def test_a_long_word_leaves_the_beginning_of_the_title(service: LocalService) -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 2
    app = Stage(ReaderScreen(service, await add_transcript(service, timed((word,)), title="Ein Titel " * 12)))
    async with app.run_test(size=(60, 16)) as pilot:
        await read(pilot)
        await until(pilot, lambda: "Donaudampf" in lines(pilot)[1])
        title = lines(pilot)[1]
        assert title.lstrip().startswith("Ein Titel Ein")
        assert title.count("…") == 2


async def test_extending_is_said_below_and_seen_on_the_word_at_once(app: Stage) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        reader = await read(pilot)
        await pilot.press("l")
        below = pilot.app.screen.query_one(KeyLine)
        anchor = reader.get_component_rich_style("cue-reader--anchor")

        def tinted() -> list[str]:
            return [
                segment.text
                for y in range(reader.size.height)
                for segment in reader.render_line(y)
                if segment.style == anchor
            ]

        assert not below.render_line(0).text.startswith(" EXTEND")
        assert tinted() == []
        await pilot.press("v")
        await until(pilot, lambda: below.render_line(0).text.startswith(" EXTEND   ⏎ break down"))
        assert tinted() == ["fährt"]
        await pilot.press("l")
        await pilot.pause()
        assert (reader.focus_text, tinted()) == ("fährt er", ["fährt"])
        for end in ("escape", "v", "j"):
            await pilot.press(end)
            await until(pilot, lambda: not below.render_line(0).text.startswith(" EXTEND"))
            assert tinted() == []
            await pilot.press("v")
            await until(pilot, lambda: below.mode == "EXTEND")


async def test_a_click_on_a_key_finds_it_behind_the_word_for_the_mode(app: Stage) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        reader = await read(pilot)
        await pilot.press("v")
        below = pilot.app.screen.query_one(KeyLine)
        await until(pilot, lambda: below.mode == "EXTEND")
        await pilot.click(KeyLine, offset=(below.render_line(0).text.index("v extend"), 0))
        await until(pilot, lambda: reader.cue_focus.anchor is None)
