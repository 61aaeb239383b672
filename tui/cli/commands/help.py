"""``lode help``: the guides, listed or one of them."""

from __future__ import annotations

import os
from dataclasses import asdict
from difflib import get_close_matches

import click

from tui.cli.arguments import WrongUsage
from tui.cli.commands.records import put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.tables import Column
from tui.cli.root import Command
from tui.cli.root import lode as root
from tui.guides import KEYS_LINE, Guide, lay_out, list_guides, read_guide, write_keys

_MAX_WIDTH = 100
"""Cells of a line at most: longer ones are hard to read."""
_COLUMNS: tuple[Column[Guide], ...] = (
    Column("guide", lambda guide: guide.topic),
    Column("about", lambda guide: guide.summary, wide=True),
)


@click.command(cls=Command)
@click.argument("topic", required=False)
@takes_list(_COLUMNS)
def help(context: Context, topic: str | None, how: Listing) -> None:
    """Show the guide about TOPIC; without one, list the guides.

    A pipe gets it as Markdown. The options of a command are in its own help: lode COMMAND --help.
    """
    guides = {guide.topic: guide for guide in list_guides()}
    if topic is None:
        put_all(_COLUMNS, tuple(guides.values()), how, none="")
        return
    if topic not in guides:
        raise WrongUsage(f"there is no guide {topic[:80]!r}", hint=_suggest(topic, guides))
    text = read_guide(topic)
    if KEYS_LINE in text:
        from tui.app import LodeApp

        text = text.replace(KEYS_LINE, write_keys(LodeApp, context.settings().keys))
    if how.as_json:
        console.put_json({**asdict(guides[topic]), "text": text})
    elif not console.is_terminal() or os.environ.get("TERM") == "dumb":
        console.put(text, end="")
    else:
        with console.paged(how.pages):
            console.put_styled(lay_out(text, min(console.width(), _MAX_WIDTH)))


def _suggest(topic: str, known: dict[str, Guide]) -> str:
    if topic in root.list_commands(click.Context(root)):
        return f"lode {topic} --help says what the command does"
    near = get_close_matches(topic, known, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
