"""`E` on a transcript edits its title, language and encoding, in the list and in the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile import WORST
from tests.screens.driving import add_files, assert_is_clean, opened, shows, until, until_shown, until_told
from tests.screens.lists.test_reread_files import first_line, wrongly_read
from tui.records.transcripts import Transcript
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive


async def only(service: LocalService) -> Transcript:
    (transcript,) = (await service.transcripts.page()).items
    return transcript


async def test_title_and_language_are_edited_in_the_list_and_u_goes_back(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    before = await only(service)
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("E")
        await until_shown(pilot, "Edit transcript")
        await pilot.press("ctrl+u", *"Die Fahrt", "tab", "ctrl+u", *"no tag", "enter")
        await until_shown(pilot, "'no tag' is no language tag")
        await pilot.press("ctrl+u", *"nl", "enter")
        await until_shown(pilot, "Die Fahrt")
        await until(pilot, lambda: shows(pilot, " nl "))
        await pilot.press("u")
        await until_told(pilot, "zug, as it was before it was edited")
        await until(pilot, lambda: shows(pilot, " de "))
        assert await only(service) == before


async def test_the_reader_shows_the_new_title_at_once(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Hoffentlich fährt er")
        await pilot.press("j", "E")
        await until_shown(pilot, "Edit transcript")
        await pilot.press(*" zwei", "enter")
        await until_shown(pilot, "zug zwei · German · 2 cues")


async def test_another_encoding_reads_the_file_again(service: LocalService, tmp_path: Path) -> None:
    await wrongly_read(service, tmp_path)
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("E")
        await until_shown(pilot, "windows-1252")
        await pilot.press("tab", "tab", "ctrl+u", *"windows-1251", "enter")
        await until_told(pilot, "1 read anew")
        assert await first_line(service) == "Слева мы видим реку."


async def test_a_transcript_without_its_file_has_no_encoding(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    (file,) = (await service.files.page()).items
    await service.files.delete(file.id)
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("E")
        await until_shown(pilot, "Edit transcript")
        assert not shows(pilot, "Encoding")
        await pilot.press("ctrl+u", "enter")
        await until_shown(pilot, "a transcript needs a title")
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "Edit transcript"))


async def test_nothing_typed_changes_nothing(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        for key in ("enter", "escape"):
            await pilot.press("E")
            await until_shown(pilot, "Edit transcript")
            await pilot.press(key)
            await until(pilot, lambda: not shows(pilot, "Edit transcript"))
        assert await service.undo() is None


@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_a_hostile_title_is_shown_literally(service: LocalService, text: str) -> None:
    await add_files(service, "zug.srt")
    await service.transcripts.edit((await only(service)).id, title=text)
    async with opened(service, section="2", rows=1) as pilot:
        for key, shown in (("E", "Edit transcript"), ("e", "Export"), ("R", "Read")):
            await pilot.press(key)
            await until_shown(pilot, shown)
            assert_is_clean(pilot)
            await pilot.press("escape")
            await until(pilot, lambda shown=shown: not shows(pilot, shown))  # type: ignore[misc]  # bound at once
