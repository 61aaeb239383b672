"""The list of dictionaries: added by their files or as the system offers them, ordered, deleted, and their details."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.dictionaries.making import INDEX, dictd, term_row, yomitan
from tests.hostile import FORBIDDEN, HOSTILE
from tests.screens.driving import (
    add_files,
    assert_is_clean,
    lines,
    opened,
    shows,
    submit_text,
    table,
    until,
    until_rows,
    until_shown,
    until_told,
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
async def listed(service: LocalService, rows: int, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """The app at its dictionaries, opened over the clips."""
    async with opened(service, size, section="3", rows=0) as pilot:
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


async def test_the_palette_leads_there_and_escape_back_to_where_one_was(service: LocalService) -> None:
    async with opened(service, section="3", rows=0) as pilot:
        await pilot.press("ctrl+p")
        await submit_text(pilot, "dictionaries add")
        await until_shown(pilot, "No dictionaries yet")
        assert shows(pilot, "adds some by their files")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.current_mode == "clips")
        assert not isinstance(pilot.app.screen, DictionariesScreen)


async def test_a_path_that_is_typed_is_added_and_its_row_comes_by_itself(service: LocalService, tmp_path: Path) -> None:
    yomitan(tmp_path / "my words.zip", [term_row("Wort", "word")], index={**INDEX, "title": "My Words"})
    async with listed(service, 0) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, PathsPrompt))
        await submit_text(pilot, f"{tmp_path}/none.zip")
        await until_shown(pilot, "there is no file")
        await submit_text(pilot, f"'{tmp_path}/my words.zip")
        await until_shown(pilot, "a quotation mark is left open")
        await submit_text(pilot, f"{tmp_path}/my*.zip")
        await until_told(pilot, "1 dictionary added")
        await until_shown(pilot, "My Words")
        row = next(line for line in lines(pilot) if "My Words" in line)
        assert row.split()[-4:] == ["German", "→", "English", "1"]


async def test_what_the_system_has_is_offered_and_added_with_enter(service: LocalService, system: Path) -> None:
    async with listed(service, 1) as pilot:
        row = next(line for line in lines(pilot) if "freedict-deu-eng" in line)
        assert row.split()[-5:] == ["German", "→", "English", "enter", "adds"]
        assert "delete" not in lines(pilot)[-1]
        await pilot.press("d", "J", "enter")
        await until_told(pilot, "1 dictionary added")
        await until(pilot, lambda: "delete" in lines(pilot)[-1])
        assert table(pilot).total == 1
        assert not shows(pilot, "enter adds")


async def test_what_is_no_dictionary_is_told_and_keeps_the_list(service: LocalService, tmp_path: Path) -> None:
    (tmp_path / "notes.zip").write_text("just notes")
    async with listed(service, 0) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, PathsPrompt))
        await submit_text(pilot, str(tmp_path / "notes.zip"))
        await until_told(pilot, "1 refused · 6 shows why")
        await until_shown(pilot, "No dictionaries yet")


async def test_capital_j_and_k_change_the_order_and_the_cursor_goes_along(
    service: LocalService, tmp_path: Path
) -> None:
    await added(service, tmp_path, "Anton", "Berta", "Cesar")
    async with listed(service, 3) as pilot:
        await pilot.press("J")
        await until(pilot, lambda: table(pilot).cursor_row == 1)
        await pilot.press("J", "J", "J")
        await until(pilot, lambda: table(pilot).cursor_row == 2)
        assert await titles(service) == ["Berta", "Cesar", "Anton"]
        await pilot.press("K")
        await until(pilot, lambda: table(pilot).cursor_row == 1)
        assert await titles(service) == ["Berta", "Anton", "Cesar"]
        shown = [line.split()[0].strip("▌") or line.split()[1] for line in lines(pilot)[3:6]]
        assert shown == ["Berta", "Anton", "Cesar"]


async def test_deleting_asks_first_and_says_how_to_get_it_back(service: LocalService, tmp_path: Path) -> None:
    await added(service, tmp_path, "Anton", "Berta")
    async with listed(service, 2) as pilot:
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert shows(pilot, 'Delete this dictionary: "Anton"?')
        assert shows(pilot, "no undo brings it back")
        assert shows(pilot, "add it again from 0.zip.")
        await pilot.press("n")
        await pilot.press("space", "space", "d")
        await until_shown(pilot, "Delete 2 dictionaries?")
        await pilot.press("y")
        await until_told(pilot, "2 dictionaries deleted")
        await until_shown(pilot, "No dictionaries yet")
        assert await titles(service) == []


async def test_enter_shows_the_details_with_what_its_text_is_shown_with(service: LocalService, tmp_path: Path) -> None:
    await added(service, tmp_path, "Anton")
    async with listed(service, 1) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DictionaryDetails))
        for text in ("Anton", "German → English", "1 entry", "0.zip", "Wiktionary's authors", "Made for tests."):
            assert shows(pilot, text), text
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, DictionariesScreen)


async def test_the_filter_finds_titles_and_languages(service: LocalService, tmp_path: Path, system: Path) -> None:
    await added(service, tmp_path, "Anton", "Berta")
    async with listed(service, 3) as pilot:
        for query, count in (("ber", 1), ("german anton", 1), ("freedict", 1), ("english", 3), ("xyz", 0)):
            await pilot.press("slash")
            await submit_text(pilot, query)
            await until(pilot, lambda: table(pilot).q == query and table(pilot).total == count)
        await pilot.press("escape")
        await until_rows(pilot, 3)


async def test_an_import_that_is_at_work_has_a_row_with_its_progress(service: LocalService, tmp_path: Path) -> None:
    header = "# CC-CEDICT\n#! date=2026\n"
    path = tmp_path / "cedict_ts.u8"
    path.write_text(header + "".join(f"車{n} 车{n} [che1] /car {n}/\n" for n in range(60_000)), "utf-8")
    async with listed(service, 0) as pilot:
        (job,) = await service.dictionaries.add([path])
        await pilot.press("r")
        await until_shown(pilot, "cedict_ts.u8")
        await service.jobs.cancel(job.id)
        await pilot.press("r")
        await until_shown(pilot, "No dictionaries yet")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_hostile_texts_are_shown_as_they_are(
    service: LocalService, tmp_path: Path, text: str, size: tuple[int, int]
) -> None:
    index = {**INDEX, "title": f"x {text}", "author": text, "attribution": text, "url": text, "description": text}
    (job,) = await service.dictionaries.add([yomitan(tmp_path / "x.zip", [term_row("Wort", text)], index=index)])
    ends = [change async for change in service.jobs.follow([job.id])]
    assert ends[-1].state == "succeeded", ends[-1].error
    async with listed(service, 1, size) as pilot:
        assert_is_clean(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DictionaryDetails))
        assert not set("".join(lines(pilot))) & set(FORBIDDEN)
        await pilot.press("escape", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert not set("".join(lines(pilot))) & set(FORBIDDEN)


async def test_after_a_dictionary_came_or_went_other_screens_are_told(service: LocalService, tmp_path: Path) -> None:
    """Whoever shows meanings reads them anew: "dictionary" is a kind of change as the others are."""
    await add_files(service, "zug.srt")
    told: list[frozenset[str]] = []
    async with opened(service, rows=1) as pilot:
        screen = pilot.app.screen
        screen.library_changed = told.append  # type: ignore[attr-defined]  # of a section's screen
        await added(service, tmp_path, "Anton")
        await pilot.app.run_action("open_dictionaries")
        await until_rows(pilot, 1)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: frozenset({"dictionary"}) in told)


async def test_the_cursor_stands_on_a_dictionary_that_was_added(service: LocalService, tmp_path: Path) -> None:
    await added(service, tmp_path, "One", "Two")
    yomitan(tmp_path / "my words.zip", [term_row("Wort", "word")], index={**INDEX, "title": "My Words"})
    async with listed(service, 2) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, PathsPrompt))
        await submit_text(pilot, f"'{tmp_path}/my words.zip'")
        await until_shown(pilot, "▌  My Words")
