"""Jobs as they go on: one line for each as it ends, and their progress on a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.cli.output import console
from tui.cli.output.tables import short
from tui.errors import LodeError
from tui.text import display
from tui.text.display import bar, count_of, read_as, source_name
from tui.text.sanitize import one_line
from tui.text.time_left import TimeLeft

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.service.protocol import Service

_TOGETHER = 8
"""Number of jobs followed at once: they run one after the other, and each change is looked for in all followed."""
_BAR_CELLS = 20
_NOUNS = {"import": ("file", "", "imported"), "dictionary": ("dictionary", "dictionaries", "added")}
"""Kind of job → what it works on, its plural where that takes more than an s, and what is done with it."""
_SHOWN = {"reread": "read anew"}
"""Words that people read for a state of a job; programs get the state itself."""


@dataclass(frozen=True, slots=True)
class _End:
    """End of a job, as ``--json`` prints it.

    ``state`` is added, reread, same, done (what adds nothing), refused, cancelled or interrupted.
    """

    path: str
    state: str
    file_id: str | None = None
    transcript_id: str | None = None
    title: str = ""
    language: str | None = None
    encoding: str | None = None
    cues: int = 0
    message: str = ""
    error: str | None = None
    hint: str = ""
    kind: str = "import"


async def follow_jobs(service: Service, jobs: Sequence[Job], *, as_json: bool, cancels: bool = True) -> bool:
    """Print how each job ends; False when one did not succeed.

    Cancelled itself, it cancels the jobs that are left, where it ``cancels``: not those that somebody else runs.
    """
    left = {job.id: job.source for job in jobs}  # which a server may know under another name
    well, time_left = True, TimeLeft()
    with console.StatusLine() as status:
        try:
            while left:
                together = list(left)[:_TOGETHER]
                async with aclosing(service.jobs.follow(together)) as changes:
                    async for job in changes:
                        part = (len(jobs) - len(left) + job.progress * (not job.is_over)) / len(jobs)
                        counted = f"{len(jobs) - len(left)}/{len(jobs)}"
                        status.show(_progress(job, part, counted, time_left.at(part)))
                        if job.is_over:
                            end = await _end(service, job, left.pop(job.id))
                            well = well and end.error is None
                            status.clear()
                            _put(end, as_json=as_json)
        except asyncio.CancelledError:
            status.clear()
            if not cancels:
                raise
            missing = len(left)
            with suppress(LodeError):
                for job in await service.jobs.cancel(*left):
                    if job.state == "succeeded":  # what is being stored can't be stopped any more
                        _put(await _end(service, job, left[job.id]), as_json=as_json)
                        missing -= 1
            noun, plural, done = _NOUNS.get(jobs[0].kind, ("job", "", "done"))
            console.tell(f"stopped; {count_of(missing, noun, plural)} of {len(jobs)} not {done}")
            raise
    return well


def _progress(job: Job, part: float, counted: str, seconds_left: int | None) -> str:
    left = f" · {display.time_left(seconds_left)}" if seconds_left is not None else ""
    return f"{progress_bar(part)} {counted}{left} {source_name(job.source)} {job.message}"


def progress_bar(part: float) -> str:
    """``part`` is from 0 to 1."""
    return bar(part, _BAR_CELLS, rest="░")


def put_refusal(path: str, error: LodeError, *, as_json: bool) -> None:
    """Say of a file for which there is no job why there is none."""
    _put(_End(path, "refused", error=error.message, hint=error.hint), as_json=as_json)


async def _end(service: Service, job: Job, source: str) -> _End:
    if job.state != "succeeded":
        cause, _, hint = (job.error or job.message or job.state).partition("\n")
        state = "refused" if job.state == "failed" else job.state
        return _End(source or job.kind, state, job.file_id, error=cause, hint=hint)
    if job.kind != "import":
        return _End(source or job.kind, job.outcome or "done", title=job.message, kind=job.kind)
    outcome = job.outcome or "added"
    if job.file_id is None:
        return _End(source, outcome, message=job.message)
    file = await service.files.get(job.file_id)
    transcript = await service.transcripts.get(file.transcript_id) if file.transcript_id else None
    title = transcript.title if transcript else file.name
    if transcript and file.kind == "text":
        title = transcript.series or title  # a book, by its first chapter
    what = (title, file.language, file.encoding, file.cue_count, job.message)
    return _End(source, outcome, file.id, file.transcript_id, *what)


def _put(end: _End, *, as_json: bool) -> None:
    if as_json:
        console.put_event(end)
    if end.error is not None:
        console.tell(f"{end.state}  {source_name(end.path)}: {end.error}")
        if end.hint:
            console.tell(f"hint: {end.hint}")
    elif not as_json:
        console.put(_line(end), flush=True)


def _line(end: _End) -> str:
    people = console.is_terminal()
    between = "  " if people else "\t"
    if end.kind != "import":
        return between.join((end.state, source_name(end.path), one_line(end.title)))
    record_id = end.transcript_id or end.file_id or ""
    count = count_of(end.cues, "cue")
    if people and end.state == "reread":
        count += read_as(end.encoding)
    elif people:
        count = end.message  # what was done with them as well, or that they are the same
    cells = (
        f"{_SHOWN.get(end.state, end.state):5}" if people else end.state,
        one_line(end.title or source_name(end.path)),
        count,
        end.language or "-",
        short(record_id) if people else record_id,
    )
    return between.join(cells)
