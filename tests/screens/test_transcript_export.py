"""`e` on transcripts and in the reader: a path that tab completes, and a question before a file is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.driving import Typed, add_files, opened, press_until, shows, submit_text, type_text
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory in which the app was started."""
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


async def test_e_proposes_a_name_and_replaces_only_after_a_question(service: LocalService, here: Path) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, section="2", rows=1) as pilot:
        await press_until(pilot, "e", shown='Export "zug"')
        assert shows(pilot, "zug.de.srt")
        await press_until(pilot, "escape", gone='Export "zug"')
        assert list(here.iterdir()) == []
        await press_until(pilot, "enter", shown="Hoffentlich fährt er")
        await press_until(pilot, "e", shown='Export "zug"')
        await press_until(pilot, "enter", told="zug.de.srt written")
        assert "Hoffentlich fährt er überhaupt noch ab." in (here / "zug.de.srt").read_text("utf-8")
        (here / "zug.de.srt").write_text("mine")
        await press_until(pilot, "escape", "e", shown='Export "zug"')
        await press_until(pilot, "enter", shown="zug.de.srt is there already.")
        await press_until(pilot, "n", shown='Export "zug"')
        assert (here / "zug.de.srt").read_text() == "mine"
        pilot.app.clear_notifications()
        await press_until(pilot, "enter", shown="zug.de.srt is there already.")
        await press_until(pilot, "y", told="zug.de.srt written")
        assert (here / "zug.de.srt").read_text("utf-8").startswith("1\n00:00:01,000 --> ")


async def test_a_refused_path_can_be_corrected_and_tab_completes_it(service: LocalService, here: Path) -> None:
    await add_files(service, "zug.srt")
    (here / "my films").mkdir()
    async with opened(service, (100, 30), section="2", rows=1) as pilot:
        await press_until(pilot, "e", shown='Export "zug"')
        await submit_text(pilot, "nowhere/zug.srt", shown="there is no directory")
        await submit_text(pilot, "zug.mp4", shown="there is no format 'mp4'")
        await type_text(pilot, "my")
        await press_until(pilot, "tab", shown="my films/")
        await press_until(pilot, Typed("a b.vtt"), "enter", told="a b.vtt written")
    assert (here / "my films" / "a b.vtt").read_text("utf-8").startswith("WEBVTT")


async def test_marked_transcripts_go_into_a_directory(service: LocalService, here: Path) -> None:
    await add_files(service, "zug.srt", "faro.srt")
    (here / "zug.de.srt").write_text("mine")
    async with opened(service, (100, 30), section="2", rows=2) as pilot:
        await press_until(pilot, "space", "j", "space", "e", shown="Export 2 transcripts")
        await submit_text(pilot, "none", shown="there is no directory none")
        await submit_text(pilot, ".", shown="zug.de.srt is there already.")
        await press_until(pilot, "n", told="1 file written")
    assert sorted(path.name for path in here.iterdir()) == ["faro.de.srt", "zug.de.srt"]
    assert (here / "zug.de.srt").read_text() == "mine"
