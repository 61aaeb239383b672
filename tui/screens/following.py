"""Following: an mpv that plays the film of a transcript, and the cue that is spoken there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from tui.playing.cue_times import CueTimes
from tui.playing.mpv import MpvConnection, Playback
from tui.text.display import clock
from tui.widgets.transcript.cue_reader import CueReader

_NO_TIME = "–"


@dataclass(slots=True)
class Following:
    """State of following an mpv with ``reader``, in one transcript; ``mpv`` and ``times`` are None until then."""

    reader: CueReader
    transcript_id: str
    mpv: MpvConnection | None = None
    times: CueTimes | None = None
    playback: Playback = field(default_factory=Playback)
    has_led: bool = False
    """Whether the reader has been led since following began, or went on."""
    is_hold_told: bool = False
    pauses: bool = False
    """Whether mpv is paused since the text is covered."""
    covering: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def is_held(self) -> bool:
        """Whether the eye was moved by hand, so that it is not led any more."""
        return self.has_led and not self.reader.is_led

    def show(self, playback: Playback) -> None:
        """Take up what mpv says, and lead the reader to the cue that is spoken."""
        self.playback = playback
        if self.times is None or playback.time_ms is None or self.is_held:
            return
        if (cue := self.times.at(playback.time_ms)) is not None:
            self.has_led = self.reader.lead_to(cue)

    async def pause_where_covered(self, is_covered: Callable[[], bool]) -> None:
        """Pause mpv where the text is covered, and let it play on once it is not; one that is paused anyway stays so.

        Raises ``MediaError``.
        """
        async with self.covering:  # the text may be covered and not any more before mpv has answered
            if self.mpv is None:
                return
            if is_covered() and not self.pauses:
                self.pauses = not await self.mpv.is_paused()
                if self.pauses:
                    await self.mpv.set_pause(True)
            elif self.pauses and not is_covered():
                self.pauses = False
                await self.mpv.set_pause(False)

    def go_on(self) -> None:
        """Lead the reader again."""
        self.has_led = False
        self.show(self.playback)

    def status(self, key: str, *, is_short: bool) -> str:
        """The state in a few words; ``key`` is the one that leads the reader again."""
        if self.mpv is None:
            return "waiting for mpv"
        if is_short:
            word = "held" if self.is_held else "paused" if self.playback.is_paused else "mpv"
            return f"{word} · {clock(self.playback.time_ms) or _NO_TIME}"
        time = _clock(self.playback.time_ms)
        if self.is_held:
            return f"mpv · {time} · {key} follows it"
        return f"mpv paused · {time}" if self.playback.is_paused else f"following mpv · {time}"


def _clock(milliseconds: int | None) -> str:
    """Format a time so that it is equally wide all the time."""
    if milliseconds is None:
        return _NO_TIME
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}"
