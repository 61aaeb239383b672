"""Panels: dialogs that show a text, to be scrolled through; a guide is one."""

from pathlib import Path
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Static

from tui.screens.input_queue import AnswersOnce
from tui.widgets.chrome.scroll_panel import ScrollPanel
from tui.widgets.markdown.token_log import TokenLog


class Panel(ModalScreen[ScreenResultType | None], AnswersOnce[ScreenResultType | None]):
    """Base class of the dialogs around a ``ScrollPanel``; esc or q closes it, and what subclasses bind to that."""

    CSS_PATH: ClassVar = [Path(__file__).with_name("panels.tcss")]  # absolute: subclasses stand in other folders
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,ctrl+c", "dismiss(None)", "close", show=False)]


class TextPanel(Panel[ScreenResultType]):
    """Base class of the panels with one text in a ``ScrollPanel``."""

    AUTO_FOCUS = "ScrollPanel"

    scroll = getters.query_one(ScrollPanel)

    def compose(self) -> ComposeResult:
        with ScrollPanel():
            yield Static()

    def write(self, text: Content) -> None:
        self.query_one(Static).update(text)


class Details(TextPanel[ScreenResultType]):
    """Base class of the panels with all of one record."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss(None)", "close", show=False)]


class GuideScreen(Panel[None]):
    """A guide about ``topic``."""

    CSS_PATH: ClassVar = [*Panel.CSS_PATH, Path(__file__).parents[1] / "answer/token_log.tcss"]
    AUTO_FOCUS = "TokenLog"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,f1", "dismiss(None)", "close", show=False)]

    def __init__(self, topic: str, text: str) -> None:
        super().__init__()
        self._topic = topic
        self._text = text

    def compose(self) -> ComposeResult:
        yield TokenLog()

    def on_mount(self) -> None:
        log = self.query_one(TokenLog)
        log.border_title, log.border_subtitle = self._topic, "esc closes"
        log.show(self._text)
