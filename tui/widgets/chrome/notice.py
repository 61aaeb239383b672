"""Notices: in the place of what cannot be shown, and of the errors of workers, which Textual would let vanish."""

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from textual.app import App
from textual.content import Content
from textual.dom import DOMNode
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from tui.compat.app import Fault, FaultTolerantApp
from tui.errors import LodeError, in_two_lines
from tui.text.sanitize import one_line


class Notice(Static):
    """Notice in the middle of its place; all words are taken literally."""

    DEFAULT_CSS = """
    Notice {
        width: 1fr; height: 1fr; padding: 1 2; color: $text-muted;
        content-align: center middle; text-align: left;
    }
    """

    def say(self, headline: str, keys: Sequence[tuple[str, str]] = ()) -> None:
        """Show a headline and, below it, the keys that help with what each does."""
        self.update(_lines(Content(one_line(headline)), keys))

    def say_error(self, error: LodeError, keys: Sequence[tuple[str, str]] = ()) -> None:
        """Show an error: its cause, its hint, and the keys that help."""
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


def show_worker_error(node: DOMNode, event: Worker.StateChanged) -> None:
    """Show a worker's error; for ``on_worker_state_changed`` of every node that runs workers: it does not bubble.

    What was foreseen is told by the worker or, of a section, by its screen.
    """
    error = event.worker.error
    if event.state is not WorkerState.ERROR or error is None:
        return
    app: App[Any] = node.app
    if isinstance(error, LodeError):
        app.notify(in_two_lines(error), severity="error", timeout=20, markup=False)
    elif isinstance(app, FaultTolerantApp) and isinstance(error, Exception):
        app.take_fault(Fault(error, f"a worker of {type(node).__name__}", None))
    else:
        raise error
