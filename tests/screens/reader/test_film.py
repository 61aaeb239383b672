"""The eye led by a film, without a screen: until it is moved by hand, and again after that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from tests.playing.fake_mpv import FakeMpv
from tests.playing.programs import short_socket
from tests.screens.stage import STATION, add_transcript, timed
from tui.playing.mpv import MpvSource, Playback
from tui.records.transcripts import Cue
from tui.screens.reader.film import Following
from tui.service.local import LocalService

CUES = timed(STATION)


@dataclass
class Eye:
    """An eye on a cue; ``is_led`` becomes false where it is moved by hand."""

    cue_index: int = 0
    is_led: bool = False

    @property
    def cue(self) -> Cue | None:
        return CUES[self.cue_index]

    def lead_to(self, cue: int) -> bool:
        self.cue_index, self.is_led = cue, True
        return True


@pytest.fixture
async def mpv(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FakeMpv]:
    async with FakeMpv(short_socket(tmp_path_factory)) as mpv:
        yield mpv


def moment(cue: int) -> float:
    start = CUES[cue].start_ms
    assert start is not None
    return (start + 500) / 1000


async def test_the_eye_follows_until_it_is_moved_and_goes_on_from_where_mpv_is(
    service: LocalService, mpv: FakeMpv
) -> None:
    transcript, eye = await add_transcript(service, CUES), Eye()
    following = Following(service, transcript, {transcript: MpvSource(None, mpv.socket)}, eye)
    heard: asyncio.Queue[Playback] = asyncio.Queue()

    def take(playback: Playback) -> None:
        following.lead(playback)
        heard.put_nowait(playback)

    async def until_heard(seconds: float) -> None:
        while (await heard.get()).time_ms != round(seconds * 1000):
            pass

    assert following.status("o", is_short=False) == "waiting for mpv"
    joined = asyncio.Event()
    ending = asyncio.create_task(following.follow(joined.set, take))
    await joined.wait()
    mpv.play("time-pos", moment(3))
    await until_heard(moment(3))
    assert (eye.cue_index, following.is_leading) == (3, True)
    eye.cue_index, eye.is_led = 0, False
    mpv.play("time-pos", moment(5))
    await until_heard(moment(5))
    assert (eye.cue_index, following.is_held) == (0, True)
    assert following.status("o", is_short=False).endswith("o follows it")
    following.go_on()
    assert eye.cue_index == 5
    mpv.end()
    assert await ending == "mpv has ended"
