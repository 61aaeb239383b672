"""``lode jobs``: imports and other long work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import click

from tui.cli.commands.records import add_list
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.job_progress import follow
from tui.cli.output.tables import Column, short
from tui.cli.root import Group, json_option
from tui.records.jobs import Job
from tui.records.pages import to_json
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
@json_option
@click.pass_obj
def start(context: Context, kind: str, source: str, as_json: bool) -> None:
    """Start a job of this KIND and wait until it is done."""

    async def queued(service: Service) -> tuple[Job, ...]:
        return (await service.jobs.start(kind, source),)

    _follow(context, queued, as_json=as_json)


@jobs.command("cancel")
@click.argument("job_id", metavar="ID")
@json_option
@click.pass_obj
def cancel(context: Context, job_id: str, as_json: bool) -> None:
    """Cancel a job that waits or runs; one that is over stays as it is."""
    (job,) = context.run(lambda service: service.jobs.cancel(job_id))
    if as_json:
        console.put_json(to_json(job))
    else:
        console.put(f"{job.state}  {short(job.id) if console.is_terminal() else job.id}")


@jobs.command("retry")
@click.argument("job_id", metavar="ID")
@click.option("--encoding", metavar="NAME", help="Import a refused file in this one, and those beside it that fit.")
@json_option
@click.pass_obj
def retry(context: Context, job_id: str, encoding: str | None, as_json: bool) -> None:
    """Do the work of a failed, cancelled or interrupted job again."""

    async def queued(service: Service) -> tuple[Job, ...]:
        if encoding is not None:
            return await service.jobs.retry_in(job_id, encoding)
        return (await service.jobs.retry(job_id),)

    _follow(context, queued, as_json=as_json)


@jobs.command("readings")
@click.argument("job_id", metavar="ID")
@json_option
@click.pass_obj
def readings(context: Context, job_id: str, as_json: bool) -> None:
    """Show how a refused file reads in the likeliest encodings."""
    for reading in context.run(lambda service: service.jobs.readings(job_id)):
        if as_json:
            console.put_json(to_json(reading))
            continue
        for line in reading.lines:
            encoding = f"{reading.encoding:14} " if console.is_terminal() else f"{reading.encoding}\t"
            console.put(encoding + one_line(line))


def _follow(context: Context, queued: Callable[[Service], Awaitable[Sequence[Job]]], *, as_json: bool) -> None:
    """Print how the job ends; the exit code tells whether it did what it was to do."""

    async def work(service: Service) -> bool:
        return await follow(service, await queued(service), as_json=as_json)

    if not context.run(work):
        raise click.exceptions.Exit(1)
