"""``lode history``: the answers that were given, also those that were stopped; list, show, delete."""

from __future__ import annotations

import click

from tui.cli.context import Place
from tui.cli.output import console
from tui.cli.output.details import ask_deletion, put_deletion, put_fields, put_focus
from tui.cli.output.listing import add_list
from tui.cli.output.tables import Column, short
from tui.cli.root import Group, json_option
from tui.records import Answer, to_json
from tui.text.display import age

_COLUMNS: tuple[Column[Answer], ...] = (
    Column("id", lambda answer: short(answer.id), lambda answer: answer.id),
    Column("kind", lambda answer: answer.kind),
    Column("focus", lambda answer: answer.focus, wide=True),
    Column("sentence", lambda answer: answer.sentence, wide=True),
    Column("model", lambda answer: answer.model, wide=True, inside=True),
    Column("state", lambda answer: answer.state),
    Column("age", lambda answer: age(answer.created_at), lambda answer: answer.created_at, right=True),
)


@click.group(cls=Group)
def history() -> None:
    """Earlier breakdowns and explanations."""


add_list(history, lambda service: service.history.page, _COLUMNS, noun="answers")


@history.command("show")
@click.argument("answer_id", metavar="ID")
@json_option
@click.pass_obj
def show_answer(place: Place, answer_id: str, as_json: bool) -> None:
    """Show an answer and what it cost."""
    answer = place.run(lambda service: service.history.get(answer_id))
    if as_json:
        console.put_json(to_json(answer))
        return
    console.put(answer.sentence)
    if answer.focus_word:
        console.put()
        put_focus(answer.focus_word)
    if answer.text:
        console.put("\n" + answer.text.rstrip())
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


@history.command("delete")
@click.argument("answer_ids", nargs=-1, required=True, metavar="ID…")
@click.option("--yes", is_flag=True, help="Don't ask (in pipes nothing is asked).")
@json_option
@click.pass_obj
def delete_answers(place: Place, answer_ids: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete answers; clips that were kept from them stay."""
    if not yes and console.asks():
        ask_deletion("answer", len(answer_ids))
    put_deletion("answer", place.run(lambda service: service.history.delete(*answer_ids)), as_json=as_json)


def _tokens(answer: Answer, count: int | None) -> str:
    """What the provider counted; of an answer that was broken off, the rest is missing."""
    if count is None:
        return ""
    return str(count) if answer.state == "complete" else f"at least {count}"
