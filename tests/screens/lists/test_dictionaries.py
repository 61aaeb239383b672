"""The list of dictionaries: added by their files or as the system offers them, ordered, deleted, and their details."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.dictionaries.making import INDEX, dictd, held_dictionary, term_row, yomitan
from tests.hostile import FORBIDDEN, deal
from tests.screens.driving import (
    assert_is_clean,
    lines,
    opened,
    press_until,
    shows,
    submit_text,
    table,
    until,
    until_all,
    until_rows,
    until_shown,
)
from tui.screens.dialogs.path_prompt import PathsPrompt
from tui.screens.dialogs.questions import Confirm
from tui.screens.lists.dictionaries import DictionariesScreen, DictionaryDetails
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

ATTRIBUTED = {"attribution": "Wiktionary's authors", "description": "Made for tests."}


async def added(service: LocalService, folder: Path, *titles: str) -> None:
    paths = [
        yomitan(folder / f"{number}.zip", [term_row("Wort", title)], index={**INDEX, "title": title} | ATTRIBUTED)
        for number, title in enumerate(titles)
    ]
    jobs = await service.dictionaries.add(paths)
    ends = {job.id: job async for job in service.jobs.follow([job.id for job in jobs])}
    assert {job.state for job in ends.values()} == {"succeeded"}


@asynccontextmanager
async def listed(service: LocalService, rows: int) -> AsyncIterator[Pilot[None]]:
    """The app at its dictionaries, opened over the clips."""
    async with opened(service, section="3", rows=0) as pilot:
        await pilot.app.run_action("open_dictionaries")
        await until(pilot, lambda: isinstance(pilot.app.screen, DictionariesScreen))
        await until_rows(pilot, rows)
        yield pilot


async def titles(service: LocalService) -> list[str]:
    return [each.title for each in await service.dictionaries.all()]


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system with a dictionary; gives its index."""
    (tmp_path / "dictd").mkdir()
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    return dictd(tmp_path / "dictd", {"fahren": "fahren <v>\nto drive\n"})


async def ask_for_paths(pilot: Pilot[None]) -> None:
    await press_until(pilot, "a", at=PathsPrompt)


async def test_the_palette_leads_there_and_paths_are_typed(service: LocalService, tmp_path: Path) -> None:
    for title in ("My Words", "Your Words"):
        yomitan(tmp_path / f"{title}.zip", [term_row("Wort", "word")], index={**INDEX, "title": title})
    (tmp_path / "notes.zip").write_text("just notes")
    async with opened(service, section="3", rows=0) as pilot:
        await pilot.press("ctrl+p")
        await submit_text(pilot, "dictionaries add", shown="No dictionaries yet")
        assert shows(pilot, "adds some by their files")
        await ask_for_paths(pilot)
        await submit_text(pilot, f"{tmp_path}/none.zip", shown="there is no file")
        await submit_text(pilot, f"'{tmp_path}/My Words.zip", shown="a quotation mark is left open")
        await submit_text(pilot, f"{tmp_path}/notes.zip", told="1 refused · 6 shows why")
        await until_shown(pilot, "No dictionaries yet")
        for title, rows in (("My", 1), ("Your", 2)):
            await ask_for_paths(pilot)
            await submit_text(pilot, f"{tmp_path}/{title}*.zip", told="added", rows=rows)
            await until_shown(pilot, f"▌  {title} Words")
        row = next(line for line in lines(pilot) if "My Words" in line)
        assert row.split()[-4:] == ["German", "→", "English", "1"]
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.current_mode == "clips")
        assert not isinstance(pilot.app.screen, DictionariesScreen)


