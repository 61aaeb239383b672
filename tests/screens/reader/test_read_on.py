"""How much of a transcript counts as read."""

import pytest

from tests.screens.driving import until
from tests.screens.reader.test_reader import reader
from tests.screens.stage import Stage, add_transcript, timed
from tests.settling import press, running
from tui.screens.reader.places import ReadOn
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService

IN_SIGHT = 10


def read_after(*cues: int, before: int = 0) -> int:
    read = ReadOn(before)
    for cue in cues:
        read.come_to(cue, IN_SIGHT)
    return read.cues


@pytest.mark.parametrize(
    ("cues", "read"),
    [
        ((0,), 1),
        ((0, 1, 2), 3),
        ((0, 9, 18), 19),
        ((0, 1, 0, 1), 2),
        ((0, 99), 1),
        ((0, 99, 98, 97, 96), 1),
        ((0, 99, 0, 1, 2), 3),
        ((50, *range(51, 69)), 0),
        ((50, *range(51, 71)), 71),
        ((0, 1, 50, *range(51, 71)), 71),
        ((50, *range(49, 30, -1)), 0),
    ],
)
def test_what_one_goes_through_is_read_and_a_jump_only_once_one_reads_on_there(
    cues: tuple[int, ...], read: int
) -> None:
    assert read_after(*cues) == read


def test_what_was_read_before_stays_and_goes_on_from_its_end() -> None:
    assert read_after(3, 4, before=20) == 20
    assert read_after(19, 20, before=20) == 21
    assert read_after(20, before=20) == 21
    assert read_after(21, 22, before=20) == 20


async def test_the_end_that_is_looked_at_once_is_not_read(service: LocalService) -> None:
    transcript = await add_transcript(service, timed([f"Satz {number}." for number in range(100)]))
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        await press(pilot, "j", "j", "G")
        assert reader(app).cue_index == 99
        await press(pilot, "k")
    place = await service.transcripts.place(transcript)
    assert place is not None
    assert (place.cue_index, place.read_cues) == (98, 3)
    app = Stage(ReaderScreen(service, transcript, (2, 0)))
    async with running(app) as pilot:
        await until(pilot, lambda: reader(app).cue is not None)
        await press(pilot, "pagedown")
        here = reader(app).cue_index
    assert (await service.transcripts.get(transcript)).read_cues == here + 1
