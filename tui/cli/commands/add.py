"""``lode add``: bring files into the library."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

import click

from tui.cli.arguments import PathOnDisk, WrongUsage
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.job_progress import follow_jobs, progress_bar, put_refusal
from tui.cli.root import Command, takes_json
from tui.errors import ImportRefused
from tui.records.jobs import Job
from tui.service.protocol import Service
from tui.service.protocol.records import PartlySent
from tui.system.event_loop import in_daemon_thread
from tui.text import display
from tui.text.display import count_of

STDIN = "-"
"""Path that stands for standard input."""
_PIECE = 256 * 1024


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="PATH…", type=PathOnDisk())
@click.option(
    "--language", metavar="XX", help="The language, as a code: de, or de+en to split the cues; else found out."
)
@click.option("--encoding", metavar="NAME", help="The encoding, such as windows-1251; else it is found out.")
@click.option("--force", is_flag=True, help="Use the encoding even where it makes gibberish of a file.")
@click.option("--name", metavar="NAME", help="What standard input (-) is called, as Title.de.srt; else by its words.")
@click.option("--samples", is_flag=True, help="Load the sample stories that come with Lode.")
@takes_json
def add(
    context: Context, /, paths: tuple[str, ...], name: str | None, samples: bool, as_json: bool, **how: Any
) -> None:
    """Import subtitles and texts: files, folders, archives, globs, addresses, and standard input as -.

    An address (https://…) is that of an article, of a subtitle, or of a video whose subtitles yt-dlp can get; it is
    fetched here, also for the library of a server.

    An older encoding is found out, or the refusal says which ones to choose from. Another encoding or language for a
    file that is there already reads it anew: its transcript stays and gets other cues; lode undo takes that back.

    Prints a line for each file; its id is the transcript's. --json prints an object for each, as it is done.
    """
    if not paths and not samples:
        raise WrongUsage("there is nothing to add", hint="give paths, or --samples for the sample stories")

    if name is not None and STDIN not in paths:
        raise WrongUsage("--name is the name of what comes on standard input", hint="add - to read it from there")

    async def work(service: Service) -> bool:
        from tui.importing.formats import name_content

        jobs: tuple[Job, ...] = ()
        refused: tuple[tuple[str, ImportRefused], ...] = ()
        files = [path for path in paths if path != STDIN]
        if STDIN in paths:
            content = await _standard_input()
            made = await asyncio.to_thread(name_content, content, "stdin.txt")
            jobs += await service.files.add_content(name or made, content, **how)
        if files:
            try:
                jobs += await _queued(service, files, **how)
            except PartlySent as error:
                jobs, refused = jobs + error.jobs, error.refused
        for path, refusal in refused:
            put_refusal(path, refusal, as_json=as_json)
        if samples:
            jobs += await service.files.add_samples()
        return await follow_jobs(service, jobs, as_json=as_json) and not refused

    context.finish(work)


async def _standard_input() -> bytes:
    """All of standard input; raises ``ImportRefused`` for more than a file may have."""
    from tui.importing.parse import MAX_BYTES, too_large

    if sys.stdin is None:
        raise ImportRefused("standard input is closed", hint="pipe a subtitle or a text into it, or name a file")
    if sys.stdin.isatty():
        console.tell("paste or type the text, then press enter and ctrl+d")
    # Unbuffered: a thread that is left behind with the lock of the buffer breaks the end of the process.
    stream: BinaryIO = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    pieces: list[bytes] = []
    size = 0
    with console.StatusLine() as status:
        # no thread of the pool: who writes into a pipe may take for ever, and ctrl+c is to end it
        while piece := await in_daemon_thread(lambda: stream.read(_PIECE), name="standard input"):
            pieces.append(piece)
            size += len(piece)
            if size > MAX_BYTES:
                raise too_large("standard input")
            if size > _PIECE:
                status.show(f"reading standard input {display.size(size)}")
    return b"".join(pieces)


async def _queued(service: Service, paths: Sequence[str], **options: Any) -> tuple[Job, ...]:
    """Queue the imports; a terminal is shown where files are looked for and, on the way to a server, which is sent."""
    from tui.importing.web import is_address

    sent = count = 0
    with console.StatusLine() as status:

        def tell(name: str, number: int, of: int) -> None:
            nonlocal sent, count
            sent, count = number, of
            if not of:
                status.show(f"fetching {name}" if is_address(name) else f"looking for files in {name}")
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
