"""``lode add``: bring files into the library."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import click

from tui.cli.context import Context
from tui.cli.disk import PathOnDisk
from tui.cli.output import console
from tui.cli.output.job_progress import follow, progress_bar, put_refusal
from tui.cli.root import Command, WrongUsage, json_option
from tui.errors import ImportRefused
from tui.records import Job
from tui.service.protocol import PartlySent, Service
from tui.text.display import count_of


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="PATH…", type=PathOnDisk())
@click.option("--language", metavar="XX", help="The language, as a code such as de; else by the name or the text.")
@click.option("--encoding", metavar="NAME", help="The encoding, such as windows-1251; else it is found out.")
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
    """Import subtitles and texts: files, folders, archives and globs.

    An older encoding is found out, or the refusal says which ones to choose from. Another encoding or language for a
    file that is there already reads it anew: its transcript stays and gets other cues; lode undo takes that back.

    Prints a line for each file; its id is the transcript's. --json prints an object for each, as it is done.
    """
    if not paths and not samples:
        raise WrongUsage("there is nothing to add", hint="give paths, or --samples for the sample stories")

    async def work(service: Service) -> bool:
        jobs: tuple[Job, ...] = ()
        refused: tuple[tuple[str, ImportRefused], ...] = ()
        if paths:
            try:
                jobs = await _queued(service, paths, language=language, encoding=encoding, force=force)
            except PartlySent as error:
                jobs, refused = error.jobs, error.refused
        for path, refusal in refused:
            put_refusal(path, refusal, as_json=as_json)
        if samples:
            jobs += await service.files.add_samples()
        return await follow(service, jobs, as_json=as_json) and not refused

    if not context.run(work):
        raise click.exceptions.Exit(1)


async def _queued(service: Service, paths: Sequence[str], **options: Any) -> tuple[Job, ...]:
    """Queue the imports; a terminal is shown where files are looked for and, on the way to a server, which is sent."""
    sent = count = 0
    with console.StatusLine() as status:

        def tell(name: str, number: int, of: int) -> None:
            nonlocal sent, count
            sent, count = number, of
            if not of:
                status.show(f"looking for files in {name}")
            elif of > 1:
                status.show(f"{progress_bar(number / of)} sending {number}/{of} {name}")

        try:
            return await service.files.add(paths, on_progress=tell, **options)
        except asyncio.CancelledError:
            status.clear()
            if sent:
                console.tell(
                    f"{count_of(sent, 'file')} of {count} were sent, and the server imports them: lode jobs list"
                )
            raise
