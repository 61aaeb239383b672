"""``lode fix``, ``translate`` and ``review``: what a model proposes waits until somebody applies it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from tui.cli.arguments import Number
from tui.cli.commands.records import find_record, put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.job_progress import follow_jobs
from tui.cli.output.tables import Column, number_column, short
from tui.cli.root import Command, Group, takes_json
from tui.language.tags import language_name
from tui.records.clips import NewClip
from tui.records.pages import to_json
from tui.records.reviews import AppliedReview, CorrectionPlan, Review, ReviewItem
from tui.text.display import age, clock, count_of, describe_correction, number
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.service.protocol import Service

_PAGE = 1000
_REVIEWS: tuple[Column[Review], ...] = (
    Column("id", lambda review: short(review.id), lambda review: review.id),
    Column("transcript", lambda review: review.title, wide=True, inside=True),
    Column("what", lambda review: f"{review.kind} into {review.into}" if review.into else review.kind),
    number_column("changes", lambda review: review.total),
    number_column("taken", lambda review: review.taken),
    number_column("unseen", lambda review: review.unseen),
    number_column("doubtful", lambda review: review.doubtful),
    Column("model", lambda review: review.model, wide=True),
    Column("age", lambda review: age(review.created_at), lambda review: review.created_at, right=True),
)
_ID = click.argument("review_id", metavar="ID")
_FIRST = click.argument("first", metavar="LINE", type=Number(1))
_LAST = click.argument("last", metavar="[LAST]", type=Number(1), required=False)
_ALIKE = click.option("--alike", is_flag=True, help="And all that change the same words in the same way.")


@click.command(cls=Command)
@click.argument("given", metavar="TRANSCRIPT")
@click.option("--model", default="", metavar="SEL", help="PROVIDER:MODEL; else the template's for subtitles.")
@click.option("--yes", is_flag=True, help="Apply all that is proposed and not doubtful, without a look.")
@click.option("--dry-run", is_flag=True, help="Only say what a model would be asked.")
@takes_json
def fix(context: Context, given: str, model: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Have a model correct a TRANSCRIPT: what it proposes waits in a review, and times cannot change.

    The model is the template's for subtitles, and so is the system message (lode template set). Stopped or killed, it
    goes on with lode jobs retry.
    """

    async def plan(service: Service, transcript_id: str) -> CorrectionPlan:
        return await service.reviews.plan(transcript_id, model=model)

    async def start(service: Service, transcript_id: str) -> Job:
        return await service.reviews.start(transcript_id, model=model)

    context.finish(partial(_ask_for, given, plan, start, yes=yes, dry_run=dry_run, as_json=as_json))


