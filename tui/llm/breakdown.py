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
from typing import TypeAlias

from tui.errors import LodeError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, StateChanged, Token
from tui.llm import focus as focus_form
from tui.llm.explanation import AskedAgain, explanation
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import (
    ANSWER_WITHOUT_END,
    FocusSource,
    Preparing,
    Provider,
    Question,
    Remark,
    StreamEnd,
    StreamEvent,
    TextDelta,
    Thinking,
    Waiting,
)
from tui.records.answers import AnswerState
from tui.records.clips import FocusWord
from tui.text.sanitize import ControlFilter, one_line

__all__ = ["Deadlines", "Question", "answer", "breakdown", "explain"]


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds that the explanation waits for the focus, in the cloud and on this machine.

    ``lexicon`` is how long the stand-in may take beyond that, before the bare word stands; ``word_list`` where its
    lemma waits for the language's word list, which is built once.
    """

    cloud: float = 6.0
    local: float = 10.0
    lexicon: float = 1.0
    word_list: float = 15.0


_MAX_WAITING = 64 * 1024
"""Maximum characters that may wait for the focus; then it is not waited for any longer."""
_QUEUE = 256
"""Maximum events that wait for a slow reader; beyond that the provider's connection waits."""


@dataclass(frozen=True, slots=True)
class _FocusDone:
    """The model's focus, what it says of the sentence, and what it cost; ``problem`` says why there is none."""

    focus: FocusWord | None
    problem: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    translation: str = ""
    sentence_reading: str = ""


@dataclass(frozen=True, slots=True)
class _RequestFailed:
    """A half that ended with an error, which is raised to the caller that iterates."""

    error: Exception


_Item: TypeAlias = StreamEvent | AskedAgain | _FocusDone | _RequestFailed


def answer(question: Question, provider: Provider, lexicon: FocusSource) -> AsyncGenerator[BreakdownEvent, None]:
    """Answer a question by ``breakdown`` or ``explain``, as its kind says."""
    return breakdown(question, provider, lexicon) if question.kind == "breakdown" else explain(question, provider)


def explain(question: Question, provider: Provider) -> AsyncGenerator[BreakdownEvent, None]:
    """The explanation of a whole sentence, as it comes."""
    return AnswerSession(question, provider).run()


def breakdown(
    question: Question, provider: Provider, lexicon: FocusSource, *, deadlines: Deadlines | None = None
) -> AsyncGenerator[BreakdownEvent, None]:
    """The focus word exactly once, then the explanation as it comes; ``lexicon`` gives the focus that stands in."""
    return AnswerSession(question, provider, lexicon, deadlines or Deadlines()).run()


