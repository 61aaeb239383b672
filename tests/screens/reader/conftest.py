"""The reader screen over a real library with one transcript, and what plays its film."""

from collections.abc import AsyncIterator

import pytest

from tests.playing.fake_mpv import FakeMpv
from tests.playing.programs import programs, short_socket
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService

__all__ = ["programs"]


@pytest.fixture
async def transcript(service: LocalService) -> str:
    return await add_transcript(service, timed(STATION))


@pytest.fixture
def app(service: LocalService, transcript: str) -> Stage:
    """The reader at "fährt", the second word of the fourth cue."""
    return Stage(ReaderScreen(service, transcript, (3, 0)))


@pytest.fixture
async def mpv(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FakeMpv]:
    async with FakeMpv(short_socket(tmp_path_factory)) as mpv:
        yield mpv
