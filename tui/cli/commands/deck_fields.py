"""``lode deck fields``: which of Lode's fields goes into which field of a note type of the learner's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from tui.cli import text_arguments
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.details import put_fields
from tui.cli.root import Group, PlaceOnDisk, WrongUsage, json_option
from tui.records.notes import NoteFieldsCheck
from tui.records.pages import to_json
from tui.records.settings import SavedSettings
from tui.records.vocabulary import RunningAnki
from tui.service.protocol import Service
from tui.text.display import UNKNOWN
from tui.text.sanitize import one_line

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
@json_option
@click.pass_obj
def fields(
    context: Context,
    preset: str | None,
    given: str | None,
    is_default: bool,
    as_toml: bool,
    deck_file: Path | None,
    anki: str | None,
    as_json: bool,
) -> None:
    """Show, change or check the note type of new cards.

    What stands at the right, a field of Lode's, goes into the field at the left. Cards that are in Anki keep their note
    type; fields that get nothing are left alone.
    """
    if sum((preset is not None, given is not None, is_default)) > 1:
        raise WrongUsage("--preset, --set and --default exclude each other", hint="give one of them")
    if deck_file is not None and anki is not None:
        raise WrongUsage("--check and --anki exclude each other", hint="check with one, then with the other")
    source = RunningAnki("" if anki == "anki" else anki) if anki is not None else deck_file
    wanted = _wanted(preset, given, is_default=is_default)

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


def _wanted(preset: str | None, given: str | None, *, is_default: bool) -> str | None:
    """The fields to be saved, as TOML; None where they are to stay."""
    from tui.deck.note_fields import PRESETS, write_note_fields

    if given is not None:
        return text_arguments.or_file("-" if given == "-" else f"@{given}", "the fields")
    return write_note_fields(PRESETS[preset]) if preset is not None else "" if is_default else None


def _put(settings: SavedSettings, checked: NoteFieldsCheck | None, *, as_toml: bool, as_json: bool) -> None:
    from tui.deck.note_fields import choose_note_fields, write_note_fields

    inside = choose_note_fields(settings)
    if as_json:
        shown = {"note_type": inside.note_type, "fields": dict(inside.fields), "unused": inside.unused}
        console.put_json(shown | {"check": None if checked is None else to_json(checked)})
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
