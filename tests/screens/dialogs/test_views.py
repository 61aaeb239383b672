"""Views: a filter that is saved under a name, and gone to from anywhere."""

from __future__ import annotations

from tests.screens.driving import Typed, add_files, keep_clips, opened, press_until, shows, submit_text, table, until
from tests.server.serving import serving
from tui.config import Settings
from tui.records.search import View
from tui.remote.service import RemoteService
from tui.screens.dialogs.views import ViewChoice
from tui.service.local import LocalService
from tui.widgets.forms.text_fields import FilterBar

WORDS = {"Zug": "Der Zug hält.", "Bus": "Der Bus hält."}


async def test_a_filter_is_saved_and_its_view_is_gone_to_from_another_section(service: LocalService) -> None:
    await keep_clips(service, WORDS)
    async with opened(service, section="3", rows=2) as pilot:
        await press_until(pilot, "colon", Typed("save this"), "enter", told="there is no filter to save")
        await press_until(pilot, "slash", Typed("word:zug"), "enter", rows=1)
        await press_until(
            pilot, "colon", Typed("save this"), "enter", shown="Save this filter as a view: clips · word:zug"
        )
        await submit_text(pilot, "Züge", told="view Züge saved")
        assert await service.views.all() == (View("Züge", "clips", "word:zug"),)
        await press_until(pilot, "escape", rows=2)
        await press_until(pilot, "1", shown="Nothing here yet.")
        await press_until(pilot, "colon", Typed("zuge"), "ctrl+u", Typed("view züge"), "enter", rows=1)
        assert pilot.app.screen.query_one(FilterBar).value == "word:zug"
        await press_until(pilot, "escape", rows=2)


async def test_a_view_that_is_typed_before_it_was_read_is_gone_to_all_the_same(service: LocalService) -> None:
    await add_files(service, "zug.srt", "metro.srt")
    await service.views.save(View("nur metro", "transcripts", "metro"))
    async with opened(service, rows=2) as pilot:
        await press_until(pilot, Typed(":nur metro\r"), rows=1)
        assert table(pilot).q == "metro"


async def test_views_are_renamed_and_deleted_and_a_deletion_is_undone(service: LocalService) -> None:
    for name in ("[b]alt", "neu"):
        await service.views.save(View(name, "answers", "zug"))
    async with opened(service) as pilot:
        await press_until(pilot, "colon", Typed("views filters"), "enter", at=ViewChoice, shown="[b]alt  answers · zug")
        await press_until(pilot, "f2", shown="Rename the view [b]alt")
        await submit_text(pilot, "NEU", shown="there is a view 'NEU' already")
        await submit_text(pilot, "älter", at=ViewChoice, shown="älter  answers · zug")
        assert not shows(pilot, "[b]alt")
        await press_until(pilot, *"neu", "f8", at=ViewChoice, shown="neu deleted · u brings it back")
        await until(pilot, lambda: not shows(pilot, "neu  answers"))
        await press_until(pilot, "escape", "u", told="back again: the view neu")
        await press_until(pilot, "colon", Typed("view: neu"), "enter", shown="clears the filter")


async def test_views_of_a_library_on_a_server_are_its_own(settings: Settings) -> None:
    async with serving(settings) as served:
        service = RemoteService(served.url)
        await keep_clips(service, WORDS)
        async with opened(service, section="3", rows=2) as pilot:
            await press_until(pilot, "slash", Typed("word:bus"), "enter", rows=1)
            await press_until(pilot, "colon", Typed("save this"), "enter", shown="Save this filter")
            await submit_text(pilot, "Busse", told="view Busse saved")
            await press_until(pilot, "escape", "1", "colon", Typed("busse"), "enter", rows=1)
            assert [view.name for view in await service.views.all()] == ["Busse"]
