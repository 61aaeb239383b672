"""In context: every place of the word under the eye, beside the text or on a screen of its own, and the way back."""

from __future__ import annotations

import re

import pytest
from textual.pilot import Pilot

from tests.screens.driving import assert_is_clean, lines, shows, until, until_shown
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import on_screen, press, running
from tui.screens.messages import GoBack
from tui.screens.reader.reader import ReaderScreen
from tui.screens.reader.side_pane import InContext
from tui.service.local import LocalService
from tui.widgets.transcript.concordance_view import ConcordanceView
from tui.widgets.transcript.cue_reader import CueReader

pytestmark = pytest.mark.exhaustive

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


async def test_every_place_of_the_word_stands_beside_the_text_aligned_on_it(app: Stage, other: str) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "P")
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 5)
        assert len(set(columns_of(pilot, FAHREN))) == 1
        assert on_screen(app).count("in your library") == 1
        assert "5 times in your library" in on_screen(app)
        assert_is_clean(pilot)


async def test_the_lines_follow_the_word_under_the_eye(app: Stage, other: str) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "P")
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 5)
        await press(pilot, "l")
        await until(pilot, lambda: len(columns_of(pilot, " er ")) == 2)
        await press(pilot, "h")
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 5)


async def test_the_next_press_shows_the_word_again_and_another_reader_begins_with_what_was_shown(
    app: Stage, service: LocalService, transcript: str
) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "P")
        await until(pilot, lambda: columns_of(pilot, FAHREN))
        await app.push_screen(ReaderScreen(service, transcript, 3))
        await until(pilot, lambda: columns_of(pilot, "Hoffentlich"))
        await press(pilot, "P")
        assert not app.screen.query_one(ConcordanceView).region.area


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
        await press(pilot, "greater_than_sign")
        await until_shown(pilot, "Nachts am See · German · 2 cues")
        await press(pilot, "less_than_sign")
        await until_shown(pilot, "Der letzte Zug · German · 10 cues")
        await press(pilot, "escape")
        assert list(app.all_asked(GoBack))


async def test_a_line_of_the_same_transcript_is_gone_to(app: Stage) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "L")
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 3)
        await press(pilot, "g", "enter")
        assert (reader(app).cue_index, reader(app).focus_text) == (9, "fährt")
        await press(pilot, "less_than_sign")
        assert (reader(app).cue_index, reader(app).focus_text) == (3, "fährt")


async def test_esc_goes_from_the_lines_back_to_the_text(app: Stage) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "l", "L", "escape")
        assert reader(app).has_focus
        assert not list(app.all_asked(GoBack))


@pytest.mark.parametrize("key", ["P", "L"])
async def test_where_there_is_no_room_the_lines_have_a_screen_of_their_own(app: Stage, key: str) -> None:
    async with running(app, (80, 24)) as pilot:
        await press(pilot, "l")
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, InContext))
        await until_shown(pilot, "3 times in your library")
        assert_is_clean(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen))
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, InContext))
        await until(pilot, lambda: len(columns_of(pilot, FAHREN)) == 3)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen))
        await until(pilot, lambda: reader(app).cue_index == 9)


async def test_lines_of_any_script_keep_the_screen_in_order(service: LocalService) -> None:
    cues = timed(["昨日は雨でした。", "هذا كتاب جديد", "ภาษาไทย ง่าย", "👩‍👩‍👧 昨日 昨日", STATION[2]])
    app = Stage(ReaderScreen(service, await add_transcript(service, cues, language="ja")))
    async with running(app, (110, 30)) as pilot:
        await press(pilot, "P", "j", "l", "j", "l", "j", "L")
        assert_is_clean(pilot)
