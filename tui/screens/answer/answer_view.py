"""Answer view: the word under study, a status line and the text of an answer, alone on a screen or beside another."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Rule

from tui.screens.stream_status import StreamStatus
from tui.widgets.cards.focus_card import FocusCard
from tui.widgets.chrome.answer_status import AnswerStatus
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.markdown.token_log import TokenLog

_STATUS_SECONDS = 0.25


class AnswerView(Vertical):
    """View of one answer, which subclasses fill.

    Alone on its screen it shows the sentence too and leaves the status to the top line; ``beside`` another one it shows
    the word only, and says its status itself. While ``is_streaming`` and the clock runs, the status counts seconds.
    """

    class Changed(Message):
        """Sent when the answer began or ended, its status changed, or the pane got the focus."""

    def __init__(self, *, beside: bool) -> None:
        super().__init__()
        self._beside = beside
        self._stream = StreamStatus()
        self._clock: Timer | None = None
        self.is_streaming = False

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
        self.focus_card.show_parts("word" if beside else "all")
        self._show_status()

    @property
    def focus_card(self) -> FocusCard:
        return self.query_one(FocusCard)

    @property
    def token_log(self) -> TokenLog:
        return self.query_one(TokenLog)

    @property
    def model(self) -> str:
        """Name of the model that answers, as far as it is known."""
        return self._stream.model

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
