"""Dialog with the details of one job, its error in full."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.records.jobs import Job
from tui.screens.input_queue import AnswersOnce
from tui.text import display
from tui.text.sanitize import one_line, without_controls
from tui.widgets.chrome.scroll_panel import ScrollPanel
from tui.widgets.chrome.themes import MUTED


class JobDetails(ModalScreen[bool], AnswersOnce[bool]):
    """Dialog of a job; ``can_add`` offers to add its file again in the suggested encoding: the result is whether to."""

    DEFAULT_CSS = """
    JobDetails {
        align: center middle;
        background: $background 60%;
        ScrollPanel {
            width: 80%; min-width: 56; max-width: 100; height: auto; max-height: 100%;
            padding: 0 2; background: $surface; border: round $foreground 35%; scrollbar-size-vertical: 1;
        }
        Static { width: 1fr; height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,ctrl+c", "dismiss(False)", "close", show=False),
        Binding("y", "copy", "copy", show=False),
        Binding("a", "add", "add again", show=False),
    ]

    def __init__(self, job: Job, *, can_add: bool = False) -> None:
        super().__init__()
        self._job = job
        self._can_add = can_add

    def compose(self) -> ComposeResult:
        with ScrollPanel():
            yield Static(self._written())

    def _written(self) -> Content:
        job = self._job
        lines = [
            Content.styled(one_line(f"{job.kind} · {job.state}"), "bold"),
            Content.styled(one_line(job.source), MUTED),
            Content.styled(" · ".join(filter(None, (_done(job), f"begun {_ago(job.created_at)}"))), MUTED),
        ]
        if job.message and not job.error:
            lines += [Content(""), Content(without_controls(job.message))]
        if job.error:
            lines += [Content(""), Content.styled(without_controls(job.error), "$text-error")]
        keys = "esc closes · y copies"
        if self._can_add:
            keys = f"a adds it again in {one_line(job.suggested_encoding or '')} · {keys}"
        lines += [Content(""), Content.styled(keys, MUTED)]
        return Content("\n").join(lines)

    def action_add(self) -> None:
        if self._can_add:
            self.dismiss(True)

    def action_copy(self) -> None:
        job = self._job
        self.app.copy_to_clipboard(without_controls(job.error or job.message or job.source))
        self.notify("sent to the clipboard", markup=False)


def _done(job: Job) -> str:
    """Progress in per cent, "" for a job of which that says nothing: one that failed did not get so far."""
    return f"{job.progress:.0%}" if job.state == "running" else ""


def _ago(moment: str) -> str:
    age = display.age(moment)
    return "just now" if age == "now" else f"{age} ago"
