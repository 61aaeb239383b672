"""Breakdown section: a sentence, the word under study, and a model's answer, or those of two side by side.

And the history: the list of all answers, also the stopped and the failed ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Rule

from tui.errors import InvalidInput
from tui.records.answers import Answer
from tui.records.clips import NewClip
from tui.screens.answer.answer_pane import AnswerPane
from tui.screens.answer.answer_status import END_WORDS, PARTIAL, seconds_of
from tui.screens.answer.last_answers import MAX_ANSWERS, LastAnswers
from tui.screens.answer.model_choice import ModelChoice
from tui.screens.answer.question import Request
from tui.screens.clip_keeping import show_in_anki
from tui.screens.dialogs.dictionary_entry import DictionaryEntryScreen
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.own_word import write_own_word
from tui.screens.dialogs.questions import ask_until_taken
from tui.screens.input_queue import AnswersOnce
from tui.screens.lists.record_list import RecordListScreen, Total, age_column, styled_cell
from tui.screens.messages import GoBack, OpenClips, SentenceLookedAt
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.service.protocol.records import Records
from tui.service.requests import MAX_QUESTION, BreakdownRequest, ExplainRequest
from tui.text.display import ANSWER_STATE_WORDS, count_of, number
from tui.text.sanitize import is_blank
from tui.widgets.cards.focus_card import FocusCard
from tui.widgets.chrome.notice import Notice
from tui.widgets.markdown.token_log import TokenLog
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

_NOTHING = "Nothing has been asked yet."
_EARLIER = "No answer is open here."
_QUESTION = PromptField("question", "Question", "Why is it so? What is the difference to …?", MAX_QUESTION)
_BEGINNINGS = (
    ("2", "open a transcript: ⏎ breaks a word down, x explains the sentence"),
    ("3", "open a clip"),
    ("H", "shows earlier answers"),
)
"""Keys that lead to a first question, or back to one."""
_BAR = partial(Binding, "vertical_line", key_display="|")


class BreakdownScreen(SectionScreen):
    """Screen of one answer, or two to the same question: side by side from 100 columns on, stacked below that.

    The keys are for the answer that has the focus; nothing that happens to one of them touches the other.
    """

    SECTION = "breakdown"
    CSS_PATH: ClassVar = ["breakdown.tcss", "token_log.tcss"]
    SHOWS = frozenset({"answer"})
    AUTO_FOCUS = "TokenLog"
    KEYED_WIDGETS = (TokenLog, LastAnswers)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "stop", tooltip="stop; what came stays", id="breakdown.stop"),
        Binding("escape", "back", "back", show=False, id="breakdown.back"),
        Binding("r", "again", "again", tooltip="ask anew, whatever the history has", id="breakdown.again"),
        Binding("c", "clip", "clip", tooltip="save as a clip", id="breakdown.clip"),
        Binding("Q", "ask_on", "ask on", tooltip="ask a question about this answer", id="breakdown.ask_on"),
        Binding("t", "other_entry", "the other entry, where two are as likely", show=False, id="breakdown.other_entry"),
        Binding("O", "own_word", "your own meaning, note and phrases of the word", show=False, id="breakdown.own_word"),
        Binding("C", "word_clips", "the clips of the word", show=False, id="breakdown.word_clips"),
        Binding("A", "in_anki", "the notes of the word in Anki, which runs here", show=False, id="breakdown.in_anki"),
        Binding("y", "copy", "copy", tooltip="copy the explanation as Markdown", id="breakdown.copy"),
        _BAR("second", "second model", tooltip="ask a second model the same, beside this one", id="breakdown.second"),
        _BAR("one", "one model", tooltip="close the second answer; the history keeps it", id="breakdown.one"),
        Binding("tab,shift+tab", "other", "other", tooltip="to the other answer", id="breakdown.other"),
        Binding("h,left", "side(0)", "to the first answer", show=False, id="breakdown.first"),
        Binding("l,right", "side(1)", "to the second answer", show=False, id="breakdown.last"),
        Binding("H", "history", "history", tooltip="earlier answers", id="breakdown.history"),
        Binding("D", "dictionary", "entry", tooltip="what the dictionaries say of the word", id="breakdown.dictionary"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._to_ask: tuple[Request, NewClip, bool] | None = None
        self._first = AnswerPane(service)
        self._second: AnswerPane | None = None
        self._above: tuple[FocusCard, Rule] | None = None
        """Sentence over both answers, and the rule below it."""
        self._second_model = ""
        """Selector of the second model that was chosen last."""
        self._was_streaming = False
        self.add_class("-nothing")

    def compose_body(self) -> ComposeResult:
        yield Notice()
        yield LastAnswers()
        with Container(id="answers"):
            yield self._first

    def on_mount(self) -> None:
        self.query_one(Notice).say(_NOTHING, _BEGINNINGS)
        if self._to_ask is not None:
            self._begin(*self._to_ask)
        else:
            self.read_anew()

    @work(exclusive=True, group="last_answers", exit_on_error=False)
    async def read_anew(self) -> None:
        """List the last answers as long as nothing has been asked here."""
        if not self.has_class("-nothing"):
            return
        answers = (await self.service.history.page(limit=MAX_ANSWERS)).items
        self.query_one(LastAnswers).show(answers)
        if not self.has_class("-nothing") or self.has_class("-earlier") is bool(answers):
            return
        self.set_class(bool(answers), "-earlier")
        if answers:
            self.query_one(Notice).say(_EARLIER, (*_BEGINNINGS, ("⏎", "opens one of the last answers:")))
            self.set_focus(self.query_one(LastAnswers))
        else:
            self.query_one(Notice).say(_NOTHING, _BEGINNINGS)

    @on(LastAnswers.Chosen)
    def _last_answer_chosen(self, event: LastAnswers.Chosen) -> None:
        self.show_kept(event.answer)

    @property
    def panes(self) -> list[AnswerPane]:
        """Answer panes on the screen: one, or both from left to right."""
        return [self._first] if self._second is None else [self._first, self._second]

    @property
    def pane(self) -> AnswerPane:
        """Pane that the keys are for."""
        second = self._second
        return second if second is not None and second.has_focus_within else self._first

    @property
    def work_in_progress(self) -> str:
        if not any(pane.is_streaming for pane in self.panes):
            return ""
        return "An answer is still coming; it will be stopped, and what has come stays in the history."

    # Asking

    def ask(self, request: Request, draft: NewClip, *, shown: bool = False) -> None:
        """Ask, and show what comes; ``draft`` is the clip that `c` completes.

        ``shown`` shows the draft's own answer instead. May be called before the screen is mounted. A second answer
        beside is closed: nobody is asked about another sentence unbidden.
        """
        if isinstance(self.app.screen, (HistoryScreen, ModelChoice)):
            self.app.screen.dismiss(None)
        self._to_ask = (request, draft, shown)
        if self.is_mounted:
            self._begin(request, draft, shown)

    def _begin(self, request: Request, draft: NewClip, shown: bool) -> None:
        """Show the question, and the answer that it has or that is asked for."""
        if isinstance(request, BreakdownRequest):
            self.post_message(SentenceLookedAt(request))
        pane = self._only_pane()
        if shown:
            pane.show_draft(request, draft)
        else:
            pane.ask(request, draft)

    def show_kept(self, answer: Answer) -> None:
        """Show an answer of the history in place of what is shown."""
        language = answer.focus_word.language if answer.focus_word is not None else None
        request: Request = ExplainRequest(answer.sentence, context=answer.context, language=language)
        if answer.kind == "breakdown":
            request = BreakdownRequest(answer.sentence, answer.focus, context=answer.context, language=language)
        self._only_pane().show_kept(request, answer)

    def _only_pane(self) -> AnswerPane:
        self.remove_class("-nothing")
        self.action_one()
        if self.is_current:
            self._first.token_log.focus()
        return self._first

    @on(AnswerPane.Changed)
    def _pane_changed(self) -> None:
        """Show the one answer's status in the top line; two of them show it themselves."""
        self.set_status(self._first.status if self._second is None else "")
        request = self.pane.request
        if self._above is not None and request is not None:
            card, surface = self._above[0], self.pane.focus_card.surface
            if card.surface != surface:  # what the answer with the focus takes for the word
                card.show_question(request.sentence, surface, request.context)
        if self._was_streaming != self.pane.is_streaming:
            self._was_streaming = self.pane.is_streaming
            self.refresh_bindings()

    # A second answer

    @work(exclusive=True, group="second", exit_on_error=False)
    async def action_second(self) -> None:
        first = self._first
        choice = ModelChoice(self.service.llm, last=self._second_model, first=first.model)
        model = await self.app.push_screen_wait(choice)
        request, draft = first.request, first.draft
        if model is None or request is None or draft is None or self._second is not None:
            return
        self._second_model = model
        pane = await self._open_second(request)
        # Asked a second time, the same model is to say something else.
        pane.ask(replace(request, model=model, fresh=model == first.model), replace(draft, explanation="", focus=None))

    async def _open_second(self, request: Request) -> AnswerPane:
        second = AnswerPane(self.service, beside=True)
        second.add_class("-second")
        sentence = FocusCard("sentence")
        sentence.show_question(request.sentence, self._first.focus_card.surface, request.context)
        self._above = (sentence, Rule(classes="below-sentence"))
        with self.app.batch_update():
            self.add_class("-two")
            answers = self.query_one("#answers")
            await self.mount_all(self._above, before=answers)
            self._first.set_beside(True)
            await answers.mount(second)
            self._second = second
        second.token_log.focus()
        return second

    def action_one(self) -> None:
        """Close the second answer; what had come of it stays in the history, and in the clip if it was saved."""
        second = self._second
        if second is None:
            return
        second.stop()
        self._first.token_log.focus()
        self._second = None
        with self.app.batch_update():
            for widget in (second, *(self._above or ())):
                widget.remove()
            self._above = None
            self.remove_class("-two")
            self._first.set_beside(False)
        self.refresh_bindings()

    def action_other(self) -> None:
        self.action_side(1 if self.pane is self._first else 0)

    def action_side(self, number: int) -> None:
        self.panes[number].token_log.focus()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in _NEEDS_ANSWER and not self.is_mounted:
            return False
        match action:
            case "stop":
                return self.pane.is_streaming
            case "back":
                return not self.is_mounted or not self.pane.is_streaming
            case _ if action in _OF_WORD:
                return isinstance(self.pane.request, BreakdownRequest)
            case "again" | "clip":
                return self.pane.request is not None
            case "ask_on":
                return self.pane.can_be_asked_on
            case "copy":
                pane = self.pane
                return pane.request is not None and bool(pane.token_log.text or pane.is_streaming)
            case "second":
                return self._first.request is not None and self._second is None
            case "one" | "other" | "side":
                return self._second is not None
            case _:
                return super().check_action(action, parameters)

    def action_stop(self) -> None:
        self.pane.stop()

    def action_back(self) -> None:
        if not self.pane.has_just_ended:  # else it was meant to stop what streamed a moment ago
            self.post_message(GoBack())

    def action_again(self) -> None:
        self.pane.ask_anew()

    def action_copy(self) -> None:
        if text := self.pane.token_log.text:
            self.app.copy_to_clipboard(text)
            self.notify("sent to the clipboard", markup=False)
        else:
            self.notify("there is nothing to copy yet", markup=False)

    def action_clip(self) -> None:
        self.pane.save_clip()

    def action_dictionary(self) -> None:
        """Show the dictionary entries of the word that was asked about."""
        if isinstance(asked := self.pane.request, BreakdownRequest):
            self.app.push_screen(DictionaryEntryScreen(self.service, asked.focus, asked.language, asked.sentence))

    def action_other_entry(self) -> None:
        """Take the other of two entries that are as likely: it is shown, and goes onto the clip."""
        if not self.pane.take_other():
            self.notify("no other entry is as likely here", markup=False)

    @work(exclusive=True, group="ask_on", exit_on_error=False)
    async def action_ask_on(self) -> None:
        pane = self.pane

        async def ask(typed: Mapping[str, str]) -> bool:
            if is_blank(typed["question"]):
                raise InvalidInput("write what you want to know")
            if pane.is_attached and pane.can_be_asked_on:
                pane.ask_on(typed["question"])
            return True

        prompt = partial(FieldsPrompt, "Ask on about this answer", (_QUESTION,), hint="enter asks · esc back")
        await ask_until_taken(self.app, prompt, {}, ask)

    @work(exclusive=True, group="own_word", exit_on_error=False)
    async def action_own_word(self) -> None:
        """Let people write of the word that was asked about."""
        if isinstance(asked := self.pane.request, BreakdownRequest):
            await write_own_word(self, self._lemma(asked), asked.language)

    def action_word_clips(self) -> None:
        if isinstance(asked := self.pane.request, BreakdownRequest):
            self.post_message(OpenClips(self._lemma(asked)))

    @work(exclusive=True, group="in_anki", exit_on_error=False)
    async def action_in_anki(self) -> None:
        if isinstance(asked := self.pane.request, BreakdownRequest):
            await show_in_anki(self, self._lemma(asked))

    def _lemma(self, asked: BreakdownRequest) -> str:
        word = self.pane.focus_card.focus_word
        return (word.lemma or word.surface) if word is not None else asked.focus

    def action_history(self) -> None:
        self.app.push_screen(HistoryScreen(self.service, self.show_kept))

    async def show_history(self, q: str) -> None:
        """Show the earlier answers that match a search."""
        screen = HistoryScreen(self.service, self.show_kept)
        await self.app.push_screen(screen)
        await screen.filter_by(q)


