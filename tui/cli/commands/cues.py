"""``lode transcripts cue`` and ``shift``: edits of cues by hand, each of which lode undo takes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from tui.cli.arguments import Moment, Number, WrongUsage
from tui.cli.commands.records import find_record
from tui.cli.output import console
from tui.cli.output.details import put_cue
from tui.cli.root import Command, Group, takes_json
from tui.errors import InvalidInput
from tui.text.display import clock, count_of

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.records.transcripts import Cue, EditedCues, Transcript
    from tui.service.protocol import Service


_ID = click.argument("given", metavar="ID")
_LINE = click.argument("line", metavar="LINE", type=Number(1))
_START = click.option("--start", "start_ms", type=Moment(), metavar="TIME", help="When it begins: 1:02.500, say.")
_END = click.option("--end", "end_ms", type=Moment(), metavar="TIME", help="When it ends.")


@click.group("cue", cls=Group)
def cue() -> None:
    """Edit cues by hand: text, times, split, merge, insert, delete. LINE counts from 1; lode undo takes each back."""


@cue.command("edit")
@_ID
@_LINE
@click.option("--text", metavar="TEXT", help="Another text.")
@_START
@_END
@takes_json
def edit_cue(context: Context, /, given: str, line: int, as_json: bool, **changes: Any) -> None:
    """Give a cue another text or other times."""
    if all(value is None for value in changes.values()):
        raise WrongUsage("there is nothing to change", hint="give --text, --start or --end")

    async def work(service: Service) -> EditedCues:
        transcript, seen = await _find(service, given, line)
        return await service.cues.edit(transcript.id, line - 1, seen=seen.text, **changes)

    _put(context.run(work), as_json=as_json)


@cue.command("split")
@_ID
@_LINE
@click.argument("word", metavar="WORD")
@takes_json
def split_cue(context: Context, given: str, line: int, word: str, as_json: bool) -> None:
    """Split a cue in two before a WORD, the first that stands in it behind its beginning."""

    async def work(service: Service) -> EditedCues:
        transcript, seen = await _find(service, given, line)
        if not word or (at := seen.text.find(word, 1)) < 0:
            hint = "name one as it is written there, but not the first"
            raise InvalidInput(f"{word[:40]!r} does not stand in that line", hint=hint)
        return await service.cues.split(transcript.id, line - 1, seen=seen.text, at=at)

    _put(context.run(work), as_json=as_json)


@cue.command("merge")
@_ID
@_LINE
@takes_json
def merge_cue(context: Context, given: str, line: int, as_json: bool) -> None:
    """Make one of a cue and the next."""

    async def work(service: Service) -> EditedCues:
        transcript, seen = await _find(service, given, line)
        return await service.cues.merge(transcript.id, line - 1, seen=seen.text)

    _put(context.run(work), as_json=as_json)


@cue.command("insert")
@_ID
@_LINE
@click.argument("text", metavar="TEXT")
@_START
@_END
@takes_json
def insert_cue(context: Context, /, given: str, line: int, text: str, as_json: bool, **times: int | None) -> None:
    """Insert a cue, which becomes this LINE; where the text has times, with --start and --end."""

    async def work(service: Service) -> EditedCues:
        transcript = await find_record(service.transcripts, given)
        return await service.cues.insert(transcript.id, line - 1, text, **times)

    _put(context.run(work), as_json=as_json)


@cue.command("delete")
@_ID
@_LINE
@takes_json
def delete_cue(context: Context, given: str, line: int, as_json: bool) -> None:
    """Delete a cue; its clips stay, its notes go to the next one."""

    async def work(service: Service) -> EditedCues:
        transcript, seen = await _find(service, given, line)
        return await service.cues.delete(transcript.id, line - 1, seen=seen.text)

    _put(context.run(work), as_json=as_json)


@click.command("shift", cls=Command, context_settings={"ignore_unknown_options": True})
@_ID
@click.argument("ms", metavar="MS", type=int)
@takes_json
def shift(context: Context, given: str, ms: int, as_json: bool) -> None:
    """Move all times of a transcript by MS milliseconds: -100 is a tenth of a second earlier."""

    async def work(service: Service) -> EditedCues:
        return await service.cues.shift((await find_record(service.transcripts, given)).id, ms)

    _put(context.run(work), as_json=as_json)


async def _find(service: Service, given: str, line: int) -> tuple[Transcript, Cue]:
    """A transcript, and the cue at a line of it."""
    transcript = cast("Transcript", await find_record(service.transcripts, given))
    page = await service.transcripts.cues(transcript.id, offset=line - 1, limit=1)
    if not page.items:
        hint = f"it has {count_of(transcript.cue_count, 'cue')}"
        raise InvalidInput(f"there is no line {line} in it", hint=hint, field="line")
    return transcript, page.items[0]


def _put(edited: EditedCues, *, as_json: bool) -> None:
    console.put_record(edited, _show, as_json=as_json)


def _show(edited: EditedCues) -> None:
    for each in edited.cues:
        put_cue(each, len(clock(edited.duration_ms) or str(edited.cue_count)))
    console.tell(" · ".join(filter(None, (count_of(edited.cue_count, "cue"), clock(edited.duration_ms)))))
