"""Notice in place of an empty or unreadable list, and how toasts look: a few lines at most."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from tui.errors import LodeError
from tui.text.cells import cut
from tui.text.sanitize import one_line

TOASTS_CSS = """
Toast { width: auto; max-width: 76; padding: 0 1; margin-top: 0; }
ToastRack { margin: 0 1 1 1; scrollbar-size: 0 0; }
ModalScreen > * { margin-bottom: 1; }
ModalScreen > ToastRack { margin: 0; }
ModalScreen ToastHolder { display: none; }
ModalScreen ToastHolder:last-child { display: block; }
ModalScreen Toast { height: 1; max-width: 100%; text-wrap: nowrap; text-overflow: ellipsis; }
"""
"""Toasts are lines above that of the keys; while a dialog is open, its last one is the lowest line of all."""
_TOAST_CELLS = 72
_TOAST_LINES = 4


def at_a_glance(message: str, terminal: Size) -> str:
    """Of each line so much that a notification takes few lines of the terminal: sentences may be of any length."""
    lines = message.splitlines()
    cells = _TOAST_LINES * min(_TOAST_CELLS, terminal.width - 6) // max(1, len(lines))
    return "\n".join(cut(line, max(40, cells)) for line in lines)


class Notice(Static):
    """A few quiet lines in the middle; all words are taken literally."""

    DEFAULT_CSS = """
    Notice {
        width: 1fr; height: 1fr; padding: 1 2; color: $text-muted;
        content-align: center middle; text-align: left;
    }
    """

    def say(self, headline: str, keys: Sequence[tuple[str, str]] = ()) -> None:
        """A headline and, below it, the keys that help with what each does."""
        self.update(_lines(Content(one_line(headline)), keys))

    def say_error(self, error: LodeError, keys: Sequence[tuple[str, str]] = ()) -> None:
        """The cause, the next step, and the keys that are left."""
        headline = Content.styled(one_line(error.message), "$text-error")
        if error.hint:
            headline = headline + Content("\n") + Content(one_line(error.hint))
        self.update(_lines(headline, keys))


def _lines(headline: Content, keys: Sequence[tuple[str, str]]) -> Content:
    widest = max((cell_len(key) for key, _ in keys), default=0)
    lines = [headline]
    if keys:
        lines.append(Content(""))
    for key, does in keys:
        lines.append(
            Content.styled(key + " " * (widest - cell_len(key)), "bold $foreground") + Content(f"   {one_line(does)}")
        )
    return Content("\n").join(lines)