@click.command(cls=Command)
@click.argument("given", metavar="TRANSCRIPT")
@click.option("--to", "into", default="", metavar="LANG", help="A tag such as en; else that of the explanations.")
@click.option("--model", default="", metavar="SEL", help="PROVIDER:MODEL; else the template's for subtitles.")
@click.option("--yes", is_flag=True, help="Apply all that is not doubtful, without a look.")
@click.option("--dry-run", is_flag=True, help="Only say what a model would be asked.")
@takes_json
def translate(context: Context, given: str, into: str, model: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Have a model translate a TRANSCRIPT line by line; applied, it is its translation track.

    What it says waits in a review, which --yes applies: it takes nothing's place. Stopped or killed, it goes on with
    lode jobs retry.
    """

    async def plan(service: Service, transcript_id: str) -> CorrectionPlan:
        return await service.reviews.plan_translation(transcript_id, into=into, model=model)

    async def start(service: Service, transcript_id: str) -> Job:
        return await service.reviews.translate(transcript_id, into=into, model=model)

    context.finish(partial(_ask_for, given, plan, start, yes=yes, dry_run=dry_run, as_json=as_json))


async def _ask_for(
    given: str,
    plan: Callable[[Service, str], Awaitable[CorrectionPlan]],
    start: Callable[[Service, str], Awaitable[Job]],
    service: Service,
    *,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> bool:
    """Say what a model will be asked about a transcript, have it asked, and say where what it proposes waits."""
    transcript = await find_record(service.transcripts, given)
    planned = await plan(service, transcript.id)
    if dry_run and as_json:
        console.put_json(to_json(planned))
    elif dry_run:
        console.put(_describe(planned))
    if dry_run:
        return True
    console.tell(_describe(planned))
    job = await start(service, transcript.id)
    if not await follow_jobs(service, [job], as_json=as_json):
        return False
    kind = "correction" if planned.into is None else "translation"
    about = transcript.id, kind, planned.into
    waiting = (await service.reviews.page()).items
    # one that was there before is not of this job: where nothing is proposed, there is no review
    of_job = (each for each in waiting if each.created_at >= job.created_at)
    review = next((each for each in of_job if (each.transcript_id, each.kind, each.into) == about), None)
    if review is None or not review.total:
        return True
    if yes:
        applied = await service.reviews.apply(review.id, with_unseen=True)
        _tell_applied(applied, review=review)
    else:
        console.tell(f"nothing is changed yet: lode review show {short(review.id)}")
    return True


def _describe(plan: CorrectionPlan) -> str:
    into = f" · into {language_name(plan.into)}" if plan.into else ""
    return one_line(f"{plan.title}{into} · {plan.model} · {describe_correction(plan)}")


@click.group(cls=Group)
def review() -> None:
    """Review what models propose for transcripts."""


@review.command("list")
@takes_list(_REVIEWS)
def list_reviews(context: Context, how: Listing) -> None:
    """List the reviews that wait, newest first."""
    page = context.run(lambda service: service.reviews.page(limit=_PAGE))
    put_all(_REVIEWS, page.items, how, none="nothing waits; lode fix TRANSCRIPT has a model correct one")


@review.command("show")
@_ID
@takes_json
def show(context: Context, review_id: str, as_json: bool) -> None:
    """Show the changes or cards of a review; those that a terminal has shown count as seen."""

    async def work(service: Service) -> None:
        if as_json:
            await console.put_json_array(_iterate(service, review_id))
            return
        last = -1
        async for item in _iterate(service, review_id):
            _put(item)
            last = item.number
        if last >= 0 and console.is_terminal():
            await service.reviews.decide(review_id, 0, last)

    context.run(work)


async def _iterate(service: Service, review_id: str) -> AsyncIterator[ReviewItem]:
    offset = 0
    while items := (await service.reviews.items(review_id, offset=offset, limit=_PAGE)).items:
        for item in items:
            yield item
        offset += len(items)


def _put(item: ReviewItem) -> None:
    if item.card is not None:
        _put_card(item, item.card)
        return
    state = "taken" if item.is_taken else "left, as it is doubtful" if item.is_doubtful else "left"
    if item.cue_index is None:
        state = "changed meanwhile, stays as it is"
    facts = (f"line {item.number + 1}", clock(item.start_ms), state)
    console.put(" · ".join(filter(None, facts)))
    console.put(f"  - {one_line(item.before)}")
    console.put(f"  + {one_line(item.after) or '(no line)'}")


def _put_card(item: ReviewItem, card: NewClip) -> None:
    """Write a card that waits: its word, what that means, and its sentence."""
    state = "taken" if item.is_taken else "left, as nothing is known of it" if item.is_doubtful else "left"
    if item.cue_index is None:
        state += ", its line was changed meanwhile"
    console.put(" · ".join(filter(None, (f"card {item.number + 1}", clock(card.start_ms), state))))
    if (focus := card.focus) is not None:
        about = " · ".join(filter(None, (focus.lemma, focus.part_of_speech)))
        console.put(f"  {one_line(focus.surface)}{f' · {one_line(about)}' if about else ''}")
        console.put(f"  {one_line('; '.join(focus.meanings)) or '(no meaning)'}")
    console.put(f"  {one_line(card.sentence)}")
    if card.translation:
        console.put(f"  {one_line(card.translation)}")


@review.command("take")
@_ID
@_FIRST
@_LAST
@_ALIKE
@takes_json
def take(context: Context, review_id: str, first: int, last: int | None, alike: bool, as_json: bool) -> None:
    """Take the change of a line, or those of the lines up to LAST."""
    _decide(context, review_id, first, last, is_taken=True, alike=alike, as_json=as_json)


@review.command("leave")
@_ID
@_FIRST
@_LAST
@_ALIKE
@takes_json
def leave(context: Context, review_id: str, first: int, last: int | None, alike: bool, as_json: bool) -> None:
    """Leave a line as it is, or the lines up to LAST."""
    _decide(context, review_id, first, last, is_taken=False, alike=alike, as_json=as_json)


def _decide(
    context: Context, review_id: str, first: int, last: int | None, *, is_taken: bool, alike: bool, as_json: bool
) -> None:
    if alike and last is not None:
        raise click.UsageError("--alike goes with one LINE: what is like it is found in all of the review")
    end = (first if last is None else last) - 1

    async def decide(service: Service) -> Review:
        if alike:
            return await service.reviews.decide_alike(review_id, first - 1, taken=is_taken)
        return await service.reviews.decide(review_id, first - 1, end, taken=is_taken)

    decided = context.run(decide)
    console.put_answer(decided, f"{decided.taken} of {count_of(decided.total, 'change')} taken", as_json=as_json)


@review.command("edit")
@_ID
@_FIRST
@click.argument("text")
@takes_json
def edit(context: Context, review_id: str, first: int, text: str, as_json: bool) -> None:
    """Give the change of a line another TEXT, or a card another meaning, and take it."""
    item = context.run(lambda service: service.reviews.edit(review_id, first - 1, text))
    console.put_record(item, _put, as_json=as_json)


@review.command("again")
@_ID
@_FIRST
@takes_json
def ask_again(context: Context, review_id: str, first: int, as_json: bool) -> None:
    """Ask the model about a line once more, alone, and have what it says now instead."""
    item = context.run(lambda service: service.reviews.ask_anew(review_id, first - 1))
    console.put_record(item, _put, as_json=as_json)


@review.command("apply")
@_ID
@click.option("--yes", is_flag=True, help="Those too that were never on a screen.")
@click.option("--clips", "with_clips", is_flag=True, help="Clips get the new text, or the translation that they lack.")
@click.option("--dry-run", is_flag=True, help="Only say what would come of it.")
@takes_json
def apply(context: Context, review_id: str, yes: bool, with_clips: bool, dry_run: bool, as_json: bool) -> None:
    """Give the lines the texts that are taken, or make clips of cards; after lode undo the review waits again."""

    async def work(service: Service) -> tuple[Review, AppliedReview]:
        found = await service.reviews.get(review_id)
        given = {"with_unseen": yes, "with_clips": with_clips, "dry_run": dry_run}
        return found, await service.reviews.apply(found.id, **given)

    found, applied = context.run(work)
    tell = partial(_tell_applied, review=found, with_clips=with_clips, dry_run=dry_run)
    console.put_record(applied, tell, as_json=as_json)


def _tell_applied(applied: AppliedReview, *, review: Review, with_clips: bool = False, dry_run: bool = False) -> None:
    if review.kind == "cards":
        _tell_kept(applied, dry_run=dry_run)
        return
    done, lacks = ("translated", "no translation") if review.kind == "translation" else ("corrected", "the old text")
    facts = [f"{count_of(applied.changed, 'line')} {'would be ' if dry_run else ''}{done}"]
    if left := review.total - review.taken:
        facts.append(f"{number(left)} left")
    if review.left and review.kind == "translation":
        facts.append(f"{number(review.left)} without a translation")
    if applied.changed_meanwhile:
        facts.append(f"{applied.changed_meanwhile} changed meanwhile, left as they are")
    if applied.clips and with_clips:
        facts.append(f"{count_of(applied.clips, 'clip')} too")
    elif applied.clips:
        verb = "has" if applied.clips == 1 else "have"
        again = f"lode review apply {short(review.id)} --clips"
        again = again if dry_run else f"lode undo, then {again}"
        facts.append(f"{count_of(applied.clips, 'clip')} {verb} {lacks}: {again}")
    console.tell(" · ".join(facts if dry_run else [*facts, "lode undo takes it back"]))


def _tell_kept(applied: AppliedReview, *, dry_run: bool) -> None:
    facts = [f"{count_of(applied.clips, 'clip')} {'would be ' if dry_run else ''}made or completed"]
    if applied.changed_meanwhile:
        facts.append(f"of {count_of(applied.changed_meanwhile, 'card')} the line was changed meanwhile")
    console.tell(" · ".join(facts if dry_run else [*facts, "lode undo takes it back"]))


@review.command("drop")
@_ID
@click.argument("first", metavar="[LINE]", type=Number(1), required=False)
@_LAST
@takes_json
def drop(context: Context, review_id: str, first: int | None, last: int | None, as_json: bool) -> None:
    """Drop a review with all that it proposes, or the changes of some lines; lode undo brings them back."""

    async def work(service: Service) -> tuple[int, str]:
        if first is None:
            await service.reviews.drop(review_id)
            return 1, "1 review"
        before = (await service.reviews.get(review_id)).total
        end = (first if last is None else last) - 1
        dropped = before - (await service.reviews.drop_changes(review_id, first - 1, end)).total
        return dropped, count_of(dropped, "change")

    count, named = context.run(work)
    console.put_answer({"count": count}, f"{named} dropped · lode undo brings it back", as_json=as_json)
