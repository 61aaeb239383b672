"""Counts of words in the lists of transcripts and files: what stands there, what it is sorted by, and that it waits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.screens.driving import Typed, add_files, lines, opened, press_until, shows, table, until
from tests.screens.stage import add_transcript, timed
from tui.errors import StoreError
from tui.records.words import WordCounts, WordMark
from tui.screens.dialogs.list_look_choice import ListLookChoice
from tui.screens.lists.transcripts import TranscriptsScreen
from tui.screens.messages import LibraryChanged
from tui.service.local import LocalService
from tui.service.words.known_words import LocalKnownWords

pytestmark = pytest.mark.exhaustive

TEXTS = {
    "Alles neu": ("Der Zug wartet.", "Ein Bus wartet."),
    "Eins neu": ("Der Zug wartet.", "Der Zug.", "Der Bus."),
    "Nichts neu": ("Der Zug.", "Der Zug."),
}


@pytest.fixture
async def library(service: LocalService) -> LocalService:
    for title, texts in TEXTS.items():
        await add_transcript(service, timed(texts), title=title)
    await service.words.prepare("de")
    await service.known_words.mark([WordMark("de", lemma) for lemma in ("der", "Zug")])
    return service


def titles(pilot: Pilot[None]) -> list[str]:
    """Titles in the order in which they stand."""
    return [title for line in lines(pilot) for title in TEXTS if title in line]


def cells(pilot: Pilot[None], title: str) -> list[str]:
    return next(line for line in lines(pilot) if title in line).partition(title)[2].split()


async def test_each_transcript_says_how_many_words_it_has_and_how_much_of_it_is_known(library: LocalService) -> None:
    async with opened(library, (140, 24), section="2", rows=3) as pilot:
        await until(pilot, lambda: "·" not in cells(pilot, "Alles neu"))
        header = next(line for line in lines(pilot) if "One new" in line).split()
        assert header[4:9] == ["Words", "New", "Known", "One", "new"]
        found = await library.known_words.counts(*[each.id for each in (await library.transcripts.page()).items])
        by_title = {each.title: found[each.id] for each in (await library.transcripts.page()).items}
        for title, counts in by_title.items():
            shown = [str(counts.words), str(counts.new), f"{counts.share_known:.0%}", str(counts.one_new)]
            assert cells(pilot, title)[3:7] == shown, title
        assert by_title["Nichts neu"].share_known == 1
        before = cells(pilot, "Alles neu")
        await library.known_words.mark([WordMark("de", "warten")])
        pilot.app.post_message(LibraryChanged("word"))
        await until(pilot, lambda: cells(pilot, "Alles neu") != before)
        assert len(cells(pilot, "Alles neu")) == len(before)

        def counted() -> int:
            header = next((line for line in lines(pilot) if "Title" in line), "")
            return sum(name in header for name in ("Words", "  New", "Known", "One new"))

        for width, columns in ((100, 3), (80, 1), (60, 0)):
            await pilot.resize_terminal(width, 24)
            await until(pilot, lambda columns=columns: counted() == columns)  # type: ignore[misc]


async def sort_by(pilot: Pilot[None], *columns_down: str) -> None:
    await press_until(pilot, "s", at=ListLookChoice)
    await press_until(pilot, *columns_down, "enter", holds=lambda: not isinstance(pilot.app.screen, ListLookChoice))


async def test_the_list_is_sorted_by_what_is_known(library: LocalService) -> None:
    async with opened(library, (140, 24), section="2", rows=3) as pilot:
        await sort_by(pilot, "k", "k", "k")
        await until(pilot, lambda: shows(pilot, "Known ▼"))
        assert titles(pilot) == ["Nichts neu", "Eins neu", "Alles neu"]
        await press_until(pilot, "slash", Typed("neu e"), rows=1)
        assert titles(pilot) == ["Eins neu"]
        await press_until(pilot, "escape", rows=3)
        await sort_by(pilot, "j")
        await until(pilot, lambda: shows(pilot, "One new ▼") and titles(pilot)[0] == "Eins neu")
        await sort_by(pilot, "k", "k")
        await until(pilot, lambda: shows(pilot, "New ▲") and titles(pilot)[0] == "Nichts neu")
        await sort_by(pilot)
        await until(pilot, lambda: shows(pilot, "New ▼") and titles(pilot)[0] == "Alles neu")


async def test_files_have_the_counts_of_their_transcripts(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, (120, 24), rows=1) as pilot:
        await until(pilot, lambda: "·" not in cells(pilot, "zug.srt"))
        [file] = (await service.files.page()).items
        assert file.transcript_id is not None
        counts = (await service.known_words.counts(file.transcript_id))[file.transcript_id]
        assert str(counts.new) in cells(pilot, "zug.srt")


async def test_while_it_is_counted_the_list_is_moved_in_and_words_may_become_known(library: LocalService) -> None:
    counted, go_on = asyncio.Event(), asyncio.Event()
    counts = LocalKnownWords.counts

    async def held(self: LocalKnownWords, *ids: str) -> Mapping[str, WordCounts]:
        found = await counts(self, *ids)
        counted.set()
        await go_on.wait()
        return found

    with patch.object(LocalKnownWords, "counts", held):
        async with opened(library, (120, 24), section="2", rows=3) as pilot:
            await counted.wait()
            header = next(line for line in lines(pilot) if "Known" in line)
            assert "·" in cells(pilot, "Alles neu")
            await pilot.press("G")
            await until(pilot, lambda: table(pilot).cursor_row == 2)
            await library.known_words.mark([WordMark("de", "warten")])
            assert isinstance(pilot.app.screen, TranscriptsScreen)
            pilot.app.screen.library_changed(frozenset({"word"}))
            go_on.set()
            [alles] = [each.id for each in (await library.transcripts.page()).items if each.title == "Alles neu"]
            share = f"{(await counts(library.known_words, alles))[alles].share_known:.0%}"
            await until(pilot, lambda: share in cells(pilot, "Alles neu"))
            assert next(line for line in lines(pilot) if "Known" in line) == header, "nothing shifts"


async def test_where_words_cannot_be_counted_the_list_is_there_all_the_same(library: LocalService) -> None:
    async def refused(self: LocalKnownWords, *ids: str) -> Mapping[str, WordCounts]:
        raise StoreError("the database is locked")

    with patch.object(LocalKnownWords, "counts", refused):
        async with opened(library, (120, 24), section="2", rows=3) as pilot:
            await pilot.press("j")
            assert len(titles(pilot)) == 3
            assert "·" in cells(pilot, "Alles neu")
            await sort_by(pilot, "k", "k", "k")
            await press_until(pilot, told="the database is locked")
            await until(pilot, lambda: not shows(pilot, "counting"))
            assert len(titles(pilot)) == 3
