"""Commands for films: ``lode follow`` reads along while mpv plays one, ``lode audio`` writes its speech."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.commands.records import Number, find_record
from tui.cli.context import Context
from tui.cli.disk import PathOnDisk
from tui.cli.output import console
from tui.cli.root import Command, PlaceOnDisk, json_option
from tui.records.media import SpeechFile
from tui.records.pages import to_json
from tui.service.protocol import Service
from tui.text.display import bar, clock, count_of, size
from tui.text.sanitize import one_line

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


_BAR_CELLS = 20


@click.command(cls=Command)
@click.argument("given", metavar="TRANSCRIPT")
@click.argument("out", metavar="OUT.mp3", type=PlaceOnDisk(path_type=Path))
@click.option(
    "--media", "film", metavar="FILE", type=PathOnDisk(), help="The film or recording; else the one that is linked."
)
@click.option(
    "--track", type=Number(1), metavar="N", help="Its track of sound; else the one in the transcript's language."
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@json_option
@click.pass_obj
def audio(
    context: Context, given: str, out: Path, film: str | None, track: int | None, force: bool, as_json: bool
) -> None:
    """Write what is spoken in a film to an MP3, without the gaps between: to listen to on the way.

    The times are those of the transcript, the sound is that of its film, or of FILE, which Lode reads here and does
    not keep. Films need one more library: pip install 'lode[media]'.
    """

    async def work(service: Service) -> SpeechFile:
        from tui.service.media.playing import film_of, write_speech

        transcript = await find_record(service.transcripts, given)
        found = await film_of(service, transcript, film)
        with console.StatusLine() as status:
            return await write_speech(
                service.transcripts,
                transcript.id,
                found.path,
                out,
                track=track or found.track,
                overwrite=force,
                report=lambda share: status.show(f"{bar(share, _BAR_CELLS)} {share:4.0%}"),
            )

    written = context.run(work)
    if as_json:
        console.put_json(to_json(written))
        return
    named = " ".join(filter(None, (written.track.language, one_line(written.track.title))))
    console.put(
        f"{written.path}: {clock(written.duration_ms)} of speech in {count_of(written.pieces, 'piece')}"
        f" ({size(written.size_bytes)}) · track {written.track.number}{f' ({named})' if named else ''}"
    )
