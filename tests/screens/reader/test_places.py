"""Places in transcripts: where each was left, and the way back and forth between them."""

from __future__ import annotations

import pytest

from tests.screens.stage import STATION, add_transcript, timed
from tui.errors import StoreError
from tui.records.transcripts import ReadingPlace
from tui.screens.reader.places import LeftPlaces, Place, Places
from tui.service.local import LocalService


def test_one_goes_back_and_forth_until_another_way_is_taken() -> None:
    places = Places()
    first, second, third = (Place("text", cue) for cue in range(3))
    places.leave(first)
    places.leave(second)
    assert places.step(third, -1) == second
    assert places.step(second, -1) == first
    assert places.step(first, -1) is None
    assert places.step(first, 1) == second
    places.leave(second)
    assert (places.step(third, 1), places.has_way_back) == (None, True)


async def test_a_place_is_remembered_until_the_library_has_it(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = await add_transcript(service, timed(STATION))
    places = LeftPlaces()
    assert await places.of(service.transcripts, transcript) == (0, 0)
    places.remember(transcript, ReadingPlace(3, 1))

    async def fail(*_: object) -> ReadingPlace:
        raise StoreError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(service.transcripts, "leave_at", fail)
        await places.keep(service.transcripts)
    assert await service.transcripts.place(transcript) is None
    assert await places.of(service.transcripts, transcript) == (3, 1)
    places.remember("gone", ReadingPlace(1))
    await places.keep(service.transcripts)
    assert await service.transcripts.place(transcript) == ReadingPlace(3, 1)
    assert await LeftPlaces().of(service.transcripts, transcript) == (3, 1)
