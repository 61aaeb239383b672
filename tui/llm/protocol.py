"""Provider protocol: requests, stream events and operations of every provider, whatever it speaks on the wire."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from tui.llm.selector import Selector
from tui.records.answers import AnswerKind, ProviderStatus
from tui.records.clips import FocusWord
from tui.records.dictionaries import EntryText
from tui.text.sanitize import whole_characters

ANSWER_WITHOUT_END = "answer_without_end"
"""The code of the error that an answer ends with which is longer, or takes longer, than any that is one."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of a conversation, and what the model answered."""

    asked: str
    answered: str


@dataclass(frozen=True, slots=True)
class Question:
    """Question to a model, with everything filled in: ``prompt`` is rendered, ``sys_msg`` is in force.

    ``language`` is a BCP 47 code or None, ``source`` the title of the transcript or "". ``explain_in`` is the English
    name of the language that the answer is to be in, ``level`` the learner's level in the sentence's, or "".
    ``answer_in`` is its tag where the prompt or the system message asks for it and it is not English, else None.
    ``entries`` are what dictionaries say of the focus word, the likeliest first, ``looked_up`` is the word as they have
    it, None where they were not asked, ``other`` the one that may as well be meant. ``turns`` are the questions and
    answers before it where somebody asks on; the ``prompt`` is then what is asked now.
    """

    kind: AnswerKind
    sentence: str
    focus: str
    context: str
    language: str | None
    source: str
    selector: Selector
    prompt: str
    sys_msg: str
    explain_in: str = "English"
    level: str = ""
    answer_in: str | None = None
    entries: tuple[EntryText, ...] = ()
    looked_up: FocusWord | None = None
    other: FocusWord | None = None
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request; ``question`` is what the prompt was made from, for a provider that looks up instead of reading.

    ``turns`` come before the prompt.
    """

    model: str
    system: str
    prompt: str
    question: Question | None = None
    turns: tuple[Turn, ...] = ()

    def messages(self, model: str = "assistant", *, with_system: bool = False) -> list[tuple[str, str]]:
        """Role and text of each message, in whole characters; ``model`` is the role of answers."""
        texts = [("system", self.system)] if with_system and self.system.strip() else []
        for turn in self.turns:
            texts += [("user", turn.asked), (model, turn.answered)]
        return [(role, whole_characters(text)) for role, text in (*texts, ("user", self.prompt))]


@dataclass(slots=True)  # one is made per token, and a frozen one takes three times as long to make
class TextDelta:
    """A piece of the answer, not yet free of control characters."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """The model reasons before it answers; what it thinks is not shown. Sent once per stretch of thinking."""


@dataclass(frozen=True, slots=True)
class Preparing:
    """The provider makes itself ready, which may take seconds."""

    message: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The provider wants a pause of so many seconds; then it is asked again. ``message`` says why."""

    seconds: float
    message: str


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """The end of a whole answer, always last; "length" means that the model ran into its limit.

    ``nothing_known``: the text says no more than that.
    """

    finish: Literal["stop", "length"]
    input_tokens: int | None = None
    output_tokens: int | None = None
    nothing_known: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about the answer that whoever asked is to know, but is no part of it."""

    message: str


StreamEvent: TypeAlias = TextDelta | Thinking | Preparing | Waiting | Remark | StreamEnd


@dataclass(frozen=True, slots=True)
class StructuredAnswer(Generic[T]):
    """A filled-in form and what it cost; ``value`` is the form."""

    value: T
    input_tokens: int | None = None
    output_tokens: int | None = None


OnWait: TypeAlias = Callable[[Waiting | Preparing], None]
"""Callback for an answer that takes seconds longer."""


def ignore_wait(_: Waiting | Preparing) -> None:
    """Callback that ignores pauses."""


class Provider(Protocol):
    """One provider; everything that asks it may raise ``ProviderError``.

    ``local``: it runs on this machine or in its own network, where a model may load for a minute; ``parallel``: it
    takes two requests at once.
    """

    name: str
    label: str
    local: bool
    parallel: bool

    async def status(self) -> ProviderStatus:
        """Whether it can be used; never raises, takes at most a second, and asks nothing of a cloud."""

    async def models(self, *, refresh: bool = False) -> tuple[str, ...]:
        """The ids of its chat models, sorted; asked for once, and anew with ``refresh``."""

    def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """The answer in pieces, then one ``StreamEnd``. Closing the generator closes the connection."""

    async def structured(
        self, request: ChatRequest, form: type[T], *, on_wait: OnWait = ignore_wait
    ) -> StructuredAnswer[T]:
        """The form as the model fills it in, or ``ProviderError``; ``on_wait`` is called when it takes seconds."""

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class SoundPiece:
    """A piece of sound to be transcribed, as MP3; ``make_wav`` gives it as WAV where a server cannot read that.

    ``language`` (BCP 47) is "" where nobody knows it, ``prompt`` has names that may occur in it.
    """

    mp3: bytes
    make_wav: Callable[[], Awaitable[bytes]]
    language: str = ""
    prompt: str = ""


class TranscribingProvider(Protocol):
    """A provider as transcriptions ask it; ``parallel`` is whether it takes several pieces at once."""

    label: str
    parallel: bool

    async def transcribe(self, model: str, piece: SoundPiece) -> Any:
        """Have a piece of sound transcribed; gives the answer as ``transcribing.heard`` reads it."""


class ModelProvider(Provider, TranscribingProvider, Protocol):
    """A provider over HTTP, as jobs ask it."""
