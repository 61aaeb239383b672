"""Answers in the history: written down while they come, and replayed when the same is asked again."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tui.errors import NotFound, StoreError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, StateChanged, Token
from tui.records.answers import Answer
from tui.records.clips import FocusWord

if TYPE_CHECKING:
    from tui.llm.breakdown import Question
    from tui.service.write_batcher import WriteBatcher
    from tui.store import Store
    from tui.store.tables.answers import AnswerChanges


@dataclass(slots=True, eq=False)
class Recording:
    """Records one answer in the history while it comes. A history that cannot be written never stops an answer."""

    writes: WriteBatcher
    profile: str
    question: Question
    known_by: tuple[str, str]
    """The prompt and the system message as they are with the usual settings, see ``local_llm``."""
    follows: str | None = None
    """Id of the answer that was asked on."""
    answer_id: str | None = None
    state: Literal["complete", "aborted", "failed"] = "aborted"
    error: str | None = None
    focus: FocusWord | None = None
    translation: str = ""
    sentence_reading: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    first_token_ms: int | None = None
    cut: bool = False
    pieces: list[str] | None = None
    started: float = 0.0
    beginning: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Write the row before the model is asked: whatever happens from then on, the history knows of it."""
        self.started = time.monotonic()
        self.pieces = []
        self.beginning = asyncio.create_task(self._begin())
        await asyncio.shield(self.beginning)  # who goes away meanwhile has a row too, whose end needs its id

    async def _begin(self) -> None:
        asked = self.question
        with suppress(StoreError):
            answer = await self.writes.write(
                lambda store: store.answers.begin(
                    self.profile,
                    asked.kind,
                    str(asked.selector),
                    asked.sentence,
                    asked.focus,
                    asked.context,
                    asked.prompt,
                    asked.sys_msg,
                    self.known_by,
                    self.follows,
                )
            )
            self.answer_id = answer.id

    async def note(self, event: BreakdownEvent) -> None:
        match event:
            case FocusReady():
                self.focus = event.focus
                self.translation, self.sentence_reading = event.translation, event.sentence_reading
                self.input_tokens, self.output_tokens = event.input_tokens, event.output_tokens
            case Token(text):
                assert self.pieces is not None
                if self.first_token_ms is None:
                    self.first_token_ms = self._milliseconds()
                self.pieces.append(text)
                if self.answer_id is not None:
                    self.writes.progress(self, self._written)
            case Failed(error):
                self.error = error.message
            case Finished():
                self.state, self.cut = event.state, event.cut
                if event.nothing_known and self.pieces is not None:
                    self.pieces.clear()
                self.input_tokens, self.output_tokens = event.input_tokens, event.output_tokens
                await self.end()
            case StateChanged():
                pass

    def _written(self, store: Store) -> None:
        """Write down the text that has come so far; runs in a thread of the store."""
        answer_id, pieces = self.answer_id, self.pieces
        if answer_id is not None and pieces is not None:
            store.answers.update(answer_id, **self._so_far(pieces))

    def _so_far(self, pieces: list[str]) -> AnswerChanges:
        return {
            "focus_word": self.focus,
            "translation": self.translation,
            "sentence_reading": self.sentence_reading,
            "text": "".join(pieces),
            "duration_ms": self._milliseconds(),
            "first_token_ms": self.first_token_ms,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
        }

    def _milliseconds(self) -> int:
        return round((time.monotonic() - self.started) * 1000)

    async def end(self) -> None:
        """Write the end down, once."""
        if self.beginning is not None:
            await asyncio.wait((self.beginning,))
        answer_id, pieces = self.answer_id, self.pieces
        if answer_id is None or pieces is None:
            return
        self.pieces = None
        self.writes.drop_progress(self)
        changes = self._so_far(pieces)
        changes |= {"error": self.error, "cut": self.cut}
        with suppress(StoreError, NotFound):  # it may have been deleted meanwhile
            await self.writes.write(lambda store: store.answers.finish(answer_id, self.state, **changes))


def replay(answer: Answer) -> list[BreakdownEvent]:
    """Replay a kept answer as the stream it once was, marked as kept."""
    events: list[BreakdownEvent] = []
    if answer.kind == "breakdown":
        focus = answer.focus_word or FocusWord(answer.focus)
        events.append(FocusReady(focus, translation=answer.translation, sentence_reading=answer.sentence_reading))
    if answer.text:
        events.append(Token(answer.text))
    counts = (answer.input_tokens, answer.output_tokens, answer.duration_ms)
    return [*events, Finished("complete", answer.id, True, answer.model, *counts, answer.cut)]