async def test_what_the_system_has_is_offered_and_filtered(service: LocalService, system: Path, tmp_path: Path) -> None:
    async with listed(service, 1) as pilot:
        row = next(line for line in lines(pilot) if "freedict-deu-eng" in line)
        assert row.split()[-5:] == ["German", "→", "English", "enter", "adds"]
        assert "delete" not in lines(pilot)[-1]
        await press_until(pilot, "d", "J", "enter", told="1 dictionary added")
        await until(pilot, lambda: "delete" in lines(pilot)[-1])
        assert table(pilot).total == 1
        assert not shows(pilot, "enter adds")
        await added(service, tmp_path, "Anton", "Berta")
        await press_until(pilot, "r", rows=3)
        for query, count in (("ber", 1), ("german anton", 1), ("freedict", 1), ("english", 3), ("xyz", 0)):
            await pilot.press("slash")
            await submit_text(pilot, query)
            await until(pilot, lambda query=query, count=count: (table(pilot).q, table(pilot).total) == (query, count))  # type: ignore[misc]
        await press_until(pilot, "escape", rows=3)


async def test_dictionaries_are_ordered_looked_at_and_deleted(service: LocalService, tmp_path: Path) -> None:
    await added(service, tmp_path, "Anton", "Berta", "Cesar")
    told: list[frozenset[str]] = []
    async with opened(service, section="3", rows=0) as pilot:
        pilot.app.screen.library_changed = told.append  # type: ignore[attr-defined]  # of a section's screen
        await pilot.app.run_action("open_dictionaries")
        await until_rows(pilot, 3)
        await pilot.press("J")
        await until(pilot, lambda: table(pilot).cursor_row == 1)
        await pilot.press("J", "J", "J")
        await until(pilot, lambda: table(pilot).cursor_row == 2)
        assert await titles(service) == ["Berta", "Cesar", "Anton"]
        await pilot.press("K")
        await until(pilot, lambda: table(pilot).cursor_row == 1)
        assert await titles(service) == ["Berta", "Anton", "Cesar"]
        shown = [line.split()[0].strip("▌") or line.split()[1] for line in lines(pilot)[3:6]]
        assert shown == ["Berta", "Anton", "Cesar"], "the cursor goes along"
        await press_until(pilot, "enter", at=DictionaryDetails)
        for text in ("Anton", "German → English", "1 entry", "0.zip", "Wiktionary's authors", "Made for tests."):
            assert shows(pilot, text), text
        await press_until(pilot, "escape", "d", at=Confirm)
        assert shows(pilot, 'Delete this dictionary: "Anton"?')
        assert shows(pilot, "no undo brings it back")
        assert shows(pilot, "add it again from 0.zip.")
        await pilot.press("n")
        told.clear()
        await press_until(pilot, "g", *["space"] * 3, "d", shown="Delete 3 dictionaries?")
        await press_until(pilot, "y", told="3 dictionaries deleted", shown="No dictionaries yet")
        assert await titles(service) == []
        await until(pilot, lambda: frozenset({"dictionary"}) in told)  # who shows meanings reads them anew


async def test_an_import_that_is_at_work_has_a_row(service: LocalService, tmp_path: Path) -> None:
    path = yomitan(tmp_path / "magic.zip", [term_row("Xyzzy", "a magic word")])
    async with listed(service, 0) as pilot:
        with held_dictionary():
            await service.dictionaries.add([path])
            await press_until(pilot, "r", shown="magic.zip")
        await until_all(pilot, gone="magic.zip", rows=1)


async def test_hostile_texts_are_shown_as_they_are(service: LocalService, tmp_path: Path) -> None:
    paths = []
    for number, (title, author, attribution, url, description, meaning) in enumerate(deal(6)):
        index = {**INDEX, "title": f"x {title}", "author": author, "attribution": attribution, "url": url}
        rows = [term_row("Wort", meaning)]
        paths.append(yomitan(tmp_path / f"{number}.zip", rows, index=index | {"description": description}))
    ends = {job.id: job async for job in service.jobs.follow([job.id for job in await service.dictionaries.add(paths)])}
    assert {job.error for job in ends.values()} == {None}
    async with listed(service, len(paths)) as pilot:
        for size in ((120, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert_is_clean(pilot)
        for _ in paths:
            await press_until(pilot, "enter", at=DictionaryDetails)
            assert not set("".join(lines(pilot))) & set(FORBIDDEN)
            await press_until(pilot, "escape", "d", at=Confirm)
            assert not set("".join(lines(pilot))) & set(FORBIDDEN)
            await pilot.press("n", "j")
