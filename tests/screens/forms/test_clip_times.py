"""The times of a clip in its form: moved by keys against a waveform, saved, and the sound cut anew."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.media.films import make_film
from tests.playing.programs import Programs, programs
from tests.screens.driving import assert_is_clean, lines, opened, press_until, shows, type_at_once, until, until_shown
from tests.service import libraries
from tui.config import Settings
from tui.records.clips import Clip, NewClip
from tui.service.local import LocalService
from tui.service.protocol import Service
from tui.widgets.forms.span_field import SpanField

pytestmark = pytest.mark.exhaustive

__all__ = ["programs"]

CUES = ("Wohin?", "Der Zug kommt.", "Er fährt ab.")
SRT = "".join(f"{at}\n00:00:0{2 * at},000 --> 00:00:0{2 * at + 1},000\n{text}\n\n" for at, text in enumerate(CUES, 1))
"""Cues from 2 to 3, 4 to 5 and 6 to 7 seconds."""


async def kept_clip(service: Service, folder: Path, film: Path | None = None) -> Clip:
    """A clip of the second cue, with its sound where there is a film."""
    subtitle = folder / "zug.de.srt"
    subtitle.write_text(SRT, "utf-8")
    async for _ in service.jobs.follow([job.id for job in await service.files.add([subtitle])]):
        pass
    transcript = (await service.transcripts.page()).items[0].id
    if film is not None:
        await service.media.link(transcript, film)
    clip = await service.clips.add(NewClip(CUES[1], transcript_id=transcript, cue_index=1, start_ms=4000, end_ms=5000))
    while film is not None and clip.audio is None:
        await asyncio.sleep(0.01)
        clip = await service.clips.get(clip.id)
    return clip


async def open_times(pilot: Pilot[None]) -> SpanField:
    """Open the form of the clip, with the focus on its times."""
    await pilot.press("E")
    await until(pilot, lambda: pilot.app.screen.query(SpanField) and shows(pilot, "0:04.0 – 0:05.0 · 1.0 s"))
    await pilot.press("tab")
    field = pilot.app.screen.query_one(SpanField)
    assert field.has_focus
    return field


def drawn(pilot: Pilot[None]) -> list[str]:
    """The waveform and the line of time, from the top down."""
    region = pilot.app.screen.query_one(".span-field--drawing").region
    return [line[region.x : region.right].ljust(region.width) for line in lines(pilot)[region.y : region.bottom]]


async def test_times_are_saved_and_a_server_cuts_the_sound_anew(settings: Settings, tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", 8, video=False)
    async with libraries.opened(settings, "remote") as library:
        service = library.service
        clip = await kept_clip(service, tmp_path, film)
        async with opened(service, section="3", rows=1) as pilot:
            await open_times(pilot)
            await until(pilot, lambda: "█" in drawn(pilot)[-2] and "┤" in drawn(pilot)[-1])
            type_at_once(pilot, "]]]{}}")
            await until_shown(pilot, "0:04.3 – 0:05.1 · 0.8 s")
            await pilot.press("f2")
            await until(pilot, lambda: not pilot.app.screen.query(SpanField))
            while (kept := await service.clips.get(clip.id)).audio == clip.audio:
                await pilot.pause()
            assert await service.media.audio(kept.id)
        assert (kept.start_ms, kept.end_ms) == (4300, 5100)
        assert kept.updated_at > clip.updated_at


async def test_the_span_is_played_as_it_would_be_cut_and_more_of_the_film_is_read_where_it_grows(
    service: LocalService, tmp_path: Path, programs: Programs
) -> None:
    clip = await kept_clip(service, tmp_path, make_film(tmp_path / "film.mkv", 8, video=False))
    programs.add("mpv")
    async with opened(service, (120, 40), section="3", rows=1) as pilot:
        field = await open_times(pilot)
        await until(pilot, lambda: field.neighbours.next_start)
        await until(pilot, lambda: len(drawn(pilot)) > 1 and " " not in drawn(pilot)[-2])
        type_at_once(pilot, "]]]{p")
        await until(pilot, lambda: programs.told("mpv"))
        assert {"--start=4.050", "--end=5.300"} <= set(programs.told("mpv")[0])
        type_at_once(pilot, "[" * 19)
        await until(pilot, lambda: field.window.start_ms < 1000)
        await until(pilot, lambda: len(drawn(pilot)) > 1 and " " not in drawn(pilot)[-2])
        type_at_once(pilot, "[" * 40)
        await until_shown(pilot, "0:00.0 – 0:04.9 · 4.9 s")
        type_at_once(pilot, "{" * 60)
        await until_shown(pilot, "0:00.0 – 0:00.2 · 0.2 s")
        await service.transcripts.delete(str(clip.transcript_id))
        await press_until(pilot, "p", told="there is no transcript")


async def test_without_a_film_times_can_be_moved_and_a_text_has_none(service: LocalService, tmp_path: Path) -> None:
    await service.clips.add(NewClip("Ein Text ohne Zeiten.", start_ms=1000))
    clip = await kept_clip(service, tmp_path)
    async with opened(service, section="3", rows=2, keys={"times.end_later": "plus"}) as pilot:
        await open_times(pilot)
        await until_shown(pilot, "zug has no film or recording: name it:")
        keys = ("plus", "right_square_bracket", "left_square_bracket")
        await press_until(pilot, *keys, shown="0:04.0 – 0:05.1 · 1.1 s")
        await press_until(pilot, "escape", shown="This clip has unsaved changes.")
        await press_until(pilot, "n", "left_curly_bracket", shown="0:04.0 – 0:05.0 · 1.0 s")
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.screen.query(SpanField))
        assert await service.clips.get(clip.id) == clip
        await press_until(pilot, "j", "E", shown="Translation")
        assert not shows(pilot, "Times")
        assert not pilot.app.screen.query(SpanField)


async def test_a_film_that_is_gone_is_told_in_place_of_the_waveform(service: LocalService, tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", 8, video=False)
    await kept_clip(service, tmp_path, film)
    film.rename(tmp_path / "away.mkv")
    async with opened(service, (60, 16), section="3", rows=1) as pilot:
        await open_times(pilot)
        for size in ((60, 16), (80, 24), (200, 50)):
            await pilot.resize_terminal(*size)
            await until_shown(pilot, "film.mkv")
            height = size[1]
            await until(pilot, lambda: len(lines(pilot)) == height and len(drawn(pilot)) == 1)
            assert_is_clean(pilot)
        await press_until(pilot, "right_square_bracket", shown="0:04.1 – 0:05.0 · 0.9 s")
        film.symlink_to(tmp_path / "away.mkv")
        await pilot.press(*["right_curly_bracket"] * 20)
        await until(pilot, lambda: "█" in drawn(pilot)[0])


async def test_times_that_make_no_sense_can_be_set_right(service: LocalService, tmp_path: Path) -> None:
    clip = await kept_clip(service, tmp_path, make_film(tmp_path / "film.mkv", 8, video=False))
    await service.clips.delete(clip.id)
    spans = ((0, 50), (5000, 5000), (5000, 1000), (0, 2**50))  # short, empty, backwards, endless
    for start, end in spans:
        await service.clips.add(
            NewClip(f"{start} to {end}", transcript_id=clip.transcript_id, cue_index=1, start_ms=start, end_ms=end)
        )
    async with opened(service, (60, 16), section="3", rows=len(spans)) as pilot:
        for _ in spans:
            await press_until(pilot, "E", shown="Times")
            await pilot.press("tab", "left_square_bracket", "right_curly_bracket")
            span = pilot.app.screen.query_one(SpanField)
            await until(pilot, lambda span=span: span.span.end_ms >= max(span.span.start_ms, 0) + 200)  # type: ignore[misc]
            assert span.span.start_ms >= 0
            await pilot.app.workers.wait_for_complete()
            assert_is_clean(pilot)
            await press_until(pilot, "escape", shown="unsaved changes")
            await press_until(pilot, "d", rows=len(spans))
            await pilot.press("j")
