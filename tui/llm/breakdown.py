"""Breakdown: asks for the focus word and the explanation, and merges both answers into one stream of events.

On providers that take two requests at once both start together; else one follows the other. What the explanation says
waits until the focus is there or its deadline has passed, when the lexicon's focus stands in, marked by its origin. A
half that fails never takes the other one down.

The iterators follow ``tui.events``. Their ``Finished`` carries neither an ``answer_id`` nor ``kept``: whoever keeps a
history wraps the iterator, fills both in, and records as aborted what was closed before ``Finished``. Closing an
iterator closes the connections to the provider.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from tui.errors import LodeError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, StateChanged, Token
from tui.llm import focus as focus_form
from tui.llm import protocol
from tui.llm.explanation import AskedAgain, explanation
from tui.llm.lexicon import Lexicon
from tui.records.answers import AnswerState
from tui.records.clips import FocusWord
from tui.text.sanitize import ControlFilter, one_line

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds that the explanation waits for the focus, in the cloud and on this machine.

    ``lexicon`` is how long the stand-in may take beyond that, before the bare word stands; ``word_list`` where its
    lemma waits for the language's word list, which is built once. ``completion`` is how long the model's focus waits
    for what the library knows of the word, its count say, where that is not there yet.
    """

    cloud: float = 6.0
    local: float = 10.0
    lexicon: float = 1.0
    word_list: float = 15.0
    completion: float = 0.0


_USUAL = Deadlines()
PATIENT = Deadlines(cloud=86_400.0, local=86_400.0, completion=15.0)
"""Deadlines of a job, which has patience of its own."""
_MAX_WAITING = 64 * 1024
"""Maximum characters that may wait for the focus; then it is not waited for any longer."""
_QUEUE = 256
"""Maximum events that wait for a slow reader; beyond that the provider's connection waits."""


@dataclass(frozen=True, slots=True)
class _NoFocus:
    """The model gave no focus; ``problem`` says why."""

    problem: str


_Item: TypeAlias = protocol.StreamEvent | AskedAgain | FocusReady | _NoFocus | Exception
"""Item of a request's stream; an exception ended it, and is raised to whoever iterates unless it is ours."""


