"""``lode mine``: many words of a transcript are broken down at once, and wait as cards in a review."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from tui.cli.arguments import Number, WrongUsage, read_text_or_file
from tui.cli.commands.records import find_record
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.job_progress import follow_jobs, progress_bar
from tui.cli.output.tables import short
from tui.cli.root import Command, takes_json
from tui.errors import InvalidInput, LodeError
from tui.records.mining import MiningPlan
from tui.records.pages import to_json
from tui.records.words import WordPlace
from tui.text.display import count_of
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.records.reviews import Review
    from tui.service.protocol import Service

_PAGE = 1000
_POLL_SECONDS = 1.0
"""Seconds between two looks at the cards that have come, which are printed as they come."""
_NAMED = 5


@dataclass(slots=True)
class _Words:
    """Words that were read: where they stand in this transcript, or as they are written, and how many are elsewhere."""

    places: list[WordPlace] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    elsewhere: int = 0


@click.command(cls=Command)
@click.argument("given", metavar="TRANSCRIPT")
@click.option("--words", "source", metavar="FILE|-", help="Words, one a line, or what lode words next --json prints.")
@click.option("--marked", is_flag=True, help="What is marked in it with m in the reader; so it is without --words too.")
@click.option("--commonest", type=Number(1), metavar="N", help="Its new words among the N commonest of the language.")
@click.option("--model", default="", metavar="SEL", help="PROVIDER:MODEL; else the template's, or the dictionaries.")
@click.option("--tag", default="", metavar="TAG", help="The tag of the clips; else mined- and the date.")
@click.option("--yes", is_flag=True, help="Make clips of all that is not doubtful at once, without a look.")
@click.option("--dry-run", is_flag=True, help="Only say what would be asked.")
@takes_json
def mine(
    context: Context,
    given: str,
    source: str | None,
    marked: bool,
    commonest: int | None,
    model: str,
    tag: str,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Break down many words of a TRANSCRIPT at once; the cards wait in a review, and become clips with lode review.

    Each word is taken in its best sentence, as lode words next does. --json prints each card in a line as it comes.
    Stopped or killed, it goes on with lode jobs retry, and asks for nothing twice.
    """
    if source in ("", None) and not commonest:
        marked = True
    text = None if source is None else read_text_or_file(source if source == "-" else f"@{source}", "the words")

    async def work(service: Service) -> bool:
        transcript = await find_record(service.transcripts, given)
        words = _Words() if text is None else _read_words(text, transcript.id)
        if words.elsewhere:
            console.tell(f"{count_of(words.elsewhere, 'word')} of other transcripts passed over")
        choice: dict[str, Any] = {"places": words.places, "words": words.words, "marked": marked}
        choice |= {"commonest": commonest or 0, "model": model, "tag": tag}
        plan = await service.mining.plan(transcript.id, **choice)
        _tell_plan(plan, dry_run=dry_run, as_json=as_json)
        if dry_run:
            return True
        chosen = {**choice, "places": plan.places, "words": (), "commonest": 0}  # just what was planned
        job = await service.mining.start(transcript.id, **chosen)
        if as_json:
            is_well = await _stream_cards(service, job)
        else:
            is_well = await follow_jobs(service, [job], as_json=False)
        review = await _find_review(service, job)
        if review is None or not review.total:
            return is_well
        if yes and is_well:
            applied = await service.reviews.apply(review.id, with_unseen=True)
            console.tell(f"{count_of(applied.clips, 'clip')} made, tagged {plan.tag} · lode undo takes them back")
        else:
            console.tell(f"{count_of(review.total, 'card')} wait: lode review show {short(review.id)}")
        return is_well

    context.finish(work)


