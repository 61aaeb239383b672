"""``lode words``: which words are known, how they are marked, and which ones to learn next."""

from __future__ import annotations

import re
from contextlib import aclosing
from functools import partial
from typing import Any

import click

from tui.cli.arguments import Number, PlaceOnDisk, WrongUsage, read_language, read_text
from tui.cli.commands.own_words import own
from tui.cli.commands.records import find_record, page_options, put_all, put_list, sort_option
from tui.cli.commands.word_import import browse_words, import_words
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.tables import Column, number_column
from tui.cli.root import Group, takes_json
from tui.errors import InvalidInput
from tui.records.clips import Clip
from tui.records.word_states import WORD_STATES, WordOrder, WordState
from tui.records.word_stats import TranscriptShare, WordStats
from tui.records.words import FrequencyOffer, KnownWord, NextWord, WordMark
from tui.service.protocol import Service
from tui.system.regular_file import named_path
from tui.text.display import age, count_of, number, size

_WITH_READING = re.compile(r"(?P<lemma>[^\[\]]+)\[(?P<reading>[^\[\]]+)\]\Z")
"""A word with its reading, as Anki writes it: 床[ゆか]."""
_DAYS = 30
_STATE = click.Choice(WORD_STATES)


def _rank(word: KnownWord) -> str:
    return "" if word.rank is None else number(word.rank)


_WORDS: tuple[Column[KnownWord], ...] = (
    Column("word", lambda word: word.lemma, wide=True),
    Column("reading", lambda word: word.reading),
    Column("lang", lambda word: word.language),
    Column("state", lambda word: word.state),
    number_column("times", lambda word: word.occurrences),
    number_column("texts", lambda word: word.transcripts),
    Column("rank", _rank, lambda word: str(word.rank or ""), right=True),
    Column("from", lambda word: word.source or ("name" if word.is_name else "")),
    Column("since", lambda word: age(word.changed_at) if word.changed_at else "", lambda word: word.changed_at),
)
_NEXT: tuple[Column[NextWord], ...] = (
    Column("word", lambda each: each.word.lemma, wide=True),
    number_column("times", lambda each: each.word.occurrences),
    number_column("texts", lambda each: each.word.transcripts),
    Column("rank", lambda each: _rank(each.word), lambda each: str(each.word.rank or ""), right=True),
    Column("new", lambda each: str(each.new_words), right=True),
    Column("sentence", lambda each: each.sentence, wide=True),
    Column("title", lambda each: each.title, wide=True, inside=True),
)
_SHARES: tuple[Column[TranscriptShare], ...] = (
    Column("title", lambda each: each.title, wide=True, inside=True),
    Column("lang", lambda each: each.language or ""),
    Column("words", lambda each: number(each.counts.words), right=True),
    Column("new", lambda each: number(each.counts.new), right=True),
    Column("known", lambda each: f"{each.counts.share_known:.0%}", right=True),
    Column("one new", lambda each: number(each.counts.one_new), right=True),
)


@click.group(cls=Group)
def words() -> None:
    """Words: those you know, those you learn, and those to learn next.

    A word is new until it is looked up or clipped (seen), or marked: learning, known, or ignored, as names are.
    """


@words.command("list")
@click.option("--language", metavar="XX", help="Only words of this language.")
@click.option("--state", "states", type=_STATE, multiple=True, help="Only words in this state; may be repeated.")
@click.option("--search", default="", metavar="TEXT", help="Only words with this in them.")
@click.option(
    "--order",
    type=click.Choice(("lemma", "occurrences", "changed", "rank")),
    default="lemma",
    help="By the alphabet, the most frequent in the library first, the last changed, or by a frequency dictionary.",
)
@sort_option("words")
@page_options
@takes_list(_WORDS)
def list_words(
    context: Context,
    /,
    language: str | None,
    states: tuple[WordState, ...],
    order: WordOrder,
    how: Listing,
    **options: Any,
) -> None:
    """List words with their states: those of your texts, and those that were marked."""
    tag = read_language(language)
    put_list(
        context,
        lambda service: partial(service.known_words.page, language=tag, states=states, order=order),
        _WORDS,
        how,
        noun="words",
        empty_hint="add texts with: lode add PATH",
        **options,
    )


