"""Finding in a transcript: hits are counted, jumped to and gone through."""

from __future__ import annotations

import pytest
from textual.widgets import Input, Static

from tests.screens.reader.test_reader import reader
from tests.screens.stage import Stage
from tests.settling import press, running


@pytest.mark.exhaustive
async def test_finding_counts_jumps_and_goes_on(app: Stage) -> None:
    async with running(app) as pilot:
        await press(pilot, "slash", *"fährt")
        assert app.screen.query_one("#find-field", Input).value == "fährt"
        count = app.screen.query_one("#find-count", Static)
        assert str(count.content) == "1/2"
        await press(pilot, "enter")
        assert (reader(app).cue_index, reader(app).focus_text) == (3, "fährt")
        await press(pilot, "n")
        assert (reader(app).cue_index, reader(app).focus_text, str(count.content)) == (9, "fährt", "2/2")
        await pilot.press("n")
        await press(pilot, "N")
        assert reader(app).cue_index == 9
        await press(pilot, "k")
        assert str(count.content) == "2 hits"


async def test_an_accent_more_or_less_is_found_too_and_the_eye_goes_to_the_word(app: Stage) -> None:
    async with running(app) as pilot:
        await press(pilot, "slash", *"FAHR", "enter", "n")
        assert (reader(app).cue_index, reader(app).focus_text) == (5, "fahren")


async def test_what_is_not_there_is_said_to_be_not_there(app: Stage) -> None:
    async with running(app) as pilot:
        await press(pilot, "slash", *"zzz", "enter")
        assert str(app.screen.query_one("#find-count", Static).content) == "nothing found"
        assert reader(app).cue_index == 3
        assert app.screen.query_one("#find-field", Input).has_focus


async def test_letters_typed_into_the_search_are_only_letters(app: Stage) -> None:
    async with running(app) as pilot:
        await press(pilot, "slash", *"q1cxyu")
        assert app.screen.query_one("#find-field", Input).value == "q1cxyu"
        assert app.pressed == []
        assert app.copied == []
