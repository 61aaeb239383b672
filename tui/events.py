"""Events of a breakdown or an explanation: the one contract of app, command line and HTTP while an answer streams.

A stream is: any number of ``StateChanged``, then for a breakdown exactly one ``FocusReady``, then ``Token``s, at most
one ``Failed``, and always one ``Finished`` last. ``StateChanged`` may stand anywhere before ``Finished``. Whoever
stops early closes the iterator (``contextlib.aclosing``); nothing is delivered after that.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tui.errors import LodeError
from tui.records.answers import AnswerState
from tui.records.clips import FocusWord

StreamState = Literal["preparing", "connecting", "waiting", "thinking", "streaming"]


@dataclass(frozen=True, slots=True)
class StateChanged:
    """A step of an answer; ``model`` is the selector that answers, ``message`` says more where there is more to say.

    What it says while connecting and streaming is of the whole answer, and is to be read once it is there: that it was
    asked for again, or what it does not know.

    ``seconds`` is how long a wait takes, counted from now.
    """

    state: StreamState
    model: str
    message: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class FocusReady:
    """The focus word; ``input_tokens`` and ``output_tokens`` are what the request for it took, None if unknown.

    ``translation`` and ``sentence_reading`` are the whole sentence's, as in ``records.answers.Answer``. ``other`` is
    the word of another kind that may as well be meant, where the focus is the lexicon's and only a tagger could tell.
    """

    focus: FocusWord
    input_tokens: int | None = field(default=None, compare=False)
    output_tokens: int | None = field(default=None, compare=False)
    translation: str = ""
    sentence_reading: str = ""
    other: FocusWord | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the explanation (Markdown), already free of terminal control characters."""

    text: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The stream broke; what had come stays."""

    error: LodeError


@dataclass(frozen=True, slots=True)
class Finished:
    """End of an answer; ``answer_id`` names the kept one, ``kept`` says that it came from the history."""

    state: AnswerState
    answer_id: str | None
    kept: bool
    model: str
    input_tokens: int | None
    output_tokens: int | None
    duration_ms: int
    cut: bool = False
    """The model ran into its length limit or, where the answer failed, into ours."""
    nothing_known: bool = False
    """The text says no more than that nothing is known: it belongs on no card, and the history keeps none."""


BreakdownEvent: TypeAlias = StateChanged | FocusReady | Token | Failed | Finished
BreakdownEvents: TypeAlias = AsyncGenerator[BreakdownEvent, None]
