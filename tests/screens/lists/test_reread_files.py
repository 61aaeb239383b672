"""`R` on files and transcripts reads them again: a dialog asks how, marks mean all of them, `u` goes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.driving import add_files, opened, shows, until, until_rows, until_shown, until_told
from tests.service.steps import finished
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

TEXT = "1\n00:00:01,000 --> 00:00:02,500\nСлева мы видим реку.\n\n2\n00:00:03,000 --> 00:00:05,000\nЯ не знаю.\n"


async def wrongly_read(service: LocalService, tmp_path: Path) -> None:
    """A film that was read in the wrong encoding, and is gone."""
    path = tmp_path / "film.ru.srt"
    path.write_bytes(TEXT.encode("cp1251"))
    await finished(service, await service.files.add([path], encoding="cp1252", force=True))
    path.unlink()


async def first_line(service: LocalService) -> str:
    (transcript,) = (await service.transcripts.page()).items
    return (await service.transcripts.cues(transcript.id)).items[0].text


async def test_r_asks_how_reads_the_kept_bytes_and_u_goes_back(service: LocalService, tmp_path: Path) -> None:
    await wrongly_read(service, tmp_path)
    async with opened(service, section="1", rows=1) as pilot:
        await pilot.press("R")
        await until_shown(pilot, 'Read "film.ru.srt" again')
        assert shows(pilot, "as it was: ru")
        assert shows(pilot, "as it was: windows-1252")
        await pilot.press("tab", *"nonsense", "enter")
        await until_shown(pilot, "there is no encoding 'nonsense'")
        await pilot.press("ctrl+u", *"windows-1251", "enter")
        await until_told(pilot, "1 read anew")
        assert await first_line(service) == "Слева мы видим реку."
        await pilot.press("u")
        await until_told(pilot, "as it was read before")
        assert await first_line(service) == "Ñëåâà ìû âèäèì ðåêó."


async def test_what_is_the_same_is_said(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("R")
        await until_shown(pilot, 'Read "zug.srt" again')
        await pilot.press("tab", "tab", "space", "enter")
        await until_told(pilot, "1 unchanged")
        (job, _) = (await service.jobs.page()).items
        assert (job.is_rereading, job.message) == (True, "the same 2 cues")
        assert await service.undo() is None


async def test_marked_files_are_all_read_again(service: LocalService) -> None:
    await add_files(service, "zug.srt", "faro.srt")
    async with opened(service, section="1", rows=2) as pilot:
        await pilot.press("space", "j", "space", "R")
        await until_shown(pilot, "Read 2 files again")
        await pilot.press(*"nl", "enter")
        await until_told(pilot, "2 read anew")
        assert {file.language for file in (await service.files.page()).items} == {"nl"}


async def test_a_transcript_without_its_file_says_what_to_do(service: LocalService) -> None:
    await add_files(service, "zug.srt", "faro.srt")
    (newest, _) = (await service.files.page()).items
    await service.files.delete(newest.id)
    async with opened(service, (120, 30), section="2", rows=2) as pilot:
        await pilot.press("R")
        await until_told(pilot, "was deleted, and its bytes with it")
        await pilot.press("space", "j", "space", "R")
        await until_shown(pilot, "Read")
        assert shows(pilot, "again")
        await pilot.press("escape")
        await until_rows(pilot, 2)


async def test_esc_reads_nothing_and_without_files_there_is_no_key(service: LocalService) -> None:
    async with opened(service, section="1") as pilot:
        await until_shown(pilot, "Nothing here yet.")
        assert not shows(pilot, "read again")
        await add_files(service, "zug.srt")
        await pilot.press("r")
        await until_rows(pilot, 1)
        await pilot.press("R")
        await until_shown(pilot, 'Read "zug.srt" again')
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, 'Read "zug.srt" again'))
        assert len((await service.jobs.page()).items) == 1
