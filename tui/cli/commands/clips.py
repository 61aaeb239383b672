"""``lode clips``: list, show, edit, fill, tag, delete, and machines' voices for clips that nothing was recorded for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tui.cli.arguments import WrongUsage, read_text_or_file
from tui.cli.commands.records import add_delete, add_list, add_move, add_show, selection_options
from tui.cli.lists import Listing, ListWriter
from tui.cli.output import console
from tui.cli.output.details import put_clip
from tui.cli.output.tables import Column, number_column, short
from tui.cli.root import Group, takes_json
from tui.records.clip_selection import ClipSelection
from tui.text.clip_fields import EDITED, told_filled
from tui.text.display import age, count_of, without_meaning

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.records.clips import Clip, FilledClip, TagCount
    from tui.records.media import Span
    from tui.service.protocol import Service

F = TypeVar("F", bound=Callable[..., Any])

_CLIPS: tuple[Column[Clip], ...] = (
    Column("id", lambda clip: short(clip.id), lambda clip: clip.id),
    Column("focus", lambda clip: clip.focus.surface if clip.focus else "", wide=True),
    Column("sentence", lambda clip: clip.sentence, wide=True),
    Column("meaning", lambda clip: next(iter(clip.focus.meanings), "") if clip.focus else "", wide=True),
    Column("lemma", lambda clip: (clip.focus and clip.focus.lemma) or "", usual=False),
    Column("lang", lambda clip: clip.language or "", usual=False),
    Column("note", lambda clip: clip.note, wide=True, usual=False),
    Column("tags", lambda clip: " ".join(clip.tags), wide=True, usual=False),
    Column("exported", lambda clip: clip.exported, usual=False),
    Column("source", lambda clip: clip.source, wide=True, inside=True),
    Column("age", lambda clip: age(clip.created_at), lambda clip: clip.created_at, right=True),
)
_TAGS: tuple[Column[TagCount], ...] = (
    Column("tag", lambda each: each.tag, wide=True),
    number_column("clips", lambda each: each.chosen),
)
_FILLED: tuple[Column[FilledClip], ...] = (
    Column("id", lambda each: short(each.clip.id), lambda each: each.clip.id),
    Column("word", lambda each: each.clip.focus.surface if each.clip.focus else "", wide=True),
    Column("filled", told_filled, wide=True),
    Column("sentence", lambda each: each.clip.sentence, wide=True),
)


@click.group(cls=Group)
def clips() -> None:
    """Kept clips."""


add_list(
    clips,
    lambda service: service.clips.page,
    _CLIPS,
    noun="clips",
    empty_hint="keep one with: lode breakdown SENTENCE --focus WORD --save",
)


def _field_options(command: F) -> F:
    """Options for the fields that people edit."""
    for field in reversed(EDITED.values()):
        command = click.option(f"--{field.name}", field.name, metavar="TEXT", help=f"{field.placeholder}.")(command)
    return command


@clips.command("edit")
@_field_options
@click.argument("clip_id", metavar="ID")
@click.option("--start", "start_ms", type=int, metavar="MS", help="When its sound begins, in milliseconds.")
@click.option("--end", "end_ms", type=int, metavar="MS", help="When it ends.")
@takes_json
def edit(
    context: Context, /, clip_id: str, start_ms: int | None, end_ms: int | None, as_json: bool, **given: str | None
) -> None:
    """Change the texts of a clip, or the times of its sound and picture, which are cut anew then.

    "" empties a field, @FILE and - (standard input) are read. What is not named stays; another word loses the
    meanings of the one before.
    """
    typed = {name: read_text_or_file(text, f"the {name}") for name, text in given.items() if text is not None}
    if not typed and start_ms is None and end_ms is None:
        raise WrongUsage("there is nothing to change", hint="name a field, --note TEXT, say; --help has all")

    async def work(service: Service) -> Clip:
        from tui.service.clip_filling import edit_clip

        clip = await service.clips.get(clip_id)
        return await service.clips.edit(clip.id, edit_clip(clip, typed, _span(clip, start_ms, end_ms)))

    console.put_record(context.run(work), put_clip, as_json=as_json)


@clips.command("fill")
@selection_options
@click.option("--dry-run", is_flag=True, help="Say what they would get; change nothing.")
@takes_json
def fill(context: Context, /, dry_run: bool, as_json: bool, **selected: Any) -> None:
    """Fill what clips lack with what dictionaries and translation tracks say by now: all, or those that are chosen.

    For clips that were made before a dictionary or a track was there. What stands in them stays.
    """
    with console.StatusLine() as status:
        status.show("looking words up …")
        report = context.run(lambda service: service.clips.fill(ClipSelection(**selected), dry_run=dry_run))
    console.put_record(report, lambda report: ListWriter(_FILLED, Listing()).put(report.filled), as_json=as_json)
    count = count_of(len(report.filled), "clip")
    told = f"{count} would be filled" if dry_run else f"{count} filled"
    lacks = f"; {without_meaning(report.without_meaning, report.looked_at)}" if report.without_meaning else ""
    undo = "; lode undo takes it back" if report.filled and not dry_run else ""
    console.tell(f"{told}{lacks}{undo}")


@clips.command("tag")
@selection_options
@click.option("--add", multiple=True, metavar="TAG", help="Give them this tag; may be repeated.")
@click.option("--remove", multiple=True, metavar="TAG", help="Take this tag from them; may be repeated.")
@click.option("--all", "of_all", is_flag=True, help="All clips of the profile.")
@takes_json
def tag(
    context: Context, /, add: Sequence[str], remove: Sequence[str], of_all: bool, as_json: bool, **selected: Any
) -> None:
    """Give clips tags, and take others away; without --add and --remove list the tags that they have.

    lode undo takes it back.
    """
    selection = ClipSelection(**selected)
    if not add and not remove:
        tags = context.run(lambda service: service.clips.tags(selection))
        found = tuple(each for each in tags if each.chosen)
        console.put_record(found, lambda found: ListWriter(_TAGS, Listing()).put(found), as_json=as_json)
        return
    if selection.is_all and not of_all:
        raise WrongUsage("which clips?", hint="name them by their ids, --search or --tag, or all of them by --all")
    new, old = " ".join(add), " ".join(remove)
    count = context.run(lambda service: service.clips.tag(selection, add=new, remove=old))
    undo = "; lode undo takes it back" if count else ""
    console.put_answer({"count": count}, f"{count_of(count, 'clip')} tagged{undo}", as_json=as_json)


@clips.command("speak")
@selection_options
@click.option("--again", is_flag=True, help="Also those that another machine's voice speaks; recordings stay.")
@takes_json
def speak(context: Context, /, again: bool, as_json: bool, **selected: Any) -> None:
    """Have a machine speak clips that have no sound: all, or those that are chosen.

    espeak-ng speaks them unless [speech] in config.toml names a voice of piper or of a provider. Cards say that a
    machine speaks. What was spoken is kept, however it ends; lode jobs retry goes on.
    """

    async def work(service: Service) -> bool:
        job = await service.media.speak(ClipSelection(**selected), again=again)
        if job is None:
            console.tell("there is nothing to speak: no such clip lacks a sound")
            return True
        from tui.cli.output.job_progress import follow_jobs

        return await follow_jobs(service, (job,), as_json=as_json)

    context.finish(work)


@clips.command("unspeak")
@selection_options
@takes_json
def unspeak(context: Context, /, as_json: bool, **selected: Any) -> None:
    """Take their sound from clips that a machine speaks: all, or those that are chosen; recordings stay."""
    count = context.run(lambda service: service.media.unspeak(ClipSelection(**selected)))
    console.put_answer({"count": count}, f"{count_of(count, 'clip')} without the machine's voice", as_json=as_json)


def _span(clip: Clip, start_ms: int | None, end_ms: int | None) -> Span | None:
    if start_ms is None and end_ms is None:
        return None
    from tui.records.media import Span
    from tui.service.clip_filling import span_of

    old = span_of(clip)
    if old is None:
        raise WrongUsage("this clip has no times", hint="only those out of subtitles and recordings have")
    span = Span(old.start_ms if start_ms is None else start_ms, old.end_ms if end_ms is None else end_ms)
    if not 0 <= span.start_ms < span.end_ms:
        raise WrongUsage(
            f"no sound goes from {span.start_ms} to {span.end_ms} ms", hint="a start of 0 or later, and an end after it"
        )
    return span


add_show(
    clips, lambda service, given: service.clips.get(given), put_clip, what="a clip with its focus word and explanation"
)
add_move(clips, lambda service: service.clips, noun="clip", what="clips with sound and picture")
add_delete(clips, lambda service: service.clips, noun="clip", what="clips")