class AnswerSession:
    """One question and the requests that answer it; ``run`` is to be called once.

    ``lexicon`` gives the focus that stands in.
    """

    def __init__(
        self, question: protocol.Question, provider: protocol.Provider, lexicon: Lexicon, deadlines: Deadlines = _USUAL
    ) -> None:
        self._question = question
        self._provider = provider
        self._lexicon = lexicon
        self._deadlines = deadlines
        self._model = str(question.selector)
        self._queue: asyncio.Queue[_Item] = asyncio.Queue(_QUEUE)
        self._held: deque[_Item] = deque()
        self._held_length = 0
        self._tasks: list[asyncio.Task[Any]] = []
        self._started = time.monotonic()
        self._explaining = False
        self._thinking = False
        self._preparing = ""
        """What the stand-in waits for, "" for nothing."""
        self._input_tokens: int | None = None
        self._output_tokens: int | None = None

    async def run(self) -> AsyncGenerator[BreakdownEvent, None]:
        """Answer as it comes: for a breakdown the focus word exactly once, then the explanation."""
        self._started = time.monotonic()
        try:
            yield StateChanged("connecting", self._model)
            is_breakdown = self._question.kind == "breakdown"
            for step in (self._focus_first, self._explanation) if is_breakdown else (self._explanation,):
                async with aclosing(step()) as events:
                    async for event in events:
                        yield event
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _focus_first(self) -> AsyncGenerator[BreakdownEvent, None]:
        """Ask for the focus: ends with the one ``FocusReady``; what else comes meanwhile is held."""
        provider = self._provider
        if isinstance(provider, Lexicon):
            async for preparing in self._lexicon.preparing(self._question.language):
                yield StateChanged("preparing", self._model, preparing.message)
            yield await self._look_up()
            return
        if not provider.parallel:
            yield StateChanged("preparing", self._model, "asking for the focus word")
        # The stand-in is looked up while the model is asked, so that it is there when it is needed.
        asking, stand_in = self._start(self._ask_focus()), self._start(self._look_up())
        if provider.parallel:
            self._start_explanation()
        passes = asyncio.get_running_loop().time()
        passes += self._deadlines.local if provider.local else self._deadlines.cloud
        outcome: FocusReady | _NoFocus = _NoFocus("the model took too long")
        while self._held_length < _MAX_WAITING:
            try:
                async with asyncio.timeout_at(passes):
                    item = await self._queue.get()
            except TimeoutError:
                break
            if isinstance(item, (FocusReady, _NoFocus)):
                outcome = item
                break
            if isinstance(item, Exception) and not isinstance(item, LodeError):
                raise item  # a fault of Lode's own: no focus comes after it
            if isinstance(item, (protocol.Thinking, protocol.Preparing, protocol.Waiting)):
                yield self._state(item)
            else:
                self._held_length += len(item.text) if isinstance(item, protocol.TextDelta) else 0
                self._held.append(item)
        asking.cancel()
        if isinstance(outcome, FocusReady):
            self._count(outcome.input_tokens, outcome.output_tokens)
            if self._deadlines.completion:
                await asyncio.wait((stand_in,), timeout=self._deadlines.completion)
            yield replace(outcome, focus=_completed(outcome.focus, stand_in, self._question.focus))
        else:
            yield StateChanged("connecting", self._model, f"the focus is the lexicon's: {outcome.problem}")
            if self._preparing:
                yield StateChanged("preparing", self._model, self._preparing)
            yield await self._stand_in_focus(stand_in)
        stand_in.cancel()
        if not provider.parallel:
            yield StateChanged("preparing", self._model, "asking for the explanation")

    async def _explanation(self) -> AsyncGenerator[BreakdownEvent, None]:
        """Stream what was held, then what comes, up to ``Finished``."""
        self._start_explanation()
        controls = ControlFilter()
        streaming = False
        while True:
            item = self._held.popleft() if self._held else await self._queue.get()
            match item:
                case protocol.TextDelta(raw):
                    if not streaming or self._thinking:
                        streaming, self._thinking = True, False
                        yield StateChanged("streaming", self._model)
                    if text := controls.feed(raw):
                        yield Token(text)
                case protocol.Thinking() | protocol.Preparing() | protocol.Waiting():
                    yield self._state(item)
                case AskedAgain(message):
                    yield StateChanged("connecting", self._model, message)
                case protocol.Remark(message):
                    yield StateChanged("streaming", self._model, message)
                case protocol.StreamEnd(finish, input_tokens, output_tokens, nothing_known):
                    if rest := controls.finish():
                        yield Token(rest)
                    self._count(input_tokens, output_tokens)
                    yield self._finish("complete", is_cut=finish == "length", nothing_known=nothing_known)
                    return
                case LodeError():
                    yield Failed(item)
                    yield self._finish("failed", is_cut=item.code == protocol.ANSWER_WITHOUT_END)
                    return
                case Exception():
                    raise item
                case FocusReady() | _NoFocus():
                    pass  # too late: the lexicon's stands already

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.append(task)
        return task

    def _start_explanation(self) -> None:
        if not self._explaining:
            self._explaining = True
            self._start(self._ask_explanation())

    async def _ask_explanation(self) -> None:
        try:
            async with aclosing(explanation(self._question, self._provider)) as events:
                async for event in events:
                    await self._queue.put(event)
        except Exception as error:  # noqa: BLE001 - handed to whoever iterates, who raises what is no LodeError
            await self._queue.put(error)

    async def _ask_focus(self) -> None:
        try:
            question = self._question
            request = focus_form.request(question)
            given = await self._provider.structured(request, focus_form.FocusForm, on_wait=self._pass_on_wait)
            focus = FocusReady(
                focus_form.focus_word(given.value, question),
                given.input_tokens,
                given.output_tokens,
                focus_form.sentence_translation(given.value, question),
                focus_form.sentence_reading(given.value, question),
            )
            await self._queue.put(focus)
        except LodeError as error:
            await self._queue.put(_NoFocus(error.message))
        except Exception as error:  # noqa: BLE001 - handed to whoever iterates, who raises it
            await self._queue.put(error)

    def _pass_on_wait(self, waiting: protocol.Waiting | protocol.Preparing) -> None:
        """Pass on a pause, unless both are asked at once: then the explanation says what it waits for."""
        if not self._provider.parallel and not self._queue.full():
            is_preparing = isinstance(waiting, protocol.Preparing)
            self._queue.put_nowait(protocol.Preparing(f"focus word: {waiting.message}") if is_preparing else waiting)

    async def _look_up(self) -> FocusReady:
        """The lexicon's focus, or the bare word where the library cannot be read."""
        asked, looked_up = self._question, self._question.looked_up
        try:
            async for preparing in self._lexicon.preparing(asked.language):
                self._preparing, looked_up = preparing.message, None  # without its word list a word has no lemma
            self._preparing = ""
            if looked_up is None:
                focus, other = await self._lexicon.focus(asked.sentence, asked.focus, asked.language)
                return FocusReady(focus, other=other)
            focus = await self._lexicon.count(looked_up)
            other = replace(asked.other, frequency=focus.frequency) if asked.other is not None else None
            return FocusReady(focus, other=other)
        except LodeError:
            return self._bare()

    async def _stand_in_focus(self, stand_in: asyncio.Task[FocusReady]) -> FocusReady:
        try:
            async with asyncio.timeout(self._deadlines.word_list if self._preparing else self._deadlines.lexicon):
                return await stand_in
        except TimeoutError:
            return self._bare()

    def _bare(self) -> FocusReady:
        asked = self._question
        return FocusReady(asked.looked_up or FocusWord(one_line(asked.focus), language=asked.language))

    def _state(self, item: protocol.Thinking | protocol.Preparing | protocol.Waiting) -> StateChanged:
        if isinstance(item, protocol.Preparing):
            return StateChanged("preparing", self._model, item.message)
        if isinstance(item, protocol.Waiting):
            return StateChanged("waiting", self._model, item.message, item.seconds)
        self._thinking = True
        return StateChanged("thinking", self._model)

    def _count(self, input_tokens: int | None, output_tokens: int | None) -> None:
        """Add up the tokens: both requests are paid for."""
        if input_tokens is not None:
            self._input_tokens = (self._input_tokens or 0) + input_tokens
        if output_tokens is not None:
            self._output_tokens = (self._output_tokens or 0) + output_tokens

    def _finish(self, state: AnswerState, *, is_cut: bool, nothing_known: bool = False) -> Finished:
        milliseconds = round((time.monotonic() - self._started) * 1000)
        tokens = self._input_tokens, self._output_tokens
        return Finished(state, None, False, self._model, *tokens, milliseconds, is_cut, nothing_known)


def _completed(focus: FocusWord, stand_in: asyncio.Task[FocusReady], asked: str) -> FocusWord:
    """The model's focus with the library's count, where the lexicon has it already and means the same word.

    A dictionary form or a reading that the model did not give is the segmenter's.
    """
    if not stand_in.done() or stand_in.cancelled():
        return focus
    own = stand_in.result().focus
    if focus.lemma is not None and focus.lemma.casefold() != (own.lemma or asked).casefold():
        return focus
    reading = focus.reading or (own.reading if focus.surface == own.surface else None)
    lemma = focus.lemma or own.lemma
    return replace(focus, lemma=lemma, reading=reading, frequency=own.frequency, commonness=own.commonness)
