"""``lode history`` and ``lode usage``: earlier answers, and what they took."""

from __future__ import annotations

import click

from tui.cli.arguments import WrongUsage
from tui.cli.commands.records import add_delete, add_list, add_show, put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.details import put_fields, put_focus
from tui.cli.output.tables import Column, number_column, short
from tui.cli.root import Command, Group
from tui.errors import InvalidInput
from tui.records.answers import Answer, Usage
from tui.text.display import age, clock, count_of, number
from tui.text.sanitize import one_line

_COLUMNS: tuple[Column[Answer], ...] = (
    Column("id", lambda answer: short(answer.id), lambda answer: answer.id),
    Column("kind", lambda answer: answer.kind),
    Column("focus", lambda answer: answer.focus, wide=True),
    Column("sentence", lambda answer: answer.sentence, wide=True),
    Column("text", lambda answer: answer.text, wide=True, usual=False),
    Column("translation", lambda answer: answer.translation, wide=True, usual=False),
    Column("model", lambda answer: answer.model, wide=True, inside=True),
    Column("state", lambda answer: answer.state),
    Column("asked on", lambda answer: str(len(answer.follow_ups) or ""), right=True),
    Column("age", lambda answer: age(answer.created_at), lambda answer: answer.created_at, right=True),
)


@click.group(cls=Group)
def history() -> None:
    """Earlier breakdowns and explanations."""


def _put_answer(answer: Answer) -> None:
    console.put(answer.sentence)
    if answer.focus_word:
        console.put()
        put_focus(answer.focus_word)
    for of_sentence in filter(None, (answer.sentence_reading, answer.translation)):
        console.put("\n" + one_line(of_sentence))
    if answer.text:
        console.put("\n" + answer.text.rstrip())
    for each in answer.follow_ups:
        console.put(f"\n> {one_line(each.question)}")
        console.put("\n" + (each.text.rstrip() or f"({each.state})"))
    console.put()
    put_fields(
        ("model", answer.model),
        ("state", answer.state),
        ("error", answer.error or ""),
        ("tokens in", _tokens(answer, answer.input_tokens)),
        ("tokens out", _tokens(answer, answer.output_tokens)),
        ("first text", "" if answer.first_token_ms is None else f"after {answer.first_token_ms / 1000:.1f} s"),
        ("took", f"{answer.duration_ms / 1000:.1f} s"),
        ("id", answer.id),
        ("asked", answer.created_at),
    )


add_list(history, lambda service: service.history.page, _COLUMNS, noun="answers")
add_show(history, lambda service, given: service.history.get(given), _put_answer, what="an answer and what it cost")
add_delete(history, lambda service: service.history, noun="answer", what="answers; clips that were kept from them stay")


def _tokens(answer: Answer, count: int | None) -> str:
    """Tokens that the provider counted; of an answer that was broken off, the rest is missing."""
    if count is None:
        return ""
    return str(count) if answer.state == "complete" else f"at least {count}"


_WIDE = 80


def _total_tokens(usage: Usage, tokens: int) -> str:
    """The sum as a person reads it: nothing for the lexicon, a lower bound where some answers were not counted."""
    if usage.uncounted and not tokens:
        return "?"
    if usage.uncounted:
        return ("≥ " if console.can_write("≥") else ">= ") + number(tokens)
    return number(tokens)


_USAGE: tuple[Column[Usage], ...] = (
    Column("month", lambda usage: usage.month),
    Column("model", lambda usage: usage.model, wide=True),
    number_column("answers", lambda usage: usage.answers),
    number_column("uncounted", lambda usage: usage.uncounted),
    Column("tokens in", lambda each: _total_tokens(each, each.input_tokens), lambda each: str(each.input_tokens), True),
    Column("out", lambda each: _total_tokens(each, each.output_tokens), lambda each: str(each.output_tokens), True),
    Column("time", lambda usage: clock(usage.duration_ms), lambda usage: str(usage.duration_ms), right=True),
)


@click.command(cls=Command)
@click.option("--month", default="", metavar="YYYY-MM", help="Only this month, as in 2026-11.")
@takes_list(_USAGE)
def usage(context: Context, month: str, how: Listing) -> None:
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
    if not how.is_usual or not console.is_terminal() or not found:
        put_all(_USAGE, found, how, none=f"no answers in {month}" if month else "no answers yet")
        return
    rows = [*found, _total(found)] if len(found) > 1 else [*found]
    # The sums say it too, and a narrow terminal has no room for what is said twice, nor any for nothing.
    with_uncounted = rows[-1].uncounted and console.width() >= _WIDE
    columns = [column for column in _USAGE if column.title != "uncounted" or with_uncounted]
    put_all(columns, rows, how, none="")
    if uncounted := rows[-1].uncounted:
        console.tell(f"{count_of(uncounted, 'answer')} without all token counts: the true sums are higher")


def _total(found: tuple[Usage, ...]) -> Usage:
    counts = ("answers", "uncounted", "input_tokens", "output_tokens", "duration_ms")
    return Usage("total", "all models", **{name: sum(getattr(each, name) for each in found) for name in counts})
