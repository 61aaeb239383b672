"""``lode keys``: all keys of the app as the settings have them, and those of the settings that clash."""

from __future__ import annotations

from itertools import groupby

import click

from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.root import Command, takes_json
from tui.guides import write_keys
from tui.text.cells import cut, fit

_FORMATS = ("text", "json", "markdown")


@click.command(cls=Command)
@click.option("--format", "form", type=click.Choice(_FORMATS), help="Else text.")
@click.option("--no-pager", is_flag=True, help="Print them straight to the terminal.")
@takes_json
def keys(context: Context, form: str | None, no_pager: bool, as_json: bool) -> None:
    """List the keys of the app, place by place, with what they do and the ids that [keys] in config.toml takes.

    They are those of your settings; what clashes there is named.
    """
    from tui.app import LodeApp
    from tui.guides.key_list import list_keys, setting_problems

    settings = context.settings()
    problems = [said for name, said in setting_problems(settings, LodeApp) if name != "theme"]
    found = tuple(list_keys(LodeApp, settings.keys))
    with console.paged(not no_pager):
        if as_json or form == "json":
            console.put_json({"keys": found, "problems": problems})
        elif form == "markdown":
            console.put(write_keys(LodeApp, settings.keys))
        else:
            _put_text([(each.place, " ".join(each.keys), each.does, each.id) for each in found])
    for said in problems:
        console.tell(f"warning: {said}")
    if problems:
        console.tell("hint: lode config check says in which line")


def _put_text(rows: list[tuple[str, str, str, str]]) -> None:
    """Keys and what they do in two columns, the ids in a third; between tabs in a pipe."""
    from rich.cells import cell_len

    if not console.is_terminal():
        for row in rows:
            console.put("\t".join(row))
        return
    key_cells, id_cells = (max(cell_len(row[at]) for row in rows) for at in (1, 3))
    does_cells = max(20, console.width() - key_cells - id_cells - 6)
    for number, (place, several) in enumerate(groupby(rows, key=lambda row: row[0])):
        console.put(f"{'' if not number else chr(10)}{place}")
        for _, shown, does, name in several:
            line = f"  {fit(shown, key_cells)}  {fit(does, does_cells)}  {name}".rstrip()
            console.put(cut(line, console.width()))
