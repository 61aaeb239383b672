"""The encoding doctor: the readings of a refused file side by side, one of which is picked for its directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.driving import lines, opened, shows, until, until_shown, until_told
from tui.screens.lists.reread_files import EncodingDoctor
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

CUE = "1\n00:00:01,000 --> 00:00:02,500\n{}\n"


@pytest.fixture
async def season(service: LocalService, tmp_path: Path) -> Path:
    """Two refused files of a directory."""
    folder = tmp_path / "season"
    folder.mkdir()
    for name, line in (("a.ru.srt", "Синий лес"), ("b.ru.srt", "Слева дом.")):
        (folder / name).write_bytes(CUE.format(line).encode("cp1251"))
    jobs = await service.files.add([folder])
    async for _ in service.jobs.follow([job.id for job in jobs]):
        pass
    return folder


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["one below the other", "side by side"])
async def test_a_digit_picks_for_all_refused_files_of_the_directory(
    service: LocalService, season: Path, size: tuple[int, int]
) -> None:
    async with opened(service, size, section="6", rows=2) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "windows-1251")
        shown = [line for line in lines(pilot) if "1  windows-1251" in line]
        assert ("2  iso-8859-5" in shown[0]) == (size[0] >= 100)
        assert shows(pilot, "2  iso-8859-5")
        await pilot.press("1")
        await until_told(pilot, "importing 2 files as windows-1251")
        await until_told(pilot, "2 imported")
        assert {file.encoding for file in (await service.files.page()).items} == {"cp1251"}


async def test_the_reading_that_is_highlighted_is_taken_with_enter(service: LocalService, season: Path) -> None:
    (season / "b.ru.srt").unlink()
    async with opened(service, (120, 40), section="6", rows=2) as pilot:
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, EncodingDoctor))
        await pilot.press("l", "l", "h", "enter")
        await until_told(pilot, "1 imported")
        (file,) = (await service.files.page()).items
        assert file.encoding == "iso8859-5"


async def test_escape_leaves_everything_as_it_was(service: LocalService, season: Path) -> None:
    async with opened(service, (100, 30), section="6", rows=2) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, EncodingDoctor))
        await pilot.press("9", "escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, EncodingDoctor))
        assert {job.state for job in (await service.jobs.page()).items} == {"failed"}


async def test_a_file_that_is_gone_shows_why_it_was_refused(service: LocalService, season: Path) -> None:
    for path in season.iterdir():
        path.unlink()
    async with opened(service, (100, 30), section="6", rows=2) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "is not UTF-8 or UTF-16")


async def test_an_imported_file_is_read_in_another_encoding_with_capital_e(service: LocalService, season: Path) -> None:
    jobs = await service.files.add([season / "a.ru.srt"], encoding="iso-8859-5", force=True)
    async for _ in service.jobs.follow([job.id for job in jobs]):
        pass
    async with opened(service, (120, 40), section="1", rows=1) as pilot:
        await pilot.press("E")
        await until_shown(pilot, "Синий лес")
        await pilot.press("1")
        await until_told(pilot, "1 read anew")
        (file,) = (await service.files.page()).items
        assert file.encoding == "cp1251"


async def test_what_a_file_says_is_never_markup(service: LocalService, tmp_path: Path) -> None:
    text = "Синий лес\nСлева дом\n[@click=app.quit]дом[/ [b"
    (tmp_path / "x.ru.srt").write_bytes(CUE.format(text).encode("cp1251"))
    jobs = await service.files.add([tmp_path / "x.ru.srt"])
    async for _ in service.jobs.follow([job.id for job in jobs]):
        pass
    async with opened(service, (120, 40), section="6", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "[@click=app.quit]")
        assert shows(pilot, "дом[/ [b")
