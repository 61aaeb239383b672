"""A worker that breaks for a reason nobody foresaw is told of: Textual itself would let it vanish or end the app."""

from __future__ import annotations

from textual.dom import DOMNode
from textual.worker import Worker, WorkerState

from tui.controls import one_line
from tui.errors import LodeError


def tell_of_broken_worker(node: DOMNode, event: Worker.StateChanged) -> None:
    """Belongs in ``on_worker_state_changed`` of every node that runs workers; the message does not bubble.

    What was foreseen a worker tells itself. ``textual console`` shows where the rest broke.
    """
    error = event.worker.error
    if event.state is not WorkerState.ERROR or error is None:
        return
    if isinstance(error, LodeError):
        lines = [error.message, error.hint]
    else:
        lines = [f"unexpected {type(error).__name__}: {error}", "Nothing that was saved is lost; please report it."]
    text = "\n".join(one_line(line) for line in lines if line)
    node.app.notify(text, severity="error", timeout=20, markup=False)
