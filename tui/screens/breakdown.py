"""The breakdown: a sentence, the word under study, and what a model says about it while it says it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Rule
from textual.worker import Worker, WorkerState

from tui.controls import one_line
from tui.errors import LodeError
from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished, FocusReady, Token
from tui.records import Answer, Clip, FocusWord, NewClip
from tui.screens.messages import GoBack, LibraryChanged, SentenceLookedAt
from tui.screens.section import SectionScreen
from tui.screens.stream_status import StreamStatus, day_of
from tui.service.protocol import BreakdownRequest, ExplainRequest, Service
from tui.widgets.focus_card import FocusCard
from tui.widgets.notice import Notice
from tui.widgets.token_log import TokenLog

_STATUS_SECONDS = 0.25
_ASKS_ANEW = "r asks anew"


Request: TypeAlias = BreakdownRequest | ExplainRequest


@dataclass(slots=True)
class _Question:
    """What was asked, and what `c` saved of it; ``shown``: the draft's own answer is shown instead of asking."""

    request: Request
    draft: NewClip
    shown: bool = False
    is_saved: bool = False
    """The answer that is shown is in a clip, if only as far as it has come."""
    clip: Clip | None = None
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)


class BreakdownScreen(SectionScreen):
    """Shows one answer: streamed by a worker, from the history, or a clip's own. It goes on while one is elsewhere."""

    SECTION = "breakdown"
    CSS_PATH = "breakdown.tcss"
    AUTO_FOCUS = "TokenLog"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "stop", tooltip="stop; what came stays", id="breakdown.stop"),
        Binding("escape", "back", "back", show=False, id="breakdown.back"),
        Binding("r", "again", "again", tooltip="ask anew, whatever the history has", id="breakdown.again"),
        Binding("c", "clip", "clip", tooltip="save as a clip", id="breakdown.clip"),
        Binding("y", "copy", "copy", tooltip="copy the explanation as Markdown", id="breakdown.copy"),
        Binding("H", "history", "history", tooltip="earlier answers", id="breakdown.history"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._question: _Question | None = None
        self._stream = StreamStatus()
        self._streaming = False
        self._clock: Timer | None = None

    def compose_body(self) -> ComposeResult:
        yield Notice()
        with Vertical(id="answer"):
            yield FocusCard()
            yield Rule(id="rule")
            yield TokenLog()

    def on_mount(self) -> None:
        self._clock = self.set_interval(_STATUS_SECONDS, self._show_status, pause=True)
        self.query_one(Notice).say(
            "Nothing has been asked yet.",
            (
                ("2", "open a transcript: ⏎ breaks a word down, x explains the sentence"),
                ("3", "open a clip"),
                ("H", "shows earlier answers"),
            ),
        )
        if self._question is None:
            self.add_class("-nothing")
        else:
            self._begin(self._question)

    @property
    def focus_card(self) -> FocusCard:
        return self.query_one(FocusCard)

    @property
    def token_log(self) -> TokenLog:
        return self.query_one(TokenLog)

    # Asking

    def ask(self, request: Request, draft: NewClip, *, shown: bool = False) -> None:
        """Ask, and show what comes; ``draft`` is the clip that `c` completes.

        ``shown`` shows the draft's own answer instead. May be called before the screen is mounted.
        """
        from tui.screens.history import HistoryScreen

        if isinstance(self.app.screen, HistoryScreen):
            self.app.pop_screen()
        self._question = _Question(request, draft, shown, is_saved=shown)
        if self.is_mounted:
            self._begin(self._question)

    def _begin(self, question: _Question) -> None:
        """Show the question, and the answer that it has or that is asked for."""
        if isinstance(question.request, BreakdownRequest):
            self.post_message(SentenceLookedAt(question.request))
        self._show_question(question.request)
        if question.shown:
            draft = question.draft
            self._stop_stream()
            self._show_answer(draft.focus, draft.explanation, draft.model, "from your clip")
            if not draft.explanation:
                self.token_log.note("this clip has no explanation yet · r asks for one")
        else:
            self._start(question.request)

    def _show_question(self, request: Request) -> None:
        self.remove_class("-nothing")
        focus = request.focus if isinstance(request, BreakdownRequest) else ""
        self.focus_card.show_question(request.sentence, focus, request.context)
        self.token_log.clear()
        if self.is_current:
            self.token_log.focus()

    def _show_answer(self, focus: FocusWord | None, text: str, model: str, state: str) -> None:
        """An answer that is there already, whole."""
        if focus is not None:
            self.focus_card.show(focus)
        self.token_log.show(text)
        self._stream = StreamStatus(model)
        self.set_status(" · ".join(one_line(part) for part in (model, state) if part))
        self.refresh_bindings()

    def _start(self, request: Request) -> None:
        self.token_log.clear()
        self.focus_card.waiting()
        self._stream = StreamStatus(request.model)
        self._streaming = True
        if self._clock is not None:
            self._clock.resume()
        self._show_status()
        self.refresh_bindings()
        self.run_stream(request)

    @work(exclusive=True, group="breakdown", exit_on_error=False)
    async def run_stream(self, request: Request) -> None:
        """The one consumer of the events: the focus into the card, the tokens into the log."""
        from tui.widgets.markdown_lines import parser

        stream = self._stream
        await asyncio.to_thread(parser)  # imported here, so that the first token does not wait for it
        try:
            async with aclosing(self._events(request)) as events:
                async for event in events:
                    self._take(event, stream)
        except LodeError as error:
            self._take(Failed(error), stream)
        finally:
            if self._stream is stream:
                self._end_stream()
            self.post_message(LibraryChanged("answer"))

    def _events(self, request: Request) -> BreakdownEvents:
        if isinstance(request, BreakdownRequest):
            return self.service.llm.breakdown(request)
        return self.service.llm.explain(request)

    def _take(self, event: BreakdownEvent, stream: StreamStatus) -> None:
        if self._stream is not stream:
            return  # another question was asked meanwhile
        stream.note(event)
        match event:
            case FocusReady(focus):
                self.focus_card.show(focus)
            case Token(text):
                self.token_log.feed(text)
            case Failed(error):
                self.token_log.note("\n".join(filter(None, (error.message, error.hint))), error=True)
            case Finished():
                self._finished(event)
            case _:
                pass

    def _finished(self, event: Finished) -> None:
        if event.kept and event.answer_id is not None:
            self.tell_when_kept(event.answer_id, self._stream)
        elif event.cut:
            self.token_log.note("the model ran into its length limit")
        elif event.state == "complete" and not self.token_log.text:
            self.token_log.note(f"the model gave no explanation · {_ASKS_ANEW}")

    def _end_stream(self) -> None:
        """The events are over, in whatever way."""
        self._streaming = False
        if self._clock is not None:
            self._clock.pause()
        if not self.is_attached:
            return
        self.focus_card.not_found()
        self.token_log.finish()
        self._show_status()
        self.refresh_bindings()
        question = self._question
        if question is not None and question.is_saved and not question.shown:
            self.save_clip(
                question, self._completed_draft(question)
            )  # so far it has what had come when `c` was pressed

    def _stop_stream(self) -> None:
        self._streaming = False
        self.workers.cancel_group(self, "breakdown")
        if self._clock is not None:
            self._clock.pause()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker.group == "breakdown" and event.state is WorkerState.ERROR:
            self.token_log.note(f"the answer broke off: {event.worker.error}", error=True)
            event.prevent_default()

    def _show_status(self) -> None:
        self.set_status(self._stream.text())

    @work(exclusive=True, group="kept", exit_on_error=False)
    async def tell_when_kept(self, answer_id: str, stream: StreamStatus) -> None:
        try:
            day = day_of((await self.service.history.get(answer_id)).created_at)
        except LodeError:
            day = ""
        if self._stream is stream:
            self.token_log.note(f"kept answer of {day} · {_ASKS_ANEW}" if day else f"kept answer · {_ASKS_ANEW}")

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "stop":
                return self._streaming
            case "back":
                return not self._streaming
            case "again" | "clip":
                return self._question is not None
            case "copy":
                return self._question is not None and self.is_mounted and bool(self.token_log.text or self._streaming)
            case _:
                return super().check_action(action, parameters)

    def action_stop(self) -> None:
        self._stream.end("aborted")
        self._stop_stream()
        self.token_log.finish()
        self.token_log.note(f"stopped · {_ASKS_ANEW}")
        self._show_status()
        self.refresh_bindings()

    def action_back(self) -> None:
        self.post_message(GoBack())

    def action_again(self) -> None:
        question = self._question
        if question is not None:
            question.shown = question.is_saved = False
            question.request = replace(question.request, fresh=True)
            self._show_question(question.request)
            self._start(question.request)

    def action_copy(self) -> None:
        if text := self.token_log.text:
            self.app.copy_to_clipboard(text)
            self.notify("sent to the clipboard", markup=False)
        else:
            self.notify("there is nothing to copy yet", markup=False)

    def action_clip(self) -> None:
        question = self._question
        if question is None:
            return
        if question.is_saved:
            self.notify("it is already saved", markup=False)
        else:
            question.is_saved = True
            self.save_clip(question, self._completed_draft(question), tell=True)

    @work(group="clip", exit_on_error=False)
    async def save_clip(self, question: _Question, clip: NewClip, tell: bool = False) -> None:
        """Save an answer as it stands; what was saved of this question before is brought up to date."""
        try:
            async with question.saving:
                if question.clip is None:
                    question.clip = await self.service.clips.add(clip)
                    said = "clip saved"
                else:
                    question.clip = await self.service.clips.edit(question.clip.id, clip)
                    said = "clip brought up to date"
        except LodeError as error:
            question.is_saved = False
            hint = f"\n{one_line(error.hint)}" if error.hint else ""
            self.notify(one_line(error.message) + hint, severity="error", markup=False)
            return
        if tell:
            word = clip.focus.surface if clip.focus is not None else clip.sentence
            self.notify(f"{said}: {one_line(word)}", markup=False)
        self.post_message(LibraryChanged("clip"))

    def _completed_draft(self, question: _Question) -> NewClip:
        request = question.request
        focus = self.focus_card.focus_word or question.draft.focus
        if focus is None and isinstance(request, BreakdownRequest):
            focus = FocusWord(request.focus, language=request.language)
        return replace(question.draft, focus=focus, explanation=self.token_log.text, model=self._stream.model)

    def action_history(self) -> None:
        from tui.screens.history import HistoryScreen

        self.app.push_screen(HistoryScreen(self.service, self.show_kept))

    def show_kept(self, answer: Answer) -> None:
        """Show an answer of the history in place of what is shown."""
        self._stop_stream()
        language = answer.focus_word.language if answer.focus_word is not None else None
        request: Request = ExplainRequest(answer.sentence, context=answer.context, language=language)
        if answer.kind == "breakdown":
            request = BreakdownRequest(answer.sentence, answer.focus, context=answer.context, language=language)
        self._question = _Question(request, NewClip(answer.sentence, context=answer.context, focus=answer.focus_word))
        self._show_question(request)
        day = day_of(answer.created_at)
        self._show_answer(answer.focus_word, answer.text, answer.model, f"kept answer of {day}")
        if answer.state != "complete":
            error = one_line(answer.error or "") or "it failed"
            self.token_log.note(
                "it was stopped" if answer.state == "aborted" else error, error=answer.state == "failed"
            )
        self.token_log.note(f"kept answer of {day} · {_ASKS_ANEW}")
