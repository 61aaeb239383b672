"""``lode files link`` and ``unlink``: the films of transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.disk import PathOnDisk
from tui.cli.named_records import find_timed_id
from tui.cli.output import console
from tui.cli.record_commands import Number
from tui.cli.root import Group, json_option
from tui.records.pages import to_json
from tui.text.display import clock, count_of
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.records.media import LinkedMedia, MediaLink
    from tui.service.protocol import Service


def add_linking(group: Group) -> None:
    """Add the commands to ``lode files``."""

    @group.command("link")
    @click.argument("given", metavar="ID")
    @click.argument("film", metavar="FILM", type=PathOnDisk())
    @click.option(
        "--track", type=Number(1), metavar="N", help="Its track of sound; else the one in the transcript's language."
    )
    @click.option("--copy", is_flag=True, help="Keep a copy in the library; else the film stays where it lies.")
    @json_option
    @click.pass_obj
    def link(context: Context, given: str, film: str, track: int | None, copy: bool, as_json: bool) -> None:
        """Link a film or recording to a file of subtitles, or to a transcript.

        Clips get the sound and a picture of their sentence from it, those that there are and those to come. Subtitles
        that are added find a film beside them by its name: Film.mkv, Film.de.srt. Over --url the film is sent, and
        kept there.
        """

        async def work(service: Service) -> tuple[LinkedMedia, bool]:
            with console.StatusLine() as status:
                status.show(f"reading {one_line(Path(film).name)}")
                record_id = await find_timed_id(service, given)
                linked = await service.media.link(record_id, film, track=track or 0, copy=copy)
            if as_json:
                console.put_json(to_json(linked))
            else:
                _put(linked)
            from tui.cli.output.job_progress import follow

            return linked, linked.job is None or await follow(service, (linked.job,), as_json=as_json)

        if not context.run(work)[1]:
            raise click.exceptions.Exit(1)

    @group.command("unlink")
    @click.argument("given", metavar="ID")
    @json_option
    @click.pass_obj
    def unlink(context: Context, given: str, as_json: bool) -> None:
        """Let a file's transcripts have no film any more; clips keep the sounds and pictures that they have."""

        async def work(service: Service) -> tuple[MediaLink, ...]:
            return await service.media.unlink(await find_timed_id(service, given))

        links = context.run(work)
        if as_json:
            console.put_json(to_json(links))
        for each in () if as_json else links:
            console.put(f"{one_line(each.path)} is linked no more")
        if not links:
            console.tell("there was no film")


def _put(linked: LinkedMedia) -> None:
    facts = (
        clock(linked.info.duration_ms),
        ", ".join(
            f"track {each.number} {' '.join(filter(None, (each.language, one_line(each.title))))}".rstrip()
            for each in linked.info.audio
        ),
        f"{linked.info.width}×{linked.info.height}" if linked.info.has_video else "no pictures",
    )
    path = linked.links[0].path
    console.put(
        f"{one_line(path)}: linked to {count_of(len(linked.links), 'transcript')} · {' · '.join(filter(None, facts))}"
    )
