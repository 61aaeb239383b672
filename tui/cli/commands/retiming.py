"""``lode transcripts retime``: other times for all of a transcript, found without a model, or given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from tui.cli.arguments import Moment, WrongUsage
from tui.cli.commands.records import find_record
from tui.cli.output import console
from tui.cli.output.job_progress import follow_jobs
from tui.cli.root import Command, takes_json
from tui.errors import InvalidInput
from tui.records.retiming import FRAME_RATES
from tui.text.display import count_of
from tui.text.retimings import describe_retiming
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.records.retiming import RetimingPlan
    from tui.service.protocol import Service

_FACTOR = re.compile(r"([0-9]+(?:\.[0-9]+)?)(?:/([0-9]+(?:\.[0-9]+)?))?")


class Factor(click.ParamType):  # type: ignore[type-arg] # generic only from click 8.4 on
    """A factor, as "1.0427" or "25/23.976"; frame rates count as the exact ones that they are names of."""

    name = "factor"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        if (found := _FACTOR.fullmatch(str(value).strip())) is None or not float(found[2] or 1):
            self.fail(f"{str(value)[:40]!r} is no factor: use one such as 25/23.976", param, ctx)
        above, below = (FRAME_RATES.get(each, float(each)) for each in (found[1], found[2] or "1"))
        return above / below


class SaidAt(click.ParamType):  # type: ignore[type-arg] # generic only from click 8.4 on
    """A line, from 1 on, and the moment of the film at which it is said: "12=1:02.500"; its value has milliseconds."""

    name = "line=time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        line, equals, moment = str(value).partition("=")
        if not equals or not line.strip().isdecimal() or not 0 < int(line) < 2**40:
            self.fail(f"{str(value)[:40]!r} is no LINE=TIME: use one such as 12=1:02.500", param, ctx)
        return int(line), Moment().convert(moment, param, ctx)


@click.command("retime", cls=Command)
@click.argument("given", metavar="TRANSCRIPT")
@click.option("--against", "track", default="", metavar="OTHER", help="By another transcript of the same film.")
@click.option("--sound", is_flag=True, help="By what is said in its film (lode files link).")
@click.option(
    "--at", "said", multiple=True, type=SaidAt(), metavar="LINE=TIME", help="A line is said then; once or twice."
)
@click.option("--factor", type=Factor(), metavar="FACTOR", help="Times become so many times themselves: 25/23.976.")
@click.option("--offset", "offset_ms", type=int, metavar="MS", help="Milliseconds later; less than 0 for earlier.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@takes_json
def retime(
    context: Context,
    given: str,
    track: str,
    sound: bool,
    said: tuple[tuple[int, int], ...],
    factor: float | None,
    offset_ms: int | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Give all lines of a TRANSCRIPT other times: earlier, later, or for another frame rate; lode undo takes it back.

    Without a model: by another track of the same film, by its sound, or by a line or two of which you know when they
    are said. What is not sure is refused, and nothing is changed then.
    """
    ways = [bool(track), sound, bool(said), factor is not None or offset_ms is not None]
    if sum(ways) != 1:
        raise WrongUsage(
            "one thing says which times are right", hint="give --against, --sound, --at, or --factor and --offset"
        )
    if len(said) > 2:
        raise WrongUsage("two lines say all that there is to say", hint="give --at once or twice")

    async def work(service: Service) -> bool:
        transcript = await find_record(service.transcripts, given)
        if sound:
            job = await service.retiming.by_sound(transcript.id, dry_run=dry_run)
            return await follow_jobs(service, [job], as_json=as_json)
        if track:
            other = await find_record(service.transcripts, track)
            plan = await service.retiming.against(transcript.id, other.id, dry_run=dry_run)
        elif said:
            (line, at_ms), *more = said
            other_line, other_at_ms = more[0] if more else (None, None)
            if other_line == line:
                raise InvalidInput("two lines are named to tell a drift", hint="name two different ones", field="at")
            plan = await service.retiming.by_hand(
                transcript.id,
                line - 1,
                at_ms,
                other_index=None if other_line is None else other_line - 1,
                other_at_ms=other_at_ms,
                dry_run=dry_run,
            )
        else:
            plan = await service.retiming.apply(
                transcript.id, factor=1.0 if factor is None else factor, offset_ms=offset_ms or 0, dry_run=dry_run
            )
        console.put_record(plan, _show, as_json=as_json)
        return True

    context.finish(work)


def _show(plan: RetimingPlan) -> None:
    done = "lode undo takes it back" if plan.is_done else "nothing was changed"
    facts = (plan.title, count_of(plan.cue_count, "cue"), describe_retiming(plan), done)
    console.put(one_line(" · ".join(facts)))
