"""``lode transcripts``: list, show, and what the import changed; a list has the counts of words where they are wanted.

Counting cuts the words of each transcript once, a tenth of a second for a film, so the plain list does without.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tui.cli.arguments import Number, WrongUsage
from tui.cli.commands import cues, records, retiming, transcript_files
from tui.cli.lists import Listing, name_column, takes_list
from tui.cli.output import console
from tui.cli.output.details import put_cue, put_original
from tui.cli.output.tables import Column, number_column, short
from tui.cli.root import Group, takes_json
from tui.records.pages import Page, to_json
from tui.records.sorting import COUNT_COLUMNS
from tui.records.transcripts import Cue
from tui.text.display import age, clock, count_of, number, title_with_series
from tui.text.readings import with_readings

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.language.word import Word
    from tui.records.transcripts import CueNote, Sentence, Transcript
    from tui.records.word_stats import TranscriptWithCounts
    from tui.service.protocol import Service

T = TypeVar("T")
_EMPTY_HINT = "add some with: lode add PATH"


def _title(transcript: Transcript) -> str:
    return title_with_series(transcript.title, transcript.series, transcript.season, transcript.episode)


_TRANSCRIPTS: tuple[Column[Transcript], ...] = (
    Column("id", lambda transcript: short(transcript.id), lambda transcript: transcript.id),
    Column("title", _title, lambda transcript: transcript.title, wide=True, inside=True),
    Column("series", lambda transcript: transcript.series, wide=True, usual=False),
    Column("lang", lambda transcript: transcript.language or ""),
    Column("cues", lambda transcript: str(transcript.cue_count), right=True),
    Column(
        "length",
        lambda transcript: clock(transcript.duration_ms),
        lambda transcript: str(transcript.duration_ms or ""),
        right=True,
    ),
    records.READ,
    Column("age", lambda transcript: age(transcript.created_at), lambda transcript: transcript.created_at, right=True),
)
_COUNTS: tuple[Column[Any], ...] = (
    number_column("words", lambda each: each.words.words),
    number_column("new", lambda each: each.words.new),
    Column(
        "known", lambda each: f"{each.words.share_known:.0%}", lambda each: f"{each.words.share_known:.4f}", right=True
    ),
    number_column("one new", lambda each: each.words.one_new),
)
_ALL: tuple[Column[Any], ...] = (*_TRANSCRIPTS, *_COUNTS)
_COUNTED = (
    *(replace(column, usual=column.usual and column.title not in ("length", "age")) for column in _ALL),
    replace(records.FOUND, usual=False),
)


@click.group(cls=Group)
def transcripts() -> None:
    """Transcripts and their cues; each goes by its id, title or film's path, or by a beginning of id or title."""


@transcripts.command("list")
@click.option("--search", default="", metavar="TEXT", help="Only what has all these words.")
@records.sort_option("transcripts")
@records.page_options
@click.option("--counts", is_flag=True, help="How many words each has, and how many of them are new and known.")
@takes_list((*_ALL, records.FOUND))
def list_transcripts(context: Context, /, counts: bool, sort: str | None, how: Listing, **options: Any) -> None:
    """List transcripts, newest first unless told otherwise.

    Each of one_new is a sentence in which one word is new and all others are known. The first count of a
    transcript takes a tenth of a second for a film.
    """
    needs_counts = not {name_column(column.title) for column in _COUNTS}.isdisjoint(how.columns)
    is_by_counts = (sort or "").removeprefix("-") in COUNT_COLUMNS
    if counts or needs_counts or is_by_counts:
        _put_counted(context, sort or "", how, counts_first=is_by_counts, **options)
        return
    is_searched = options["search"] or options["view"]
    shown = (*_TRANSCRIPTS, records.FOUND) if is_searched or how.columns else _TRANSCRIPTS
    listing: dict[str, Any] = {"noun": "transcripts", "empty_hint": _EMPTY_HINT, "sort": sort, **options}
    records.put_list(context, lambda service: service.transcripts.page, shown, how, **listing)


def _put_counted(
    context: Context,
    sort: str,
    how: Listing,
    *,
    counts_first: bool,
    search: str,
    view: str,
    limit: int | None,
    offset: int,
) -> None:
    async def work(service: Service) -> None:
        q, order = await records.find_query(service, "transcripts", search, view)
        with console.StatusLine() as status:
            if counts_first:  # a few at a time, which is told
                async for _ in _counted(service, status, q, "", None, 0):
                    pass
            pages = _counted(service, status, q, sort or order, limit, offset)
            seen, total = await records.put_pages(_COUNTED, pages, how)
        if console.is_terminal():
            rest = total - offset - seen if limit is not None else 0
            records.put_rest(seen, rest, "transcripts", q, _EMPTY_HINT)

    context.run(work)


async def _counted(
    service: Service, status: console.StatusLine, search: str, sort: str, limit: int | None, offset: int
) -> AsyncIterator[Page[TranscriptWithCounts]]:
    """The transcripts with their counts, a few at a time: they are cut into words when they are first counted."""
    from tui.records.word_stats import TranscriptWithCounts

    seen, size = 0, records.PAGE if sort else records.PAGE // 10  # each sorted page looks at all of them
    read_page = partial(service.transcripts.page, q=search, sort=sort)
    async for page in records.each_page(read_page, offset=offset, limit=limit, size=size):
        status.show(f"counting the words of {number(seen)} of {count_of(page.total, 'transcript')} …")
        counts = await service.known_words.counts(*(transcript.id for transcript in page.items))
        found = tuple(TranscriptWithCounts.of(each, counts[each.id]) for each in page.items if each.id in counts)
        seen += len(found)
        status.clear()
        yield Page(found, page.total, page.offset)


