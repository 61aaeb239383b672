"""``lode search``: everything that the library has of some words, in groups."""

from __future__ import annotations

import click

from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.root import Command, takes_json
from tui.errors import NotFound
from tui.records.search import SEARCH_GROUPS, SearchGroup, SearchHit
from tui.text.cells import cut
from tui.text.display import clock, number
from tui.text.sanitize import one_line

_HITS = 10


@click.command(cls=Command)
@click.argument("words", metavar="WORDS...", nargs=-1, required=True)
@click.option("--in", "group", type=click.Choice(SEARCH_GROUPS), help="Search only there.")
@click.option("--limit", type=click.IntRange(1, 1000), default=_HITS, show_default=True, help="Hits of each group.")
@takes_json
def search(context: Context, words: tuple[str, ...], group: str | None, limit: int, as_json: bool) -> None:
    """Find words in sentences, titles, clips, notes, words, dictionaries and answers.

    The last word is a beginning; the others stand for all forms of theirs in the library. "Words in a row" are found
    as they are, -word leaves out, and lang:de, title:, source:, tag:, has:audio and the like say where.
    """
    # A shell takes the quotation marks away: several words in one argument are a phrase.
    q = " ".join(f'"{each}"' if " " in each.strip() and '"' not in each else each for each in words)
    found = context.run(lambda service: service.search(q, group=group or "", limit=limit))
    if as_json:
        console.put_json(found)
        return
    if not any(each.hits for each in found):
        raise NotFound(f"nothing has {one_line(q)!r}", hint="give the beginning of a single word")
    for each in found:
        _put_group(each)


def _put_group(group: SearchGroup) -> None:
    if console.is_terminal():
        console.put(f"{group.name}: {number(len(group.hits))}{' and more' if group.more else ''}")
    for hit in group.hits:
        if console.is_terminal():
            console.put(cut(f"  {_line(hit)}", console.width()))
        else:
            place = clock(hit.start_ms) if hit.start_ms is not None else ""
            console.put(
                "\t".join((group.name, hit.id, one_line(hit.title), place, one_line(hit.text), one_line(hit.detail)))
            )


def _line(hit: SearchHit) -> str:
    place = "" if hit.start_ms is None else f", {clock(hit.start_ms)}"
    about = " · ".join(filter(None, (hit.detail, f"{hit.title}{place}" if hit.title else "")))
    return one_line(f"{hit.text} — {about}" if about else hit.text)
