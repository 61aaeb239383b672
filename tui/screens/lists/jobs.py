"""Jobs section: the progress and outcome of imports and other long work; cancel, retry, details."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType

from tui.errors import InvalidInput, LodeError
from tui.records.jobs import Job
from tui.records.sorting import Sort
from tui.screens.lists.record_list import RecordListScreen, Total, age_column, styled_cell
from tui.screens.messages import LibraryChanged
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.records.pages import Page
    from tui.service.protocol import Service

_BAR_CELLS = 9
_SIGNS = {"queued": "○", "running": "●", "succeeded": "✓", "failed": "✗", "cancelled": "■", "interrupted": "✗"}
_STYLE = {"running": "running", "succeeded": "muted", "failed": "failed", "cancelled": "muted", "interrupted": "failed"}


class JobsScreen(RecordListScreen[Job]):
    SECTION = "jobs"
    NOUN = "job"
    SEARCHED = ("jobs",)
    LOOK = "jobs"
    OWN_SORT = Sort()
    OWN_ORDER = "what wants you first"
    SHOWS = frozenset({"job", "failure"})
    TOTALS = (
        Total(lambda job: not job.is_over, lambda count: f"{display.number(count)} at work"),
        Total(lambda job: job.state in ("failed", "interrupted"), lambda count: f"{display.number(count)} failed"),
    )
    EMPTY = "No jobs. They come with the files that you add."
    EMPTY_KEYS = (("section.files", "go to the files"),)
    CAN_DELETE = False
    RECORD_ACTIONS = ("cancel", "retry")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c,x", "cancel", "cancel", id="jobs.cancel"),
        Binding("R", "retry", "retry", id="jobs.retry"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._failures_came = False

    def library_changed(self, kinds: frozenset[str]) -> None:
        """Go to the top for a failure: who comes because of it finds it there, wherever the cursor stood before."""
        if "failure" in kinds and not self.is_current:
            self._failures_came = True
        super().library_changed(kinds)

    def read_anew(self) -> None:
        self.table.marks.forget_amounts()
        self.table.reload(keep_cursor=not self._failures_came)
        self._failures_came = False

    def columns(self) -> Sequence[Column[Job]]:
        return (
            Column("File", _subject, share=1, cut="inside", sort="source"),
            Column("Job", lambda job: job.kind.replace("_", " "), style="muted", minimum_table_width=90, sort="kind"),
            Column(
                "State", _state, keywords=lambda job: display.JOB_STATE_WORDS.get(job.state, job.state), sort="state"
            ),
            Column("What became of it", _outcome, share=1, sort="message"),
            age_column(lambda job: job.created_at, minimum_table_width=70),
        )

    def search_texts(self, record: Job) -> Sequence[tuple[str, str]]:
        return (("error", record.error or ""), ("path", record.source))

    async def fetch_sorted(self, offset: int, limit: int, q: str, sort: str) -> Page[Job]:
        return await self.service.jobs.page(offset=offset, limit=limit, q=q, sort=sort, order="attention")

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        self.show_details(event.record)

    @work(exclusive=True, group="details", exit_on_error=False)
    async def show_details(self, job: Job) -> None:
        """Show all of a job; of one that was refused for its encoding show how its file reads in the likeliest ones."""
        import shlex

        from tui.screens.dialogs.job_details import JobDetails
        from tui.screens.lists.add_files import FilesToAdd, add_files
        from tui.screens.lists.reread_files import ask_encoding_of_job

        if job.state != "failed" or not job.suggested_encoding:
            self.app.push_screen(JobDetails(job))
            return
        is_here = self.service.location == "local" and PurePath(job.source).is_absolute()
        try:
            with self.typed_kept():
                readings = await self.service.jobs.readings(job.id)
        except LodeError:  # its file cannot be read any more
            wants_another = await self.app.push_screen_wait(JobDetails(job, can_add=is_here))
        else:
            wants_another = await ask_encoding_of_job(self, job, readings, can_name=is_here)
        if wants_another:
            await add_files(self, FilesToAdd(shlex.quote(job.source), encoding=job.suggested_encoding))

    @work(group="jobs", exit_on_error=False)
    async def action_start(self, kind: str) -> None:
        self.post_message(LibraryChanged("job", jobs=(await self.service.jobs.start(kind),)))

    def action_cancel(self) -> None:
        self.change_jobs(self._cancelled)

    async def _cancelled(self, job_id: str) -> Job:
        job = await self.service.jobs.get(job_id)
        if job.is_over:
            raise InvalidInput(f"this {job.kind} is over: {job.state}", hint="there is nothing left to cancel")
        (job,) = await self.service.jobs.cancel(job.id)
        return job

    def action_retry(self) -> None:
        self.change_jobs(self.service.jobs.retry)

    @work(group="jobs", exit_on_error=False)
    async def change_jobs(self, ask: Callable[[str], Awaitable[Job]]) -> None:
        """Cancel or retry every marked job; the first refusal is shown, the others are asked all the same."""
        refusals: list[LodeError] = []
        for job_id in self.table.marked_or_current:
            try:
                await ask(job_id)
            except LodeError as error:
                refusals.append(error)
        self.table.clear_marks()
        if refusals:
            self.say_error(refusals[0])
        self.post_message(LibraryChanged("job"))


def _state(job: Job) -> Text:
    """Cell of a job's state: a sign and a word; while it runs a bar."""
    said = display.bar(job.progress, _BAR_CELLS) if job.state == "running" else job.state
    return styled_cell(_STYLE.get(job.state, ""), f"{_SIGNS[job.state]} {said}")


def _subject(job: Job) -> str:
    """Short name of the file that a job works on; its kind where it works on everything."""
    return one_line(display.source_name(job.source)) or job.kind.replace("_", " ")


def _outcome(job: Job) -> str:
    """Result in a line, for a failure its cause without the file's name: that already stands in front."""
    if not job.error:
        return " · ".join(filter(None, (job.message, display.time_left(job.seconds_left))))
    error = one_line(job.error.partition("\n")[0])
    return error.removeprefix(_subject(job)).lstrip(" :") or error