@transcripts.command("show")
@click.argument("given", metavar="ID")
@click.option("--sentences", is_flag=True, help="Whole sentences instead, also those that stand in several cues.")
@click.option("--readings", is_flag=True, help="How words are read, behind them; with --json the words of each cue.")
@takes_json
def show_transcript(context: Context, given: str, sentences: bool, readings: bool, as_json: bool) -> None:
    """Show a transcript: its cues with their times, and your notes below them."""
    if sentences and readings:
        raise WrongUsage("sentences have no readings", hint="--readings without --sentences")

    async def work(service: Service) -> None:
        transcript = await records.find_record(service.transcripts, given)
        if readings:
            await _put_read(service, transcript, as_json=as_json)
            return
        cues = _each(service.transcripts.cues, transcript.id)
        whole = _each(service.transcripts.sentences, transcript.id)
        parts: AsyncIterator[Cue | Sentence] = whole if sentences else cues
        notes = {note.cue_index: note.text for note in await service.transcripts.notes(transcript.id)}
        if as_json:
            noted = (_with_note(part, _take_note(part, notes)) async for part in parts)
            await console.put_json_array(noted, head=transcript, key="sentences" if sentences else "cues")
            return
        width = _put_head(transcript)
        async for part in parts:
            put_cue(part, width, _take_note(part, notes))

    context.run(work)


def _take_note(part: Cue | Sentence, notes: dict[int, str]) -> str:
    """The note at a cue or sentence, which the next sentence of that cue has not again; "" for none."""
    cues = (part.index,) if isinstance(part, Cue) else range(part.first_cue, part.last_cue + 1)
    return "\n".join(filter(None, (notes.pop(cue, "") for cue in cues)))


def _with_note(part: Cue | Sentence, note: str) -> Any:
    return to_json(part) | {"note": note} if note else part


@transcripts.command("note")
@click.argument("given", metavar="ID")
@click.argument("text", metavar="TEXT")
@click.option("--line", type=Number(1), required=True, metavar="N", help="The line of the transcript, from 1 on.")
@takes_json
def write_note(context: Context, given: str, text: str, line: int, as_json: bool) -> None:
    """Write a note on the sentence at a line; "" takes it away, and so does lode undo."""

    async def work(service: Service) -> CueNote:
        transcript = await records.find_record(service.transcripts, given)
        return await service.transcripts.note(transcript.id, line - 1, text)

    console.put_record(context.run(work), lambda note: None, as_json=as_json)


@transcripts.command("changes")
@click.argument("given", metavar="ID")
@takes_json
def show_changes(context: Context, given: str, as_json: bool) -> None:
    """Show what the import changed, cue by cue: each as it stood in the file, and what became of it."""

    async def work(service: Service) -> None:
        transcript = await records.find_record(service.transcripts, given)
        originals = _each(service.transcripts.changes, transcript.id)
        if as_json:
            await console.put_json_array(originals)
            return
        count = 0
        async for cue in originals:
            put_original(cue, _width(transcript))
            count += 1
        if not count:
            console.tell("the import changed nothing: the cues are those of the file")

    context.run(work)


for command in (transcript_files.export, transcript_files.edit, transcript_files.pair, transcript_files.unpair):
    transcripts.add_command(command)
transcripts.add_command(cues.cue)
transcripts.add_command(cues.shift)
transcripts.add_command(retiming.retime)
records.add_move(
    transcripts,
    lambda service: service.transcripts,
    noun="transcript",
    what="transcripts with their clips, and with the file whose last ones they are",
    ids_of=lambda service, given: records.find_ids(service.transcripts, given),
)
records.add_delete(
    transcripts,
    lambda service: service.transcripts,
    noun="transcript",
    what="transcripts; files and clips stay",
    ids_of=lambda service, given: records.find_ids(service.transcripts, given),
)


def _width(transcript: Transcript) -> int:
    """Cells of the column of times or numbers."""
    return len(clock(transcript.duration_ms) or str(transcript.cue_count))


def _put_head(transcript: Transcript) -> int:
    """Put the first line; gives the width of the column that follows."""
    facts = (
        transcript.title,
        transcript.language or "",
        count_of(transcript.cue_count, "cue"),
        clock(transcript.duration_ms),
    )
    console.put(" · ".join(filter(None, facts)) + "\n")
    return _width(transcript)


async def _put_read(service: Service, transcript: Transcript, *, as_json: bool) -> None:
    """Put the cues with their readings or, as JSON, with their words."""
    cues = _read_cues(service, transcript.id)
    if as_json:
        values = (to_json(cue) | {"words": words} async for cue, words in cues)
        await console.put_json_array(values, head=transcript, key="cues")
        return
    width = _put_head(transcript)
    async for cue, words in cues:
        put_cue(replace(cue, text=with_readings(cue, words)), width)


async def _read_cues(service: Service, transcript_id: str) -> AsyncIterator[tuple[Cue, tuple[Word, ...]]]:
    """The cues with the words that a segmenter cut them into, none where there is no segmenter."""
    offset = 0
    async for page in records.each_page(partial(service.transcripts.cues, transcript_id)):
        found = await service.transcripts.words(transcript_id, offset=offset, limit=records.PAGE)
        words = {each.index: each.words for each in found}
        for cue in page.items:
            yield cue, words.get(cue.index, ())
        offset += len(page.items)


async def _each(fetch: Callable[..., Awaitable[Page[T]]], transcript_id: str) -> AsyncIterator[T]:
    """Iterate over what a transcript has of one kind, from page to page."""
    async for page in records.each_page(partial(fetch, transcript_id)):
        for item in page.items:
            yield item
