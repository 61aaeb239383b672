"""``lode follow``: the app at a transcript, led by the mpv that plays its film."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tui.cli.context import Context
from tui.cli.disk import PathOnDisk
from tui.cli.named_records import find_record
from tui.cli.root import Command
from tui.service.protocol import Service

if TYPE_CHECKING:
    from tui.playing.mpv_process import MpvSource


@click.command(cls=Command)
@click.argument("given", metavar="TRANSCRIPT")
@click.argument("film", metavar="[FILM]", required=False, type=PathOnDisk())
@click.option(
    "--socket", metavar="PATH", type=PathOnDisk(), help="Join the mpv that listens there: mpv --input-ipc-server=PATH."
)
@click.pass_obj
def follow(context: Context, given: str, film: str | None, socket: str | None) -> None:
    """Open the app at TRANSCRIPT and play FILM in mpv: the line that is spoken is the one under the eye.

    Without FILM it is the film that is linked (lode files link).
    With --socket the mpv that runs already is followed, and goes on when Lode ends.
    """
    from tui.playing.mpv import check_mpv
    from tui.playing.mpv_process import MpvSource
    from tui.system.regular_file import named_path

    async def work(service: Service) -> tuple[str, MpvSource]:
        from tui.service.media.playing import cue_times, film_of

        transcript = await find_record(service.transcripts, given)
        await cue_times(service.transcripts, transcript)
        if socket is not None:
            path = (await film_of(service, transcript, film)).path if film is not None else None
            return transcript.id, MpvSource(path, named_path(socket).absolute())
        await film_of(service, transcript, film)
        check_mpv()
        return transcript.id, MpvSource(named_path(film).absolute() if film is not None else None)

    context.open_app(context.run(work))
