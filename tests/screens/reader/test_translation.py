"""The translation track in the reader and in the list of transcripts."""

import pytest

from tests.hostile import FORBIDDEN, HOSTILE
from tests.screens.driving import lines, press_until, submit_text, until, until_rows, until_shown
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import on_screen, press, running
from tui.screens.lists.transcripts import TranscriptsScreen
from tui.screens.messages import OpenBreakdown
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

ENGLISH = (
    "Have you been waiting here long?",
    "For an hour. The train is late.",
    "This is the last one today, after that nothing comes until early in the morning, I am afraid, so let us wait.",
    "I hope that it leaves at all.",
    "It will.",
    "And? Where are you going?",
    "I am visiting someone.",
    "♪♪♪",
    "An old friend from school.",
    "It leaves soon too.",
)


@pytest.fixture
async def track(service: LocalService) -> str:
    return await add_transcript(service, timed(ENGLISH), title="The last train", language="en")


async def test_t_shows_the_track_below_the_cues(app: Stage, service: LocalService, transcript: str, track: str) -> None:
    await service.transcripts.pair(transcript, track)
    async with running(app, (80, 16)) as pilot:
        await until_shown(pilot, "Hoffentlich")
        assert "I hope that" not in on_screen(app)
        await press(pilot, "l", "c")
        [clip] = (await service.clips.page()).items
        assert (clip.sentence, clip.translation) == (STATION[3], ENGLISH[3]), "whether it is shown or not"
        await press(pilot, "T")
        await until_shown(pilot, "I hope that it leaves at all.")
        shown = [line.strip("•▌ ") for line in lines(pilot)]
        sentence = next(number for number, line in enumerate(shown) if "Hoffentlich fährt" in line)
        assert shown[sentence + 1] == ENGLISH[3]
        assert lines(pilot)[sentence + 1].startswith(" ▌")
        await press(pilot, "enter")
        [asked] = app.all_asked(OpenBreakdown)
        assert (asked.request.sentence, asked.draft.translation) == (STATION[3], ENGLISH[3])
        await pilot.click(offset=(20, sentence + 1))
        await press(pilot, "G", "g", "G")
        await until_shown(pilot, ENGLISH[9])
        await press(pilot, "T")
        await until(pilot, lambda: ENGLISH[9] not in on_screen(app))
        assert STATION[9] in on_screen(app)


async def test_without_a_track_t_asks_for_one(app: Stage, service: LocalService, transcript: str, track: str) -> None:
    async with running(app) as pilot:
        await until_shown(pilot, "Hoffentlich")
        await press_until(pilot, "T", shown="The last train")
        await pilot.press("escape")
        assert (await service.transcripts.get(transcript)).translation_id is None
        await until(pilot, lambda: not app.screen.is_modal)
        await press_until(pilot, "T", shown="The last train")
        await press_until(pilot, "enter", shown="I hope that it leaves at all.")
        assert (await service.transcripts.get(transcript)).translation_id == track
        assert "10 of 10 cues have a translation" in app.said()


async def test_in_the_list_a_track_is_chosen_and_given_up(service: LocalService, transcript: str, track: str) -> None:
    app = Stage(TranscriptsScreen(service))
    async with running(app) as pilot:
        await until_rows(pilot, 2)
        await press_until(pilot, "T", shown="Der letzte Zug")
        await press_until(pilot, "enter", holds=lambda: app.said())
        assert (await service.transcripts.get(track)).translation_id == transcript
        await press_until(pilot, "T", shown="no translation any more")
        await press_until(pilot, "down", "enter", holds=lambda: len(app.said()) > 1)
        assert (await service.transcripts.get(track)).translation_id is None


async def test_times_that_do_not_go_together_are_moved_by_what_is_typed(service: LocalService, transcript: str) -> None:
    other = await add_transcript(service, timed(("One.", "Two."), start_ms=9_000_000), title="Other", language="en")
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        await until_shown(pilot, "Warten")
        await press_until(pilot, "T", shown="Other")
        await press_until(pilot, "enter", shown="seconds to move")
        await press_until(pilot, "x", "enter", shown="type a number of seconds")
        await pilot.press("ctrl+u")
        await submit_text(pilot, "-8892,75")
        await until_shown(pilot, "One.")
        paired = await service.transcripts.get(transcript)
        assert (paired.translation_id, paired.translation_offset_ms) == (other, -8_892_750)


async def test_hostile_translations_are_text(service: LocalService) -> None:
    spoken = await add_transcript(service, timed(["Satz."] * len(HOSTILE)))
    track = await add_transcript(service, timed([*HOSTILE.values()]), title="[b]\x1b[2J", language="en")
    await service.transcripts.pair(spoken, track, offset_ms=0)
    app = Stage(ReaderScreen(service, spoken))
    async with running(app) as pilot:
        await press(pilot, "T")
        await until_shown(pilot, "[music] la la")
        for text in HOSTILE.values():
            assert not set(FORBIDDEN) & set(on_screen(app)), text
            await press(pilot, "j")


async def test_where_there_is_no_track_a_model_can_be_asked(service: LocalService) -> None:
    spoken = await add_transcript(service, timed(["Der Zug fährt."]), language="de")
    app = Stage(ReaderScreen(service, spoken))
    async with running(app) as pilot:
        await press_until(pilot, "T", shown="have a model translate it")
        await press_until(pilot, "enter", shown="dictionaries cannot correct")
        await press_until(pilot, "escape", gone="dictionaries cannot correct")
