"""``lode add``: bring files into the library."""

from __future__ import annotations

import click

from tui.cli.checks.disk import PathOnDisk
from tui.cli.context import HERE, Context
from tui.cli.output.job_progress import follow, put_refusal
from tui.cli.root import Command, WrongUsage, json_option
from tui.records import Job
from tui.service.protocol import Service


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="PATH…", type=PathOnDisk())
@click.option("--language", metavar="XX", help="The language, as a code such as de; else by the name or the text.")
@click.option("--encoding", metavar="NAME", help="The encoding, such as windows-1251; UTF-8 and UTF-16 need no name.")
@click.option("--force", is_flag=True, help="Use the encoding even where it makes gibberish of a file.")
@click.option("--samples", is_flag=True, help="Load the sample stories that come with Lode.")
@json_option
@click.pass_obj
def add(
    context: Context,
    paths: tuple[str, ...],
    language: str | None,
    encoding: str | None,
    force: bool,
    samples: bool,
    as_json: bool,
) -> None:
    """Import subtitles and texts: files, folders and globs.

    A file in an older encoding is refused, with the one to name. Another encoding or language for a file that is
    there already reads it anew: its transcript stays and gets other cues; lode undo takes that back.

    Prints a line for each file; its id is the transcript's. --json prints an object for each, as it is done.
    """
    if not paths and not samples:
        raise WrongUsage("there is nothing to add", hint="give paths, or --samples for the sample stories")

    async def work(service: Service) -> bool:
        jobs: tuple[Job, ...] = ()
        sources: dict[str, str] = {}
        well = True
        if paths and service.location == HERE:
            from tui.cli.output.upload_progress import found

            files = await found(paths)
            jobs = await service.files.add(files, language=language, encoding=encoding, force=force)
        elif paths:
            from tui.cli.output.upload_progress import send

            sent = await send(service, paths, language=language, encoding=encoding, force=force)
            jobs, sources, well = tuple(sent.jobs), sent.paths, not sent.refused
            for path, error in sent.refused:
                put_refusal(path, error, as_json=as_json)
        if samples:
            jobs += await service.files.add_samples()
        return await follow(service, jobs, as_json=as_json, paths=sources) and well

    if not context.run(work):
        raise click.exceptions.Exit(1)
