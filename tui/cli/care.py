"""``lode undo`` and ``lode backup``."""

from __future__ import annotations

from pathlib import Path

import click

from tui.cli import output
from tui.cli.commands import Command, PlaceOnDisk, json_option
from tui.cli.place import Place
from tui.errors import NotFound
from tui.records import to_json


@click.command(cls=Command)
@json_option
@click.pass_obj
def undo(place: Place, as_json: bool) -> None:
    """Bring the last deletion back; again, the one before it."""
    restored = place.run(lambda service: service.undo())
    if restored is None:
        raise NotFound("there is nothing to undo", hint="a deletion can be undone until Lode was used on 30 other days")
    if as_json:
        output.put_json(to_json(restored))
    else:
        output.put(f"back again: {restored.summary}")


@click.command(cls=Command)
@click.argument("path", metavar="OUT.db", type=PlaceOnDisk(path_type=Path))
@click.pass_obj
def backup(place: Place, path: Path) -> None:
    """Copy the whole database, all profiles, into a new file; prints its path."""
    output.put(str(place.run(lambda service: service.backup(path))))
