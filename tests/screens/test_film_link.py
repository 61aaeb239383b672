"""A film is linked from the lists of transcripts and files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.media.films import make_film
from tests.playing.programs import Programs, programs
from tests.screens.driving import add_files, opened, submit_text, until, until_shown, until_told
from tui.records.clips import NewClip
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

__all__ = ["programs"]


async def test_a_film_is_linked_until_it_can_be_and_unlinked_again(service: LocalService, tmp_path: Path) -> None:
    await add_files(service, "zug.srt")
    (transcript,) = (await service.transcripts.page()).items
    clip = await service.clips.add(
        NewClip("Der Zug.", transcript_id=transcript.id, cue_index=0, start_ms=100, end_ms=900)
    )
    film = make_film(tmp_path / "film.mkv", 2)
    (tmp_path / "text.mkv").write_text("nothing", "utf-8")
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.press("M")
        await until_shown(pilot, "Film or recording of")
        await submit_text(pilot, str(tmp_path / "text.mkv"))
        await until_shown(pilot, "no film or recording that can be read")
        await pilot.press("ctrl+u")
        await submit_text(pilot, str(film))
        await until_told(pilot, "film.mkv linked · 0:02")
        await until_told(pilot, "1 done")
        assert (await service.clips.get(clip.id)).audio
        await pilot.press("1", "M")
        await until_shown(pilot, "film.mkv is its film.")
        await pilot.press("x")
        await until_told(pilot, "no film any more")
        assert await service.media.of(transcript.id) is None
        await pilot.press("M")
        await until_shown(pilot, "Film or recording of")
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.screen.is_modal)


async def test_the_sound_of_a_clip_is_played_in_the_list(
    service: LocalService, tmp_path: Path, programs: Programs
) -> None:
    await add_files(service, "zug.srt")
    (transcript,) = (await service.transcripts.page()).items
    await service.clips.add(NewClip("Der Zug.", transcript_id=transcript.id, cue_index=0, start_ms=100, end_ms=900))
    async with opened(service, section="3", rows=1) as pilot:
        await pilot.press("p")
        await until_told(pilot, "the clip has no sound")
        await service.media.link(transcript.id, make_film(tmp_path / "film.mkv", 2))
        assert (await service.deck.export(tmp_path / "deck.apkg")).without_media == ()
        await pilot.press("p")
        await until_told(pilot, "no player of sound was found here")
        programs.add("mpv")
        await pilot.press("p")
        await until(pilot, lambda: programs.told("mpv"))
        assert programs.told("mpv")[0][-1].endswith("/sound.mp3")
