"""Files read again: how is asked, marks mean all of them, `u` goes back; readings of a refused file side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.driving import Typed, add_files, lines, opened, press_until, shows, until, until_shown, until_told
from tests.service.steps import finished
from tui.screens.lists.reread_files import EncodingDoctor
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

CUE = "1\n00:00:01,000 --> 00:00:02,500\n{}\n"
TEXT = CUE.format("Слева мы видим реку.") + "\n2\n00:00:03,000 --> 00:00:05,000\nЯ не знаю.\n"


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
        await press_until(pilot, "R", shown='Read "film.ru.srt" again')
        assert shows(pilot, "as it was: ru")
        assert shows(pilot, "as it was: windows-1252")
        await press_until(pilot, "tab", Typed("nonsense"), "enter", shown="there is no encoding 'nonsense'")
        await press_until(pilot, "ctrl+u", Typed("windows-1251"), "enter", told="1 read anew")
        assert await first_line(service) == "Слева мы видим реку."
        await press_until(pilot, "u", told="as it was read before")
        assert await first_line(service) == "Ñëåâà ìû âèäèì ðåêó."


async def test_marked_files_are_read_again_and_what_is_the_same_or_missing_is_said(service: LocalService) -> None:
    async with opened(service, (120, 30), section="1") as pilot:
        await until_shown(pilot, "Nothing here yet.")
        assert not shows(pilot, "read again")
        await add_files(service, "zug.srt", "faro.srt")
        await press_until(pilot, "r", rows=2)
        await press_until(pilot, "R", shown='Read "faro.srt" again')
        await press_until(pilot, "escape", gone='Read "faro.srt" again')
        assert (await service.jobs.page()).total == 2, "esc reads nothing"
        await press_until(pilot, "R", shown='Read "faro.srt" again')
        await press_until(pilot, "tab", "tab", "space", "enter", told="1 unchanged")
        job = (await service.jobs.page()).items[0]
        assert (job.is_rereading, job.message) == (True, "the same 2 cues")
        assert await service.undo() is None
        await press_until(pilot, "g", "space", "j", "space", "R", shown="Read 2 files again")
        await press_until(pilot, Typed("nl"), "enter", told="2 read anew")
        assert {file.language for file in (await service.files.page()).items} == {"nl"}
        await service.files.delete(str((await service.transcripts.page()).items[0].file_id))
        await press_until(pilot, "2", rows=2)
        await press_until(pilot, "g", "R", told="was deleted, and its bytes with it")
        await press_until(pilot, "space", "j", "space", "R", shown="Read")
        assert shows(pilot, "again")


@pytest.fixture
async def season(service: LocalService, tmp_path: Path) -> Path:
    """Two refused files of a directory."""
    folder = tmp_path / "season"
    folder.mkdir()
    for name, line in (("a.ru.srt", "Синий лес"), ("b.ru.srt", "Слева дом.")):
        (folder / name).write_bytes(CUE.format(line).encode("cp1251"))
    await finished(service, await service.files.add([folder]))
    return folder


async def test_a_digit_picks_for_all_refused_files_of_the_directory(service: LocalService, season: Path) -> None:
    async with opened(service, (120, 40), section="6", rows=2) as pilot:
        for width in (120, 80):
            await pilot.resize_terminal(width, 24)
            await press_until(pilot, "enter", shown="2  iso-8859-5")
            shown = [line for line in lines(pilot) if "1  windows-1251" in line]
            assert ("2  iso-8859-5" in shown[0]) == (width == 120), "side by side where there is room"
            await pilot.press("9", "escape")
            await until(pilot, lambda: not isinstance(pilot.app.screen, EncodingDoctor))
        assert {job.state for job in (await service.jobs.page()).items} == {"failed"}
        await press_until(pilot, "enter", shown="windows-1251")
        await press_until(pilot, "1", told="importing 2 files as windows-1251")
        await until_told(pilot, "2 imported")
        assert {file.encoding for file in (await service.files.page()).items} == {"cp1251"}
        await finished(service, await service.files.add([season / "a.ru.srt"], encoding="iso-8859-5", force=True))
        await press_until(pilot, "1", rows=2)
        name = (await service.files.page()).items[0].name
        await press_until(pilot, *(() if name == "a.ru.srt" else ("j",)), "E", shown="Синий лес")
        await pilot.press("1")
        while {file.encoding for file in (await service.files.page()).items} != {"cp1251"}:
            await pilot.pause()


async def test_the_highlighted_reading_is_taken_and_never_markup(service: LocalService, season: Path) -> None:
    (season / "a.ru.srt").write_bytes(CUE.format("Синий лес\nСлева дом\n[@click=app.quit]дом[/ [b").encode("cp1251"))
    (season / "b.ru.srt").unlink()
    async with opened(service, (120, 40), section="6", rows=2) as pilot:
        await press_until(pilot, "enter", shown="is not UTF-8 or UTF-16")  # why it was refused: it is gone
        await press_until(pilot, "escape", rows=2)
        await press_until(pilot, "j", "enter", shown="[@click=app.quit]")
        assert shows(pilot, "дом[/ [b")
        await pilot.press("l", "l", "h", "enter")
        while not (files := (await service.files.page()).items):
            await pilot.pause()
        (file,) = files
        assert file.encoding == "iso8859-5"
