"""``lode words import`` and ``browse``: words known already, from lists and from Anki, and a word's notes there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tui.cli.arguments import Number, PathOnDisk
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.job_progress import follow_jobs
from tui.cli.root import Command, takes_json
from tui.records import vocabulary
from tui.records.word_states import WORD_STATES
from tui.service.protocol import Service
from tui.text.display import count_of, number
from tui.text.sanitize import one_line

_SUSPENDED: tuple[vocabulary.SuspendedCards, ...] = ("as-others", "skip", "known", "ignored")


@click.command("import", cls=Command)
@click.argument("source", metavar="FILE|anki", type=PathOnDisk())
@click.option("--language", metavar="XX", default="", help="The language, as a code; else it is told by the words.")
@click.option("--field", metavar="NAME", default="", help="The field or column with the word; else by its name.")
@click.option("--note-type", metavar="NAME", default="", help="Only notes of this type.")
@click.option("--deck", metavar="NAME", default="", help="Only this deck, and those below it.")
@click.option("--state", type=click.Choice(WORD_STATES), default="known", help="State of a list's words.")
@click.option(
    "--known-days",
    type=Number(1),
    default=vocabulary.KNOWN_DAYS,
    metavar="N",
    help=f"Days between reviews that mean known; {vocabulary.KNOWN_DAYS}.",
)
@click.option("--suspended", type=click.Choice(_SUSPENDED), default="as-others", help="What suspended cards say.")
@click.option("--first", type=Number(1), metavar="N", help="The N most frequent of a list of frequency.")
@click.option("--sentences", is_flag=True, help="The field has sentences: each word in them counts.")
@click.option("--encoding", metavar="NAME", default="", help="What a list is in; else it is found out.")
@click.option("--all", "anew", is_flag=True, help="Read all cards of a running Anki, not only what has changed.")
@click.option("--dry-run", is_flag=True, help="Only say what would be marked; with the fields to choose from.")
@takes_json
def import_words(context: Context, /, source: str, anew: bool, dry_run: bool, as_json: bool, **chosen: Any) -> None:
    """Mark words that you know or learn elsewhere.

    FILE is a list with a word a line, a table (CSV, TSV) with columns such as word and state, a list of frequency
    (with --first 2000), an Anki package (.apkg, .colpkg) or a collection.anki2. anki is the Anki that runs on this
    machine with the add-on AnkiConnect; anki=http://… is one elsewhere. Next time only what has changed there is read.

    Cards with 21 days or more between two reviews are known, others learning, new ones say nothing. They raise the
    state of a word and lower only their own, and leave alone what you marked ignored or new. lode undo takes an import
    back.
    """
    choice = vocabulary.VocabularyChoice(**chosen)
    where = _source(source)

    async def work(service: Service) -> bool:
        if dry_run:
            offer = await service.vocabulary.offer(where, encoding=choice.encoding)
            if not as_json:
                _put_offer(offer)
            report = await service.vocabulary.preview(where, choice)
            both = {"offer": offer, "report": report}
            console.put_record(both, lambda _: _put_report(report), as_json=as_json)
            return True
        job = await service.vocabulary.add(where, choice, anew=anew)
        return await follow_jobs(service, (job,), as_json=as_json)

    context.finish(work)


@click.command("browse", cls=Command)
@click.argument("word")
@click.option("--anki", "address", default="", metavar="URL", help="Where Anki answers, if not at its usual address.")
@click.pass_obj
def browse_words(context: Context, word: str, address: str) -> None:
    """Show the notes of WORD in the Anki that runs here, in its own window.

    Anki needs the add-on AnkiConnect.
    """
    notes = context.run(lambda service: service.vocabulary.show_in_anki(word, vocabulary.RunningAnki(address)))
    console.tell(f"Anki shows {count_of(notes, 'note')} with {one_line(word)}")


def _source(given: str) -> Path | vocabulary.RunningAnki:
    anki = vocabulary.RunningAnki.typed(given)
    return Path(given) if anki is None or (not anki.address and Path(given).exists()) else anki


def _put_offer(offer: vocabulary.VocabularyOffer) -> None:
    """Show the fields that can be chosen, the guessed one with a star."""
    if offer.format != "anki":
        return
    for each in offer.note_types:
        console.put(f"{one_line(each.name)} · {number(each.notes)} notes")
        for field in each.fields:
            mark = "*" if field.name == each.word_field else " "
            samples = " · ".join(one_line(text)[:30] for text in field.samples[:3])
            console.put(f"  {mark} {one_line(field.name)}" + (f": {samples}" if samples else ""))
    console.put(f"decks: {', '.join(map(one_line, offer.decks[:40]))}")


def _put_report(report: vocabulary.VocabularyReport) -> None:
    for each in report.states:
        console.put(f"{each.language or '-'}  {each.state}  {number(each.words)}")
    console.put(
        f"{number(report.changed)} would change, {number(report.unchanged)} are so already"
        + (f", {number(report.kept)} stay as you marked them" if report.kept else "")
    )
    left = (
        (report.never_shown, "cards that were never shown"),
        (report.phrases, "of several words"),
        (report.unread, "without a word"),
    )
    for count, what in left:
        if count:
            console.put(f"left out: {number(count)} {what}")
    for mark in report.samples:
        console.put(
            f"  {one_line(mark.lemma)}" + (f" ({one_line(mark.reading)})" if mark.reading else "") + f"  {mark.state}"
        )
