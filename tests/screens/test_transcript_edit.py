"""`E` on a transcript edits its title, language and encoding, in the list and in the reader."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from tests.hostile import HOSTILE
from tests.screens.driving import Typed, add_files, assert_is_clean, opened, press_until, shows, until, until_shown
from tests.screens.lists.test_reread_files import first_line, wrongly_read
from tui.records.transcripts import Transcript
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive


async def only(service: LocalService) -> Transcript:
    (transcript,) = (await service.transcripts.page()).items
    return transcript


async def test_title_and_language_are_edited_in_list_and_reader_and_u_goes_back(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    before = await only(service)
    async with opened(service, section="2", rows=1) as pilot:
        for key in ("enter", "escape"):
            await press_until(pilot, "E", shown="Edit transcript")
            await press_until(pilot, key, gone="Edit transcript")
        assert await service.undo() is None, "nothing typed changes nothing"
        await press_until(pilot, "E", shown="Edit transcript")
        keys = ("ctrl+u", Typed("Die Fahrt"), "tab", "ctrl+u", Typed("no tag"), "enter")
        await press_until(pilot, *keys, shown="'no tag' is no language tag")
        await press_until(pilot, "ctrl+u", Typed("nl"), "enter", shown="Die Fahrt")
        await until_shown(pilot, " nl ")
        await press_until(pilot, "u", told="zug, as it was before it was edited", shown=" de ")
        assert await only(service) == before
        await press_until(pilot, "enter", shown="Hoffentlich fährt er")
        await press_until(pilot, "j", "E", shown="Edit transcript")
        await press_until(pilot, Typed(" zwei"), "enter", shown="zug zwei · German · 2 cues")


async def test_another_encoding_reads_the_file_again_if_it_is_there(service: LocalService, tmp_path: Path) -> None:
    await wrongly_read(service, tmp_path)
    async with opened(service, section="2", rows=1) as pilot:
        await press_until(pilot, "E", shown="windows-1252")
        await press_until(pilot, "tab", "tab", "ctrl+u", Typed("windows-1251"), "enter", told="1 read anew")
        assert await first_line(service) == "Слева мы видим реку."
        (file,) = (await service.files.page()).items
        await service.files.delete(file.id)
        await press_until(pilot, "E", shown="Edit transcript")
        assert not shows(pilot, "Encoding")
        await press_until(pilot, "ctrl+u", "enter", shown="a transcript needs a title")


async def test_a_hostile_title_is_shown_literally(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        dialogs = cycle((("E", "Edit transcript"), ("e", "Export"), ("R", "Read")))
        for text, (key, shown) in zip(HOSTILE.values(), dialogs, strict=False):
            await service.transcripts.edit((await only(service)).id, title=text[:200])
            await press_until(pilot, "r", rows=1)
            await press_until(pilot, key, shown=shown)
            assert_is_clean(pilot)
            await pilot.press("escape")
            await until(pilot, lambda: not pilot.app.screen.is_modal)
