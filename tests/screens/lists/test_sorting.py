"""Sort, columns and groups of the lists: chosen in a picker, shown in the header, and kept on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import Mock, patch

import pytest
from textual.pilot import Pilot

from tests.screens.driving import Typed, add_files, lines, opened, press_until, shows, table, toasts, until
from tests.screens.stage import add_transcript, timed
from tui.records.clips import FocusWord, NewClip
from tui.records.sorting import GROUPS, SORT_COLUMNS
from tui.screens.answer.breakdown import HistoryScreen
from tui.screens.dialogs.list_look_choice import ListLookChoice
from tui.screens.lists.clips import ClipsScreen
from tui.screens.lists.files import FilesScreen
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.lists.transcripts import TranscriptsScreen
from tui.service.local import LocalService

WORDS = {"Zug": "Der Zug hält.", "Aal": "Ein Aal.", "Markt": "Der Markt ist zu."}


def header(pilot: Pilot[None]) -> str:
    return next((line for line in lines(pilot) if "Lang" in line), "")


def first_words(pilot: Pilot[None]) -> list[str]:
    """The words of the clips in the order in which they stand."""
    return [word for line in lines(pilot) for word in WORDS if line.lstrip(" ▌✓").startswith(f"{word} ")]


async def test_the_picker_sorts_turns_over_and_the_header_shows_it_after_the_next_start_too(
    service: LocalService,
) -> None:
    async with opened(service, (120, 24), clips=WORDS, section="3", rows=3) as pilot:
        assert "Age ▲" in header(pilot) and first_words(pilot) == ["Markt", "Aal", "Zug"]
        await press_until(pilot, "s", at=ListLookChoice, shown="newest first")
        await press_until(pilot, "j", "enter", holds=lambda: first_words(pilot) == ["Aal", "Markt", "Zug"])
        assert "Word ▲" in header(pilot) and "Age ▲" not in header(pilot)
        await press_until(pilot, "s", at=ListLookChoice, shown="▲ Word")
        await press_until(pilot, "s", holds=lambda: first_words(pilot) == ["Zug", "Markt", "Aal"])
        assert "Word ▼" in header(pilot)
        await press_until(pilot, "s", at=ListLookChoice, shown="z to a")
        await press_until(pilot, "escape", gone="z to a")
        assert "Word ▼" in header(pilot), "esc leaves it"
    async with opened(LocalService(service._settings), (120, 24), section="3", rows=3) as pilot:
        assert first_words(pilot) == ["Zug", "Markt", "Aal"] and "Word ▼" in header(pilot)
    assert json.loads((service._settings.home / "look.json").read_text())["lists"]["clips"]["sort"] == "-word"


async def test_the_cursor_stays_on_its_record_in_another_order(service: LocalService) -> None:
    async with opened(service, (120, 24), clips=WORDS, section="3", rows=3) as pilot:
        await press_until(pilot, "G", holds=lambda: table(pilot).cursor_row == 2)
        before = table(pilot).current
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "j", "enter", holds=lambda: first_words(pilot)[0] == "Aal")
        assert table(pilot).current == before and table(pilot).cursor_row == 2
        await press_until(pilot, "s", "s", holds=lambda: table(pilot).cursor_row == 0)
        assert table(pilot).current == before


async def test_columns_are_hidden_but_for_the_one_that_tells_rows_apart(service: LocalService) -> None:
    async with opened(service, (120, 24), clips=WORDS, section="3", rows=3) as pilot:
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "tab", shown="✓ Sentence")
        await press_until(pilot, "space", shown="Word stays")
        await press_until(pilot, "j", "j", "space", "escape", gone="✓ Sentence")
        await until(pilot, lambda: "Meaning" not in header(pilot) and "Sentence" in header(pilot))
    async with opened(LocalService(service._settings), (120, 24), section="3", rows=3) as pilot:
        assert "Meaning" not in header(pilot)
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "tab", "j", "j", "space", "enter")
        await until(pilot, lambda: "Meaning" in header(pilot))


async def test_the_column_that_sorts_is_shown_on_a_narrow_terminal_too(service: LocalService) -> None:
    async with opened(service, (80, 24), clips=WORDS, section="3", rows=3) as pilot:
        assert "Source" not in header(pilot)
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, *"kkkk", "enter", shown="Source ▲")
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "j", "j", "j", "enter", shown="Changed ▲")
        assert "Source" not in header(pilot)


async def test_rows_stand_under_headings_which_are_no_rows(service: LocalService) -> None:
    for number in range(30):
        await service.clips.add(
            NewClip(f"Satz {number}.", focus=FocusWord(f"w{number}", language="de"), source=f"Film {number % 2}")
        )
    async with opened(service, (120, 24), section="3", rows=30) as pilot:
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "shift+tab", shown="no groups")
        await press_until(pilot, "j", "enter", shown=" Film 0  15")
        await until(pilot, lambda: table(pilot).cursor_row == 15)  # the newest clip is one of the other film
        await press_until(pilot, "g", holds=lambda: shows(pilot, " Film 0  15"))
        sources = []
        for _ in range(30):
            sources.append(table(pilot).current.source)  # type: ignore[attr-defined]
            await pilot.press("j")
        assert sources == ["Film 0"] * 15 + ["Film 1"] * 15
        assert table(pilot).cursor_row == 29
        await press_until(pilot, "k", *"k" * 14, holds=lambda: table(pilot).cursor_row == 14)
        await press_until(pilot, "g", holds=lambda: table(pilot).cursor_row == 0)
        heading = next(y for y, line in enumerate(lines(pilot)) if " Film 0  15" in line)
        await pilot.click(offset=(10, heading))
        assert table(pilot).cursor_row == 0
        await pilot.click(offset=(10, heading + 2))
        await until(pilot, lambda: table(pilot).cursor_row == 1)
        await press_until(pilot, "slash", Typed("source:1"), "enter", rows=15)
        assert shows(pilot, " Film 1  15") and not shows(pilot, "Film 0")
        await press_until(pilot, "escape", rows=30)
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "j", "enter", gone=" Film 0  15")


@pytest.mark.parametrize("screen", [FilesScreen, TranscriptsScreen, ClipsScreen, partial(HistoryScreen, chosen=print)])
def test_what_rows_are_grouped_by_is_a_column_of_the_list(screen: Callable[[Any], RecordListScreen[Any]]) -> None:
    made = screen(Mock())
    names = {column.sort for column in made.columns()}
    assert names >= set(GROUPS[made.LOOK])
    assert names - {""} <= set(SORT_COLUMNS[made.LOOK])


async def test_a_list_that_is_too_long_says_so_and_comes_in_its_own_order(service: LocalService) -> None:
    async with opened(service, (120, 24), clips=WORDS, section="3", rows=3) as pilot:
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "j", "j", "enter", holds=lambda: "Sentence ▲" in header(pilot))
        with patch("tui.store.tables.sorting.MAX_SORTED", 2), patch("tui.screens.lists.sorted_list.MAX_SORTED", 2):
            await press_until(pilot, "r", holds=lambda: "Age ▲" in header(pilot))
            assert first_words(pilot) == ["Markt", "Aal", "Zug"] and not toasts(pilot)
            await press_until(pilot, "s", at=ListLookChoice, shown="not of more than")
            await press_until(pilot, "enter", shown="filter it first")
            await press_until(pilot, "escape", gone="filter it first")
            await press_until(
                pilot, "slash", Typed("sentence:der"), "enter", holds=lambda: "Sentence ▲" in header(pilot)
            )


async def test_every_list_has_the_picker_and_what_it_keeps_may_be_anything(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    await add_transcript(service, timed(("Der Zug.",)), title="Zug")
    kept = {
        "files": {"sort": 3, "columns": "x", "group": []},
        "transcripts": {"sort": "-[b]", "group": "nothing"},
        "jobs": 7,
    }
    (service._settings.home / "look.json").write_text(json.dumps({"lists": kept}))
    async with opened(service, (120, 24), rows=2) as pilot:
        for section, column in (("1", "Size"), ("2", "Length"), ("6", "State"), ("7", "Times")):
            await press_until(pilot, section, holds=lambda: table(pilot).total > 0)
            await press_until(pilot, "s", at=ListLookChoice, shown=f" {column} ")
            await press_until(pilot, "k", "enter", holds=lambda: not isinstance(pilot.app.screen, ListLookChoice))
            assert table(pilot).total > 0
