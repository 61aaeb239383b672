"""Following: an mpv that plays the film of a transcript, and the cue that is spoken there."""

from __future__ import annotations

from dataclasses import dataclass, field

from tui.playing.cue_times import CueTimes
from tui.playing.mpv import MpvConnection, Playback
from tui.text.display import clock
from tui.widgets.transcript.cue_reader import CueReader

_NO_TIME = "–"


@dataclass(slots=True)
class Following:
    """State of following an mpv with ``reader``; ``mpv`` and ``times`` are None until they are there."""

    reader: CueReader
    mpv: MpvConnection | None = None
    times: CueTimes | None = None
    playback: Playback = field(default_factory=Playback)
    has_led: bool = False
    """Whether the reader has been led since following began, or went on."""
    is_hold_told: bool = False
    pauses: bool = False
    """Whether mpv is paused since the text is covered."""

    @property
    def is_held(self) -> bool:
        """Whether the eye was moved by hand, so that it is not led any more."""
        return self.has_led and not self.reader.is_led

    def show(self, playback: Playback) -> None:
        """Take up what mpv says, and lead the reader to the cue that is spoken."""
        if self.playback.is_paused and not playback.is_paused:
            self.pauses = False  # somebody plays on, in mpv's own window say
        self.playback = playback
        if self.times is None or playback.time_ms is None or self.is_held:
            return
        if (cue := self.times.at(playback.time_ms)) is not None:
            self.has_led = self.reader.lead_to(cue)

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