class AnswerSession:
    """One question and the requests that answer it; ``run`` is to be called once."""

    def __init__(
        self,
        question: Question,
        provider: Provider,
        lexicon: FocusSource | None = None,
        deadlines: Deadlines | None = None,
    ) -> None:
        self._question = question
        self._provider = provider
        self._lexicon = lexicon
        self._deadlines = deadlines or Deadlines()
        self._model = str(question.selector)
        self._queue: asyncio.Queue[_Item] = asyncio.Queue(_QUEUE)
        self._held: deque[_Item] = deque()
        self._held_length = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._explaining = False
        self._thinking = False
        self._preparing = ""
        """What the stand-in waits for, "" for nothing."""
        self._input_tokens: int | None = None
        self._output_tokens: int | None = None

    async def run(self) -> AsyncGenerator[BreakdownEvent, None]:
        started = time.monotonic()
        try:
            yield StateChanged("connecting", self._model)
            if self._lexicon is not None:
                async with aclosing(self._focus_first(self._lexicon)) as events:
                    async for event in events:
                        yield event
            self._start_explanation()
            async with aclosing(self._explanation(started)) as events:
                async for event in events:
                    yield event
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _focus_first(self, lexicon: FocusSource) -> AsyncGenerator[BreakdownEvent, None]:
        """Ask for the focus: ends with the one ``FocusReady``; what else comes meanwhile is held."""
        if isinstance(self._provider, Lexicon):
            async for preparing in lexicon.preparing(self._question.language):
                yield StateChanged("preparing", self._model, preparing.message)
            yield await self._looked_up(lexicon)
            return
        if not self._provider.parallel:
            yield StateChanged("preparing", self._model, "asking for the focus word")
        # The stand-in is looked up while the model is asked, so that it is there when it is needed.
        asking = self._start(self._ask_focus())
        stand_in = asyncio.create_task(self._looked_up(lexicon))
        try:
            done = _FocusDone(None)
            async with aclosing(self._asked(asking)) as events:
                async for event in events:
                    if isinstance(event, _FocusDone):
                        done = event
                        self._count(event.input_tokens, event.output_tokens)
                    else:
                        yield event
            if done.focus is None:
                yield StateChanged("connecting", self._model, f"the focus is the lexicon's: {done.problem}")
                if self._preparing:
                    yield StateChanged("preparing", self._model, self._preparing)
                yield await self._stand_in_focus(stand_in)
            else:
                yield FocusReady(
                    _completed(done.focus, stand_in, self._question.focus),
                    self._input_tokens,
                    self._output_tokens,
                    done.translation,
                    done.sentence_reading,
                )
            if not self._provider.parallel:
                yield StateChanged("preparing", self._model, "asking for the explanation")
        finally:
            stand_in.cancel()
            await asyncio.gather(stand_in, return_exceptions=True)

    async def _asked(self, asking: asyncio.Task[None]) -> AsyncGenerator[StateChanged | _FocusDone, None]:
        """States while the model is asked for the focus, then its outcome, at the latest when the deadline passes."""
        if self._provider.parallel:
            self._start_explanation()
        deadline = self._deadlines.local if self._provider.local else self._deadlines.cloud
        passes = asyncio.get_running_loop().time() + deadline
        done = _FocusDone(None, "the model took too long")
        while self._held_length < _MAX_WAITING:
            try:
                async with asyncio.timeout_at(passes):
                    item = await self._queue.get()
            except TimeoutError:
                break
            if isinstance(item, _FocusDone):
                done = item
                break
            if isinstance(item, (Thinking, Preparing, Waiting)):
                yield self._state(item)
            else:
                self._held_length += len(item.text) if isinstance(item, TextDelta) else 0
                self._held.append(item)
        asking.cancel()
        yield done

    async def _explanation(self, started: float) -> AsyncGenerator[BreakdownEvent, None]:
        """Stream what was held, then what comes, up to ``Finished``."""
        controls = ControlFilter()
        streaming = False
        while True:
            item = self._held.popleft() if self._held else await self._queue.get()
            match item:
                case TextDelta(raw):
                    if not streaming or self._thinking:
                        streaming, self._thinking = True, False
                        yield StateChanged("streaming", self._model)
                    if text := controls.feed(raw):
                        yield Token(text)
                case Thinking() | Preparing() | Waiting():
                    yield self._state(item)
                case AskedAgain(message):
                    yield StateChanged("connecting", self._model, message)
                case Remark(message):
                    yield StateChanged("streaming", self._model, message)
                case StreamEnd(finish, input_tokens, output_tokens, nothing_known):
                    if rest := controls.finish():
                        yield Token(rest)
                    self._count(input_tokens, output_tokens)
                    end = self._finished("complete", started, cut=finish == "length")
                    yield replace(end, nothing_known=nothing_known)
                    return
                case _RequestFailed(LodeError() as error):
                    yield Failed(error)
                    yield self._finished("failed", started, cut=error.code == ANSWER_WITHOUT_END)
                    return
                case _RequestFailed(error):
                    raise error
                case _FocusDone():
                    pass  # too late: the lexicon's stands already

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
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
            await self._queue.put(_RequestFailed(error))

    async def _ask_focus(self) -> None:
        try:
            asked = focus_form.request(self._question)
            given = await self._provider.structured(asked, focus_form.FocusForm, on_wait=self._pass_on_wait)
            form, question = given.value, self._question
            await self._queue.put(
                _FocusDone(
                    focus_form.focus_word(form, question),
                    "",
                    given.input_tokens,
                    given.output_tokens,
                    focus_form.sentence_translation(form, question),
                    focus_form.sentence_reading(form, question),
                )
            )
        except LodeError as error:
            await self._queue.put(_FocusDone(None, error.message))
        except Exception as error:  # noqa: BLE001 - handed to whoever iterates, who raises it
            await self._queue.put(_RequestFailed(error))

    def _pass_on_wait(self, waiting: Waiting | Preparing) -> None:
        """Pass on a pause, unless both are asked at once: then the explanation says what it waits for."""
        if not self._provider.parallel and not self._queue.full():
            is_preparing = isinstance(waiting, Preparing)
            self._queue.put_nowait(Preparing(f"focus word: {waiting.message}") if is_preparing else waiting)

    async def _looked_up(self, lexicon: FocusSource) -> FocusReady:
        """The lexicon's focus, or the bare word where the library cannot be read."""
        asked, looked_up = self._question, self._question.looked_up
        try:
            async for preparing in lexicon.preparing(asked.language):
                self._preparing, looked_up = preparing.message, None  # without its word list a word has no lemma
            self._preparing = ""
            if looked_up is None:
                focus, other = await lexicon.focus(asked.sentence, asked.focus, asked.language)
                return FocusReady(focus, other=other)
            focus = await lexicon.count(looked_up)
            other = replace(asked.other, frequency=focus.frequency) if asked.other is not None else None
            return FocusReady(focus, other=other)
        except LodeError:
            return FocusReady(asked.looked_up) if asked.looked_up else self._bare()

    async def _stand_in_focus(self, stand_in: asyncio.Task[FocusReady]) -> FocusReady:
        try:
            async with asyncio.timeout(self._deadlines.word_list if self._preparing else self._deadlines.lexicon):
                return await stand_in
        except TimeoutError:
            return FocusReady(self._question.looked_up) if self._question.looked_up else self._bare()

    def _bare(self) -> FocusReady:
        return FocusReady(FocusWord(one_line(self._question.focus), language=self._question.language))

    def _state(self, item: Thinking | Preparing | Waiting) -> StateChanged:
        if isinstance(item, Preparing):
            return StateChanged("preparing", self._model, item.message)
        if isinstance(item, Waiting):
            return StateChanged("waiting", self._model, item.message, item.seconds)
        self._thinking = True
        return StateChanged("thinking", self._model)

    def _count(self, input_tokens: int | None, output_tokens: int | None) -> None:
        """Add up the tokens: both requests are paid for."""
        if input_tokens is not None:
            self._input_tokens = (self._input_tokens or 0) + input_tokens
        if output_tokens is not None:
            self._output_tokens = (self._output_tokens or 0) + output_tokens

    def _finished(self, state: AnswerState, started: float, *, cut: bool = False) -> Finished:
        milliseconds = round((time.monotonic() - started) * 1000)
        return Finished(state, None, False, self._model, self._input_tokens, self._output_tokens, milliseconds, cut)


def _completed(focus: FocusWord, stand_in: asyncio.Task[FocusReady], asked: str) -> FocusWord:
    """The model's focus with the library's count, where the lexicon has it already and means the same word.

    A dictionary form or a reading that the model did not give is the segmenter's.
    """
    if not stand_in.done() or stand_in.cancelled():
        return focus
    own = stand_in.result().focus
    same = focus.lemma is None or focus.lemma.casefold() == (own.lemma or asked).casefold()
    if not same:
        return focus
    reading = own.reading if focus.surface == own.surface else None
    lemma = focus.lemma or own.lemma
    reading = focus.reading or reading
    return replace(focus, lemma=lemma, reading=reading, frequency=own.frequency, commonness=own.commonness)