def _tell_plan(plan: MiningPlan, *, dry_run: bool, as_json: bool) -> None:
    if plan.not_found:
        named = ", ".join(one_line(word) for word in plan.not_found[:_NAMED])
        more = f" and {len(plan.not_found) - _NAMED} more" if len(plan.not_found) > _NAMED else ""
        console.tell(f"not in this transcript: {named}{more}")
    if plan.left_out:
        console.tell(f"{count_of(plan.left_out, 'word')} more than one batch takes: mine again for these")
    facts = [plan.title, count_of(plan.word_count, "word"), count_of(plan.request_count, "request"), plan.model]
    if plan.request_count:
        facts.append("costs nothing" if plan.is_local else "which is paid")
    facts += [f"commonest by {plan.dictionary}"] if plan.dictionary else []
    told = one_line(" · ".join(facts))
    if dry_run and as_json:
        console.put_json(to_json(plan))
    elif dry_run:
        console.put(told)
    else:
        console.tell(told)


def _read_words(text: str, transcript_id: str) -> _Words:
    """Read words: one a line, or JSON, an array or one object a line, as ``lode words next`` prints them."""
    found = _Words()
    stripped = text.lstrip("\ufeff \t\r\n")
    if not stripped.startswith(("[", "{")):
        found.words = [line.strip() for line in text.splitlines() if line.strip()]
        return found
    try:
        if stripped.startswith("["):
            rows = json.loads(stripped)
        else:
            rows = [json.loads(line) for line in stripped.splitlines() if line.strip()]
    except ValueError as error:
        raise InvalidInput(
            f"the words are no JSON: {error}", hint="pipe lode words next --json, or name one word a line"
        ) from None
    for row in rows:
        _add(found, row, transcript_id)
    return found


def _add(found: _Words, row: object, transcript_id: str) -> None:
    """Add a word of a list; where it stands, if that is told."""
    if isinstance(row, str):
        found.words.append(row)
        return
    if not isinstance(row, dict):
        raise WrongUsage("a word is a text or an object with its place", hint="see: lode words next --json")
    there = row.get("transcript_id")
    if isinstance(there, str) and there != transcript_id:
        found.elsewhere += 1
        return
    match row:
        case {"cue": int(cue), "start": int(start), "end": int(end)}:
            found.places.append(WordPlace(cue, start, end))
            return
    word = row.get("word")
    named = word.get("lemma") if isinstance(word, dict) else word
    if not isinstance(named := named or row.get("surface"), str):
        raise WrongUsage("an object names no word", hint='it has "cue", "start" and "end", or "word"')
    found.words.append(named)


async def _find_review(service: Service, job: Job) -> Review | None:
    """Find the review that a job has filled, None where it has none any more."""
    page = await service.reviews.page()
    return next(
        (
            each
            for each in page.items
            if each.kind == "cards" and each.transcript_id == job.transcript_id and each.created_at >= job.created_at
        ),
        None,
    )


async def _stream_cards(service: Service, job: Job) -> bool:
    """Print each card as it comes; whether the job succeeds. Cancelled itself, it cancels the job."""
    printed: set[int] = set()
    looked = 0.0
    with console.StatusLine() as status:
        try:
            async with aclosing(service.jobs.follow([job.id])) as changes:
                async for change in changes:
                    status.show(f"{progress_bar(change.progress)} {change.message}")
                    if change.is_over or monotonic() - looked >= _POLL_SECONDS:
                        looked = monotonic()
                        await _put_new_cards(service, job, printed)
                    job = change
        except asyncio.CancelledError:
            status.clear()
            with suppress(LodeError):
                await service.jobs.cancel(job.id)
            raise
    if job.state != "succeeded":
        cause, _, hint = (job.error or job.message or job.state).partition("\n")
        console.tell(f"error: {cause}")
        if hint:
            console.tell(f"hint: {hint}")
        return False
    console.tell(job.message)
    return True


async def _put_new_cards(service: Service, job: Job, printed: set[int]) -> None:
    if (review := await _find_review(service, job)) is None:
        return
    offset = 0
    while items := (await service.reviews.items(review.id, offset=offset, limit=_PAGE)).items:
        for item in items:
            if item.number not in printed and item.card is not None:
                printed.add(item.number)
                about = {"review": review.id, "number": item.number, "is_doubtful": item.is_doubtful}
                console.put_event({**about, **to_json(item.card)})
        offset += len(items)
