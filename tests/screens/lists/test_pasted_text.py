"""Texts pasted into the dialog for files: told from paths, said before enter, imported by their content."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from tests.faults.refusals import until_said
from tests.hostile import WORST
from tests.screens.driving import assert_is_clean, opened, shows, until, until_shown, until_told
from tui.screens.lists.add_files import AddPrompt, pasted_paths
from tui.service.local import LocalService

TEXT = "Der letzte Zug\r\rHoffentlich fährt er noch ab. Niemand sprach, und der Bahnsteig war leer.\r"
SUBTITLE = "1\n00:00:01,000 --> 00:00:02,000\nHallo, ihr beiden.\n"


async def asked(pilot: Pilot[None]) -> Input:
    await pilot.press("a")
    await until(pilot, lambda: isinstance(pilot.app.screen, AddPrompt) and isinstance(pilot.app.focused, Input))
    return pilot.app.screen.query(Input).first()


async def test_a_pasted_text_is_imported_under_a_title_of_its_first_words(service: LocalService) -> None:
    async with opened(service) as pilot:
        field = await asked(pilot)
        pilot.app.post_message(Paste(TEXT))
        await until_said(pilot, "3 lines", "a text", "enter imports it under this title")
        assert field.value == "Der letzte Zug"
        await pilot.press("enter")
        await until_told(pilot, "1 imported")
        (file,) = (await service.files.page()).items
        assert (file.name, file.format, file.language) == ("Der letzte Zug.txt", "txt", "de")


async def test_a_pasted_subtitle_is_one_and_its_title_can_be_changed(service: LocalService) -> None:
    async with opened(service) as pilot:
        field = await asked(pilot)
        pilot.app.post_message(Paste(SUBTITLE))
        await until_shown(pilot, "a subtitle (srt)")
        assert field.value == "Hallo, ihr beiden"
        await pilot.press("ctrl+u", *"Gruss")
        await pilot.press("enter")
        await until_told(pilot, "1 imported")
        (file,) = (await service.files.page()).items
        assert (file.name, file.cue_count) == ("Gruss.srt", 1)


async def test_esc_drops_a_pasted_text(service: LocalService) -> None:
    async with opened(service) as pilot:
        await asked(pilot)
        pilot.app.post_message(Paste(TEXT))
        await until_shown(pilot, "esc drops it")
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, AddPrompt))
        assert (await service.jobs.page()).total == 0
        await asked(pilot)
        assert not shows(pilot, "esc drops it")


async def test_the_name_of_a_file_that_is_there_is_a_path(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Der letzte Zug.srt").write_text(SUBTITLE)
    monkeypatch.chdir(tmp_path)
    async with opened(service) as pilot:
        field = await asked(pilot)
        pilot.app.post_message(Paste("Der letzte Zug.srt"))
        await until(pilot, lambda: field.value == "'Der letzte Zug.srt'")
        await pilot.press("enter")
        await until_told(pilot, "1 imported")


async def test_a_refused_text_can_be_corrected(service: LocalService) -> None:
    async with opened(service) as pilot:
        await asked(pilot)
        pilot.app.post_message(Paste(TEXT))
        await until_shown(pilot, "a text")
        pilot.app.screen.query_one("#add-language", Input).value = "no tag at all"
        await pilot.press("enter")
        await until_shown(pilot, "is no language tag")
        pilot.app.screen.query_one("#add-language", Input).value = "nl"
        await pilot.press("enter")
        await until_told(pilot, "1 imported")
        assert (await service.files.page()).items[0].language == "nl"


async def test_hostile_texts_are_shown_as_they_are(service: LocalService) -> None:
    async with opened(service) as pilot:
        await asked(pilot)
        pilot.app.post_message(Paste("\n".join(WORST)))
        await until_shown(pilot, "enter imports it")
        assert_is_clean(pilot)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("/films/a.srt", "/films/a.srt"),
        ("~/My Films/a.srt", "~/My Films/a.srt"),
        ("https://example.org/a?b=c", "https://example.org/a?b=c"),
        ("film.srt", "film.srt"),
        ("/films/a b.srt\n/films/c.srt\n", "'/films/a b.srt' /films/c.srt"),
        ("file:///films/a%20b.srt\nfile:///films/c.srt", "'/films/a b.srt' /films/c.srt"),
        ("", ""),
        ("Der Zug fährt ab.", None),
        ("美咲は四月に来た。", None),
        ("/films/a.srt\nDer Zug", None),
        ("Zeile\nZeile", None),
    ],
)
def test_paths_are_told_from_texts(text: str, paths: str | None) -> None:
    assert pasted_paths(text) == paths
