"""Answers in the history: written down while they come, replayed when the same is asked again, and asked on.

In a conversation the first question and its answer always go along, as all that follows is about them; of the others
the last ones. So it may go on for as long as somebody has questions, and none costs more than so many characters.
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from tui.errors import InvalidInput, NotFound, StoreError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, StateChanged, Token
from tui.language.tags import base_language, language_name
from tui.llm.protocol import Question, Turn
from tui.llm.selector import Selector
from tui.prompts.defaults import MODEL as LEXICON
from tui.records.answers import Answer, NewAnswer
from tui.records.clips import FocusWord
from tui.records.settings import DEFAULT_EXPLAIN_IN, ProfileSettings
from tui.service.requests import MAX_QUESTION, FollowUpRequest
from tui.service.write_batcher import WriteBatcher
from tui.store import Store
from tui.store.tables.answers import AnswerChanges
from tui.text.sanitize import is_blank, laid_out


@dataclass(slots=True, eq=False)
class Recording:
    """Records one answer in the history while it comes. A history that cannot be written never stops an answer."""

    writes: WriteBatcher
    profile: str
    asked: NewAnswer
    answer_id: str | None = None
    state: Literal["complete", "aborted", "failed"] = "aborted"
    error: str | None = None
    changes: AnswerChanges = field(default_factory=AnswerChanges)
    """Answer so far, without its text."""
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
        with suppress(StoreError):
            answer = await self.writes.write(lambda store: store.answers.begin(self.profile, self.asked))
            self.answer_id = answer.id

    async def note(self, event: BreakdownEvent) -> None:
        match event:
            case FocusReady(focus):
                self.changes |= {"focus_word": focus, "translation": event.translation}
                self.changes |= {"sentence_reading": event.sentence_reading}
                self.changes |= {"input_tokens": event.input_tokens, "output_tokens": event.output_tokens}
            case Token(text):
                assert self.pieces is not None
                self.changes.setdefault("first_token_ms", self._milliseconds())
                self.pieces.append(text)
                if self.answer_id is not None:
                    self.writes.progress(self, self._write)
            case Failed(error):
                self.error = error.message
            case Finished():
                self.state = event.state
                if event.nothing_known and self.pieces is not None:
                    self.pieces.clear()
                self.changes |= {"input_tokens": event.input_tokens, "output_tokens": event.output_tokens}
                self.changes["cut"] = event.cut
                await self.end()
            case StateChanged():
                pass

    def _write(self, store: Store) -> None:
        """Write down the text that has come so far; runs in a thread of the store."""
        answer_id, pieces = self.answer_id, self.pieces
        if answer_id is not None and pieces is not None:
            store.answers.update(answer_id, **self._so_far(pieces))

    def _so_far(self, pieces: list[str]) -> AnswerChanges:
        return {**self.changes, "text": "".join(pieces), "duration_ms": self._milliseconds()}

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
        changes["error"] = self.error
        with suppress(StoreError, NotFound):  # it may have been deleted meanwhile
            await self.writes.write(lambda store: store.answers.finish(answer_id, self.state, **changes))


def record_question(asked: Question, known_by: tuple[str, str], follows: str | None = None) -> NewAnswer:
    """Make the record of a question, which is found again by what it is ``known_by`` (see ``local_llm``)."""
    about = (asked.kind, str(asked.selector), asked.sentence, asked.focus, asked.context)
    return NewAnswer(*about, asked.prompt, asked.sys_msg, known_by, follows)


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


_TURNS = 8
"""Maximum earlier questions beside the first."""
_ANSWER, _ALL = 6_000, 24_000
"""Maximum characters of one earlier answer, and of all questions and answers beside the first."""
_SYSTEM = (
    "\n\nThe learner asks on about what you explained. Answer only the last question, in {explain_in}, as briefly as "
    "it allows; the length and order that were asked for above are those of the first answer."
)


def follow_up_model(request: FollowUpRequest, first: Answer, template_model: str) -> str:
    """The selector of the model that is asked; raises ``InvalidInput`` where only the lexicon could be."""
    choices = (request.model,) if request.model else (first.model, template_model)
    lexicon = LEXICON.partition(":")[0]
    asked = next((model for model in choices if model.partition(":")[0] != lexicon), None)
    if asked is None:
        raise InvalidInput(
            "the built-in lexicon looks words up and cannot be asked on",
            hint="choose a model in Template, or name one: --model provider:model",
            code="unsupported",
        )
    return asked


def follow_up(request: FollowUpRequest, first: Answer, selector: Selector, settings: ProfileSettings) -> Question:
    """The question to a model; raises ``InvalidInput`` for one that is none, or where there is no answer to ask on."""
    asked = laid_out(request.question).strip()
    if is_blank(asked):
        raise InvalidInput("there is no question", hint="write what you want to know", field="question")
    if len(asked) > MAX_QUESTION:
        raise InvalidInput(
            f"a question has at most {MAX_QUESTION} characters", hint="ask about one thing", field="question"
        )
    if not first.text:
        raise InvalidInput("there is no answer to ask on: it was stopped, or failed", hint="ask anew first")
    explain_in = language_name(settings.explain_in)
    is_english = base_language(settings.explain_in) == DEFAULT_EXPLAIN_IN
    return Question(
        kind="explanation",
        sentence=first.sentence,
        focus=first.focus,
        context=first.context,
        language=first.focus_word.language if first.focus_word is not None else None,
        source="",
        selector=selector,
        prompt=asked,
        sys_msg=(first.sys_msg + _SYSTEM.format(explain_in=explain_in)).lstrip(),
        explain_in=explain_in,
        answer_in=None if is_english else settings.explain_in,
        turns=_turns(first, asked),
    )


def _turns(first: Answer, asked: str) -> tuple[Turn, ...]:
    """What was said before. Answers to this very question are left out: it is asked anew."""
    said = [each for each in first.follow_ups if each.text and each.question != asked]
    latest: list[Turn] = []
    left = _ALL
    for each in reversed(said[-_TURNS:]):
        turn = Turn(each.question, each.text[:_ANSWER])
        left -= len(turn.asked) + len(turn.answered)
        if left < 0:
            break
        latest.append(turn)
    return (Turn(first.prompt, first.text[:_ANSWER]), *reversed(latest))
