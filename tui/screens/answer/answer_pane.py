"""Answer pane: asks for an explanation, shows it as the model streams it, and keeps it as a clip."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from math import inf
from time import monotonic
from typing import Any

from textual import getters, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Rule
from textual.worker import Worker, WorkerState

from tui.errors import LodeError
from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished, FocusReady, StateChanged, Token
from tui.prompts.defaults import MODEL as LEXICON
from tui.records.answers import Answer
from tui.records.clips import NewClip
from tui.screens.answer.answer_status import PARTIAL, AnswerStatus, StreamStatus, day_of
from tui.screens.answer.question import AskedOn, Question, Request, conversation, heading
from tui.screens.clip_keeping import EarlierCards, earlier_cards, tell_kept
from tui.screens.messages import LibraryChanged
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, FollowUpRequest
from tui.text.sanitize import one_line
from tui.widgets.cards.focus_card import FocusCard, taking
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.notice import show_worker_error
from tui.widgets.markdown.token_log import TokenLog

_GROUP = "answer"
_STATUS_SECONDS = 0.25
_JUST_SECONDS = 0.5
"""Seconds after the end of a stream in which a key may still have been meant to stop it."""


class AnswerPane(Vertical):
    """Pane that shows one answer: streamed by its worker, from the history, or a clip's own.

    It goes on while one is elsewhere, and keeps the answer as a clip. Alone on its screen it shows the sentence too and
    leaves the status to the top line; ``beside`` another one it shows the word only, and says its status itself.
    """

    class Changed(Message):
        """Sent when the answer began or ended, its status changed, or the pane got the focus."""

    focus_card = getters.query_one(FocusCard)
    token_log = getters.query_one(TokenLog)

    def __init__(self, service: Service, *, beside: bool = False) -> None:
        super().__init__()
        self._beside = beside
        self._stream = StreamStatus()
        self._clock: Timer | None = None
        """Timer by which the status counts seconds while ``is_streaming``."""
        self.is_streaming = False
        self._service = service
        self._question: Question | None = None
        self._note = ""
        self._ready: FocusReady | None = None
        """What was said of the word and its sentence."""
        self._answer_id: str | None = None
        """Id of the answer in the history, once it has come."""
        self._asked_on: AskedOn | None = None
        self._unkept = ""
        """Text that the log begins with and that belongs on no card: that nothing is known."""
        self._ended_at = -inf
        """Moment (monotonic) at which the last stream ended by itself; one that came at once is none."""

    def compose(self) -> ComposeResult:
        yield AnswerStatus()
        yield FocusCard("word" if self._beside else "all")
        yield Rule()
        yield TokenLog()

    def on_mount(self) -> None:
        self._clock = self.set_interval(_STATUS_SECONDS, self._show_status, pause=True)
        self.set_class(self._beside, "-beside")

    def set_beside(self, beside: bool) -> None:
        """Change the layout when another pane has come (``beside``) or gone."""
        self._beside = beside
        self.set_class(beside, "-beside")
        self.focus_card.parts = "word" if beside else "all"
        self._show_status()

    @property
    def model(self) -> str:
        """Name of the model that answers, as far as it is known."""
        return self._stream.model

    @property
    def request(self) -> Request | None:
        """Request that was asked last, None before any."""
        return self._question.request if self._question is not None else None

    @property
    def draft(self) -> NewClip | None:
        """Draft of the clip that `c` completes and saves."""
        return self._question.draft if self._question is not None else None

    @property
    def status(self) -> str:
        """Model, state and seconds in one line, "" before anything was asked."""
        return self._stream.text() if self._question is not None else ""

    @property
    def has_just_ended(self) -> bool:
        """Whether a stream ended by itself a moment ago: a key that stops may still be on its way to it."""
        return monotonic() - self._ended_at < _JUST_SECONDS

    def _show_status(self) -> None:
        line = self.query_one(AnswerStatus)
        line.model, line.state = self._stream.model, self._stream.state_text()
        if self.is_streaming:
            self._show_remark()
        self.post_message(self.Changed())

    def _show_remark(self) -> None:
        self.token_log.remark(self._stream.remark(shown_key(self.screen, "breakdown.stop")))

    @property
    def _asks_anew(self) -> str:
        return f"{self._key('again')} asks anew"

    def _key(self, action: str) -> str:
        return shown_key(self.screen, f"breakdown.{action}") or "r"

    def on_descendant_focus(self) -> None:
        self.query_one(AnswerStatus).here = True
        self.post_message(self.Changed())

    def on_descendant_blur(self) -> None:
        self.query_one(AnswerStatus).here = False

    # Asking

    def ask(self, request: Request, draft: NewClip) -> None:
        """Ask, and show what comes; ``draft`` is the clip that `c` completes."""
        self._end()
        self._show_question(Question(request, draft))
        self._start(request)

    def show_draft(self, request: Request, draft: NewClip) -> None:
        """Show the draft's own answer instead of asking."""
        self._cancel()
        self._show_question(Question(request, draft, is_saved=True))
        self._show_answer(draft, "from your clip")
        if not draft.explanation:
            self.token_log.note(f"this clip has no explanation yet · {self._key('again')} asks for one")

    def show_kept(self, request: Request, answer: Answer) -> None:
        """Show an answer of the history."""
        self._cancel()
        draft = NewClip(
            answer.sentence,
            context=answer.context,
            translation=answer.translation,
            focus=answer.focus_word,
            explanation=conversation(answer),
            model=answer.model,
            sentence_reading=answer.sentence_reading,
        )
        self._show_question(Question(request, draft))
        self._answer_id = answer.id
        day = day_of(answer.created_at)
        self._show_answer(draft, f"kept answer of {day}")
        if answer.state == "aborted":
            self.token_log.note("it was stopped")
        elif answer.model == LEXICON and answer.kind == "breakdown" and not answer.text:
            self.token_log.note("no dictionary had the word then")
        elif answer.state == "failed":
            more = PARTIAL if answer.text else ""
            self.token_log.note(one_line(answer.error or "") or "it failed", error=True, more=more)
        self.token_log.note(f"kept answer of {day} · {self._asks_anew}")

    @property
    def can_be_asked_on(self) -> bool:
        """Whether there is an answer of the history that a question can be about."""
        return self._answer_id is not None and not self.is_streaming

    def ask_on(self, asked: str) -> None:
        """Ask about the answer; what comes stands below it, and in its clip after the next `c`."""
        question, log = self._question, self.token_log
        if question is None or self._answer_id is None:
            return
        self._end()
        question.is_saved = False
        model = "" if self._stream.model == LEXICON else self._stream.model
        self._asked_on = AskedOn(FollowUpRequest(self._answer_id, asked, model), log.text, heading(asked))
        log.go_on(self._asked_on.heading)
        self._start(self._asked_on.request)

    def ask_anew(self) -> None:
        """Ask the same again, whatever the history has; what was saved of it is brought up to date by the next `c`."""
        question, asked_on = self._question, self._asked_on
        if question is None:
            return
        if asked_on is not None:
            self._end()
            self.token_log.show(asked_on.before)
            self.ask_on(asked_on.request.question)
            return
        self._end()
        question.is_saved = False
        question.request = replace(question.request, fresh=True)
        self._show_question(question)
        self._start(question.request)

    def stop(self) -> None:
        """Stop what streams; what came stays."""
        if not self.is_streaming:
            return
        self._stream.end("aborted")
        self._cancel()
        self.token_log.note(f"stopped · {self._asks_anew}")

    def _show_question(self, question: Question) -> None:
        self._question, self._ready, request = question, None, question.request
        self._answer_id = self._asked_on = None
        self._unkept = ""
        focus = request.focus if isinstance(request, BreakdownRequest) else ""
        self.focus_card.show_question(request.sentence, focus, request.context)
        self.token_log.clear()

    def _show_answer(self, answered: NewClip, state: str) -> None:
        """Show an answer that is there already, whole."""
        if answered.focus is not None:
            self.focus_card.show(answered.focus, answered.translation)
        self.token_log.show(answered.explanation)
        self._stream = StreamStatus(answered.model, end=state)
        self._show_status()

    def _start(self, request: Request | FollowUpRequest) -> None:
        if not isinstance(request, FollowUpRequest):
            self.focus_card.waits = True
        self._stream = StreamStatus(request.model)
        self._note = ""
        self.is_streaming = True
        if self._clock is not None:
            self._clock.resume()
        self._show_status()
        self.run_stream(request)

    @work(exclusive=True, group=_GROUP, exit_on_error=False)
    async def run_stream(self, request: Request | FollowUpRequest) -> None:
        """Consume the stream's events: the focus goes into the card, the tokens into the log."""
        from tui.widgets.markdown.lines import parser

        stream, screen = self._stream, self.screen
        await asyncio.to_thread(parser)  # imported here, so that the first token does not wait for it
        try:
            async with aclosing(self._events(request)) as events:
                async for event in events:
                    self._handle(event, stream)
        except LodeError as error:
            self._handle(Failed(error), stream)
        finally:
            if self._stream is stream:
                self._end()
            screen.post_message(LibraryChanged("answer"))  # by way of the screen: this pane may be gone

    def _events(self, request: Request | FollowUpRequest) -> BreakdownEvents:
        if isinstance(request, FollowUpRequest):
            return self._service.llm.ask_on(request)
        if isinstance(request, BreakdownRequest):
            return self._service.llm.breakdown(request)
        return self._service.llm.explain(request)

    def _handle(self, event: BreakdownEvent, stream: StreamStatus) -> None:
        if self._stream is not stream or not self.is_streaming:
            return  # stopped, or another question was asked meanwhile
        stream.note(event)
        match event:
            case StateChanged(state, _, message):
                self._show_remark()
                if state in ("connecting", "streaming"):
                    self._note = " · ".join(filter(None, (self._note, message)))  # of the whole answer, not of a moment
            case FocusReady():
                self._show_ready(self._as_in_draft(event))
            case Token(text):
                self.token_log.feed(text)
            case Failed(error):
                self._fail(error)
            case Finished():
                self._finish(event)

    def _as_in_draft(self, ready: FocusReady) -> FocusReady:
        """The focus that was taken where the question was asked, where two may be meant."""
        draft, other = self.draft, ready.other
        asked = draft.focus if draft is not None else None
        if other is None or asked is None or (asked.lemma, asked.part_of_speech) != (other.lemma, other.part_of_speech):
            return ready
        return replace(ready, focus=other, other=ready.focus)

    def take_other(self) -> bool:
        """Take the other of two words that may be meant, which the next `c` saves; False where there is only one."""
        question, ready = self._question, self._ready
        if question is None or ready is None or ready.other is None:
            return False
        question.is_saved = question.is_saved and self.is_streaming  # which is saved anew at its end
        self._show_ready(replace(ready, focus=ready.other, other=ready.focus))
        return True

    def _show_ready(self, ready: FocusReady) -> None:
        self._ready = ready
        other = taking(ready.other, shown_key(self.screen, "breakdown.other_entry")) if ready.other is not None else ""
        self.focus_card.show(ready.focus, ready.translation, other)
        self.post_message(self.Changed())

    @property
    def _is_answered(self) -> bool:
        """Whether anything was answered to what was asked last."""
        text, asked_on = self.token_log.text, self._asked_on
        return bool(text) if asked_on is None else asked_on.answered(text) != asked_on.before

    def _fail(self, error: LodeError) -> None:
        self._ended_at = monotonic()
        partial = f"kept as a {PARTIAL} answer" if self._is_answered else ""
        next_step = " · ".join(filter(None, (partial, self._asks_anew)))
        self.token_log.note(error.message, error=True, more="\n".join(filter(None, (error.hint, next_step))))

    def _finish(self, event: Finished) -> None:
        log, asked_on = self.token_log, self._asked_on
        if asked_on is None:
            self._answer_id = event.answer_id
            self._unkept = log.text if event.nothing_known else ""
        if event.kept and event.answer_id is not None:
            self.note_kept(event.answer_id, self._stream)
        elif event.cut and event.state == "complete":
            log.note(f"the answer ends here: the model ran into its length limit · {self._asks_anew}")
        elif event.state == "complete" and event.model != LEXICON and not self._is_answered:
            log.note(f"the model gave no explanation · {self._asks_anew}")
        if self._note and event.state == "complete":
            log.note(self._note)
        if event.kept or (event.model == LEXICON and asked_on is None):  # it came at once: nobody has read along
            log.go_to_beginning()
        else:
            self._ended_at = monotonic()

    def _cancel(self) -> None:
        """End the stream, and close its connection."""
        self._end()
        self.workers.cancel_group(self, _GROUP)

    def _end(self) -> None:
        """Finish the display once the events are over, in whatever way; once per stream."""
        if not self.is_streaming:
            return
        self.is_streaming = False
        if self._clock is not None:
            self._clock.pause()
        if not self._stream.is_over:
            self._stream.end("failed")
        if not self.is_attached:
            return
        self.focus_card.waits = False
        self.token_log.finish()
        self._show_status()
        question = self._question
        if question is not None and question.is_saved:
            self._save(question, tell=False)  # so far it has what had come when `c` was pressed

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker.group == _GROUP and event.state is WorkerState.ERROR:
            self.token_log.note(f"the answer broke off: {event.worker.error}", error=True, more=self._asks_anew)
        else:
            show_worker_error(self, event)

    @work(exclusive=True, group="kept", exit_on_error=False)
    async def note_kept(self, answer_id: str, stream: StreamStatus) -> None:
        try:
            answer = await self._service.history.get(answer_id)
            day = day_of(answer.created_at)
        except LodeError:
            answer, day = None, ""
        if self._stream is stream:
            if answer is not None and answer.follow_ups:
                self.token_log.show(conversation(answer))
            self.token_log.note(" · ".join((f"kept answer of {day}" if day else "kept answer", self._asks_anew)))

    # Keeping

    def save_clip(self) -> None:
        """Keep the answer as a clip, once, and say so."""
        question = self._question
        if question is None:
            return
        if question.is_saved:
            self.notify("it is already saved", markup=False)
        else:
            question.is_saved = True
            self._save(question, tell=True)

    def _save(self, question: Question, *, tell: bool) -> None:
        # The screen's worker: it must come to its end even when this pane is closed meanwhile.
        saving = self._saved(question, self._completed_draft(question), self.screen, tell)
        self.screen.run_worker(saving, group="clip", exit_on_error=False)

    async def _saved(self, question: Question, draft: NewClip, screen: Screen[Any], tell: bool) -> None:
        before = EarlierCards() if question.has_clip else await earlier_cards(self._service.words, draft.focus)
        done = await question.save(self._service.clips, draft)
        if tell:
            tell_kept(screen, "breakdown", done, draft, before)
        screen.post_message(LibraryChanged("clip"))

    def _completed_draft(self, question: Question) -> NewClip:
        text = self.token_log.text
        explanation = text if self._asked_on is None else self._asked_on.answered(text)
        draft = question.completed(self.focus_card.focus_word, self._ready)
        if self._unkept:
            explanation = explanation.removeprefix(self._unkept).lstrip("\n")
        return replace(draft, explanation=explanation, model=self._stream.model)
