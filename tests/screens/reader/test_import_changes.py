"""What the import changed can be seen in the reader, cue by cue, and gone to."""

from __future__ import annotations

from tests.screens.driving import until_shown
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import on_screen, press, running, settled
from tui.records.transcripts import OriginalCue
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.widgets.transcript.cue_reader import CueReader

CHANGES = (
    OriginalCue(None, "dropped", ("sound",), 100_000, 101_000, "[Musik]\x1b[31m"),
    OriginalCue(4, "labelled", ("sound", "speaker"), 125_250, 129_250, "MANN: [seufzt] Bestimmt."),
)


async def test_each_change_is_listed_with_its_reason_and_enter_goes_to_its_cue(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION), originals=CHANGES)
    app = Stage(ReaderScreen(service, transcript))
    async with running(app, (100, 24)) as pilot:
        await pilot.press("I")
        await until_shown(pilot, "2 cues of the file changed")
        shown = on_screen(app)
        assert "1:40  dropped (sound)           [Musik]" in shown
        assert "2:05  labelled (sound, speaker) MANN: [seufzt] Bestimmt." in shown
        await press(pilot, *"mann", "enter")
        await settled(pilot)
        assert app.screen.query_one(CueReader).cue_index == 4
        await pilot.press("I")
        await until_shown(pilot, "2 cues of the file changed")
        await press(pilot, "enter")
        assert app.said() == ["that cue was left out"]


async def test_a_transcript_that_is_as_its_file_says_so(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    app = Stage(ReaderScreen(service, transcript))
    async with running(app, (60, 16)) as pilot:
        await pilot.press("I")
        await until_shown(pilot, "nothing: the cues are those of the file")
        await press(pilot, "escape")
        assert isinstance(app.screen, ReaderScreen)
