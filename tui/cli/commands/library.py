"""Commands for the library as a whole: ``lode undo`` and ``redo``, ``backup``, and ``profiles`` with their settings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from tui.cli.arguments import Number, PlaceOnDisk, WrongUsage
from tui.cli.commands.records import put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.details import put_fields
from tui.cli.output.tables import Column
from tui.cli.root import Command, Group, takes_json
from tui.errors import LodeError, NotFound
from tui.records.library import ProfileSummary, Restored, UndoStep
from tui.records.pages import MAX_ROWS, to_json
from tui.records.settings import CHOICES, LearnedLanguage, SavedSettings
from tui.service.protocol import Service
from tui.text.display import age, count_of, undo_step

_STEPS: tuple[Column[UndoStep], ...] = (
    Column("id", lambda step: str(step.id), right=True),
    Column("step", undo_step, wide=True),
    Column("age", lambda step: age(step.created_at), lambda step: step.created_at, right=True),
)


@click.command(cls=Command)
@click.argument("step", metavar="[ID]", type=Number(0), required=False)
@click.option("--list", "lists", is_flag=True, help="List what can be undone, newest first, with its ids.")
@takes_json
def undo(context: Context, step: int | None, lists: bool, as_json: bool) -> None:
    """Undo what was done last: a deletion, a clip made or edited, marks of words …; again, what was done before it.

    With the ID of an older step, that one alone, unless later ones touch the same records. lode redo does it again.
    """
    if lists and step is not None:
        raise WrongUsage("--list lists all steps, and takes no ID", hint="leave one of them out")
    if lists:
        steps = context.run(lambda service: service.undo_steps(limit=MAX_ROWS))
        put_all(_STEPS, steps, Listing("json" if as_json else ""), none="there is nothing to undo")
        return

    async def take_back(service: Service) -> Restored | None:
        return await service.undo() if step is None else await service.undo_step(step)

    restored = context.run(take_back)
    if restored is None:
        raise NotFound("there is nothing to undo", hint="a deletion can be undone until Lode was used on 30 other days")
    console.put_answer(restored, f"back again: {restored.summary}", as_json=as_json)


@click.command(cls=Command)
@takes_json
def redo(context: Context, as_json: bool) -> None:
    """Redo what was undone last; again, what was undone before it. It can be redone until something is changed."""
    step = context.run(lambda service: service.redo())
    if step is None:
        raise NotFound("there is nothing to redo", hint="what was undone can be redone until something is changed")
    console.put_answer(step, f"done again: {undo_step(step)}", as_json=as_json)


@click.command(cls=Command)
@click.argument("path", metavar="OUT.db", type=PlaceOnDisk(path_type=Path))
@click.pass_obj
def backup(context: Context, path: Path) -> None:
    """Copy the whole database, all profiles, into a new file; prints its path."""
    with console.StatusLine() as status:
        status.show("copying the database and looking through the copy …", now=True)
        written = context.run(lambda service: service.backup(path))
    console.put(str(written))


_PROFILES: tuple[Column[ProfileSummary], ...] = (
    Column("name", lambda profile: profile.name, wide=True),
    Column("files", lambda profile: str(profile.files), right=True),
    Column("transcripts", lambda profile: str(profile.transcripts), right=True),
    Column("clips", lambda profile: str(profile.clips), right=True),
)


@click.group(cls=Group)
def profiles() -> None:
    """Profiles: libraries of their own within the same database."""


@profiles.command("list")
@takes_list(_PROFILES)
def list_profiles(context: Context, how: Listing) -> None:
    """List the profiles and how much each has, by name."""
    put_all(
        _PROFILES,
        context.run(lambda service: service.profiles()),
        how,
        none="no profiles yet; one comes into being with the first thing written to it: --profile NAME",
    )


@profiles.command("show")
@takes_json
def show(context: Context, as_json: bool) -> None:
    """Show the settings of the profile: what explanations are given in, and what is learned."""

    async def work(service: Service) -> tuple[str, SavedSettings]:
        return service.profile, await service.settings.get()

    name, settings = context.run(work)
    if settings.updated_at is None:
        console.tell("nothing was set yet; these are the usual settings")
    if as_json:
        console.put_json(_as_json(name, settings))
        return
    put_fields(
        ("profile", name),
        ("explain in", _named(settings.explain_in)),
        ("learning", ", ".join(f"{_named(each.language)} {each.level}".strip() for each in settings.learning)),
        ("known words", ", ".join(settings.known_states)),
        *_choice_lines(settings),
        ("transcribe with", settings.transcribe_with),
        ("saved", settings.updated_at or ""),
    )


def _choice_lines(settings: SavedSettings) -> list[tuple[str, str]]:
    lines = groupby(CHOICES.items(), key=lambda item: item[1].line)
    return [(line, ", ".join(each.show(getattr(settings, name)) for name, each in choices)) for line, choices in lines]


def _choice_options(command: Callable[..., None]) -> Callable[..., None]:
    for name, each in reversed(CHOICES.items()):
        command = click.option(each.option, name, metavar="|".join(each.values), help=each.help)(command)
    return command


@profiles.command("set")
@click.option("--explain-in", metavar="XX", help="The language that explanations are given in: en, de, pt-BR …")
@click.option(
    "--learn",
    "learn",
    multiple=True,
    metavar="XX[:LEVEL]",
    help="A language that you learn, and how far: de:B1, ja:N4; once for each of them. Empty: none.",
)
@click.option(
    "--known",
    metavar="STATE,…",
    help="States of words that count as known, some of seen, learning, known and ignored; at first known,ignored.",
)
@click.option(
    "--transcribe-with", metavar="SEL", help="The model for recordings: whisper:NAME or provider:model; empty: any."
)
@_choice_options
@takes_json
def set_settings(
    context: Context, /, learn: tuple[str, ...], known: str | None, as_json: bool, **given: str | None
) -> None:
    """Save settings of the profile; what isn't given stays as it is.

    --front and --hint change all cards of the note type Lode, also those of other profiles: with the import of the next
    deck the ones that are in Anki already too.

    Answers that are kept stay as they are: ask with --fresh for one in another language.
    """
    # The service refuses what is no option, and what is no state.
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if learn:
        changes["learning"] = tuple(LearnedLanguage(*each.partition(":")[::2]) for each in learn if each)
    if known is not None:
        changes["known_states"] = tuple(each.strip() for each in known.split(",") if each.strip())
    if not changes:
        raise WrongUsage("nothing was given to set", hint="give at least one: lode profiles set --help")

    async def work(service: Service) -> tuple[str, SavedSettings]:
        before = await service.settings.get()
        saved = await service.settings.save(replace(before.contents(), **changes))
        for each in saved.learning:
            if each not in before.learning:
                await _offer_words(service, each)
        return service.profile, saved

    name, saved = context.run(work)
    if as_json:
        console.put_json(_as_json(name, saved))
    console.tell("the settings are saved")
    if changes.keys() & {"card_front", "card_hint"}:
        console.tell("the next deck that is imported changes all cards of the note type Lode in Anki")


async def _offer_words(service: Service, learned: LearnedLanguage) -> None:
    """Say how the commonest words below a level that is new are marked as known, where anything tells them."""
    with suppress(LodeError):
        offer = await service.known_words.frequent(learned.language, level=learned.level) if learned.level else None
        if offer is not None and offer.changed:
            words = count_of(offer.changed, "common word")
            command = f"lode words mark --below {learned.level} --language {learned.language}"
            console.tell(
                f"{words} of {_named(learned.language)} below {learned.level} can be marked as known: {command}"
            )


def _as_json(name: str, settings: SavedSettings) -> dict[str, Any]:
    return {"profile": name, **to_json(settings)}


def _named(tag: str) -> str:
    from tui.language.tags import language_name

    name = language_name(tag)
    return name if name == tag else f"{name} ({tag})"
