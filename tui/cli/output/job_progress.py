"""Jobs that this process runs: one line for each as it ends, and their progress on a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

from tui.cli.output import console
from tui.cli.output.tables import short
from tui.errors import LodeError
from tui.records import Job
from tui.service.protocol import Service
from tui.text.display import bar, count_of, source_name

_TOGETHER = 8
"""So many jobs are followed at once: they run one after the other, and each change is looked for in all followed."""
_BAR_CELLS = 20
_SHOWN = {"reread": "read anew"}
"""Words that people read for a state of a job; programs get the state itself."""


@dataclass(frozen=True, slots=True)
class _End:
    """How a job ended: ``state`` is added, reread, same, done (no import), refused, cancelled or interrupted."""

    state: str
    source: str
    file_id: str | None = None
    transcript_id: str | None = None
    title: str = ""
    language: str | None = None
    cues: int = 0
    error: str | None = None
    hint: str = ""

    @property
    def is_well(self) -> bool:
        return self.state in ("added", "reread", "same", "done")


async def follow(
    service: Service, jobs: Sequence[Job], *, as_json: bool, paths: Mapping[str, str] | None = None
) -> bool:
    """Print how each job ends; False when one did not succeed. Cancelled itself, it cancels the jobs that are left.

    ``paths`` are the files that were sent to a server, by the job's id: there they have other names.
    """
    paths = paths or {}
    left = [job.id for job in jobs]
    status = console.StatusLine()
    well = True
    try:
        while left:
            together = left[:_TOGETHER]
            async with aclosing(service.jobs.follow(together)) as changes:
                async for job in changes:
                    status.show(_progress(job, len(jobs) - len(left), len(jobs)))
                    if job.is_over:
                        left.remove(job.id)
                        end = await _end(service, job, paths.get(job.id, job.source))
                        well = well and end.is_well
                        status.clear()
                        _put(end, as_json=as_json)
    except asyncio.CancelledError:
        status.clear()
        missing = len(left)
        for job_id in reversed(left):  # the last first, so that none begins while others are cancelled
            with suppress(LodeError):
                job = await service.jobs.cancel(job_id)
                if job.state == "succeeded":  # what is being stored can't be stopped any more
                    _put(await _end(service, job, paths.get(job.id, job.source)), as_json=as_json)
                    missing -= 1
        console.tell(f"stopped; {count_of(missing, 'file')} of {len(jobs)} not imported")
        raise
    finally:
        status.clear()
    return well


def _progress(job: Job, done: int, total: int) -> str:
    part = (done + job.progress * (not job.is_over)) / total
    return f"{progress_bar(part)} {done}/{total} {source_name(job.source)} {job.message}"


def progress_bar(part: float) -> str:
    """``part`` is from 0 to 1."""
    return bar(part, _BAR_CELLS, rest="░")


def put_refusal(path: str, error: LodeError, *, as_json: bool) -> None:
    """Say of a file for which there is no job why there is none."""
    _put(_End("refused", path, error=error.message, hint=error.hint), as_json=as_json)


async def _end(service: Service, job: Job, source: str) -> _End:
    if job.state != "succeeded":
        cause, _, hint = (job.error or job.message or job.state).partition("\n")
        state = "refused" if job.state == "failed" else job.state
        return _End(state, source, job.file_id, error=cause, hint=hint)
    if job.kind != "import":
        return _End("done", source or job.kind, title=job.message)
    outcome = job.outcome or "added"
    if job.file_id is None:
        return _End(outcome, source)
    file = await service.files.get(job.file_id)
    transcript = await service.transcripts.get(file.transcript_id) if file.transcript_id else None
    return _End(
        outcome,
        source,
        file.id,
        file.transcript_id,
        transcript.title if transcript else file.name,
        file.language,
        file.cue_count,
    )


def _put(end: _End, *, as_json: bool) -> None:
    if as_json:
        console.put_event(_to_json(end))
    if end.error is not None:
        console.tell(f"{end.state}  {source_name(end.source)}: {end.error}")
        if end.hint:
            console.tell(f"hint: {end.hint}")
    elif not as_json:
        console.put(_line(end), flush=True)


def _to_json(end: _End) -> dict[str, Any]:
    return {
        "path": end.source,
        "state": end.state,
        "file_id": end.file_id,
        "transcript_id": end.transcript_id,
        "title": end.title,
        "language": end.language,
        "cues": end.cues,
        "error": end.error,
        "hint": end.hint,
    }


def _line(end: _End) -> str:
    from tui.text.sanitize import one_line

    people = console.is_terminal()
    if end.state == "done":
        return ("  " if people else "\t").join((end.state, source_name(end.source), one_line(end.title)))
    record_id = end.transcript_id or end.file_id or ""
    cells = (
        f"{_SHOWN.get(end.state, end.state):5}" if people else end.state,
        one_line(end.title or source_name(end.source)),
        "already in the library" if people and end.state == "same" else count_of(end.cues, "cue"),
        end.language or "-",
        short(record_id) if people else record_id,
    )
    return ("  " if people else "\t").join(cells)
