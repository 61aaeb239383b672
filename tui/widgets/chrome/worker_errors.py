"""Errors of workers, shown as toasts; Textual itself would let them vanish or end the app."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.dom import DOMNode
from textual.worker import Worker, WorkerState

from tui.compat import Fault, FaultTolerantApp
from tui.errors import LodeError, in_two_lines


def show_worker_error(node: DOMNode, event: Worker.StateChanged) -> None:
    """Show a worker's error; for ``on_worker_state_changed`` of every node that runs workers: it does not bubble.

    What was foreseen a worker tells itself.
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
