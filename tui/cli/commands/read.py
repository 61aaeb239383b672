"""``lode read``: the app at a transcript."""

from __future__ import annotations

import click

from tui.cli.commands.records import find_record
from tui.cli.context import Context
from tui.cli.root import Command
from tui.errors import NotFound
from tui.records.transcripts import Transcript
from tui.service.protocol import Service


@click.command(cls=Command)
@click.argument("title", nargs=-1, metavar="[TITLE]")
@click.pass_obj
def read(context: Context, title: tuple[str, ...]) -> None:
    """Open the app at the transcript TITLE: its title or a beginning of it, its film's path, or its id.

    Without TITLE it goes on where you left off.
    """

    async def find(service: Service) -> Transcript:
        if title:  # of several words it needs no quotation marks
            return await find_record(service.transcripts, " ".join(title))
        for last in await service.transcripts.last_read():
            return last.transcript
        raise NotFound("nothing was read yet", hint="name a transcript: lode read TITLE")

    click.get_current_context().exit(context.open_app((context.run(find).id, None)))
