"""Status of an answer: its model, state, rate and seconds, for the top line or, beside another answer, above it."""

from collections.abc import Callable
from datetime import datetime
from math import ceil
from time import monotonic
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.events import BreakdownEvent, Failed, Finished, StateChanged, StreamState, Token
from tui.records.answers import AnswerState
from tui.text.cells import cut
from tui.text.display import clock, now, number
from tui.text.sanitize import one_line

END_WORDS: dict[AnswerState, str] = {"complete": "done", "aborted": "stopped", "failed": "failed"}
PARTIAL = "partial"
"""State of an answer that failed after some of it had come."""
_LEAD = 3
_LEAST_MODEL = 6
_BETWEEN = " · "
_RATE_AFTER_SECONDS = 0.5
"""Seconds before which a rate would be guesswork."""


class StreamStatus:
    """Status of one stream, from its events, or of an answer that is there already: ``end`` is its state then.

    ``clock`` gives seconds. A ``Token`` event counts as one token.
    """

    def __init__(self, model: str = "", clock: Callable[[], float] = monotonic, end: str = "") -> None:
        self.model = model
        self._clock = clock
        self._began = clock()
        self._first_token: float | None = None
        self._tokens = 0
        self._doing: StreamState = "connecting"
        self._wait_ends: float | None = None
        self._message = ""
        self._end = end

    @property
    def is_over(self) -> bool:
        return bool(self._end)

    def note(self, event: BreakdownEvent) -> None:
        match event:
            case StateChanged(state, model, message, seconds):
                self._message = message
                self.model = model or self.model
                self._doing = state
                self._wait_ends = None if seconds is None else self._clock() + seconds
            case Token():
                self._tokens += 1
                self._wait_ends = None
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
        """End the status of a stream that did not say its end itself."""
        ended = PARTIAL if state == "failed" and self._tokens else END_WORDS[state]
        self._end = " · ".join(filter(None, (ended, seconds_of(self._clock() - self._began))))

    def remark(self, stop_key: str) -> str:
        """Remark while nothing has come: what is prepared or waited for, for how long by now or from now,
        and which key ends that ("" for none).
        """
        if not self._message or (self._doing != "preparing" and self._wait_ends is None):
            return self._message
        at = self._clock()
        span = seconds_of(at - self._began, whole=True) if self._wait_ends is None else _wait(self._wait_ends - at)
        return " · ".join(filter(None, (self._message, span, f"{stop_key} stops" if stop_key else "")))

    def text(self) -> str:
        """Model, state, tokens a second and seconds so far; once it is over the result."""
        return " · ".join(filter(None, (one_line(self.model), self.state_text())))

    def state_text(self) -> str:
        """State, rate and seconds, as ``text`` has them behind the model."""
        if self.is_over:
            return self._end
        at = self._clock()
        parts = [self._doing if self._wait_ends is None else _wait(self._wait_ends - at)]
        if self._first_token is not None and at - self._first_token >= _RATE_AFTER_SECONDS:
            parts.append(f"{self._tokens / (at - self._first_token):.0f} tok/s")
        return " · ".join([*parts, seconds_of(at - self._began)])


def _wait(left: float) -> str:
    return f"waiting, asks again in {ceil(left)} s" if left > 0 else "asking again"


def _end_of(finished: Finished) -> str:
    parts = ["kept answer" if finished.kept else "cut short" if finished.cut else END_WORDS[finished.state]]
    if finished.input_tokens is not None and finished.output_tokens is not None:
        parts.append(f"{number(finished.input_tokens)} + {number(finished.output_tokens)} tokens")
    elif finished.output_tokens is not None:
        parts.append(f"{number(finished.output_tokens)} tokens")
    parts.append(seconds_of(finished.duration_ms / 1000))
    return " · ".join(parts)


def seconds_of(seconds: float, *, whole: bool = False) -> str:
    """Duration as text: "3.2 s" ("3 s" where it is to be ``whole``), "1:15 min"."""
    if whole and seconds < 60:
        return f"{int(seconds)} s"
    return f"{seconds:.1f} s" if seconds < 60 else f"{clock(int(seconds) * 1000)} min"


def day_of(moment: str) -> str:
    """Local day of an RFC 3339 moment as people write it: "12 Nov", with the year where it is another one."""
    try:
        day = datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError):  # a day before the first or after the last, as seen from here
        return ""
    year = "" if day.year == now().astimezone().year else f" {day.year}"
    return f"{day.day} {day:%b}{year}"


class AnswerStatus(Widget):
    """Status line above an answer; ``here``: the keys are for it. In a short width it says less, then the name."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"answer-status--model", "answer-status--here"}

    model: reactive[str] = reactive("")
    state: reactive[str] = reactive("")
    here: reactive[bool] = reactive(False)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        plain = self.rich_style
        name = self.get_component_rich_style("answer-status--here" if self.here else "answer-status--model")
        room = width - _LEAD - 1
        whole = one_line(self.model)
        parts = [part for part in one_line(self.state).split(_BETWEEN) if part]
        while len(parts) > 2 and cell_len(_BETWEEN.join((whole, *parts))) > room:
            del parts[1]  # the rate or the tokens: what it does and how long stay
        said = _BETWEEN.join(parts)
        model = cut(whole, max(_LEAST_MODEL, room - cell_len(said) - cell_len(_BETWEEN)))
        rest = _BETWEEN + said if model and said else said
        segments = [
            Segment(" ▌ " if self.here else " " * _LEAD, name),
            Segment(model, name),
            Segment(cut(rest, room - cell_len(model)), plain),
        ]
        return Strip(segments).adjust_cell_length(width, plain)