_OF_WORD = ("dictionary", "other_entry", "own_word", "word_clips", "in_anki")
_NEEDS_ANSWER = frozenset({"stop", "again", "clip", "ask_on", "copy", "second", "one", "other", "side", *_OF_WORD})


class HistoryScreen(RecordListScreen[Answer], AnswersOnce[None]):
    """List over the breakdown; ``chosen`` is called with the answer to show, after this screen has gone."""

    SECTION = "breakdown"
    NOUN = "answer"
    SEARCHED = ("answers",)
    LOOK = "answers"
    SHOWS = frozenset({"answer"})
    TOTALS = (
        Total(lambda answer: (answer.input_tokens or 0) + (answer.output_tokens or 0), partial(count_of, noun="token")),
    )
    EMPTY = "No model has been asked yet."
    EMPTY_KEYS = (("history.back", "goes back"),)
    LIES_OVER = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "back", id="history.back")]

    def __init__(self, service: Service, chosen: Callable[[Answer], None]) -> None:
        super().__init__(service)
        self._chosen = chosen

    def columns(self) -> Sequence[Column[Answer]]:
        return (
            age_column(lambda answer: answer.created_at, title="When"),
            Column("Focus", lambda answer: answer.focus or "(sentence)", most=16, style="strong", sort="focus"),
            Column("Sentence", lambda answer: answer.sentence, share=3, sort="sentence"),
            Column(
                "Model",
                lambda answer: answer.model,
                share=2,
                style="muted",
                cut="inside",
                minimum_table_width=70,
                sort="model",
            ),
            Column("Asked on", _asked_on, align="right", style="muted", minimum_table_width=90, sort="asked_on"),
            Column("Tokens", _tokens, align="right", style="muted", minimum_table_width=76, sort="tokens"),
            Column("Took", _took, align="right", keywords=lambda answer: ANSWER_STATE_WORDS[answer.state], sort="took"),
        )

    def search_texts(self, record: Answer) -> Sequence[tuple[str, str]]:
        word = record.focus_word
        return (("model", record.model), ("word", (word.lemma or "") if word else ""), ("kind", record.kind))

    @property
    def records(self) -> Records[Answer]:
        return self.service.history

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        if not self.has_answered:
            self.dismiss()
            self._chosen(event.record)

    def leave(self) -> None:
        self.dismiss()


def _asked_on(answer: Answer) -> str:
    """Cell of how many questions were asked on it."""
    return number(len(answer.follow_ups)) if answer.follow_ups else ""


def _tokens(answer: Answer) -> str:
    return "" if answer.output_tokens is None else number((answer.input_tokens or 0) + answer.output_tokens)


def _took(answer: Answer) -> Text:
    """Cell of the seconds that an answer took, and of how it ended where it was not completed."""
    if answer.state == "complete":
        return styled_cell("muted", seconds_of(answer.duration_ms / 1000))
    ended = PARTIAL if answer.state == "failed" and answer.text else END_WORDS[answer.state]
    return styled_cell("failed" if answer.state == "failed" else "", f"{ended} {answer.duration_ms / 1000:.0f} s")
