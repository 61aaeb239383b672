"""Retimings from the palette: by the sound of a film, by another track."""

from pathlib import Path

from tests.retiming.made_cues import make_spans, write_cues
from tests.screens.driving import opened, press_until, until
from tests.screens.stage import add_transcript
from tests.transcribing.speeches import DETECTS, SPEAKS
from tui.records.transcripts import Cue
from tui.retiming.alignment import Span
from tui.screens.dialogs.command_palette import commands
from tui.screens.lists.transcripts import TranscriptsScreen
from tui.screens.messages import OpenTranscript
from tui.screens.transcript_edit import TrackChoice
from tui.service.local import LocalService
from tui.widgets.transcript.cue_reader import CueReader


def as_cues(spans: list[Span]) -> list[Cue]:
    return [Cue(at, start, end, f"Satz {at}.") for at, (start, end) in enumerate(spans)]


async def first_start(service: LocalService, transcript: str) -> int | None:
    return (await service.transcripts.cues(transcript, limit=1)).items[0].start_ms


async def test_the_reader_takes_the_times_of_another_track(service: LocalService) -> None:
    spoken = make_spans(3, 12)
    wrong = await add_transcript(service, as_cues(write_cues(spoken, 1, 1.0, 2350)))
    await add_transcript(service, as_cues(write_cues(spoken, 2)), title="The last train", language="en")
    before = await first_start(service, wrong)
    async with opened(service, (100, 24)) as pilot:
        pilot.app.post_message(OpenTranscript(wrong, 3))
        await until(pilot, lambda: pilot.app.screen.query(CueReader) and pilot.app.screen.query_one(CueReader).cue)
        assert "Retime by another track" in [each.name for each in commands(pilot.app)]
        await pilot.app.run_action("retime_against", pilot.app.screen)
        await until(pilot, lambda: isinstance(pilot.app.screen, TrackChoice))
        await press_until(pilot, "enter", told="sure · u undoes it")
        now = await first_start(service, wrong)
        assert before is not None and now is not None
        assert abs(now - before - 2350) <= 150
        shown = pilot.app.screen.query_one(CueReader)
        there = (await service.transcripts.cues(wrong)).items[3].start_ms
        await until(pilot, lambda: shown.cue is not None and shown.cue.start_ms == there)


async def test_the_list_of_transcripts_says_why_a_transcript_without_a_film_stays(service: LocalService) -> None:
    await add_transcript(service, as_cues(make_spans(3, 5)))
    async with opened(service, section="2", rows=1) as pilot:
        assert isinstance(pilot.app.screen, TranscriptsScreen)
        assert "Retime by the sound of its film" in [each.name for each in commands(pilot.app)]
        await pilot.app.run_action("retime_by_sound", pilot.app.screen)
        await press_until(pilot, told="has no film or recording")


@SPEAKS
@DETECTS
async def test_the_list_of_transcripts_retimes_by_the_sound_of_a_film(service: LocalService, tmp_path: Path) -> None:
    from tests.retiming.made_films import plan_film, write_film

    film = plan_film(5, 5)
    wrong = await add_transcript(service, as_cues(write_cues(film.spans, 1, 1.0, 2350)))
    await service.media.link(wrong, write_film(film, tmp_path / "film.wav"))
    async with opened(service, section="2", rows=1) as pilot:
        await pilot.app.run_action("retime_by_sound", pilot.app.screen)
        await press_until(pilot, told="sure · u undoes it")
        await press_until(pilot, "u", told="before it was retimed")
