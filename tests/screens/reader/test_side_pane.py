"""Beside the text: where the reader's parts stand in terminals of every width, and the places of a word."""

import re
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.screens.driving import assert_is_clean, lines, press_until, shows, until, until_shown
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import on_screen, press, running
from tui.screens.messages import GoBack
from tui.screens.reader.reader import ReaderScreen
from tui.screens.reader.side_pane import InContext, SidePane
from tui.service.local import LocalService
from tui.widgets.cards.focus_card import WordLine
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.transcript.concordance_view import ConcordanceView
from tui.widgets.transcript.cue_layout import lay_out
from tui.widgets.transcript.cue_reader import CueReader


@pytest.fixture
async def plain(service: LocalService) -> Stage:
    """The reader at the fourth cue; of an unknown language, so that nothing depends on a dictionary."""
    return Stage(ReaderScreen(service, await add_transcript(service, timed(STATION), language=None), (3, 0)))


async def read(pilot: Pilot[None]) -> CueReader:
    """The reader, its cue under the eye."""
    await until(pilot, lambda: pilot.app.screen.query(CueReader))
    reader = pilot.app.screen.query_one(CueReader)
    await until(pilot, lambda: reader.cue is not None)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    return reader


@pytest.mark.parametrize("width", [60, 80, 120, 200])
async def test_the_text_is_laid_out_in_one_width_from_the_first_frame_on_with_the_pane_beside_it(
    plain: Stage, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    widths = []

    def watched(cue: Any, language: str | None, cells: int, *words: Any, **options: Any) -> Any:
        widths.append(cells)
        return lay_out(cue, language, cells, *words, **options)

    monkeypatch.setattr("tui.widgets.transcript.cue_layout.lay_out", watched)
    async with plain.run_test(size=(width, 24)) as pilot:
        reader = await read(pilot)
        assert set(widths) == {reader.size.width - 10}, "the gutter with the times and the edge take 10"
        pane = pilot.app.screen.query_one(SidePane)
        assert pane.display is (width >= 100)
        if pane.display:
            assert pane.region.x == reader.region.right
            assert abs(reader.region.x - (width - pane.region.right)) <= 1, "together they stand in the middle"
        if width == 120:
            assert (reader.region.x, pane.region.right) == (0, 120)
        if width == 200:
            assert 80 <= reader.region.width - 15 <= 100
            assert pane.region.width <= 42


async def test_without_the_pane_the_word_and_its_count_stand_on_the_titles_line(plain: Stage) -> None:
    async with plain.run_test(size=(80, 24)) as pilot:
        await read(pilot)
        await press_until(pilot, "l", holds=lambda: lines(pilot)[2].rstrip().endswith("fährt · new · 2×"))
        assert lines(pilot)[2].lstrip().startswith("Der letzte Zug · ")
        await press_until(pilot, "v", "l", holds=lambda: lines(pilot)[2].rstrip().endswith("fährt er · 1×"))
        await pilot.resize_terminal(99, 24)
        await until(pilot, lambda: pilot.app.size.width == 99)
        assert not pilot.app.screen.query_one(SidePane).display
        await pilot.resize_terminal(100, 24)
        await until(pilot, lambda: not pilot.app.screen.query_one(WordLine).display)
        assert pilot.app.screen.query_one(SidePane).display
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
        assert sum("Titel" in line for line in lines(pilot)) == 1, "on a short terminal a title has one line"


async def test_extending_is_said_below_and_seen_on_the_word_at_once(plain: Stage) -> None:
    async with plain.run_test(size=(80, 24)) as pilot:
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
        await press_until(pilot, "v", holds=lambda: below.render_line(0).text.startswith(" EXTEND   ⏎ break down"))
        assert tinted() == ["fährt"]
        await pilot.press("l")
        await pilot.pause()
        assert (reader.focus_text, tinted()) == ("fährt er", ["fährt"])
        for end in ("escape", "v", "j"):
            await press_until(pilot, end, holds=lambda: not below.render_line(0).text.startswith(" EXTEND"))
            assert tinted() == []
            await press_until(pilot, "v", holds=lambda: below.mode == "EXTEND")
        await pilot.click(KeyLine, offset=(below.render_line(0).text.index("v extend"), 0))
        await until(pilot, lambda: reader.cue_focus.anchor is None)


# In context: every place of the word, beside the text or on a screen of its own, and the way back.


OTHER = ("Vielleicht fährt er nie wieder.", "Danach fährt noch ein Bus.")
WIDE = (140, 40)
FAHREN = "fährt|fahren"


@pytest.fixture
async def other(service: LocalService, transcript: str) -> str:
    return await add_transcript(service, timed(OTHER), title="Nachts am See")


def reader(app: Stage) -> CueReader:
    return app.screen.query_one(CueReader)


def columns_of(pilot: Pilot[None], word: str) -> list[int]:
    """Columns at which the forms of a word, parted by bars, begin in the concordance that is shown."""
    pane = pilot.app.screen.query_one(ConcordanceView).region
    shown = lines(pilot)[pane.y : pane.bottom]
    return [found.start() for line in shown if (found := re.compile(word).search(line, pane.x))]


@pytest.mark.exhaustive
async def test_every_place_of_the_word_stands_beside_the_text_aligned_on_it(app: Stage, other: str) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "P", "P")
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 5)
        assert len(set(columns_of(pilot, FAHREN))) == 1
        assert on_screen(app).count("in your library") == 1
        assert "5 times in your library" in on_screen(app)
        assert_is_clean(pilot)
        await press(pilot, "l")
        await until(pilot, lambda: len(columns_of(pilot, " er ")) == 2)
        await press(pilot, "h")
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 5)


