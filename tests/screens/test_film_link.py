"""A film is linked from the lists of transcripts and files."""

from pathlib import Path

import pytest

from tests.media.films import make_film
from tests.playing.programs import Programs, programs
from tests.screens.driving import add_files, opened, press_until, submit_text, until_shown, until_told
from tui.records.clips import NewClip
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

__all__ = ["programs"]


async def test_a_film_is_linked_heard_and_unlinked(service: LocalService, tmp_path: Path, programs: Programs) -> None:
    await add_files(service, "zug.srt")
    (transcript,) = (await service.transcripts.page()).items
    clip = await service.clips.add(
        NewClip("Der Zug.", transcript_id=transcript.id, cue_index=0, start_ms=100, end_ms=900)
    )
    film = make_film(tmp_path / "film.mkv", 2)
    (tmp_path / "text.mkv").write_text("nothing", "utf-8")
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "p", told="the clip has no sound")
        await press_until(pilot, "2", rows=1)
        await press_until(pilot, "M", shown="Film or recording of")
        await submit_text(pilot, str(tmp_path / "text.mkv"))
        await until_shown(pilot, "no film or recording that can be read")
        await pilot.press("ctrl+u")
        await submit_text(pilot, str(film))
        await until_told(pilot, "film.mkv linked · 0:02")
        await until_told(pilot, "1 done")
        assert (await service.clips.get(clip.id)).audio
        await press_until(pilot, "3", "p", told="no player of sound was found here")
        programs.add("mpv")
        await press_until(pilot, "p", holds=lambda: programs.told("mpv"))
        assert programs.told("mpv")[0][-1].endswith("/sound.mp3")
        await press_until(pilot, "1", "M", shown="film.mkv is its film.")
        await press_until(pilot, "x", told="no film any more")
        assert await service.media.of(transcript.id) is None
        await press_until(pilot, "M", shown="Film or recording of")
        await press_until(pilot, "escape", holds=lambda: not pilot.app.screen.is_modal)
