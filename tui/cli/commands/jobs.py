"""``lode jobs``: imports and other long work."""

from __future__ import annotations

from contextlib import aclosing
from functools import partial

import click

from tui.cli.commands.records import add_list, each_page, finish_jobs
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.tables import Column, short
from tui.cli.root import Group, takes_json
from tui.records.jobs import Job
from tui.service.jobs.kinds import startable
from tui.service.protocol import Service
from tui.text.display import age, source_name
from tui.text.sanitize import one_line


def _done(job: Job) -> str:
    """A job that failed or was stopped has nothing to show for its percentage."""
    return f"{job.progress:.0%}" if job.state in ("running", "succeeded") else ""


_COLUMNS: tuple[Column[Job], ...] = (
    Column("id", lambda job: short(job.id), lambda job: job.id),
    Column("kind", lambda job: job.kind),
    Column("state", lambda job: job.state),
    Column("done", _done, lambda job: f"{job.progress:g}", right=True),
    Column("source", lambda job: source_name(job.source), lambda job: job.source, wide=True, inside=True),
    Column("message", lambda job: (job.error or job.message).replace("\n", "; "), wide=True),
    Column("age", lambda job: age(job.created_at), lambda job: job.created_at, right=True),
)


@click.group(cls=Group)
def jobs() -> None:
    """Imports and other long work."""


add_list(jobs, lambda service: service.jobs.page, _COLUMNS, noun="jobs")


@jobs.command("start", hidden=not startable())
@click.argument("kind")
@click.argument("source", default="")
@takes_json
def start(context: Context, kind: str, source: str, as_json: bool) -> None:
    """Start a job of this KIND and wait until it is done."""

    async def queue(service: Service) -> tuple[Job, ...]:
        return (await service.jobs.start(kind, source),)

    finish_jobs(context, queue, as_json=as_json)


@jobs.command("follow")
@click.argument("job_ids", metavar="[ID …]", nargs=-1)
@takes_json
def follow(context: Context, job_ids: tuple[str, ...], as_json: bool) -> None:
    """Watch jobs until they are over: these, or all that wait and run.

    Whoever runs them, the app, a server or another command. Ctrl+C stops to watch them, and nothing else. With --json
    each change is a line: the job as it is then.
    """
    from tui.cli.output.job_progress import follow_jobs

    async def work(service: Service) -> bool:
        watched = [await service.jobs.get(each) for each in job_ids] if job_ids else await _find_unfinished(service)
        if not watched and console.is_terminal():
            console.tell("no job waits or runs")
        if not as_json:
            return await follow_jobs(service, watched, as_json=False, cancels=False)
        well = True
        async with aclosing(service.jobs.follow([job.id for job in watched])) as changes:
            async for job in changes:
                console.put_event(job)
                well = well and (not job.is_over or job.state == "succeeded")
        return well

    context.finish(work)


async def _find_unfinished(service: Service) -> list[Job]:
    """The jobs that wait and run, in the order in which they were queued."""
    found: list[Job] = []
    async for page in each_page(partial(service.jobs.page, order="attention")):
        found += [job for job in page.items if not job.is_over]
        if page.items and page.items[-1].state in ("succeeded", "cancelled"):
            break  # they come last in that order
    return sorted(found, key=lambda job: job.created_at)


@jobs.command("cancel")
@click.argument("job_id", metavar="ID")
@takes_json
def cancel(context: Context, job_id: str, as_json: bool) -> None:
    """Cancel a job that waits or runs; one that is over stays as it is."""
    (job,) = context.run(lambda service: service.jobs.cancel(job_id))
    console.put_answer(job, f"{job.state}  {short(job.id) if console.is_terminal() else job.id}", as_json=as_json)


@jobs.command("retry")
@click.argument("job_id", metavar="ID")
@click.option("--encoding", metavar="NAME", help="Import a refused file in this one, and those beside it that fit.")
@takes_json
def retry(context: Context, job_id: str, encoding: str | None, as_json: bool) -> None:
    """Do the work of a failed, cancelled or interrupted job again."""

    async def queue(service: Service) -> tuple[Job, ...]:
        if encoding is not None:
            return await service.jobs.retry_in(job_id, encoding)
        return (await service.jobs.retry(job_id),)

    finish_jobs(context, queue, as_json=as_json)


@jobs.command("readings")
@click.argument("job_id", metavar="ID")
@takes_json
def readings(context: Context, job_id: str, as_json: bool) -> None:
    """Show how a refused file reads in the likeliest encodings."""
    for reading in context.run(lambda service: service.jobs.readings(job_id)):
        if as_json:
            console.put_json(reading)
            continue
        for line in reading.lines:
            encoding = f"{reading.encoding:14} " if console.is_terminal() else f"{reading.encoding}\t"
            console.put(encoding + one_line(line))
