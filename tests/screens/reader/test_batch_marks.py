"""Words and sentences are marked in the reader without interruption, and broken down together."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.screens.driving import lines, shows, until
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import press, running
from tui.records.mining import MiningMark
from tui.screens.messages import LibraryChanged
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService


async def marks(service: LocalService, transcript: str) -> list[tuple[int, str, bool]]:
    found: tuple[MiningMark, ...] = await service.mining.marks(transcript)
    return [(each.cue, each.focus, each.is_sentence) for each in found]


async def until_marked(pilot: Pilot[None], count: int) -> None:
    """Wait until so many marks are shown."""
    await until(pilot, lambda: shows(pilot, f"{count} marked") if count else not shows(pilot, " marked"))


def style_of(pilot: Pilot[None], text: str) -> str:
    """Style in which a text is drawn."""
    strips = pilot.app.screen._compositor.render_strips()
    segments = [segment for strip in strips for segment in strip if segment.text == text]
    return str(segments[0].style) if segments else ""


async def test_a_word_then_its_sentence_then_neither_is_marked_and_kept(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    app = Stage(ReaderScreen(service, transcript, (3, 1)))
    async with running(app) as pilot:
        await until(pilot, lambda: shows(pilot, "Hoffentlich fährt"))
        await press(pilot, "m")
        await until_marked(pilot, 1)
        assert await marks(service, transcript) == [(3, "fährt", False)]
        assert not app.said(), "nothing interrupts"
        await press(pilot, "l")
        assert {"italic", "underline"} <= set(style_of(pilot, "fährt").split())
        assert any("+" in line[:6] and "Hoffentlich" in line for line in lines(pilot))
        await press(pilot, "h", "m")
        await until(pilot, lambda: "underline" in style_of(pilot, " er überhaupt noch ab."))
        assert await marks(service, transcript) == [(3, "fährt", True)]
        await press(pilot, "m")
        await until_marked(pilot, 0)
        assert await marks(service, transcript) == []
    await service.undo()
    assert await marks(service, transcript) == [(3, "fährt", True)]


async def test_words_that_stand_apart_are_marked_as_one(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    app = Stage(ReaderScreen(service, transcript, (3, 1)))
    async with running(app) as pilot:
        await until(pilot, lambda: shows(pilot, "Hoffentlich fährt"))
        await press(pilot, "space", "l", "l", "l", "l", "m")
        await until_marked(pilot, 1)
        assert await marks(service, transcript) == [(3, "fährt noch", False)] or await marks(service, transcript) == [
            (3, "fährt ab", False)
        ]


@pytest.mark.parametrize("key", ["m", "ampersand"])
async def test_where_nothing_can_be_marked_that_is_said(service: LocalService, key: str) -> None:
    transcript = await add_transcript(service, timed(STATION))
    app = Stage(ReaderScreen(service, transcript, (7, 0)))
    async with running(app) as pilot:
        await until(pilot, lambda: shows(pilot, "♪♪♪"))
        await press(pilot, key)
        await until(pilot, lambda: bool(app.said()))
    assert await marks(service, transcript) == []


async def test_what_is_marked_is_broken_down_and_the_marks_go_as_the_cards_come(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    app = Stage(ReaderScreen(service, transcript, (3, 1)))
    async with running(app) as pilot:
        await until(pilot, lambda: shows(pilot, "Hoffentlich fährt"))
        await press(pilot, "m", "j", "m")
        await until_marked(pilot, 2)
        await press(pilot, "ampersand")
        await until(pilot, lambda: any("2 words being broken down" in said for said in app.said()))
        (job,) = (await service.jobs.page()).items
        async for change in service.jobs.follow([job.id]):
            job = change
        assert (job.kind, job.state, job.message) == ("mine", "succeeded", "2 cards to review")
        assert any("job" in message.kinds for message in app.all_asked(LibraryChanged))
        assert isinstance(app.screen, ReaderScreen)
        app.screen.library_changed(frozenset({"mark"}))
        await until_marked(pilot, 0)
    assert await service.reviews.count_waiting() == 2


async def test_the_commonest_new_words_are_broken_down_by_a_command(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        await until(pilot, lambda: shows(pilot, "Warten Sie"))
        assert isinstance(app.screen, ReaderScreen)
        app.screen.action_mine_commonest()
        await until(pilot, lambda: any("being broken down" in said for said in app.said()))
        (job,) = (await service.jobs.page()).items
        async for change in service.jobs.follow([job.id]):
            job = change
        assert job.state == "succeeded"
    assert await service.reviews.count_waiting() > 10
