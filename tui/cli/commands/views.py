"""``lode views``: searches with a name; list, add, rename, delete."""

from __future__ import annotations

import click

from tui.cli.commands.records import find_view, put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.tables import Column
from tui.cli.root import Group, takes_json
from tui.records.search import View
from tui.records.search_fields import VIEW_LISTS, ViewList
from tui.service.protocol import Service
from tui.text.display import count_of

_COLUMNS: tuple[Column[View], ...] = (
    Column("name", lambda view: view.name, wide=True),
    Column("list", lambda view: view.list),
    Column("search", lambda view: view.q, wide=True),
    Column("sort", lambda view: view.sort, usual=False),
)


@click.group(cls=Group)
def views() -> None:
    """Searches with a name, which the app lists among its commands and lists take as --view VIEW."""


@views.command("list")
@takes_list(_COLUMNS)
def list_views(context: Context, how: Listing) -> None:
    """List the views, by name."""
    put_all(
        _COLUMNS, context.run(lambda service: service.views.all()), how, none="no views yet; lode views add makes one"
    )


@views.command("add")
@click.argument("name")
@click.argument("listed", metavar="LIST", type=click.Choice(VIEW_LISTS))
@click.argument("search", metavar="SEARCH")
@takes_json
def add(context: Context, /, name: str, listed: ViewList, search: str, as_json: bool) -> None:
    """Give a search of LIST a NAME; a view that has it is replaced, which lode undo takes back.

    LIST is files, transcripts, clips, answers, jobs or words.
    """
    view = context.run(lambda service: service.views.save(View(name, listed, search)))
    console.put_answer(view, f"view {view.name} saved", as_json=as_json)


@views.command("rename")
@click.argument("name", metavar="VIEW")
@click.argument("new_name", metavar="NEW")
@takes_json
def rename(context: Context, /, name: str, new_name: str, as_json: bool) -> None:
    """Give a view another name."""
    view = context.run(lambda service: service.views.rename(name, new_name))
    console.put_answer(view, f"view {view.name} renamed", as_json=as_json)


@views.command("delete")
@click.argument("names", nargs=-1, required=True, metavar="VIEW…")
@takes_json
def delete(context: Context, /, names: tuple[str, ...], as_json: bool) -> None:
    """Delete views; lode undo brings them back, one by one."""

    async def work(service: Service) -> int:
        for name in names:
            await find_view(service, name)
        return sum([(await service.views.delete(name)).count for name in names])

    count = context.run(work)
    console.put_answer({"count": count}, f"deleted {count_of(count, 'view')}", as_json=as_json)
    console.tell("lode undo brings back what was deleted")
