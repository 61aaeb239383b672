"""``lode usage``: what the kept answers took, per month and model."""

from __future__ import annotations

import click

from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.tables import Column
from tui.cli.record_commands import put_all
from tui.cli.root import Command, WrongUsage, json_option
from tui.errors import InvalidInput
from tui.records.answers import Usage
from tui.text.display import clock, count_of, number

_TOTAL = "total"
_WIDE = 80


def _tokens(usage: Usage, tokens: int) -> str:
    """The sum as a person reads it: nothing for the lexicon, a lower bound where some answers were not counted."""
    if usage.uncounted and not tokens:
        return "?"
    if usage.uncounted:
        return ("≥ " if console.can_write("≥") else ">= ") + number(tokens)
    return number(tokens)


_COLUMNS: tuple[Column[Usage], ...] = (
    Column("month", lambda usage: usage.month),
    Column("model", lambda usage: usage.model, wide=True),
    Column("answers", lambda usage: number(usage.answers), lambda usage: str(usage.answers), right=True),
    Column("uncounted", lambda usage: number(usage.uncounted), lambda usage: str(usage.uncounted), right=True),
    Column(
        "tokens in",
        lambda usage: _tokens(usage, usage.input_tokens),
        lambda usage: str(usage.input_tokens),
        right=True,
    ),
    Column(
        "out",
        lambda usage: _tokens(usage, usage.output_tokens),
        lambda usage: str(usage.output_tokens),
        right=True,
    ),
    Column("time", lambda usage: clock(usage.duration_ms), lambda usage: str(usage.duration_ms), right=True),
)


@click.command(cls=Command)
@click.option("--month", default="", metavar="YYYY-MM", help="Only this month, as in 2026-11.")
@json_option
@click.pass_obj
def usage(context: Context, month: str, as_json: bool) -> None:
    """Sum answers, tokens and time per month and model.

    Counted are the answers in the history, in months of local time, with the token counts that the providers gave.
    An answer without counts, or broken off before the last of them came, stands under "uncounted".
    """
    try:
        found = context.run(lambda service: service.history.usage(month=month))
    except InvalidInput as error:
        if error.code != "invalid_month":
            raise
        raise WrongUsage(error.message, hint=error.hint) from error
    if as_json or not console.is_terminal() or not found:
        put_all(_COLUMNS, found, as_json=as_json, none=f"no answers in {month}" if month else "no answers yet")
        return
    rows = [*found, _total(found)] if len(found) > 1 else [*found]
    # The sums say it too, and a narrow terminal has no room for what is said twice, nor any for nothing.
    with_uncounted = rows[-1].uncounted and console.width() >= _WIDE
    columns = [column for column in _COLUMNS if column.title != "uncounted" or with_uncounted]
    put_all(columns, rows, as_json=False, none="")
    if uncounted := rows[-1].uncounted:
        console.tell(f"{count_of(uncounted, 'answer')} without all token counts: the true sums are higher")


def _total(found: tuple[Usage, ...]) -> Usage:
    return Usage(
        month=_TOTAL,
        model="all models",
        answers=sum(each.answers for each in found),
        uncounted=sum(each.uncounted for each in found),
        input_tokens=sum(each.input_tokens for each in found),
        output_tokens=sum(each.output_tokens for each in found),
        duration_ms=sum(each.duration_ms for each in found),
    )
