"""The reader screen over a real library with one transcript."""

from __future__ import annotations

import pytest

from tests.screens.stage import STATION, Stage, add_transcript, timed
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService


@pytest.fixture
async def transcript(service: LocalService) -> str:
    return await add_transcript(service, timed(STATION))


@pytest.fixture
def app(service: LocalService, transcript: str) -> Stage:
    """The reader at "fährt", the second word of the fourth cue."""
    return Stage(ReaderScreen(service, transcript, 3))
