"""Commands for the whole library: ``lode undo`` and ``lode backup``."""

from __future__ import annotations

from pathlib import Path

import click

from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.root import Command, PlaceOnDisk, json_option
from tui.errors import NotFound
from tui.records.pages import to_json


@click.command(cls=Command)
@json_option
@click.pass_obj
def undo(context: Context, as_json: bool) -> None:
    """Undo what was done last: a deletion, a clip made or edited, marks of words …; again, what was done before it."""
    restored = context.run(lambda service: service.undo())
    if restored is None:
        raise NotFound("there is nothing to undo", hint="a deletion can be undone until Lode was used on 30 other days")
    if as_json:
        console.put_json(to_json(restored))
    else:
        console.put(f"back again: {restored.summary}")


@click.command(cls=Command)
@click.argument("path", metavar="OUT.db", type=PlaceOnDisk(path_type=Path))
@click.pass_obj
def backup(context: Context, path: Path) -> None:
    """Copy the whole database, all profiles, into a new file; prints its path."""
    with console.StatusLine() as status:
        status.show("copying the database and looking through the copy …", now=True)
        written = context.run(lambda service: service.backup(path))
    console.put(str(written))
