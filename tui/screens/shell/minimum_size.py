"""Minimum size of the terminal, and the screen that covers the app below it."""

from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.screens.input_queue import AnswersOnce
from tui.widgets.chrome.themes import MUTED

MINIMUM = Size(60, 16)


def is_too_small(size: Size) -> bool:
    return size.width < MINIMUM.width or size.height < MINIMUM.height


def cover_if_too_small(app: App[Any], size: Size) -> None:
    """Lay ``TooSmall`` over whatever is shown, or take it away once there is room enough.

    The app hears of every size, the cover only of those that come while it is laid out; one that lies in another
    section goes by itself when that is shown.
    """
    if not is_too_small(size):
        for screen in app.screen_stack:
            if isinstance(screen, TooSmall):
                screen.dismiss(None)
    elif not isinstance(app.screen, TooSmall):
        app.push_screen(TooSmall())


class TooSmall(ModalScreen[None], AnswersOnce[None]):
    """Screen that says which size is needed, and goes by itself once there is room."""

    DEFAULT_CSS = """
    TooSmall {
        background: $background; align: center middle;
        Static { width: 100%; height: auto; text-align: center; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss(None)", "go on all the same", show=False),
        Binding("q,ctrl+c", "app.quit", "quit", show=False),
    ]

    def compose(self) -> ComposeResult:
        yield Static()

    def on_resize(self, event: events.Resize) -> None:
        if not is_too_small(event.size):
            self.dismiss(None)
            return
        width, height = event.size
        self.query_one(Static).update(
            Content(f"Lode needs at least {MINIMUM.width}×{MINIMUM.height}; this terminal is {width}×{height}")
            + Content.styled("\n\n⏎ goes on all the same   q quits", MUTED)
        )