@pytest.mark.exhaustive
async def test_another_reader_begins_with_what_was_shown(app: Stage, service: LocalService, transcript: str) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "P", "P")
        await until(pilot, lambda: columns_of(pilot, FAHREN))
        await app.push_screen(ReaderScreen(service, transcript, (3, 0)))
        await until(pilot, lambda: columns_of(pilot, "Hoffentlich"))
        await press(pilot, "P")
        assert not app.screen.query_one(ConcordanceView).region.area


@pytest.mark.exhaustive
async def test_a_line_is_chosen_and_its_place_opens_in_another_transcript_and_back(app: Stage, other: str) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "L")
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 5)
        assert app.screen.query_one(ConcordanceView).has_focus
        await press(pilot, "G", "k")
        await until_shown(pilot, "Danach fährt noch ein Bus.")
        assert shows(pilot, "Nachts am See · 1:51")
        await press(pilot, "enter")
        await until_shown(pilot, "Nachts am See · German · 2 cues")
        assert (reader(app).cue_index, reader(app).focus_text) == (1, "fährt")
        assert reader(app).has_focus
        await press(pilot, "escape")
        await until_shown(pilot, "Der letzte Zug · German · 10 cues")
        assert (reader(app).cue_index, reader(app).focus_text) == (3, "fährt")
        await press(pilot, "escape")
        assert list(app.all_asked(GoBack))


@pytest.mark.exhaustive
async def test_a_line_of_the_same_transcript_is_gone_to_and_esc_goes_from_the_lines_to_the_text(app: Stage) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "L", "escape")
        assert reader(app).has_focus
        assert not list(app.all_asked(GoBack))
        await press(pilot, "L")
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 3)
        await press(pilot, "g", "enter")
        assert (reader(app).cue_index, reader(app).focus_text) == (9, "fährt")
        await press(pilot, "escape")
        assert (reader(app).cue_index, reader(app).focus_text) == (3, "fährt")


@pytest.mark.exhaustive
async def test_where_there_is_no_room_the_lines_have_a_screen_of_their_own(app: Stage) -> None:
    async with running(app, (80, 24)) as pilot:
        await press(pilot, "l")
        await press_until(pilot, "P", holds=lambda: isinstance(app.screen, InContext))
        await until_shown(pilot, "3 times in your library")
        assert_is_clean(pilot)
        await press_until(pilot, "escape", holds=lambda: isinstance(app.screen, ReaderScreen))
        await press_until(pilot, "L", holds=lambda: isinstance(app.screen, InContext))
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 3)
        await press_until(pilot, "enter", holds=lambda: isinstance(app.screen, ReaderScreen))
        await until(pilot, lambda: reader(app).cue_index == 9)
