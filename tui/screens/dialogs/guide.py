"""Guide: a text that explains one subject, to be scrolled through."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tui.screens.input_queue import AnswersOnce
from tui.widgets.markdown.token_log import TokenLog


class GuideScreen(ModalScreen[None], AnswersOnce[None]):
    """A guide about ``topic``; esc, ? or q closes it."""

    DEFAULT_CSS = """
    GuideScreen {
        align: center middle;
        background: $background 60%;
        TokenLog {
            width: 104; max-width: 100%; padding: 0 0 0 2; background: $surface;
            border: round $foreground 35%; border-title-color: $foreground; border-title-style: bold;
            border-subtitle-color: $text-muted; border-subtitle-align: left;
        }
    }
    """
    AUTO_FOCUS = "TokenLog"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q,ctrl+c", "dismiss(None)", "close", show=False)
    ]

    def __init__(self, topic: str, text: str) -> None:
        super().__init__()
        self._topic = topic
        self._text = text

    def compose(self) -> ComposeResult:
        yield TokenLog()

    def on_mount(self) -> None:
        log = self.query_one(TokenLog)
        log.border_title = self._topic
        log.border_subtitle = "esc closes"
        log.show(self._text)
