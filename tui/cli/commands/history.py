"""``lode history``: the answers that were given, also those that were stopped; list, show, delete."""

from __future__ import annotations

import click

from tui.cli.output import console
from tui.cli.output.details import put_fields, put_focus
from tui.cli.output.tables import Column, short
from tui.cli.record_commands import add_delete, add_list, add_show
from tui.cli.root import Group
from tui.records.answers import Answer
from tui.text.display import age
from tui.text.sanitize import one_line

_COLUMNS: tuple[Column[Answer], ...] = (
    Column("id", lambda answer: short(answer.id), lambda answer: answer.id),
    Column("kind", lambda answer: answer.kind),
    Column("focus", lambda answer: answer.focus, wide=True),
    Column("sentence", lambda answer: answer.sentence, wide=True),
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
