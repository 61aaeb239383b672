"""``lode export``, ``push`` and ``deck fields``: clips as an Anki deck or in another format, and its note type."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tui.cli.arguments import PlaceOnDisk, WrongUsage, read_text_or_file
from tui.cli.commands.records import selection_options
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.details import put_fields
from tui.cli.root import Command, Group, takes_json
from tui.deck.formats import CLIP_ENDINGS, CLIP_FORMATS
from tui.records.clip_selection import ClipSelection
from tui.records.exports import ExportReport
from tui.records.notes import NoteFieldsCheck
from tui.records.settings import SavedSettings
from tui.records.vocabulary import RunningAnki
from tui.service.protocol import Service
from tui.system.disk import look_at_disk
from tui.text.display import UNKNOWN, count_of, film_trouble, size, without_meaning
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.records.exports import MergeReport


_STDOUT = "-"
_TEXTS = tuple(name for name, each in CLIP_FORMATS.items() if not each.is_deck)
_PIECE = 1_000_000


@click.command(
    cls=Command,
    help=f"""Write clips as {CLIP_ENDINGS}: what OUT ends in says which.

    All clips, unless some are chosen by their ids or by options; a clip must meet all of these. .apkg is the Anki deck,
    and an older deck that is there is replaced; .txt is for Anki's import of text. Only a deck counts as exported.
    - is standard output, with --format, and gets texts only, without sounds and pictures.
    """,
)
@click.argument("path", metavar="OUT", type=PlaceOnDisk(path_type=Path))
@click.option("--deck", "name", default="", metavar="NAME", help="The deck's name; else Lode, or Lode::PROFILE.")
@click.option(
    "--since",
    default="",
    metavar="DATE",
    help="Only what was kept or changed since: 2026-11-01, 2026-11-01T18:30 (your local time).",
)
@click.option("--only-new", is_flag=True, help="Only what the last deck of this name has not, or not as it is now.")
@selection_options
@click.option(
    "--from",
    "merge_with",
    type=PlaceOnDisk(path_type=Path),
    metavar="FILE",
    help="What Anki exported, or its collection: keep what was edited there, write only what is new or differs.",
)
@click.option("--format", "form", type=click.Choice(_TEXTS), help="Of standard output; else what OUT ends in.")
@click.option("--dry-run", is_flag=True, help="Say what would be new, changed and the same; write nothing.")
@click.option("--force", "overwrite", is_flag=True, help="Replace a file that is there, whatever it is.")
@takes_json
def export(context: Context, /, path: Path, form: str | None, as_json: bool, **given: Any) -> None:
    if (str(path) == _STDOUT) != (form is not None):
        raise WrongUsage(
            "--format is that of standard output" if form else "standard output takes no deck, and needs a format",
            hint="lode export - --format csv",
        )
    if look_at_disk(path.is_dir):
        raise WrongUsage(f"{path} is a directory", hint=f"name a file in it: {path / 'lode.apkg'}")
    how = {option: given.pop(option) for option in ("name", "dry_run", "overwrite", "merge_with")}
    selection = ClipSelection(**given)
    if form is not None:
        if any(how.values()) or as_json:
            raise WrongUsage("standard output gets clips and nothing else", hint="choose some by ids, --search, --tag")
        _put_clips(context, form, selection)
        return
    report = context.run(lambda service: service.deck.export(path, selection=selection, **how))
    if not report.remembered:
        console.tell("warning: the library could not note this export: the next one counts the same as new again")
    if not (report.clips or selection.is_all):
        console.tell("no clip matches that: there is nothing to export")
    _tell_what_lacks(report)
    if as_json:
        console.put_json(report)
        return
    where = f"{report.path} ({size(report.size_bytes)})" if report.written else "nothing written"
    if report.merge is not None:
        put_merge(report.deck, report.merge, where)
        return
    console.put(_told(report, where))
    if report.is_deck and report.changed and report.written:
        console.tell(PLAIN_DECK)


def _put_clips(context: Context, form: str, selection: ClipSelection) -> None:
    """Write clips to standard output, by way of a file: what would go wrong with it is known before anything is out."""
    from tempfile import gettempdir

    from tui.system.temporary import TemporaryDirectory

    with TemporaryDirectory(Path(gettempdir())) as place:
        path = place / f"clips.{form}"
        report = context.run(lambda service: service.deck.export(path, selection=selection))
        if not report.written:
            console.tell("no clip matches that: there is nothing to export")
            return
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                console.put_bytes(piece)


def _tell_what_lacks(report: ExportReport) -> None:
    for film in report.without_media:
        console.tell(f"warning: {film_trouble(film)}")
    if report.without_meaning:
        console.tell(f"{without_meaning(report.without_meaning, report.clips)}; lode clips fill")


def _told(report: ExportReport, where: str) -> str:
    if not report.is_deck:
        return f"{count_of(report.clips, 'clip')} · {where}"
    notes = count_of(report.clips, "note")
    return f"{report.deck}: {notes}, {report.new} new, {report.changed} changed, {report.same} the same · {where}"


@click.command(cls=Command)
@click.option("--deck", "name", default="", metavar="NAME", help="The deck of new notes; else Lode, or Lode::PROFILE.")
@click.option("--anki", "address", default="", metavar="URL", help="Where AnkiConnect answers.")
@click.option("--dry-run", is_flag=True, help="Say what would be new, updated and kept; change nothing.")
@click.option("--remove-deleted", is_flag=True, help="Remove the notes from Anki whose clips were deleted here.")
@takes_json
def push(context: Context, /, address: str, as_json: bool, **how: Any) -> None:
    """Put all clips straight into the Anki that runs here, and keep what was edited there."""
    report = context.run(lambda service: service.deck.push(RunningAnki(address), **how))
    _tell_what_lacks(report)
    if as_json:
        console.put_json(report)
    elif report.merge is not None:
        put_merge(report.deck, report.merge, "in Anki" if report.written else "nothing written")


PLAIN_DECK = (
    "note: Anki takes a changed clip whole, unless its note was edited there later, and none where you changed the note"
    " type, unless you tick Merge note types; to keep edits field by field use lode push, or --from"
)
_MAX_SHOWN = 20


def put_merge(deck: str, merge: MergeReport, where: str) -> None:
    """Tell what a merge did: counts to stdout, what the learner should look at to stderr."""
    edits = f", {count_of(merge.kept_count, 'note')} with edits of Anki's kept" if merge.kept_count else ""
    console.put(f"{deck}: {merge.added} new, {merge.updated} updated, {merge.same} the same{edits} · {where}")
    for each in merge.kept[:_MAX_SHOWN]:
        what = f"edited in Anki, stays: {', '.join(each.fields)}"
        if each.conflicts:
            what = f"changed on both sides, Anki's stays: {', '.join(each.conflicts)}"
        console.tell(f"{each.clip_id} {each.word}: {what}")
    if merge.kept_count > _MAX_SHOWN:
        console.tell(f"and {merge.kept_count - _MAX_SHOWN} more: --json has them")
    if merge.by_time:
        notes = count_of(merge.by_time, "note")
        console.tell(f"note: what was sent before is not known of {notes}: the later side won, by its time of change")
    if merge.note_types:
        console.tell(f"note: written for the note type as it is in Anki: {', '.join(merge.note_types)}")
    if merge.deleted_count:
        _tell_deleted(merge)
    if merge.not_taken:
        console.tell(f"warning: Anki has not taken {count_of(merge.not_taken, 'note')}: look at its window")


def _tell_deleted(merge: MergeReport) -> None:
    for each in merge.deleted[:_MAX_SHOWN]:
        console.tell(f"{each.clip_id} {each.word}: deleted here{', edited in Anki' if each.edited else ''}")
    if merge.deleted_count > _MAX_SHOWN:
        console.tell(f"and {merge.deleted_count - _MAX_SHOWN} more that were deleted here: --json has the first")
    if left := merge.deleted_count - merge.removed:
        notes = count_of(left, "note")
        console.tell(f"note: the clips of {notes} in Anki were deleted here; lode push --remove-deleted removes them")
    if merge.removed:
        whose = "note whose clip was" if merge.removed == 1 else "notes whose clips were"
        console.tell(f"{merge.removed} {whose} deleted here: removed from Anki")


_PRESETS = ("lapis", "kiku")


@click.group(cls=Group)
def deck() -> None:
    """The deck: which note type its cards are of."""


@deck.command()
@click.option("--preset", type=click.Choice(_PRESETS), help="Begin with the fields of a note type that many have.")
@click.option("--set", "given", metavar="FILE", help="Take them from a TOML file, or from standard input: -.")
@click.option("--default", "is_default", is_flag=True, help="Go back to Lode's own note type.")
@click.option("--toml", "as_toml", is_flag=True, help="Show them as TOML, to be edited and given to --set.")
@click.option(
    "--check",
    "deck_file",
    type=PlaceOnDisk(path_type=Path),
    metavar="FILE",
    help="Compare them with a deck (.apkg, .colpkg) or a collection of Anki's.",
)
@click.option(
    "--anki", metavar="URL", help="Compare them with the Anki that runs at this address, or at the usual: anki."
)
@takes_json
def fields(
    context: Context, /, as_toml: bool, deck_file: Path | None, anki: str | None, as_json: bool, **chosen: Any
) -> None:
    """Show, change or check the note type of new cards.

    What stands at the right, a field of Lode's, goes into the field at the left. Cards that are in Anki keep their note
    type; fields that get nothing are left alone.
    """
    if sum(value not in (None, False) for value in chosen.values()) > 1:
        raise WrongUsage("--preset, --set and --default exclude each other", hint="give one of them")
    if deck_file is not None and anki is not None:
        raise WrongUsage("--check and --anki exclude each other", hint="check with one, then with the other")
    source = RunningAnki("" if anki == "anki" else anki) if anki is not None else deck_file
    wanted = _choose_fields(**chosen)

    async def work(service: Service) -> tuple[SavedSettings, NoteFieldsCheck | None]:
        settings = await service.settings.get()
        if wanted is not None:
            settings = await service.settings.save(replace(settings.contents(), note_fields=wanted))
        return settings, None if source is None else await service.deck.check_fields(source)

    settings, checked = context.run(work)
    if wanted is not None:
        console.tell("the fields are saved: new cards get them")
    _put(settings, checked, as_toml=as_toml, as_json=as_json)
    if checked is not None and not checked.usable:
        from tui.service.decks.deck_merge import unusable

        raise unusable(checked)


def _choose_fields(*, preset: str | None, given: str | None, is_default: bool) -> str | None:
    """The fields to be saved, as TOML; None where they are to stay."""
    from tui.deck.note_fields import PRESETS, write_note_fields

    if given is not None:
        return read_text_or_file("-" if given == "-" else f"@{given}", "the fields")
    return write_note_fields(PRESETS[preset]) if preset is not None else "" if is_default else None


def _put(settings: SavedSettings, checked: NoteFieldsCheck | None, *, as_toml: bool, as_json: bool) -> None:
    from tui.deck.note_fields import choose_note_fields, write_note_fields

    inside = choose_note_fields(settings)
    if as_json:
        shown = {"note_type": inside.note_type, "fields": dict(inside.fields), "unused": inside.unused}
        console.put_json(shown | {"check": checked})
    elif as_toml:
        console.put((settings.note_fields or write_note_fields(inside)).rstrip())
    else:
        put_fields(("note type", inside.note_type))
        put_fields(*((name, value or UNKNOWN) for name, value in inside.fields.items()))
        if inside.unused:
            console.tell(f"nowhere: {', '.join(inside.unused)}")
    if checked is not None and not as_json:
        _put_check(checked)


def _put_check(checked: NoteFieldsCheck) -> None:
    where = f"in {checked.source}"
    if not checked.fields:
        closest = ", ".join(map(one_line, checked.closest_types))
        console.tell(f"{where}: no note type {checked.note_type!r}" + (f"; there are {closest}" if closest else ""))
        return
    for each in checked.unknown:
        closest = f"; did you mean {one_line(each.closest)!r}?" if each.closest else ""
        console.tell(f"{where}: no field {each.name!r} for {each.value}{closest}")
    if checked.empty:
        console.tell(f"{where}: stay empty: {', '.join(map(one_line, checked.empty))}")
    if checked.usable:
        console.tell(f"{where}: the note type has them all")
