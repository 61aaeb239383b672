"""History: the list of all answers, also the stopped and the failed ones; enter shows one again."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType

from tui.records.answers import Answer
from tui.screens.answer.answer_status import END_WORDS, PARTIAL, seconds_of
from tui.screens.input_queue import AnswersOnce
from tui.screens.lists.record_list import RecordListScreen, age_column, styled_cell
from tui.service.protocol import Service
from tui.service.protocol.records import Records
from tui.text.display import ANSWER_STATE_WORDS, number
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable


class HistoryScreen(RecordListScreen[Answer], AnswersOnce[None]):
    """List over the breakdown; ``chosen`` is called with the answer to show, after this screen has gone."""

    SECTION = "breakdown"
    NOUN = "answer"
    SHOWS = frozenset({"answer"})
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
            Column("Focus", lambda answer: answer.focus or "(sentence)", most=16, style="strong"),
            Column("Sentence", lambda answer: answer.sentence, share=3),
            Column("Model", lambda answer: answer.model, share=2, style="muted", cut="inside", minimum_table_width=70),
            Column("Asked on", _asked_on, align="right", style="muted", minimum_table_width=90),
            Column("Tokens", _tokens, align="right", style="muted", minimum_table_width=76),
            Column("Took", _took, align="right", keywords=lambda answer: ANSWER_STATE_WORDS[answer.state]),
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


def _asked_on(answer: Answer) -> str:
    """Cell of how many questions were asked on it."""
    return number(len(answer.follow_ups)) if answer.follow_ups else ""


def _tokens(answer: Answer) -> str:
    if answer.output_tokens is None:
        return ""
    return number((answer.input_tokens or 0) + answer.output_tokens)


def _took(answer: Answer) -> Text:
    """Cell of the seconds that an answer took, and of how it ended where it was not completed."""
    if answer.state == "complete":
        return styled_cell("muted", seconds_of(answer.duration_ms / 1000))
    ended = PARTIAL if answer.state == "failed" and answer.text else END_WORDS[answer.state]
    return styled_cell("failed" if answer.state == "failed" else "", f"{ended} {answer.duration_ms / 1000:.0f} s")
