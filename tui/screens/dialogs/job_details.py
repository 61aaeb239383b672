"""Dialog with all of a job: what it works on, when it began, and what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from tui.screens.dialogs.panels import Details
from tui.text import display
from tui.text.sanitize import one_line, without_controls
from tui.widgets.chrome.themes import MUTED

if TYPE_CHECKING:
    from tui.records.jobs import Job


class JobDetails(Details[bool]):
    """Dialog of a job; ``can_add`` offers to add its file again in the suggested encoding: the result is whether to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "copy", show=False),
        Binding("a", "add", "add again", show=False),
    ]

    def __init__(self, job: Job, *, can_add: bool = False) -> None:
        super().__init__()
        self._job = job
        self._can_add = can_add

    def on_mount(self) -> None:
        job = self._job
        done = f"{job.progress:.0%} · " if job.state == "running" else ""  # one that failed did not get so far
        left = f"{display.time_left(job.seconds_left)} · " if job.seconds_left is not None else ""
        lines = [
            Content.styled(one_line(f"{job.kind} · {job.state}"), "bold"),
            Content.styled(one_line(job.source), MUTED),
            Content.styled(f"{done}{left}begun {display.ago(job.created_at)}", MUTED),
        ]
        if job.message and not job.error:
            lines += [Content(""), Content(without_controls(job.message))]
        if job.error:
            lines += [Content(""), Content.styled(without_controls(job.error), "$text-error")]
        keys = "esc closes · y copies"
        if self._can_add:
            keys = f"a adds it again in {one_line(job.suggested_encoding or '')} · {keys}"
        lines += [Content(""), Content.styled(keys, MUTED)]
        self.write(Content("\n").join(lines))

    def action_add(self) -> None:
        if self._can_add:
            self.dismiss(True)

    def action_copy(self) -> None:
        job = self._job
        self.app.copy_to_clipboard(without_controls(job.error or job.message or job.source))
        self.notify("sent to the clipboard", markup=False)
