"""``lode export`` and ``lode push``: the clips as an Anki deck, and straight into Anki."""

from __future__ import annotations

from pathlib import Path

import click

from tui.cli.context import Context
from tui.cli.disk import look_at_disk
from tui.cli.output import console
from tui.cli.output.merges import PLAIN_DECK, put_merge
from tui.cli.root import Command, PlaceOnDisk, WrongUsage, json_option
from tui.records.pages import to_json
from tui.records.vocabulary import RunningAnki
from tui.text.display import count_of, size


@click.command(cls=Command)
@click.argument("path", metavar="OUT.apkg", type=PlaceOnDisk(path_type=Path))
@click.option("--deck", default="", metavar="NAME", help="The deck's name; else Lode, or Lode::PROFILE.")
@click.option(
    "--from",
    "merge_with",
    type=PlaceOnDisk(path_type=Path),
    metavar="FILE",
    help="What Anki exported, or its collection: keep what was edited there, write only what is new or differs.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be new, changed and the same; write nothing.")
@click.option("--force", is_flag=True, help="Replace a file that is no deck, too.")
@json_option
@click.pass_obj
def export(
    context: Context, path: Path, deck: str, merge_with: Path | None, dry_run: bool, force: bool, as_json: bool
) -> None:
    """Write all clips as an Anki deck; an older deck that is there is replaced."""
    if look_at_disk(path.is_dir):
        raise WrongUsage(f"{path} is a directory", hint=f"name a file in it: {path / 'lode.apkg'}")
    report = context.run(
        lambda service: service.deck.export(path, name=deck, dry_run=dry_run, overwrite=force, merge_with=merge_with)
    )
    if not report.remembered:
        console.tell("warning: the library could not note this export: the next one counts the same as new again")
    if as_json:
        console.put_json(to_json(report))
        return
    where = f"{report.path} ({size(report.size_bytes)})" if report.written else "nothing written"
    if report.merge is not None:
        put_merge(report.deck, report.merge, where)
        return
    notes = count_of(report.new + report.changed + report.same, "note")
    console.put(f"{report.deck}: {notes}, {report.new} new, {report.changed} changed, {report.same} the same · {where}")
    if report.changed and report.written:
        console.tell(PLAIN_DECK)


@click.command(cls=Command)
@click.option("--deck", default="", metavar="NAME", help="The deck of new notes; else Lode, or Lode::PROFILE.")
@click.option("--anki", "address", default="", metavar="URL", help="Where AnkiConnect answers.")
@click.option("--dry-run", is_flag=True, help="Say what would be new, updated and kept; change nothing.")
@json_option
@click.pass_obj
def push(context: Context, deck: str, address: str, dry_run: bool, as_json: bool) -> None:
    """Put all clips straight into the Anki that runs here, and keep what was edited there."""
    anki = RunningAnki(address)
    report = context.run(lambda service: service.deck.push(anki, name=deck, dry_run=dry_run))
    if as_json:
        console.put_json(to_json(report))
    elif report.merge is not None:
        put_merge(report.deck, report.merge, "in Anki" if report.written else "nothing written")
