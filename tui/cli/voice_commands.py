"""``lode clips speak`` and ``unspeak``: machines' voices for clips that nothing was recorded for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tui.cli.output import console
from tui.cli.root import Group, json_option
from tui.records.exports import ClipSelection
from tui.text.display import count_of

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.service.protocol import Service

F = TypeVar("F", bound=Callable[..., Any])


def selecting_clips(function: F) -> F:
    """Arguments that choose clips, as those of ``lode export``."""
    for option in (
        click.option("--search", "q", default="", metavar="TEXT", help="Only what has all these words."),
        click.option(
            "--tag", default="", metavar="TAG", help="Only clips with this tag, or with one below it: verb::strong."
        ),
        click.argument("ids", nargs=-1, metavar="[ID…]"),
    ):
        function = option(function)
    return function


def add_voices(group: Group) -> None:
    """Add the commands to ``lode clips``."""

    @group.command("speak")
    @selecting_clips
    @click.option("--again", is_flag=True, help="Also those that another machine's voice speaks; recordings stay.")
    @json_option
    @click.pass_obj
    def speak(context: Context, ids: tuple[str, ...], tag: str, q: str, again: bool, as_json: bool) -> None:
        """Have a machine speak clips that have no sound: all, or those that are chosen.

        espeak-ng speaks them unless [speech] in config.toml names a voice of piper or of a provider. Cards say that a
        machine speaks. What was spoken is kept, however it ends; lode jobs retry goes on.
        """

        async def work(service: Service) -> bool:
            job = await service.media.speak(ClipSelection(ids, q, tag), again=again)
            if job is None:
                console.tell("there is nothing to speak: no such clip lacks a sound")
                return True
            from tui.cli.output.job_progress import follow

            return await follow(service, (job,), as_json=as_json)

        if not context.run(work):
            raise click.exceptions.Exit(1)

    @group.command("unspeak")
    @selecting_clips
    @json_option
    @click.pass_obj
    def unspeak(context: Context, ids: tuple[str, ...], tag: str, q: str, as_json: bool) -> None:
        """Take their sound from clips that a machine speaks: all, or those that are chosen; recordings stay."""
        count = context.run(lambda service: service.media.unspeak(ClipSelection(ids, q, tag)))
        if as_json:
            console.put_json({"count": count})
        else:
            console.put(f"{count_of(count, 'clip')} without the machine's voice")
