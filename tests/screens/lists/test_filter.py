"""The filter of a list: typed, kept, cleared, and what is typed into it."""

from __future__ import annotations

from textual.events import Paste
from textual.pilot import Pilot

from tests.screens.driving import Typed, add_files, lines, opened, press_until, shows, table, toasts, until, until_told
from tui.config import Settings
from tui.records.clips import NewClip
from tui.records.pages import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tui.service.local import LocalService
from tui.text.display import number
from tui.widgets.forms.text_fields import FilterBar
from tui.widgets.transcript.cue_reader import CueReader


async def test_typing_filters_by_every_word_enter_keeps_the_filter_and_esc_clears_it(service: LocalService) -> None:
    await add_files(service, "lok.ja.srt", "faro.srt", "lokschuppen.de.srt")
    async with opened(service, rows=3) as pilot:
        assert "esc" not in lines(pilot)[-1]
        await pilot.press("slash", "q", "u", "a", "d", "slash")
        assert pilot.app.screen.query_one(FilterBar).value == "quad/", "what is typed right after it is no key"
        await press_until(pilot, "ctrl+u", Typed("lok"), rows=2)
        assert shows(pilot, "2 found")
        await pilot.press("enter", "j")
        await until(pilot, lambda: pilot.app.focused is table(pilot))
        assert (table(pilot).cursor_row, table(pilot).q) == (1, "lok")
        await press_until(pilot, "escape", rows=3)
        assert not pilot.app.screen.query(FilterBar)
        await press_until(pilot, "slash", Typed("lok"), "space", Typed("japanese"), "enter", rows=1)
        assert shows(pilot, "lok.ja.srt")
        await press_until(pilot, "slash", Typed("german"), "enter", rows=2)
        assert shows(pilot, "lokschuppen.de.srt")
        assert not shows(pilot, "lok japanese"), "it is chosen as a whole when it is opened again"
        await press_until(pilot, "slash", Typed("[b]x"), shown="clears the filter")
        assert isinstance(pilot.app.focused, FilterBar)
        await press_until(pilot, "escape", rows=3)
        await until(pilot, lambda: pilot.app.focused is table(pilot))
        await press_until(pilot, "slash", Typed("metro"), shown="clears the filter")
        await pilot.press("enter")
        await until(pilot, lambda: "esc clear" in lines(pilot)[-1])
        assert "delete" not in lines(pilot)[-1]
        assert "filter" in lines(pilot)[-1]
        await press_until(pilot, "escape", shown="faro.srt")
        await until(pilot, lambda: "d delete" in lines(pilot)[-1] and "esc" not in lines(pilot)[-1])


async def test_a_film_is_found_by_what_is_said_in_it_and_opens_there(service: LocalService) -> None:
    await add_files(service, "faro.srt", "metro.srt")
    async with opened(service, (120, 40)) as pilot:
        for section in ("1", "2"):
            await press_until(pilot, section, rows=2)
            await press_until(pilot, "slash", Typed("letzte metro"), "enter", rows=1)
            assert shows(pilot, "letzte Zug ist metro."), "\n".join(lines(pilot))
            await pilot.press("enter")
            await until(pilot, lambda: bool(pilot.app.screen.query(CueReader)))
            await until(pilot, lambda: pilot.app.screen.query_one(CueReader).cue_index == 1)
            await press_until(pilot, "escape", rows=1)
            await press_until(pilot, "escape", rows=2)


async def test_a_paste_that_is_too_long_to_search_for_is_told_and_esc_clears_it(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    await service.clips.add(NewClip("Der Zug kommt."))
    async with opened(service) as pilot:
        for section in ("1", "2", "3", "6", "7"):
            await pilot.press(section)
            await until(pilot, lambda: table(pilot).is_loaded and table(pilot).total > 0)
            rows = table(pilot).total
            await pilot.press("slash")
            pilot.app.clear_notifications()
            if section == "1":  # the field is the same everywhere
                pilot.app.post_message(Paste("zug " * 15_000))
                await until_told(pilot, f"pasted {number(MAX_SEARCH_LENGTH)} of {number(60_000)} characters")
                await pilot.press("ctrl+u")
            pilot.app.post_message(Paste(" ".join(map(str, range(MAX_SEARCH_WORDS + 1)))))
            await until_told(pilot, "the search is too long")
            assert not any("damaged" in toast for toast in toasts(pilot))
            await press_until(pilot, "escape", rows=rows)


async def test_a_field_and_its_values_are_completed_with_tab_or_the_right_arrow(service: LocalService) -> None:
    await service.clips.add(NewClip("Der Zug kommt.", tags=("verkehr",), source="Der letzte Zug"))
    async with opened(service, section="3", rows=1) as pilot:
        bar = await filter_bar(pilot)
        await press_until(pilot, *"ta", "tab", holds=lambda: bar.value == "tag:")
        await until(pilot, lambda: shows(pilot, "tag:verkehr"))
        await press_until(pilot, *"ve", "right", holds=lambda: bar.value == "tag:verkehr")
        await press_until(pilot, *" source:de", "tab", holds=lambda: bar.value == 'tag:verkehr source:"der letzte Zug"')
        assert pilot.app.focused is bar
        await press_until(pilot, "enter", rows=1)


async def test_up_and_down_go_through_the_last_filters_of_the_list_after_the_next_start_too(
    service: LocalService, settings: Settings
) -> None:
    await add_files(service, "zug.srt", "metro.srt")
    async with opened(LocalService(settings), rows=2) as pilot:
        for q in ("zug", "lang:de", "zug"):
            await press_until(pilot, "slash", Typed(q), "enter", holds=lambda: pilot.app.focused is table(pilot))
        await press_until(pilot, "escape", rows=2)
    async with opened(service, rows=2) as pilot:
        bar = await filter_bar(pilot)
        await press_until(pilot, *"me", "up", holds=lambda: bar.value == "zug")
        await press_until(pilot, "up", "up", "up", holds=lambda: bar.value == "lang:de")
        await press_until(pilot, "down", "down", holds=lambda: bar.value == "me")
        await press_until(pilot, "down", holds=lambda: pilot.app.focused is table(pilot))
        await press_until(pilot, "2", rows=2)
        bar = await filter_bar(pilot)
        await pilot.press("up")
        assert bar.value == "", "each list has its own"


async def filter_bar(pilot: Pilot[None]) -> FilterBar:
    await pilot.press("slash")
    await until(pilot, lambda: isinstance(pilot.app.focused, FilterBar))
    return pilot.app.screen.query_one(FilterBar)
