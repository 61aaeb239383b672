"""What the top line says about an answer while it comes and once it is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from time import monotonic

from tui.controls import one_line
from tui.events import BreakdownEvent, Failed, Finished, StateChanged, Token
from tui.formats import now, number
from tui.records import AnswerState

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ENDS: dict[AnswerState, str] = {"complete": "done", "aborted": "stopped", "failed": "failed"}
_RATE_AFTER_SECONDS = 0.5
"""Before that a rate would be guesswork."""


class StreamStatus:
    """Follows one stream's events; ``clock`` gives seconds. A model's token is taken to be one ``Token`` event."""

    def __init__(self, model: str = "", clock: Callable[[], float] = monotonic) -> None:
        self.model = model
        self._clock = clock
        self._began = clock()
        self._first_token: float | None = None
        self._tokens = 0
        self._doing = "connecting"
        self._end = ""

    @property
    def is_over(self) -> bool:
        return bool(self._end)

    def note(self, event: BreakdownEvent) -> None:
        match event:
            case StateChanged(state, model, message):
                self.model = model or self.model
                self._doing = message or state
            case Token():
                self._tokens += 1
                if self._first_token is None:
                    self._first_token = self._clock()
                    self._doing = "streaming"
            case Failed():
                self.end("failed")
            case Finished():
                self.model = event.model or self.model
                if not self.is_over:
                    self._end = _end_of(event)
            case _:
                pass

    def end(self, state: AnswerState) -> None:
        """The stream ended without saying so itself."""
        self._end = f"{_ENDS[state]} · {_seconds(self._clock() - self._began)}"

    def text(self) -> str:
        """Model, what it does, tokens a second and seconds so far; once it is over what it came to."""
        said = [one_line(self.model)] if self.model else []
        if self.is_over:
            return " · ".join([*said, self._end])
        said.append(one_line(self._doing))
        at = self._clock()
        if self._first_token is not None and at - self._first_token >= _RATE_AFTER_SECONDS:
            said.append(f"{self._tokens / (at - self._first_token):.0f} tok/s")
        return " · ".join([*said, _seconds(at - self._began)])


def _end_of(finished: Finished) -> str:
    said = ["kept answer" if finished.kept else _ENDS[finished.state]]
    if finished.cut:
        said.append("cut at the model's limit")
    if finished.input_tokens is not None and finished.output_tokens is not None:
        said.append(f"{number(finished.input_tokens)} + {number(finished.output_tokens)} tokens")
    elif finished.output_tokens is not None:
        said.append(f"{number(finished.output_tokens)} tokens")
    said.append(_seconds(finished.duration_ms / 1000))
    return " · ".join(said)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds) // 60}:{int(seconds) % 60:02} min"


def day_of(moment: str) -> str:
    """The local day of an RFC 3339 moment as people write it: "12 Nov", with the year where it is another one."""
    try:
        day = datetime.fromisoformat(moment).astimezone()
    except ValueError:
        return ""
    year = "" if day.year == now().astimezone().year else f" {day.year}"
    return f"{day.day} {_MONTHS[day.month - 1]}{year}"
