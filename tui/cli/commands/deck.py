"""``lode export``: the clips as an Anki deck."""

from __future__ import annotations

from pathlib import Path

import click

from tui.cli.context import Context
from tui.cli.disk import look_at_disk
from tui.cli.output import console
from tui.cli.root import Command, PlaceOnDisk, WrongUsage, json_option
from tui.records.pages import to_json
from tui.text.display import count_of, size


@click.command(cls=Command)
@click.argument("path", metavar="OUT.apkg", type=PlaceOnDisk(path_type=Path))
@click.option("--deck", default="", metavar="NAME", help="The deck's name; else Lode, or Lode::PROFILE.")
@click.option("--dry-run", is_flag=True, help="Say what would be new, changed and the same; write nothing.")
@click.option("--force", is_flag=True, help="Replace a file that is no deck, too.")
@json_option
@click.pass_obj
def export(context: Context, path: Path, deck: str, dry_run: bool, force: bool, as_json: bool) -> None:
    """Write all clips as an Anki deck; an older deck that is there is replaced."""
    if look_at_disk(path.is_dir):
        raise WrongUsage(f"{path} is a directory", hint=f"name a file in it: {path / 'lode.apkg'}")
    report = context.run(lambda service: service.deck.export(path, name=deck, dry_run=dry_run, overwrite=force))
    if not report.remembered:
        console.tell("warning: the library could not note this export: the next one counts the same as new again")
    if as_json:
        console.put_json(to_json(report))
        return
    notes = count_of(report.new + report.changed + report.same, "note")
    where = f"{report.path} ({size(report.size_bytes)})" if report.written else "nothing written"
    console.put(f"{report.deck}: {notes}, {report.new} new, {report.changed} changed, {report.same} the same · {where}")
