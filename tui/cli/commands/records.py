"""Records on the command line: their commands list, show and delete, and those that are given by a name."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from tui.cli.arguments import Number
from tui.cli.lists import Listing, ListWriter, pick, takes_list
from tui.cli.output import console
from tui.cli.output.details import ask_deletion, put_deletion
from tui.cli.output.tables import Column
from tui.cli.root import Group, takes_json
from tui.errors import InvalidInput, LodeError, NotFound
from tui.records.sorting import SORT_COLUMNS, SortedList
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.display import count_of, share_read
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.records.files import ProfileFile
    from tui.records.jobs import Job
    from tui.records.library import Moved
    from tui.records.pages import Page
    from tui.records.search import View
    from tui.records.transcripts import Transcript
    from tui.service.protocol import Service
    from tui.service.protocol.records import NamedRecords, Records


T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

PAGE = 1000

FOUND: Column[Any] = Column("found in", lambda each: each.hit.text if each.hit is not None else "", wide=True)
"""Column of the sentence by which a search found a file or a transcript, where it is that only."""

READ: Column[Any] = Column(
    "read",
    lambda each: share_read(each.read_cues, each.cue_count),
    lambda each: "" if each.read_cues is None else f"{each.read_cues / max(1, each.cue_count):.4f}",
    right=True,
    usual=False,
)
"""Column of how much of a transcript is read."""


def page_options(function: F) -> F:
    """Options of a command that lists in pages: ``limit``, ``offset`` and ``view``."""
    view = click.option("--view", default="", metavar="VIEW", help="What this view finds: lode views.")
    offset = click.option("--offset", type=Number(0), default=0, metavar="N", help="Leave out the first N.")
    limit = click.option("--limit", type=Number(1), metavar="N", help="At most N; else all.")
    return view(limit(offset(function)))


def sort_option(listed: SortedList) -> Callable[[F], F]:
    """Option ``sort`` of a command that lists in pages."""
    columns = tuple(SORT_COLUMNS[listed])
    choices = click.Choice((*columns, *(f"-{column}" for column in columns)))
    text = f"By {', '.join(columns[:-1])} or {columns[-1]}; - before it turns the order over."
    return click.option("--sort", type=choices, default=None, metavar="[-]COLUMN", help=text)


def selection_options(function: F) -> F:
    """Arguments that choose clips, as ``ClipSelection`` has them."""
    for option in (
        click.option("--search", "q", default="", metavar="TEXT", help="Only what has all these words."),
        click.option(
            "--tag", default="", metavar="TAG", help="Only clips with this tag, or with one below it: verb::strong."
        ),
        click.argument("ids", nargs=-1, metavar="[ID…]"),
    ):
        function = option(function)
    return function


class Fetch(Protocol[T]):
    """The ``page`` of a resource."""

    def __call__(
        self, *, offset: int = 0, limit: int, q: str, after: str | None = None, sort: str = ""
    ) -> Awaitable[Page[T]]: ...


def add_list(
    group: Group,
    fetch: Callable[[Service], Fetch[T]],
    columns: Sequence[Column[T]],
    *,
    noun: SortedList,
    empty_hint: str = "",
    searched: Sequence[Column[T]] = (),
) -> None:
    """Give the group its command ``list``; ``noun`` is what it lists, in the plural.

    ``searched`` are further columns of a list that is searched.
    """

    @group.command("list", help=f"List {noun}, newest first unless told otherwise.")
    @click.option("--search", default="", metavar="TEXT", help="Only what has all these words.")
    @sort_option(noun)
    @page_options
    @takes_list((*columns, *searched))
    def list_them(context: Context, /, how: Listing, **options: Any) -> None:
        shown = (*columns, *searched) if options["search"] or options["view"] or how.columns else columns
        put_list(context, fetch, shown, how, noun=noun, empty_hint=empty_hint, **options)


def add_show(
    group: Group, get: Callable[[Service, str], Coroutine[Any, Any, T]], put: Callable[[T], None], *, what: str
) -> None:
    """Give the group its command ``show``; ``what`` is the rest of its help."""

    @group.command("show", help=f"Show {what}.")
    @click.argument("record_id", metavar="ID")
    @takes_json
    def show(context: Context, record_id: str, as_json: bool) -> None:
        console.put_record(context.run(lambda service: get(service, record_id)), put, as_json=as_json)


def add_delete(
    group: Group,
    records: Callable[[Service], Records[Any]],
    *,
    noun: str,
    what: str,
    ids_of: Callable[[Service, Sequence[str]], Coroutine[Any, Any, tuple[str, ...]]] | None = None,
    jobs_of: Callable[[Service], Callable[..., Coroutine[Any, Any, Sequence[Job]]]] | None = None,
) -> None:
    """Give the group its command ``delete``; ``what`` is the rest of its help, ``jobs_of`` tells what goes too.

    ``ids_of`` finds the ids of what may be given by name.
    """

    @group.command("delete", help=f"Delete {what}.")
    @click.argument("ids", nargs=-1, required=True, metavar="ID…")
    @click.option("--yes", is_flag=True, help="Don't ask (in pipes nothing is asked).")
    @takes_json
    def delete(context: Context, ids: tuple[str, ...], yes: bool, as_json: bool) -> None:
        meant = ids if ids_of is None else context.run(lambda service: ids_of(service, ids))
        if not yes and console.asks():
            jobs = context.run(lambda service: jobs_of(service)(*meant)) if jobs_of is not None else ()
            ask_deletion(noun, len(meant), f" and {count_of(len(jobs), 'job')}" if jobs else "")
        put_deletion(noun, context.run(lambda service: records(service).delete(*meant)), as_json=as_json)


def add_move(
    group: Group,
    records: Callable[[Service], Any],
    *,
    noun: str,
    what: str,
    ids_of: Callable[[Service, Sequence[str]], Coroutine[Any, Any, tuple[str, ...]]] | None = None,
) -> None:
    """Give the group its command ``move``; ``what`` is the rest of its help, ``ids_of`` as in ``add_delete``."""

    @group.command("move", help=f"Move to another profile: {what}. lode undo takes it back.")
    @click.argument("ids", nargs=-1, required=True, metavar="ID…")
    @click.option("--to", required=True, metavar="PROFILE", help="The profile that they go to, a new one too.")
    @click.option("--dry-run", is_flag=True, help="Say what would go along; move nothing.")
    @takes_json
    def move(context: Context, /, ids: tuple[str, ...], to: str, dry_run: bool, as_json: bool) -> None:
        async def work(service: Service) -> Moved:
            meant = ids if ids_of is None else await ids_of(service, ids)
            moved: Moved = await records(service).move(*meant, to=to, dry_run=dry_run)
            return moved

        moved = context.run(work)
        counts = {"file": moved.files, "transcript": moved.transcripts, "clip": moved.clips}
        along = [count_of(count, each) for each, count in counts.items() if each != noun and count]
        rest = f", with {' and '.join(along)}" if along else ""
        done = "would go" if dry_run else "moved"
        console.put_answer(moved, f"{count_of(moved.count, noun)} {done} to {to}{rest}", as_json=as_json)


def finish_jobs(context: Context, queue: Callable[[Service], Awaitable[Sequence[Job]]], *, as_json: bool) -> None:
    """Queue jobs and print how each ends; the exit code tells whether all did what they were to do."""
    from tui.cli.output.job_progress import follow_jobs

    async def work(service: Service) -> bool:
        return await follow_jobs(service, await queue(service), as_json=as_json)

    context.finish(work)


def put_all(columns: Sequence[Column[T]], items: Sequence[T], how: Listing, *, none: str) -> None:
    """A list that is whole: as JSON, in a pipe or on a terminal, where ``none`` says that it is empty."""
    if console.is_terminal() and not items and not how.format:
        console.tell(none)
        return
    with console.paged(how.pages):
        if how.as_json:
            chosen = how.choose(columns)
            console.put_json([pick(chosen, item) for item in items] if how.columns else items)
        else:
            ListWriter(columns, how).put(items)


def put_list(
    context: Context,
    fetch: Callable[[Service], Fetch[T]],
    columns: Sequence[Column[T]],
    how: Listing,
    *,
    noun: str,
    search: str,
    view: str,
    sort: str | None,
    limit: int | None,
    offset: int,
    empty_hint: str,
) -> None:
    """Print the list, newest first unless it is sorted; on a terminal, say what ``limit`` leaves out."""

    async def work(service: Service) -> None:
        q, order = await find_query(service, noun, search, view)
        pages = each_page(partial(fetch(service), q=q, sort=sort or order), offset=offset, limit=limit)
        seen, total = await put_pages(columns, pages, how)
        if console.is_terminal():
            put_rest(seen, total - offset - seen if limit is not None else 0, noun, q, empty_hint)

    context.run(work)


async def find_query(service: Service, noun: str, search: str, view: str) -> tuple[str, str]:
    """Find what is searched for in a list of ``noun``: the words that were given, and those of a view; and its order.

    Raises ``NotFound`` where there is no such view, and ``InvalidInput`` for one of another list.
    """
    if not view:
        return search, ""
    found = await find_view(service, view)
    if found.list != noun:
        group = "history" if found.list == "answers" else found.list
        hint = f'lode {group} list --view "{one_line(found.name)}"'
        raise InvalidInput(f"the view {found.name!r} is of {found.list}", hint=hint, code="other_list")
    return f"{found.q} {search}".strip(), found.sort


async def find_view(service: Service, name: str) -> View:
    """The view of this name; raises ``NotFound`` where there is none."""
    wanted = name.strip().casefold()
    found = next((each for each in await service.views.all() if each.name.casefold() == wanted), None)
    if found is None:
        raise NotFound(f"there is no view {name[:40]!r}", hint="lode views list has all", code="view_not_found")
    return found


async def put_pages(columns: Sequence[Column[T]], pages: AsyncIterator[Page[T]], how: Listing) -> tuple[int, int]:
    """Write the rows of a list as its pages come; gives how many there were, and how many there are in all."""
    seen = total = 0

    async def items() -> AsyncIterator[T]:
        async for each in count_pages():
            for item in each:
                yield item

    async def count_pages() -> AsyncIterator[Sequence[T]]:
        nonlocal seen, total
        async for page in pages:
            seen, total = seen + len(page.items), page.total
            yield page.items

    with console.paged(how.pages):
        if how.as_json:
            chosen = how.choose(columns)
            await console.put_json_array(pick(chosen, item) if how.columns else item async for item in items())
        else:
            writer = ListWriter(columns, how)
            async for each in count_pages():
                writer.put(each)
    return seen, total


def put_rest(seen: int, rest: int, noun: str, search: str, empty_hint: str) -> None:
    """Tell how much of a list is left out, or why it is empty."""
    if rest > 0:
        console.tell(f"… and {rest} more (--limit, --offset)")
    elif not seen and search:
        console.tell(f"no {noun} with {search!r}")
    elif not seen:
        console.tell(f"no {noun} yet" + (f"; {empty_hint}" if empty_hint else ""))


async def each_page(
    fetch: Callable[..., Awaitable[Page[T]]], *, offset: int = 0, limit: int | None = None, size: int = PAGE
) -> AsyncIterator[Page[T]]:
    """Each page begins after the last row of the one before, whatever is added and deleted meanwhile."""
    left, after = limit, None
    while left is None or left > 0:
        page = await fetch(offset=0 if after else offset, limit=min(size, left or size), after=after)
        yield page
        if left is not None:
            left -= len(page.items)
        after = page.next
        if after is None:
            return


N = TypeVar("N", "ProfileFile", "Transcript")
_CANDIDATES = 5


async def find_record(records: NamedRecords[N], given: str) -> N:
    """Find the one that ``given`` means: an id or an unambiguous beginning of one comes first, then names.

    A file that lies here under that name is meant by its path. Raises ``NotFound`` and, for what means several,
    ``InvalidInput`` that lists them.
    """
    try:
        return await records.get(given)
    except NotFound as error:
        no_id: LodeError = NotFound(error.message, hint="the list has the ids and the names", code=error.code)
    except InvalidInput as error:
        if error.code != "ambiguous_id":
            raise
        no_id = error
    for name in await _names(given):
        found = await records.find_named(name)
        if len(found) == 1:
            return found[0]
        if found:
            raise _ambiguous(given, found)
    raise no_id


async def find_ids(records: NamedRecords[N], given: Sequence[str]) -> tuple[str, ...]:
    """The ids of all that are meant; raises as ``find_record`` does."""
    return tuple([(await find_record(records, each)).id for each in given])


async def find_timed_id(service: Service, given: str) -> str:
    """The id of the transcript that is meant or, where several or none are, of the file."""
    with suppress(NotFound):
        return (await service.transcripts.get(given)).id
    with suppress(NotFound):
        return (await service.files.get(given)).id
    try:
        return (await find_record(service.transcripts, given)).id
    except (NotFound, InvalidInput) as error:
        several = error if isinstance(error, InvalidInput) else None
    try:
        return (await find_record(service.files, given)).id
    except NotFound as error:
        raise several or error from None


async def _names(given: str) -> Iterable[str]:
    """The name, and before it the whole path where a file lies here under it."""
    path = named_path(given)
    is_here = await in_daemon_thread(lambda: os.path.isfile(path), name="look at a disk")  # noqa: PTH113 - Path.is_file raises for what is no path
    return dict.fromkeys((str(path.absolute()), given)) if is_here else (given,)


def _ambiguous(given: str, found: Sequence[ProfileFile | Transcript]) -> InvalidInput:
    from tui.records.files import ProfileFile

    kind = "file" if isinstance(found[0], ProfileFile) else "transcript"
    listed = [f"{each.id} {one_line(_describe(each))}" for each in found[:_CANDIDATES]]
    return InvalidInput(
        f"{given[:40]!r} stands for more than one {kind}",
        hint=f"give the id: {', '.join(listed)}{', …' if len(found) > _CANDIDATES else ''}",
        code="ambiguous_name",
    )


def _describe(record: ProfileFile | Transcript) -> str:
    from tui.records.files import ProfileFile

    name = record.name if isinstance(record, ProfileFile) else record.title
    return f'"{name}"' + (f" ({record.language})" if record.language else "")
