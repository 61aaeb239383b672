"""The translation track in the reader and in the list of transcripts."""

from __future__ import annotations

import pytest

from tests.hostile import FORBIDDEN
from tests.screens.driving import lines, submit_text, until, until_rows, until_shown
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import on_screen, press, running
from tui.records.transcripts import Cue
from tui.screens.lists.transcripts import TranscriptsScreen
from tui.screens.messages import LibraryChanged, OpenBreakdown
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


@pytest.fixture
async def paired(service: LocalService, transcript: str, track: str) -> str:
    await service.transcripts.pair(transcript, track)
    return transcript


async def test_t_shows_what_the_track_says_below_each_cue_and_hides_it(app: Stage, paired: str) -> None:
    async with running(app) as pilot:
        await until_shown(pilot, "Hoffentlich")
        assert "I hope that" not in on_screen(app)
        await press(pilot, "T")
        await until_shown(pilot, "I hope that it leaves at all.")
        shown = [line.strip("▌ ") for line in lines(pilot)]
        sentence = next(number for number, line in enumerate(shown) if "Hoffentlich fährt" in line)
        assert shown[sentence + 1] == "I hope that it leaves at all."
        assert lines(pilot)[sentence + 1].startswith(" ▌")
        await press(pilot, "j", "T")
        await until(pilot, lambda: "I hope" not in on_screen(app))
        assert "Hoffentlich" in on_screen(app)


async def test_steps_clicks_and_words_go_by_the_sentence_and_not_by_its_translation(app: Stage, paired: str) -> None:
    async with running(app, (80, 16)) as pilot:
        await press(pilot, "T")
        await until_shown(pilot, "I hope that it leaves at all.")
        await press(pilot, "l", "enter")
        [asked] = app.all_asked(OpenBreakdown)
        assert asked.request.sentence == STATION[3]
        place = next(number for number, line in enumerate(lines(pilot)) if "I hope that it leaves" in line)
        await pilot.click(offset=(20, place))
        await press(pilot, "G", "g", "G")
        await until_shown(pilot, ENGLISH[9])


async def test_a_new_clip_has_the_translation_whether_it_is_shown_or_not(
    app: Stage, service: LocalService, paired: str
) -> None:
    async with running(app) as pilot:
        await until_shown(pilot, "Hoffentlich")
        await press(pilot, "l", "c", "enter")
        await until(pilot, lambda: app.said())
        [clip] = (await service.clips.page()).items
        assert (clip.sentence, clip.translation) == (STATION[3], ENGLISH[3])
        [asked] = app.all_asked(OpenBreakdown)
        assert asked.draft.translation == ENGLISH[3]


async def test_without_a_track_t_asks_for_one_and_shows_it(
    app: Stage, service: LocalService, transcript: str, track: str
) -> None:
    async with running(app) as pilot:
        await until_shown(pilot, "Hoffentlich")
        await pilot.press("T")
        await until_shown(pilot, "The last train")
        await pilot.press("enter")
        await until_shown(pilot, "I hope that it leaves at all.")
        assert (await service.transcripts.get(transcript)).translation_id == track
        assert "10 of 10 cues have a translation" in app.said()


async def test_escape_leaves_it_without_a_track(app: Stage, service: LocalService, transcript: str, track: str) -> None:
    async with running(app) as pilot:
        await pilot.press("T")
        await until_shown(pilot, "The last train")
        await pilot.press("escape")
        assert (await service.transcripts.get(transcript)).translation_id is None
        assert not list(app.all_asked(LibraryChanged))


async def test_in_the_list_a_track_is_chosen_and_given_up(service: LocalService, transcript: str, track: str) -> None:
    app = Stage(TranscriptsScreen(service))
    async with running(app) as pilot:
        await until_rows(pilot, 2)
        await pilot.press("T")
        await until_shown(pilot, "Der letzte Zug")
        await pilot.press("enter")
        await until(pilot, lambda: app.said())
        assert (await service.transcripts.get(track)).translation_id == transcript
        await pilot.press("T")
        await until_shown(pilot, "no translation any more")
        await pilot.press("down", "enter")
        await until(pilot, lambda: len(app.said()) > 1)
        assert (await service.transcripts.get(track)).translation_id is None


async def test_times_that_do_not_go_together_are_moved_by_what_is_typed(service: LocalService, transcript: str) -> None:
    other = await add_transcript(service, timed(("One.", "Two."), start_ms=9_000_000), title="Other", language="en")
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        await until_shown(pilot, "Warten")
        await pilot.press("T")
        await until_shown(pilot, "Other")
        await pilot.press("enter")
        await until_shown(pilot, "seconds to move")
        await pilot.press("x", "enter")
        await until_shown(pilot, "type a number of seconds")
        await pilot.press("ctrl+u")
        await submit_text(pilot, "-8892,75")
        await until_shown(pilot, "One.")
        paired = await service.transcripts.get(transcript)
        assert (paired.translation_id, paired.translation_offset_ms) == (other, -8_892_750)


async def test_a_hostile_translation_is_text(service: LocalService, transcript: str) -> None:
    bad = "[bold]x[/] \x1b[31mred\x07 [@click=app.quit]"
    track = await add_transcript(service, [Cue(0, 107_250, 111_250, bad)], title="[b]\x1b[2J", language="en")
    await service.transcripts.pair(transcript, track, offset_ms=0)
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        await press(pilot, "T")
        await until_shown(pilot, "[bold]x[/]")
        assert not set(FORBIDDEN) & set(on_screen(app))
