"""``lode doctor``: a look at everything, what is wrong with it, and what to do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import click

from tui.cli.context import Context
from tui.cli.disk import look_at_disk
from tui.cli.output import console
from tui.cli.root import Command, WrongUsage, json_option
from tui.records.library import Finding, FindingState
from tui.records.pages import to_json
from tui.text.display import count_of

_SIGNS: dict[FindingState, tuple[str, str]] = {
    "ok": ("✓", "ok"),
    "absent": ("·", "--"),
    "warning": ("!", "! "),
    "broken": ("✗", "X "),
}
"""In Unicode, and for an encoding that lacks it."""
_PLAIN = {"→": "->", "·": "-", "…": "...", "×": "x", "–": "-", "’": "'"}
_LIVE_SECONDS = 20.0


@click.command(cls=Command)
@click.option("--live", is_flag=True, help="Ask each usable provider for one word, 20 seconds at most.")
@click.option("--full", is_flag=True, help="Look at every index, search table and imported file; takes a while.")
@click.option("--repair", is_flag=True, help="With --full: make indexes and search tables anew where they are wrong.")
@json_option
@click.pass_obj
def doctor(context: Context, live: bool, full: bool, repair: bool, as_json: bool) -> None:
    """Check settings, library, models, software and terminal.

    With --url the library and the models are the server's, and it is checked whether it can be reached. Nothing is
    changed without --repair, which keeps a copy first. Without --live no provider in the cloud is asked anything.
    Exit code 1 means that something is broken (✗); what could be better (!) is none.
    """
    from tui.cli.checks.terminal import terminal
    from tui.system import event_loop

    with console.StatusLine() as status:
        found = event_loop.run(
            _examine(context, lambda text: status.show(text, now=True), live=live, full=full, repair=repair)
        )
    found = (*found, *terminal(os.environ))
    if as_json:
        console.put_json(to_json(found))
    else:
        unicode = console.can_write("".join((*_PLAIN, *(sign for sign, _ in _SIGNS.values()))))
        for line in _report(found, console.width() if console.is_terminal() else None, unicode=unicode):
            console.put(line)
    if any(finding.state == "broken" for finding in found):
        raise click.exceptions.Exit(1)


async def _examine(
    context: Context, tell: Callable[[str], None], *, live: bool, full: bool, repair: bool
) -> tuple[Finding, ...]:
    """This machine; where the library is a server's, what of this machine matters then, and the server."""
    from tui import config
    from tui.service.doctor.checks import examine

    try:
        url = context.address(look_at_disk(lambda: config.load(context.home)))
    except Exception:  # noqa: BLE001 - it is looked at again below, and becomes a finding
        url = context.address()
    if url:
        if repair:
            raise WrongUsage("a server's library is repaired where it is", hint="lode doctor --full --repair, there")
        from tui.cli.checks.server import examine_with_server

        return await examine_with_server(context, url, live=live, full=full, tell=tell)
    return await examine(
        *(context.home, context.profile, os.environ),
        live=live,
        full=full,
        repair=repair,
        seconds=_LIVE_SECONDS,
        report=tell,
    )


def _report(found: Sequence[Finding], width: int | None, *, unicode: bool) -> Iterator[str]:
    """Group by group; lines are wrapped to ``width`` cells, None leaves them whole for a file or a pipe."""
    longest = max(len(finding.subject) for finding in found)
    for group, findings in groupby(found, lambda finding: finding.group):
        yield group
        for finding in findings:
            sign = _SIGNS[finding.state][0 if unicode else 1]
            head = f"  {sign} {finding.subject:{longest}}  "
            yield from _lines(head, finding.message, width, unicode=unicode)
            if finding.hint:
                yield from _lines(" " * (len(head) - 2) + "→ ", finding.hint, width, unicode=unicode)
        yield ""
    yield from _lines("", _verdict(found), width, unicode=unicode)


def _verdict(found: Sequence[Finding]) -> str:
    broken = sum(finding.state == "broken" for finding in found)
    warnings = sum(finding.state == "warning" for finding in found)
    if not broken and not warnings:
        return "Nothing is wrong."
    parts = [f"{broken} broken"] if broken else []
    parts += [count_of(warnings, "warning")] if warnings else []
    return f"{' and '.join(parts)}: what to do stands beside {'it' if broken + warnings == 1 else 'each'}."


def _lines(head: str, text: str, width: int | None, *, unicode: bool) -> Iterator[str]:
    """The text after its head, further lines under its beginning; words are never cut, so that paths can be copied."""
    from rich.cells import cell_len

    if not unicode:
        head, text = _plain(head), _plain(text)
    indent, line = cell_len(head), head
    for index, word in enumerate(text.split(" ")):
        if index and width is not None and cell_len(line) + 1 + cell_len(word) > width and line.strip() != head.strip():
            yield line.rstrip()
            line = " " * indent + word
        else:
            line += f" {word}" if index else word
    yield line.rstrip()


def _plain(text: str) -> str:
    for char, ascii_text in _PLAIN.items():
        text = text.replace(char, ascii_text)
    return text
