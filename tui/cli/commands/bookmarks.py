"""``lode bookmarks``: list, set and delete bookmarks in transcripts."""

from __future__ import annotations

import click

from tui.cli.arguments import Number
from tui.cli.commands import records
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.tables import Column, short
from tui.cli.root import Group, takes_json
from tui.records.transcripts import Bookmark
from tui.service.protocol import Service
from tui.text.display import age, clock, title_with_series

_BOOKMARKS: tuple[Column[Bookmark], ...] = (
    Column("id", lambda bookmark: short(bookmark.id), lambda bookmark: bookmark.id),
    Column(
        "transcript",
        lambda each: title_with_series(each.title, each.series, each.season, each.episode),
        lambda bookmark: bookmark.title,
        wide=True,
        inside=True,
    ),
    Column("line", lambda bookmark: str(bookmark.cue_index + 1), right=True),
    Column("time", lambda bookmark: clock(bookmark.start_ms), lambda each: str(each.start_ms or ""), right=True),
    Column("sentence", lambda bookmark: bookmark.text, wide=True),
    Column("name", lambda bookmark: bookmark.name, wide=True),
    Column("age", lambda bookmark: age(bookmark.created_at), lambda bookmark: bookmark.created_at, right=True),
)


@click.group(cls=Group)
def bookmarks() -> None:
    """Bookmarks in transcripts, which b sets in the app."""


records.add_list(
    bookmarks,
    lambda service: service.bookmarks.page,
    _BOOKMARKS,
    noun="bookmarks",
    empty_hint="set some with b in the app, or: lode bookmarks add TITLE --line N",
)


@bookmarks.command("add")
@click.argument("given", metavar="TRANSCRIPT")
@click.option("--line", type=Number(1), required=True, metavar="N", help="The line of the transcript, from 1 on.")
@click.option("--name", metavar="TEXT", help="What you call it; one that is there gets it as its new name.")
@takes_json
def add(context: Context, given: str, line: int, name: str | None, as_json: bool) -> None:
    """Set a bookmark in TRANSCRIPT, its id or its title; lode undo takes it back."""

    async def work(service: Service) -> Bookmark:
        transcript = await records.find_record(service.transcripts, given)
        return await service.bookmarks.put(transcript.id, line - 1, name=name)

    console.put_record(context.run(work), lambda each: console.put(each.id), as_json=as_json)


records.add_delete(
    bookmarks, lambda service: service.bookmarks, noun="bookmark", what="bookmarks; the transcripts stay as they are"
)
