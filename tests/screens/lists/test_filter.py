"""The filter of a list: typed, kept, cleared, and what is typed into it."""

from __future__ import annotations

import pytest
from textual.events import Paste

from tests.screens.driving import (
    add_files,
    lines,
    opened,
    shows,
    table,
    toasts,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tui.records.clips import NewClip
from tui.records.pages import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tui.service.local import LocalService
from tui.text.display import number
from tui.widgets.forms.text_fields import FilterBar
from tui.widgets.transcript.cue_reader import CueReader


async def test_typing_filters_and_enter_keeps_the_filter(service: LocalService) -> None:
    await add_files(service, "lok.srt", "faro.srt", "lokschuppen.srt")
    async with opened(service, rows=3) as pilot:
        await pilot.press("slash", *"lok")
        await until_rows(pilot, 2)
        assert shows(pilot, "2 found")
        await pilot.press("enter", "j")
        await until(pilot, lambda: pilot.app.focused is table(pilot))
        assert table(pilot).cursor_row == 1
        assert table(pilot).q == "lok"
        await pilot.press("escape")
        await until_rows(pilot, 3)
        assert not pilot.app.screen.query(FilterBar)


@pytest.mark.parametrize("section", ["1", "2"])
async def test_a_film_is_found_by_what_is_said_in_it_and_opens_there(service: LocalService, section: str) -> None:
    await add_files(service, "faro.srt", "metro.srt")
    async with opened(service, (120, 40), section=section, rows=2) as pilot:
        await pilot.press("slash", *"letzte metro", "enter")
        await until_rows(pilot, 1)
        assert shows(pilot, "letzte Zug ist metro."), "\n".join(lines(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: bool(pilot.app.screen.query(CueReader)))
        await until(pilot, lambda: pilot.app.screen.query_one(CueReader).cue_index == 1)


async def test_what_is_typed_right_after_the_slash_is_never_taken_for_keys(service: LocalService) -> None:
    await add_files(service, "zug.srt", "quad.srt")
    async with opened(service, rows=2) as pilot:
        await pilot.press("slash", "q", "u", "a", "d", "slash")
        assert pilot.app.screen.query_one(FilterBar).value == "quad/"


async def test_a_filter_that_matches_nothing_says_so_and_esc_clears_it(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("slash", *"[b]x")
        await until_shown(pilot, "nothing matches, esc clears")
        assert isinstance(pilot.app.focused, FilterBar)
        await pilot.press("escape")
        await until_rows(pilot, 1)
        await until(pilot, lambda: pilot.app.focused is table(pilot))


@pytest.mark.parametrize("section", ["1", "2", "3", "6", "7"])
async def test_a_paste_that_is_too_long_to_search_for_is_told_and_esc_clears_it(
    service: LocalService, section: str
) -> None:
    await add_files(service, "zug.srt")
    await service.clips.add(NewClip("Der Zug kommt."))
    async with opened(service, section=section) as pilot:
        await until(pilot, lambda: table(pilot).total > 0)
        rows = table(pilot).total
        await pilot.press("slash")
        pilot.app.post_message(Paste("zug " * 15_000))
        await until_told(pilot, f"pasted {number(MAX_SEARCH_LENGTH)} of {number(60_000)} characters")
        await pilot.press("ctrl+u")
        pilot.app.post_message(Paste(" ".join(map(str, range(MAX_SEARCH_WORDS + 1)))))
        await until_told(pilot, "the search is too long")
        assert not any("damaged" in toast for toast in toasts(pilot))
        await pilot.press("escape")
        await until_rows(pilot, rows)


async def test_while_nothing_is_found_there_is_nothing_to_delete_and_esc_clears(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        assert "esc" not in lines(pilot)[-1]
        await pilot.press("slash", *"faro")
        await until_shown(pilot, "nothing matches, esc clears")
        await pilot.press("enter")
        await until(pilot, lambda: "esc clear" in lines(pilot)[-1])
        assert "delete" not in lines(pilot)[-1]
        assert "filter" in lines(pilot)[-1]
        await pilot.press("escape")
        await until_shown(pilot, "zug.srt")
        await until(pilot, lambda: "d delete" in lines(pilot)[-1] and "esc" not in lines(pilot)[-1])


@pytest.mark.exhaustive
async def test_a_filter_has_every_word_in_any_column_and_is_chosen_as_a_whole_when_it_is_opened_again(
    service: LocalService,
) -> None:
    await add_files(service, "carrot-one.ja.srt", "carrot-two.de.srt")
    async with opened(service, rows=2) as pilot:
        await pilot.press("slash", *"carrot", "space", *"japanese", "enter")
        await until_rows(pilot, 1)
        assert shows(pilot, "carrot-one.ja.srt")
        await pilot.press("slash", *"german", "enter")
        await until_rows(pilot, 1)
        assert shows(pilot, "carrot-two.de.srt")
        assert not shows(pilot, "carrot japanese")