@words.command("mark")
@click.argument("given", nargs=-1, metavar="WORD…")
@click.option("--state", type=_STATE, default="known", help="What they are now; known unless given.")
@click.option("--language", metavar="XX", help="Their language; else the one that the profile learns.")
@click.option("--frequent", type=Number(1), metavar="N", help="The N most frequent words of the language instead.")
@click.option("--below", metavar="LEVEL", help="The words below a level instead: B1, N4, HSK3 …")
@click.option("--dry-run", is_flag=True, help="Only say what --frequent or --below would change.")
@takes_json
def mark(
    context: Context,
    given: tuple[str, ...],
    state: WordState,
    language: str | None,
    frequent: int | None,
    below: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Mark words as known, or as something else; - reads them from standard input, one a line.

    Name their dictionary forms. A reading tells two words apart: 床[ゆか]. --frequent and --below go by a frequency
    dictionary if there is one, else by your own texts, of which --below takes a tenth of the words at most; they leave
    words alone that have a state already. lode undo takes one call back.
    """
    if bool(given) + (frequent is not None) + (below is not None) != 1:
        raise WrongUsage("name words, or how many of the most frequent", hint="lode words mark Zug Haus --language de")
    if dry_run and given:
        raise WrongUsage("words that are named are marked as they are", hint="leave out --dry-run")
    tag = read_language(language)
    lines = read_text("-", "the words").splitlines() if given == ("-",) else given
    lemmas = [each.strip() for each in lines if each.strip()]

    async def work(service: Service) -> None:
        wanted = tag or await _learned_language(service)
        count = frequent or 0
        if below is not None or dry_run:
            offer = await service.known_words.frequent(wanted, level=below or "", count=count)
            count = offer.count
            if dry_run or not offer.count:
                _put_offer(offer, state, as_json=as_json)
                return
        if not given:
            marked = await service.known_words.mark_frequent(wanted, count, state)
            source = marked.dictionary or "the counts of your library"
            told = f"{count_of(marked.changed, 'word')} of {number(marked.listed)} now {state}, by {source}"
            console.put_answer(marked, told, as_json=as_json)
            return
        changed = await service.known_words.mark([_mark(each, wanted, state) for each in lemmas])
        console.put_answer({"changed": changed}, f"{count_of(changed, 'word')} now {state}", as_json=as_json)

    context.run(work)


def _put_offer(offer: FrequencyOffer, state: WordState, *, as_json: bool) -> None:
    source = offer.dictionary or "the counts of your library"
    told = f"{count_of(offer.changed, 'word')} of {number(offer.count)} would be {state}, by {source}"
    console.put_answer(offer, told, as_json=as_json)
    if offer.rarest and not as_json:
        console.put(f"the last: {', '.join(offer.rarest)}")


def _mark(given: str, language: str, state: WordState) -> WordMark:
    match = _WITH_READING.match(given)
    lemma, reading = (match["lemma"].strip(), match["reading"].strip()) if match else (given, "")
    return WordMark(language, lemma, reading, state)


async def _learned_language(service: Service) -> str:
    learned = (await service.settings.get()).learning
    if len(learned) != 1:
        raise InvalidInput("which language are these words of?", hint="say it: --language de", field="language")
    return learned[0].language


words.add_command(import_words)
words.add_command(browse_words)
words.add_command(own)


@words.command("export")
@click.argument("out", metavar="OUT.csv", type=PlaceOnDisk(), default="-")
@click.option("--language", metavar="XX", help="Only words of this language.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.pass_obj
def export(context: Context, out: str, language: str | None, force: bool) -> None:
    """Write the words that have a state as CSV, to a file or to standard output (-).

    Its columns are language, lemma, reading, state, source and date; it can be imported again as it is.
    """
    tag = read_language(language)

    async def work(service: Service) -> None:
        async with aclosing(service.known_words.stream_export(tag)) as pieces:
            if out == "-":
                async for piece in pieces:
                    console.put_bytes(piece)
                return
            import asyncio

            from tui.exporting.target_file import TargetFile

            with await asyncio.to_thread(TargetFile, named_path(out), overwrite=force) as file:
                written = await file.write_all(pieces)
        console.put(f"{out} ({size(written)})")

    context.run(work)


@words.command("stats")
@click.option("--language", metavar="XX", help="Only of this language.")
@click.option("--transcripts", type=Number(0), default=20, metavar="N", help="Of the N newest transcripts; 20.")
@takes_json
def stats(context: Context, language: str | None, transcripts: int, as_json: bool) -> None:
    """Show how many words are known, over time and by transcript, and how many clips were made a day."""
    tag = read_language(language)
    found = context.run(lambda service: service.known_words.stats(tag, transcripts=transcripts))
    if as_json:
        console.put_json(found)
        return
    _put_states(found)
    if found.clips or found.known:
        console.put()
        if found.known:
            console.put(f"known since {found.known[0].day}: {count_of(found.known[-1].count, 'word')}")
        console.put(f"clips on {count_of(len(found.clips), 'day')}: {number(sum(day.count for day in found.clips))}")
        for day in found.clips[-_DAYS:]:
            console.put(f"{day.day}  {number(day.count)}")
    if found.transcripts:
        console.put()
        put_all(_SHARES, found.transcripts, Listing(), none="")


def _put_states(found: WordStats) -> None:
    counts = {(each.language, each.state): each.words for each in found.states}
    languages = list(dict.fromkeys(each.language for each in found.states))

    def column(state: WordState) -> Column[str]:
        return Column(state, lambda tag: number(counts.get((tag, state), 0)), right=True)

    columns: tuple[Column[str], ...] = (Column("lang", str), *map(column, WORD_STATES))
    put_all(columns, languages, Listing(), none="no words yet; add texts with: lode add PATH")


@words.command("next")
@click.option("--transcript", "given", default="", metavar="ID", help="Words of this transcript: an id or a title.")
@click.option("--search", default="", metavar="TEXT", help="Words of the transcripts with this in their titles.")
@click.option("--language", metavar="XX", help="Only words of this language.")
@click.option("--limit", type=Number(1), default=50, metavar="N", help="At most N words; 50.")
@click.option("--clip", is_flag=True, help="Make a clip of each word's sentence; one lode undo removes them.")
@takes_list(_NEXT)
def next_words(
    context: Context, given: str, search: str, language: str | None, limit: int, clip: bool, how: Listing
) -> None:
    """List the words to learn next, the most useful new ones first, each with its best sentence.

    Useful is what occurs often in the transcript, or in all of them, and in many transcripts of the library; and, where
    a frequency dictionary was added, what is common in the language.
    """
    if given and search:
        raise WrongUsage("words of one transcript, or of a search", hint="give --transcript or --search")
    tag = read_language(language)

    async def work(service: Service) -> None:
        with console.StatusLine() as status:
            status.show("looking for sentences …", now=True)
            transcript_id = (await find_record(service.transcripts, given)).id if given else ""
            found = await service.known_words.next_words(
                transcript_id=transcript_id, q=search, language=tag, limit=limit
            )
            clips: tuple[Clip, ...] = ()
            if clip:
                status.show(f"making {count_of(len(found), 'clip')} …", now=True)
                clips = await service.known_words.clip_words([each.place for each in found])
        if clip and how.as_json:
            console.put_json(clips)
            return
        put_all(_NEXT, found, how, none="no new words here")
        if clip and clips:
            console.tell(f"{count_of(len(clips), 'clip')} made; lode undo removes them")

    context.run(work)
