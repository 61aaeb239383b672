"""``lode read``: the app at a transcript."""

from __future__ import annotations

import click

from tui.cli.commands.records import find_record
from tui.cli.context import Context
from tui.cli.root import Command


@click.command(cls=Command)
@click.argument("title", nargs=-1, required=True, metavar="TITLE")
@click.pass_obj
def read(context: Context, title: tuple[str, ...]) -> None:
    """Open the app at the transcript TITLE: its title or a beginning of it, its film's path, or its id."""

    # A title of several words needs no quotation marks.
    transcript = context.run(lambda service: find_record(service.transcripts, " ".join(title)))
    context.open_app((transcript.id, None))
