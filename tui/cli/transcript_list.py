"""``lode transcripts list``: as other lists, and with the counts of each transcript's words where they are wanted.

Counting cuts the words of each transcript once, a tenth of a second for a film, so the plain list does without.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tui.cli.output import console
from tui.cli.output.tables import Column
from tui.cli.record_commands import ON_TERMINAL, PAGE, page_options, put_list, put_rest, put_rows
from tui.cli.root import Group, json_option
from tui.records.pages import to_json
from tui.text.display import count_of, number

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.records.transcripts import Transcript
    from tui.records.words import WordCounts
    from tui.service.protocol import Service

_SORTS: dict[str, Callable[[WordCounts], float]] = {
    "known": lambda counts: -counts.share_known,
    "new": lambda counts: counts.new,
    "one_new": lambda counts: -counts.one_new,
}
"""Number that each order goes by, the least first: what is easiest, or has most to learn from, comes first."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """A transcript with the counts of its words."""

    transcript: Transcript
    words: WordCounts


FOUND: Column[Any] = Column("found in", lambda each: each.hit.text if each.hit is not None else "", wide=True)
"""Column of the sentence by which a search found a file or a transcript, where it is that only."""


def add_transcript_list(group: Group, columns: Sequence[Column[Transcript]], *, empty_hint: str) -> None:
    """Give the group its command ``list``."""
    counted = tuple(_of(column) for column in columns if column.title not in ("length", "age")) + _COUNTS

    @group.command("list")
    @json_option
    @click.option("--search", default="", metavar="TEXT", help="Only what has all these words.")
    @page_options
    @click.option("--counts", is_flag=True, help="How many words each has, and how many of them are new and known.")
    @click.option("--sort", type=click.Choice(list(_SORTS)), help="Most known, fewest new, or most with one new first.")
    @click.pass_obj
    def list_transcripts(
        context: Context, as_json: bool, search: str, limit: int | None, offset: int, counts: bool, sort: str | None
    ) -> None:
        """List transcripts, newest first, or sorted by their words.

        Each of one_new is a sentence in which one word is new and all others are known. The first count of a
        transcript takes a tenth of a second for a film.
        """
        if not counts and sort is None:
            put_list(
                context,
                lambda service: service.transcripts.page,
                (*columns, FOUND) if search else columns,
                noun="transcripts",
                empty_hint=empty_hint,
                as_json=as_json,
                search=search,
                limit=limit,
                offset=offset,
            )
            return
        if limit is None and console.is_terminal():
            limit = ON_TERMINAL

        async def work(service: Service) -> None:
            found, total = await _transcripts(service, search, sort, limit, offset)
            if as_json:
                await console.put_json_array(_as_json(found))
            else:
                put_rows(counted, found)
            if console.is_terminal():
                put_rest(len(found), total - offset - len(found), "transcripts", search, empty_hint)

        context.run(work)


async def _transcripts(
    service: Service, search: str, sort: str | None, limit: int | None, offset: int
) -> tuple[list[_Counted], int]:
    """The transcripts with their counts, and how many there are in all; to be sorted all of them are counted."""
    found: list[_Counted] = []
    left = None if sort else limit
    after: str | None = None
    with console.StatusLine() as status:
        while left is None or left > 0:
            # A few at a time, so that one sees how far it is: they are cut into words when they are first counted.
            size = min(PAGE // 10, left or PAGE)
            page = await service.transcripts.page(
                offset=0 if after or sort else offset, limit=size, q=search, after=after
            )
            status.show(f"counting the words of {number(len(found))} of {count_of(page.total, 'transcript')} …")
            counts = await service.known_words.counts(*(transcript.id for transcript in page.items))
            found += [_Counted(each, counts[each.id]) for each in page.items if each.id in counts]
            left = None if left is None else left - len(page.items)
            after = page.next
            if after is None:
                break
    if sort:
        found.sort(key=lambda each: _SORTS[sort](each.words))
        found = found[offset:][:limit]
    return found, page.total


async def _as_json(found: Sequence[_Counted]) -> AsyncIterator[Any]:
    for each in found:
        yield to_json(each.transcript) | {"words": to_json(each.words)}


def _of(column: Column[Transcript]) -> Column[_Counted]:
    raw = column.raw
    return Column(
        column.title,
        lambda each: column.cell(each.transcript),
        None if raw is None else lambda each: raw(each.transcript),
        right=column.right,
        wide=column.wide,
        inside=column.inside,
    )


_COUNTS: tuple[Column[_Counted], ...] = (
    Column("words", lambda each: number(each.words.words), lambda each: str(each.words.words), right=True),
    Column("new", lambda each: number(each.words.new), lambda each: str(each.words.new), right=True),
    Column(
        "known", lambda each: f"{each.words.share_known:.0%}", lambda each: f"{each.words.share_known:.4f}", right=True
    ),
    Column("one new", lambda each: number(each.words.one_new), lambda each: str(each.words.one_new), right=True),
)
