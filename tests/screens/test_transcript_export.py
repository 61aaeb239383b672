"""`e` on transcripts and in the reader: a path that tab completes, and a question before a file is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.driving import add_files, opened, shows, submit_text, type_text, until, until_shown, until_told
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory in which the app was started."""
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.mark.parametrize("keys", [("2",), ("2", "enter")], ids=["list", "reader"])
async def test_e_proposes_a_name_here_and_writes_it(service: LocalService, here: Path, keys: tuple[str, ...]) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        for key in keys[1:]:
            await pilot.press(key)
            await until_shown(pilot, "Hoffentlich fährt er")
        await pilot.press("e")
        await until_shown(pilot, 'Export "zug"')
        assert shows(pilot, "zug.de.srt")
        await pilot.press("enter")
        await until_told(pilot, "zug.de.srt written")
    assert "Hoffentlich fährt er überhaupt noch ab." in (here / "zug.de.srt").read_text("utf-8")


async def test_a_file_that_is_there_is_replaced_only_after_a_question(service: LocalService, here: Path) -> None:
    await add_files(service, "zug.srt")
    (here / "zug.de.srt").write_text("mine")
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("e")
        await until_shown(pilot, 'Export "zug"')
        await pilot.press("enter")
        await until_shown(pilot, "zug.de.srt is there already.")
        await pilot.press("n")
        await until_shown(pilot, 'Export "zug"')
        assert (here / "zug.de.srt").read_text() == "mine"
        await pilot.press("enter")
        await until_shown(pilot, "zug.de.srt is there already.")
        await pilot.press("y")
        await until_told(pilot, "zug.de.srt written")
    assert (here / "zug.de.srt").read_text("utf-8").startswith("1\n00:00:01,000 --> ")


async def test_a_refused_path_can_be_corrected_and_tab_completes_it(service: LocalService, here: Path) -> None:
    await add_files(service, "zug.srt")
    (here / "my films").mkdir()
    async with opened(service, (100, 30), section="2", rows=1) as pilot:
        await pilot.press("e")
        await until_shown(pilot, 'Export "zug"')
        await submit_text(pilot, "nowhere/zug.srt")
        await until_shown(pilot, "there is no directory")
        await submit_text(pilot, "zug.mp4")
        await until_shown(pilot, "there is no format 'mp4'")
        await type_text(pilot, "my")
        await pilot.press("tab")
        await until_shown(pilot, "my films/")
        await pilot.press(*"a b.vtt", "enter")
        await until_told(pilot, "a b.vtt written")
    assert (here / "my films" / "a b.vtt").read_text("utf-8").startswith("WEBVTT")


async def test_marked_transcripts_go_into_a_directory(service: LocalService, here: Path) -> None:
    await add_files(service, "zug.srt", "faro.srt")
    (here / "zug.de.srt").write_text("mine")
    async with opened(service, (100, 30), section="2", rows=2) as pilot:
        await pilot.press("space", "j", "space", "e")
        await until_shown(pilot, "Export 2 transcripts")
        await submit_text(pilot, "none")
        await until_shown(pilot, "there is no directory none")
        await submit_text(pilot, ".")
        await until_shown(pilot, "zug.de.srt is there already.")
        await pilot.press("n")
        await until_told(pilot, "1 file written")
    assert sorted(path.name for path in here.iterdir()) == ["faro.de.srt", "zug.de.srt"]
    assert (here / "zug.de.srt").read_text() == "mine"


async def test_esc_writes_nothing(service: LocalService, here: Path) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("e")
        await until_shown(pilot, 'Export "zug"')
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, 'Export "zug"'))
    assert list(here.iterdir()) == []
